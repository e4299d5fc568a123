// Atomics.cpp: tt.atomic_rmw and tt.atomic_cas. Each element is accessed once, by the thread that owns it, a scalar by
// one thread of the role. Other threads that need the result read it from scratch. Sums whose result is unused take
// neighbours at once, as `tawa.vector` says. Where a thread has several atomics of a tile, one fence before them
// releases and one after them acquires, instead of each: every one of them waits for the memory accesses before it.
#include "compiler/target/hopper/TawaToSM90/Atomics.h"

#include "compiler/target/hopper/TawaToSM90/GlobalMemory.h"

using namespace mlir;

namespace tawa {

namespace {

template <typename Attr, typename Enum, typename From> Attr same(MLIRContext *context, From value) {
  return Attr::get(context, static_cast<Enum>(static_cast<uint32_t>(value)));
}

sm90::Semantics semanticsOf(bool isRelease, bool isAcquire) {
  if (isRelease)
    return isAcquire ? sm90::Semantics::AcqRel : sm90::Semantics::Release;
  return isAcquire ? sm90::Semantics::Acquire : sm90::Semantics::Relaxed;
}
sm90::Scope scopeOf(tt::MemSyncScope scope) { return static_cast<sm90::Scope>(static_cast<uint32_t>(scope)); }

bool releases(tt::MemSemantic semantics) {
  return semantics == tt::MemSemantic::Release || semantics == tt::MemSemantic::AcquireRelease;
}
bool acquires(tt::MemSemantic semantics) {
  return semantics == tt::MemSemantic::Acquire || semantics == tt::MemSemantic::AcquireRelease;
}

/// Whether other threads of the role may have written data that a release publishes.
bool storesToGlobal(ws::WarpGroupOp role) {
  return role
      .walk([](Operation *op) {
        return isa<tt::StoreOp, tt::DescriptorStoreOp, tt::AtomicRMWOp, tt::AtomicCASOp>(op) ? WalkResult::interrupt()
                                                                                             : WalkResult::advance();
      })
      .wasInterrupted();
}

} // namespace

Value AtomicEmitter::emitRMW(tt::AtomicRMWOp op, const Part &part, bool wanted) {
  Location loc = op.getLoc();
  MLIRContext *context = builder.getContext();
  Values pointers = values[op.getPtr()], added = values[op.getVal()];
  auto semantics = sm90::SemanticsAttr::get(context, part.semantics);
  auto scope = sm90::ScopeAttr::get(context, scopeOf(op.getScope()));
  if (part.width > 1) {
    Values words = builder.packWords(loc, ArrayRef<Value>(added).slice(part.first, part.width));
    builder.create<sm90::AddGlobalOp>(loc, semantics, scope, pointers[part.first], words, part.condition,
                                      TypeAttr::get(added.front().getType()));
    return {};
  }
  Value value = added[part.first];
  return builder
      .create<sm90::AtomicRmwOp>(loc, wanted ? value.getType() : Type(),
                                 same<sm90::AtomicKindAttr, sm90::AtomicKind>(context, op.getAtomicRmwOp()), semantics,
                                 scope, pointers[part.first], value, part.condition)
      .getResult();
}

LogicalResult AtomicEmitter::lowerAtomic(Operation *op, Value mask, tt::MemSemantic semantics, tt::MemSyncScope scope,
                                         llvm::function_ref<Value(const Part &)> emit) {
  Location loc = op->getLoc();
  Value tileResult = op->getResult(0), pointer = op->getOperand(0);
  bool wanted = !tileResult.use_empty();
  // A thread that does not see what was there cannot know which release it has met.
  bool isRelease = releases(semantics), isAcquire = acquires(semantics) && wanted;
  Values masks;
  if (mask)
    masks = values[mask];
  ws::LinearAttr attr = ws::layoutOf(tileResult.getType());
  LinearLayout layout = attr ? attr.getLayout() : LinearLayout();
  Copies copies = attr ? findCopies(layout) : Copies();
  if (attr && wanted && copies.registers != layout.zeroBasisMask("register"))
    return op->emitOpError() << "has registers that are sums of others as copies; zero bases are needed";
  Value owner = attr ? thread.ownsElements(loc, layout) : thread.actsForRole(loc);
  if (isRelease && storesToGlobal(role()))
    barrier.emit(loc);
  order.orderAccess(op, pointer, /*reads=*/false, /*writes=*/true);
  Type element = builder.machineType(getElementTypeOrSelf(tileResult.getType()));
  size_t registers = values[pointer].size();
  unsigned width = accessWidth(op, element, registers, copies.registers);
  bool areSeveral = (registers >> std::popcount(copies.registers)) > width;
  if (areSeveral && isRelease)
    builder.create<sm90::FenceAcqRelOp>(loc, scopeOf(scope));
  sm90::Semantics each = semanticsOf(isRelease && !areSeveral, isAcquire && !areSeveral);
  Values result;
  for (size_t first = 0; first < registers; first += width) {
    if (first & copies.registers) {
      result.push_back(wanted ? builder.zero(loc, element) : Value()); // read back below
      continue;
    }
    result.push_back(emit({first, width, each, builder.both(loc, conditionOf(masks, first), owner)}));
  }
  if (areSeveral && isAcquire)
    builder.create<sm90::FenceAcqRelOp>(loc, scopeOf(scope));
  if (!wanted)
    return success();
  if (!attr)
    result = {scratch.broadcastFromActor(loc, result.front())};
  else if (copies.registers || copies.lanes || copies.warps)
    result = conversions.convertThroughScratch(loc, result, layout, layout);
  else if (isAcquire)
    barrier.emit(loc);
  values[tileResult] = std::move(result);
  return success();
}

LogicalResult AtomicEmitter::lower(tt::AtomicRMWOp op) {
  bool wanted = !op.getResult().use_empty();
  return lowerAtomic(op, op.getMask(), op.getSem(), op.getScope(),
                     [&](const Part &part) { return emitRMW(op, part, wanted); });
}

LogicalResult AtomicEmitter::lower(tt::AtomicCASOp op) {
  Location loc = op.getLoc();
  Values pointers = values[op.getPtr()], expected = values[op.getCmp()], operands = values[op.getVal()];
  return lowerAtomic(op, Value(), op.getSem(), op.getScope(), [&](const Part &part) -> Value {
    Value compared = builder.toBits(loc, expected[part.first]), stored = builder.toBits(loc, operands[part.first]);
    Value old = builder.create<sm90::AtomicCasOp>(loc, part.semantics, scopeOf(op.getScope()), pointers[part.first],
                                                  compared, stored, part.condition);
    return builder.fromBits(loc, old, operands[part.first].getType());
  });
}

} // namespace tawa
