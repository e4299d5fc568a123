// PTX of OpsMma.td.

#include "compiler/target/hopper/SM90ToPTX/PtxLowering.h"

using namespace mlir;

namespace tawa::sm90 {

// Pure: it reads nothing but registers. target/ptx marks it convergent, which keeps the warp together.
PtxLowering::Values PtxLowering::mma(StringRef mnemonic, ValueRange a, ValueRange b, ValueRange c) {
  PtxAsm text = ptx();
  auto list = [&](ValueRange values, bool outputs) {
    SmallVector<std::string> places;
    for (Value value : values)
      places.push_back(outputs ? text.output(value.getType()) : text.input(value));
    return braced(places);
  };
  std::string results = list(c, true), first = list(a, false), second = list(b, false), third = list(c, false);
  return text.emit(
      ("mma.sync.aligned." + mnemonic + " " + results + ", " + first + ", " + second + ", " + third + ";").str(),
      /*pure=*/true);
}

std::pair<Value, Value> PtxLowering::widenFp8(Value word, Type type) {
  PtxAsm text = ptx();
  std::string lo = text.output(builder.getI32Type()), hi = text.output(builder.getI32Type());
  std::string bytes = text.input(word), cvt = "cvt.rn.f16x2." + matrixTypeName(type).str() + "x2 ";
  Values halves = text.emit("{\n.reg .b16 lo, hi;\nmov.b32 {lo, hi}, " + bytes + ";\n" + cvt + lo + ", lo;\n" + cvt +
                                hi + ", hi;\n}",
                            /*pure=*/true);
  return {halves[0], halves[1]};
}

/// Products may be summed in any order of k, as long as A and B agree: the low and the high two bytes of every register
/// make one f16 product each.
PtxLowering::Values PtxLowering::lower(MmaOp op, MmaOp::Adaptor in) {
  Values a{in.getA0(), in.getA1(), in.getA2(), in.getA3()}, b{in.getB0(), in.getB1()}, c(in.getC());
  Type aType = op.getAType(), bType = op.getBType();
  if (!aType.isFloat8E4M3FN() && !aType.isFloat8E5M2()) {
    StringRef d = aType.isInteger(8) ? "s32" : c.size() == 2 ? "f16" : "f32";
    return mma(("m16n8k" + Twine(wgmmaK(aType)) + ".row.col." + d + "." + matrixTypeName(aType) + "." +
                matrixTypeName(bType) + "." + d)
                   .str(),
               a, b, c);
  }
  Values lowA, highA, lowB, highB;
  auto widen = [&](ValueRange words, Type type, Values &low, Values &high) {
    for (Value word : words) {
      auto [lo, hi] = widenFp8(word, type);
      low.push_back(lo);
      high.push_back(hi);
    }
  };
  widen(a, aType, lowA, highA);
  widen(b, bType, lowB, highB);
  StringRef halves = "m16n8k16.row.col.f32.f16.f16.f32";
  return mma(halves, highA, highB, mma(halves, lowA, lowB, c));
}

} // namespace tawa::sm90
