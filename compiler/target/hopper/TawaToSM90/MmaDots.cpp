// MmaDots.cpp: dots on mma.sync, entirely in registers. The layouts of the operands are those of the instruction's
// fragments (compiler/layouts/algebra, mmaOperandA and its like), so that consecutive registers form fragments in the
// instruction's order: blocks of k first, then blocks of rows (A) or columns (B).
#include "compiler/analysis/DotKind.h"
#include "compiler/target/hopper/TawaToSM90/SynchronousDots.h"

using namespace mlir;

namespace tawa {

/// Products of which each adds to the one before wait for it. So a warp with few blocks of sums computes each in
/// several parts, which are in flight beside each other; a part has at least so many products.
static constexpr size_t kSumsInFlight = 4, kProductsOfPart = 4;

static size_t partsOf(size_t blocks, size_t steps, Type sum) {
  return sum.isF32() ? std::clamp<size_t>(std::min(kSumsInFlight / blocks, steps / kProductsOfPart), 1, kSumsInFlight)
                     : 1;
}

static RankedTensorType tensorType(Value value) { return cast<RankedTensorType>(value.getType()); }

/// Products that a thread takes part in one after the other (layouts/algebra, batchOf).
static size_t batchesOf(RankedTensorType sums) {
  if (sums.getRank() == 2)
    return 1;
  LinearLayout layout = ws::layoutOf(sums).getLayout();
  size_t batches = 1;
  for (unsigned bit = 0; bit < layout.inBits("register"); ++bit)
    batches <<= layout.basis("register", bit, dimName(0)) != 0;
  return batches;
}

LogicalResult SynchronousDotEmitter::lower(tt::DotOp dot) {
  ws::LinearAttr a = ws::layoutOf(dot.getA().getType()), b = ws::layoutOf(dot.getB().getType());
  ws::LinearAttr c = ws::layoutOf(dot.getC().getType());
  if (int64_t promoteEvery = planDot(dot, thread.warps).promoteEvery)
    return lowerPromoted(dot, promoteEvery);
  if (!a || !b || !c || c.isShared() || a.isShared() != b.isShared())
    return dot.emitOpError() << "has operands whose places do not go together: both in shared memory, or both in "
                                "registers as mma takes them, and the accumulator in registers";
  return a.isShared() ? lowerFma(dot) : lowerMma(dot);
}

LogicalResult SynchronousDotEmitter::lowerMma(tt::DotOp dot) {
  Location loc = dot.getLoc();
  Type element = tensorType(dot.getA()).getElementType(), other = tensorType(dot.getB()).getElementType();
  Type sum = tensorType(dot.getC()).getElementType();
  auto onUnit = [&](Type type) { return type.isF32() ? Type(FloatType::getTF32(type.getContext())) : type; };
  auto inWords = [&](Value tensor) {
    Values words;
    for (Value word : builder.packWords(loc, values[tensor]))
      words.push_back(builder.toBits(loc, word));
    return words;
  };
  Values a = inWords(dot.getA()), b = inWords(dot.getB()), c = values[dot.getC()];
  constexpr size_t kWordsOfA = 4, kWordsOfB = 2, kSums = 4;
  size_t steps = tensorType(dot.getA()).getShape().back() * element.getIntOrFloatBitWidth() / 256;
  size_t blocks = c.size() / kSums, batches = batchesOf(tensorType(dot.getC()));
  size_t rows = steps == 0 ? 0 : a.size() / (kWordsOfA * steps), cols = steps == 0 ? 0 : b.size() / (kWordsOfB * steps);
  if (rows * cols != blocks * batches)
    return dot.emitOpError() << "has operands in registers that are no fragments of mma";
  rows /= batches, cols /= batches;

  Values results(c.size());
  size_t parts = partsOf(blocks, steps, sum);
  for (size_t block = 0; block < blocks; ++block) {
    size_t batch = block / (rows * cols);
    size_t row = batch * rows + block / cols % rows, col = batch * cols + block % cols;
    ArrayRef<Value> start = ArrayRef(c).slice(block * kSums, kSums);
    SmallVector<Values> all{sum.isF16() ? builder.packWords(loc, start) : Values(start)};
    while (all.size() < parts)
      all.push_back(Values(kSums, builder.create<arith::ConstantOp>(loc, builder.getF32FloatAttr(0))));
    for (size_t step = 0; step < steps; ++step) {
      Values &running = all[step % parts];
      Value *left = &a[kWordsOfA * (step + steps * row)], *right = &b[kWordsOfB * (step + steps * col)];
      auto product =
          builder.create<sm90::MmaOp>(loc, llvm::to_vector(ValueRange(running).getTypes()), left[0], left[1], left[2],
                                      left[3], right[0], right[1], running, onUnit(element), onUnit(other));
      running = Values(product.getD());
    }
    for (; all.size() > 1; all.resize((all.size() + 1) / 2))
      for (size_t part = 0; part < all.size() / 2; ++part)
        for (auto [own, more] : llvm::zip_equal(all[part], all[part + (all.size() + 1) / 2]))
          own = builder.create<arith::AddFOp>(loc, own, more);
    Values running = all.front();
    if (sum.isF16())
      running = builder.unpackWords(loc, running, sum, kSums);
    llvm::copy(running, results.begin() + block * kSums);
  }
  values[dot.getResult()] = std::move(results);
  return success();
}

} // namespace tawa
