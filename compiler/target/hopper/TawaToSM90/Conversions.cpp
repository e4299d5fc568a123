// Conversions.cpp: emits tawa.convert_layout as planned by ConversionPlan.h.
#include "compiler/target/hopper/TawaToSM90/Conversions.h"
#include "compiler/roles/Tawa/Target.h"
#include "compiler/target/hopper/TawaToSM90/SharedAccess.h"

using namespace mlir;

namespace tawa {

/// More shuffles than this take longer than two barriers and the way through shared memory; in a role of one warp,
/// whose barriers cost nothing, fewer do.
static constexpr size_t kMaxShuffles = 32, kMaxShufflesOfLoneWarp = 8;
/// A larger conversion is done in rounds, so that its scratch does not cost a second resident CTA.
static constexpr uint32_t kMaxRoundBytes = 65536, kMinRoundBytes = 4096;

/// What a round may take of the scratch that begins at `begin`: less where rings and tiles leave less of the limit.
static uint32_t roundBytes(uint64_t begin, uint32_t limit) {
  constexpr uint64_t alignment = 128; // of scratch
  uint64_t end = std::min<uint64_t>(llvm::alignTo(begin, alignment), limit);
  return std::clamp(static_cast<uint32_t>(limit - end), kMinRoundBytes, kMaxRoundBytes);
}

//===--- Inside a warp ------------------------------------------------------------------------------------------===//

/// One condition per selector: whether this thread adds it to the source register.
Values ConversionEmitter::selectorConditions(Location loc, const WarpLocalPlan &plan) {
  Values conditions;
  for (auto [ofLane, ofWarp] : plan.selectorMasks()) {
    Value odd = builder.constant(loc, 0); // whether an odd number of these bits is set
    auto include = [&](Value index, uint32_t mask) {
      for (uint32_t rest = mask; rest; rest &= rest - 1) {
        Value bit = builder.create<arith::ShRUIOp>(loc, index, builder.constant(loc, llvm::countr_zero(rest)));
        odd = builder.create<arith::XOrIOp>(loc, odd, bit);
      }
    };
    include(thread.lane, ofLane);
    include(thread.warp, ofWarp);
    conditions.push_back(builder.create<arith::TruncIOp>(loc, builder.getI1Type(), odd));
  }
  return conditions;
}

/// The thread's part of the lane to read from; that of the register is added to it by XOR.
Value ConversionEmitter::sourceLane(Location loc, const WarpLocalPlan &plan) {
  SmallVector<uint32_t> ofLane, ofWarp;
  for (const WarpLocalPlan::Source &from : plan.lanes)
    ofLane.push_back(from.lane);
  for (const WarpLocalPlan::Source &from : plan.warps)
    ofWarp.push_back(from.lane);
  return thread.applyBases(loc, ofLane, ofWarp);
}

/// Halves the candidates by each condition in turn: where it holds, the odd ones stay.
Values ConversionEmitter::chooseCandidate(Location loc, SmallVector<Values> candidates, ArrayRef<Value> conditions) {
  for (Value condition : conditions) {
    SmallVector<Values> chosen;
    for (size_t pair = 0; pair < candidates.size(); pair += 2) {
      Values elements;
      for (auto [no, yes] : llvm::zip(candidates[pair], candidates[pair + 1]))
        elements.push_back(builder.select(loc, condition, yes, no));
      chosen.push_back(std::move(elements));
    }
    candidates = std::move(chosen);
  }
  return candidates.front();
}

Values ConversionEmitter::convertInWarp(Location loc, ArrayRef<Value> source, const WarpLocalPlan &plan) {
  Values conditions = selectorConditions(loc, plan);
  bool moves = !plan.staysInThread();
  Value own = moves ? sourceLane(loc, plan) : Value();
  unsigned together = moves ? plan.registersPerShuffle(storageBits(source.front().getType())) : 1;
  Values result(size_t(1) << plan.registers.size());
  for (uint32_t first = 0; first < result.size(); first += together) {
    if (uint32_t same = plan.originalOf(first); same != first) { // registers already made
      for (uint32_t i = 0; i < together; ++i)
        result[first + i] = result[same + i];
      continue;
    }
    WarpLocalPlan::Source from = plan.ofRegister(first);
    SmallVector<Values> candidates; // one for each sum of selectors
    for (uint32_t choice = 0; choice < 1u << plan.selectors.size(); ++choice) {
      Values elements;
      for (uint32_t i = 0; i < together; ++i)
        elements.push_back(source[from.reg ^ plan.ofRegister(i).reg ^ combineBases(plan.selectors, choice)]);
      if (moves) {
        Value sender = builder.create<arith::XOrIOp>(loc, own, builder.constant(loc, from.lane));
        elements = builder.shuffle(loc, sm90::ShuffleMode::Idx, elements, sender);
      }
      candidates.push_back(std::move(elements));
    }
    llvm::copy(chooseCandidate(loc, std::move(candidates), conditions), result.begin() + first);
  }
  return result;
}

//===--- Through scratch ----------------------------------------------------------------------------------------===//

/// Spreads `index` over all bits but `bit`, which gets `value`.
static uint32_t insertBit(uint32_t index, unsigned bit, uint32_t value) {
  uint32_t low = index & ((1u << bit) - 1);
  return (index ^ low) << 1 | value << bit | low;
}

Values ConversionEmitter::convertInRounds(Location loc, ArrayRef<Value> source, const HalvedConversion &half) {
  Values result(size_t(2) << half.to.inBits("register"));
  for (uint32_t round = 0; round < 2; ++round) {
    Values part;
    for (uint32_t index = 0; index < source.size() / 2; ++index)
      part.push_back(source[insertBit(index, half.fromBit, round)]);
    part = convertThroughScratch(loc, part, half.from, half.to);
    for (auto [index, value] : llvm::enumerate(part))
      result[insertBit(index, half.toBit, round)] = value;
  }
  return result;
}

Values ConversionEmitter::convertThroughScratch(Location loc, ArrayRef<Value> source, const LinearLayout &from,
                                                const LinearLayout &to) {
  Type element = source.front().getType();
  unsigned bits = storageBits(element);
  uint64_t bytes = (uint64_t(1) << from.totalOutBits()) * bits / 8;
  if (bytes > std::max(roundBytes(scratch.begin(), shared.limitBytes()), scratch.freeBytes()))
    if (auto half = halve(from, to))
      return convertInRounds(loc, source, *half);
  ScratchPlan plan = planScratch(from, to, bits, hasFeature(context.source, Feature::MatrixStores));
  Value tile = scratch.open(loc, plan.bytes);
  writeShared(builder, thread, loc, tile, plan.write, source, thread.ownsElements(loc, from));
  scratch.publish(loc);
  return readShared(builder, thread, loc, tile, plan.read, element, to);
}

Values ConversionEmitter::convert(Location loc, ArrayRef<Value> source, const LinearLayout &from, LinearLayout to) {
  if (from == to)
    return Values(source);
  to = to.transposeOuts(from.outNames());
  if (auto local = planWarpLocal(from, to)) {
    unsigned bits = storageBits(source.front().getType());
    size_t most = thread.warps == 1 ? kMaxShufflesOfLoneWarp : kMaxShuffles;
    bool cheap = local->staysInThread() ? local->selectors.size() <= 3 : local->countShuffles(bits) <= most;
    if (cheap)
      return convertInWarp(loc, source, *local);
  }
  return convertThroughScratch(loc, source, from, to);
}

LogicalResult ConversionEmitter::lower(ws::ConvertLayoutOp op) {
  LinearLayout from = ws::layoutOf(op.getSource().getType()).getLayout();
  LinearLayout to = ws::layoutOf(op.getResult().getType()).getLayout();
  values[op.getResult()] = convert(op.getLoc(), values.lookup(op.getSource()), from, to);
  return success();
}

} // namespace tawa
