// PromotedDots.cpp: dots of 8-bit floats whose wgmma sums are promoted to f32 every few products.
//
// wgmma sums such products with fewer bits than f32 has. So each piece, one instance of the instruction over a part of
// K, starts from zero, and its sums are added in f32 to the accumulator, which is in ordinary registers:
//
//   piece 0   fence, wgmma.., commit
//   piece 1   fence, wgmma.., commit          while the sums of piece 0 are waited for and added
//   ..
//
// Two pieces overlap where the registers of both fit beside the accumulator. Where they do not, the other warp groups
// of the role keep the tensor cores busy during the additions.
#include "compiler/analysis/DotKind.h"
#include "compiler/target/hopper/TawaToSM90/SynchronousDots.h"

using namespace mlir;

namespace tawa {

namespace {

constexpr uint32_t kInstrKFp8 = 32;

/// One instance over steps [first, last) of K.
struct Piece {
  uint32_t instance = 0, first = 0, last = 0;
  Value inflight;
};

SmallVector<Piece> cutToPieces(const WgmmaDot &dot, uint32_t promoteEvery) {
  uint32_t perPiece = promoteEvery / kInstrKFp8;
  SmallVector<Piece> pieces;
  for (uint32_t first = 0; first < dot.steps(); first += perPiece)
    for (uint32_t instance = 0; instance < dot.instances.count; ++instance)
      pieces.push_back({instance, first, std::min(first + perPiece, dot.steps()), Value()});
  return pieces;
}

} // namespace

LogicalResult SynchronousDotEmitter::lowerPromoted(tt::DotOp op, uint32_t promoteEvery) {
  Location loc = op.getLoc();
  auto tensor = cast<RankedTensorType>(op.getType());
  FailureOr<WgmmaDot> dot = wgmma.describeDot(op, WgmmaInstances(tensor, kPromotedInstrN));
  if (failed(dot) || (!dot->a && failed(wgmma.packOperandA(op, *dot))))
    return failure();
  Type element = tensor.getElementType();
  auto inflight = sm90::InflightType::get(dot->instances.instrN, element);
  auto accumulator = sm90::AccumulatorType::get(dot->instances.instrN, element);
  Values sums = values[op.getC()];

  auto start = [&](Piece &piece) -> LogicalResult {
    piece.inflight = builder.create<sm90::AccUndefOp>(loc, inflight);
    builder.create<sm90::WgmmaFenceOp>(loc);
    for (uint32_t step = piece.first; step < piece.last; ++step) {
      Value adds = builder.create<arith::ConstantOp>(loc, builder.getBoolAttr(step != piece.first));
      FailureOr<Value> next = wgmma.issue(op, *dot, piece.instance, step, piece.inflight, adds);
      if (failed(next))
        return failure();
      piece.inflight = *next;
    }
    builder.create<sm90::WgmmaCommitOp>(loc);
    return success();
  };
  auto addUp = [&](const Piece &piece, int pendings) {
    auto waited = builder.create<sm90::WgmmaWaitOp>(loc, TypeRange(accumulator), pendings, piece.inflight);
    auto registers = builder.create<sm90::UnpackOp>(loc, waited.getResults().front()).getRegisters();
    for (auto [index, partial] : llvm::enumerate(registers)) {
      Value &sum = sums[piece.instance * dot->instances.registers + index];
      sum = builder.create<arith::AddFOp>(loc, sum, partial);
    }
  };

  SmallVector<Piece> pieces = cutToPieces(*dot, promoteEvery);
  bool overlap = sums.size() + size_t(2) * dot->instances.registers <= kMaxAccumulatorRegisters;
  for (size_t next = 0; next < pieces.size(); ++next) {
    if (failed(start(pieces[next])))
      return failure();
    if (!overlap)
      addUp(pieces[next], 0);
    else if (next != 0)
      addUp(pieces[next - 1], 1);
  }
  if (overlap)
    addUp(pieces.back(), 0);
  values[op.getResult()] = std::move(sums);
  return success();
}

} // namespace tawa
