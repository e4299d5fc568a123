// GlobalMemory.cpp: tt.load and tt.store, of scalars and of tensors of pointers.
//
// Layouts and `tawa.vector` determine the accesses: aligned groups of that many consecutive registers are adjacent in
// memory under one mask, so each is one predicated access of up to 16 bytes through the first pointer of the group. A
// scalar is loaded by every thread and stored by one.
#include "compiler/target/hopper/TawaToSM90/GlobalMemory.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tawa {

static constexpr unsigned kMaxAccessBits = 128, kWordBits = 32;

unsigned accessWidth(Operation *op, Type machineElement, size_t registers, uint32_t copies) {
  unsigned width = std::max(1, ws::kVectorAttr.get(op).value_or(1));
  width = std::min<size_t>({width, kMaxAccessBits / storageBits(machineElement), registers});
  return copies ? std::min(width, copies & -copies) : width;
}

template <typename Attr, typename Enum, typename From> static Attr hint(MLIRContext *context, From value, From none) {
  return value == none ? Attr() : Attr::get(context, static_cast<Enum>(static_cast<uint32_t>(value)));
}

static sm90::CacheModifierAttr cacheOf(MLIRContext *context, tt::CacheModifier cache) {
  return hint<sm90::CacheModifierAttr, sm90::CacheModifier>(context, cache, tt::CacheModifier::None);
}
static sm90::EvictionAttr evictionOf(MLIRContext *context, tt::EvictionPolicy policy) {
  return hint<sm90::EvictionAttr, sm90::Eviction>(context, policy, tt::EvictionPolicy::Normal);
}

static LogicalResult refuseBlockPointer(Operation *op, Type pointer) {
  auto type = dyn_cast<tt::PointerType>(pointer);
  if (!type || !type.getBlockType())
    return success();
  return op->emitOpError() << "still goes through a block pointer; tawa-expand-block-pointers makes it pointers";
}

Value conditionOf(ArrayRef<Value> mask, size_t index) {
  if (mask.empty() || matchPattern(mask[index], m_One()))
    return {};
  return mask[index];
}

/// The value of a predicated load whose predicate is false.
static bool isPlainZero(Value value) {
  FloatAttr number;
  if (matchPattern(value, m_Constant(&number)))
    return number.getValue().isPosZero();
  return matchPattern(value, m_Zero());
}

LogicalResult GlobalMemoryEmitter::lower(tt::LoadOp load) {
  Location loc = load.getLoc();
  if (failed(refuseBlockPointer(load, load.getPtr().getType())))
    return failure();
  order.orderAccess(load, load.getPtr(), /*reads=*/true, /*writes=*/false);
  Type element = builder.machineType(getElementTypeOrSelf(load.getResult().getType()));
  Values pointers = values[load.getPtr()], mask, other;
  if (load.getMask())
    mask = values[load.getMask()];
  if (load.getOther())
    other = values[load.getOther()];
  ws::LinearAttr layout = ws::layoutOf(load.getResult().getType());
  uint32_t copies = layout ? layout.getLayout().zeroBasisMask("register") : 0;
  copies |= static_cast<uint32_t>(ws::kEqualAttr.get(load).value_or(0)); // loaded once, like copies
  unsigned width = accessWidth(load, element, pointers.size(), copies);
  Values result(pointers.size());
  for (size_t first = 0; first < pointers.size(); first += width) {
    if (first & copies) {
      for (size_t index = first; index < first + width; ++index)
        result[index] = result[index & ~copies];
      continue;
    }
    Value condition = conditionOf(mask, first);
    auto access =
        builder.create<sm90::LoadGlobalOp>(loc, builder.wordTypes(element, width), pointers[first], condition,
                                           cacheOf(builder.getContext(), load.getCache()),
                                           evictionOf(builder.getContext(), load.getEvict()), load.getIsVolatile());
    Values words(access.getResults());
    ArrayRef<Value> outside;
    if (condition && !other.empty())
      outside = ArrayRef<Value>(other).slice(first, width);
    bool fills = !llvm::all_of(outside, isPlainZero), narrow = storageBits(element) * 2 <= kWordBits && width > 1;
    if (fills && narrow) // one instruction for all that share a word, which is zero where the load is off
      for (auto [word, fill] : llvm::zip_equal(words, builder.packWords(loc, outside)))
        word = builder.create<arith::OrIOp>(loc, word,
                                            builder.select(loc, condition, builder.zero(loc, word.getType()), fill));
    for (auto [offset, value] : llvm::enumerate(builder.unpackWords(loc, words, element, width)))
      result[first + offset] = fills && !narrow ? builder.select(loc, condition, value, outside[offset]) : value;
  }
  values[load.getResult()] = std::move(result);
  return success();
}

LogicalResult GlobalMemoryEmitter::lower(tt::StoreOp store) {
  Location loc = store.getLoc();
  if (failed(refuseBlockPointer(store, store.getPtr().getType())))
    return failure();
  order.orderAccess(store, store.getPtr(), /*reads=*/false, /*writes=*/true);
  Values pointers = values[store.getPtr()], stored = values[store.getValue()], mask;
  if (store.getMask())
    mask = values[store.getMask()];
  ws::LinearAttr layout = ws::layoutOf(store.getPtr().getType());
  uint32_t copies = layout ? findCopies(layout.getLayout()).registers : 0;
  Value owner = layout ? thread.ownsElements(loc, layout.getLayout()) : thread.actsForRole(loc);
  unsigned width = accessWidth(store, stored.front().getType(), pointers.size(), copies);
  for (size_t first = 0; first < pointers.size(); first += width) {
    if (first & copies)
      continue;
    Values words = builder.packWords(loc, ArrayRef<Value>(stored).slice(first, width));
    builder.create<sm90::StoreGlobalOp>(loc, pointers[first], words, builder.both(loc, conditionOf(mask, first), owner),
                                        cacheOf(builder.getContext(), store.getCache()),
                                        evictionOf(builder.getContext(), store.getEvict()));
  }
  return success();
}

} // namespace tawa
