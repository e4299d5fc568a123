// PackedHalves.cpp: see PackedHalves.h. Words are formed where products and stores need them, unknown to the lowering
// of the elements, so this runs on the machine code.
#include "compiler/target/hopper/TawaToSM90/PackedHalves.h"

#include "compiler/target/hopper/SM90/SM90.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tawa {

/// Whether every reader of `narrow` comes after `pack`.
static bool isReadAfter(arith::TruncFOp narrow, sm90::CvtPackOp pack) {
  return llvm::all_of(narrow->getUsers(), [&](Operation *user) {
    Operation *beside = pack->getBlock()->findAncestorOpInBlock(*user);
    return beside && pack->isBeforeInBlock(beside);
  });
}

/// The low or high half of a word.
static Value halfOf(sm90::CvtPackOp pack, bool isHigh) {
  OpBuilder builder(pack->getContext());
  builder.setInsertionPointAfter(pack);
  Location loc = pack.getLoc();
  Value word = pack.getResult();
  if (isHigh) {
    Value distance = builder.create<arith::ConstantOp>(loc, builder.getI32IntegerAttr(16));
    word = builder.create<arith::ShRUIOp>(loc, word, distance);
  }
  Value bits = builder.create<arith::TruncIOp>(loc, builder.getI16Type(), word);
  return builder.create<arith::BitcastOp>(loc, pack.getType(), bits);
}

static void readHalf(sm90::CvtPackOp pack, Value wide, bool isHigh) {
  SmallVector<arith::TruncFOp> same;
  for (Operation *user : wide.getUsers())
    if (auto narrow = dyn_cast<arith::TruncFOp>(user); narrow && narrow.getType() == pack.getType() &&
                                                       !narrow.getRoundingmode() && !narrow->use_empty() &&
                                                       isReadAfter(narrow, pack))
      same.push_back(narrow);
  for (arith::TruncFOp narrow : same)
    narrow.replaceAllUsesWith(halfOf(pack, isHigh));
}

void readPackedHalves(func::FuncOp function) {
  function.walk([](sm90::CvtPackOp pack) {
    if (pack.getRounding() != sm90::Rounding::RN)
      return;
    readHalf(pack, pack.getLo(), /*isHigh=*/false);
    readHalf(pack, pack.getHi(), /*isHigh=*/true);
  });
}

} // namespace tawa
