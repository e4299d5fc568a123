// Atomics.cpp: tt.atomic_rmw and tt.atomic_cas. Each element is accessed once, by the thread that owns it, a scalar by
// one thread of the role. Other threads that need the result read it from scratch.
#include "compiler/target/hopper/TawaToSM90/Atomics.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tawa {

namespace {

template <typename Attr, typename Enum, typename From> Attr same(MLIRContext *context, From value) {
  return Attr::get(context, static_cast<Enum>(static_cast<uint32_t>(value)));
}

sm90::Semantics semanticsOf(tt::MemSemantic semantics) {
  return static_cast<sm90::Semantics>(static_cast<uint32_t>(semantics));
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

Value AtomicEmitter::emitRMW(tt::AtomicRMWOp op, Value pointer, Value value, Value condition, bool wanted) {
  Location loc = op.getLoc();
  MLIRContext *context = builder.getContext();
  return builder
      .create<sm90::AtomicRmwOp>(loc, wanted ? value.getType() : Type(),
                                 same<sm90::AtomicKindAttr, sm90::AtomicKind>(context, op.getAtomicRmwOp()),
                                 sm90::SemanticsAttr::get(context, semanticsOf(op.getSem())),
                                 sm90::ScopeAttr::get(context, scopeOf(op.getScope())), pointer, value, condition)
      .getResult();
}

LogicalResult AtomicEmitter::lowerAtomic(Operation *op, Value pointer, Value mask, tt::MemSemantic semantics,
                                         llvm::function_ref<Value(size_t, Value)> emit) {
  Location loc = op->getLoc();
  Value tileResult = op->getResult(0);
  bool wanted = !tileResult.use_empty();
  Values pointers = values[pointer], masks;
  if (mask)
    masks = values[mask];
  ws::LinearAttr attr = ws::layoutOf(tileResult.getType());
  LinearLayout layout = attr ? attr.getLayout() : LinearLayout();
  Copies copies = attr ? findCopies(layout) : Copies();
  if (attr && wanted && copies.registers != layout.zeroBasisMask("register"))
    return op->emitOpError() << "has registers that are sums of others as copies; zero bases are needed";
  Value owner = attr ? thread.ownsElements(loc, layout) : thread.actsForRole(loc);
  if (releases(semantics) && storesToGlobal(role()))
    barrier.emit(loc);
  order.orderAccess(op, pointer, /*reads=*/false, /*writes=*/true);
  Type element = builder.machineType(getElementTypeOrSelf(tileResult.getType()));
  Values result;
  for (size_t index = 0; index < pointers.size(); ++index) {
    if (index & copies.registers) {
      result.push_back(wanted ? builder.zero(loc, element) : Value()); // read back below
      continue;
    }
    Value condition = masks.empty() || matchPattern(masks[index], m_One()) ? Value() : masks[index];
    result.push_back(emit(index, builder.both(loc, condition, owner)));
  }
  if (!wanted)
    return success();
  if (!attr)
    result = {scratch.broadcastFromActor(loc, result.front())};
  else if (copies.registers || copies.lanes || copies.warps)
    result = conversions.convertThroughScratch(loc, result, layout, layout);
  else if (acquires(semantics))
    barrier.emit(loc);
  values[tileResult] = std::move(result);
  return success();
}

LogicalResult AtomicEmitter::lower(tt::AtomicRMWOp op) {
  Values operands = values[op.getVal()], pointers = values[op.getPtr()];
  bool wanted = !op.getResult().use_empty();
  return lowerAtomic(op, op.getPtr(), op.getMask(), op.getSem(), [&](size_t index, Value condition) {
    return emitRMW(op, pointers[index], operands[index], condition, wanted);
  });
}

LogicalResult AtomicEmitter::lower(tt::AtomicCASOp op) {
  Location loc = op.getLoc();
  Values expected = values[op.getCmp()], operands = values[op.getVal()], pointers = values[op.getPtr()];
  return lowerAtomic(op, op.getPtr(), Value(), op.getSem(), [&](size_t index, Value condition) -> Value {
    Value compared = builder.toBits(loc, expected[index]), stored = builder.toBits(loc, operands[index]);
    Value old = builder.create<sm90::AtomicCasOp>(loc, semanticsOf(op.getSem()), scopeOf(op.getScope()),
                                                  pointers[index], compared, stored, condition);
    return builder.fromBits(loc, old, operands[index].getType());
  });
}

} // namespace tawa
