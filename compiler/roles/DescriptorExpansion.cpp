// Rewrites loads, stores, reductions, gathers and scatters by the parts of their descriptors.
#include "compiler/roles/DescriptorExpansion.h"

#include "compiler/analysis/AxisInfo.h"
#include "compiler/frontend/AtomicLoop.h"
#include "compiler/frontend/TileValues.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tawa {

namespace {

constexpr int32_t kTmaAlignment = 16; // of every address TMA takes (CUDA driver API, cuTensorMapEncodeTiled)

/// A descriptor's parts, in the order in which they are carried. The last stride is 1 by definition and not among them.
struct DescriptorParts {
  StridedTensor tensor;
  Value padsWithNaN; ///< i1

  DescriptorParts(OpBuilder &builder, Location loc, ArrayRef<Value> parts) {
    size_t rank = (parts.size() - 1) / 2;
    tensor.base = parts.front();
    tensor.shape.assign(parts.begin() + 1, parts.begin() + 1 + rank);
    tensor.strides.assign(parts.begin() + 1 + rank, parts.end() - 1);
    tensor.strides.push_back(integerOf(builder, loc, builder.getI64Type(), 1));
    padsWithNaN = parts.back();
  }
};

} // namespace

std::optional<SmallVector<Type>> DescriptorExpansion::partTypes(Type type) {
  auto descriptor = dyn_cast<tt::TensorDescType>(type);
  if (!descriptor)
    return std::nullopt;
  Builder builder(type.getContext());
  RankedTensorType block = descriptor.getSignlessBlockType();
  SmallVector<Type> types{tt::PointerType::get(block.getElementType())};
  types.append(block.getRank(), builder.getI32Type());
  types.append(block.getRank() - 1, builder.getI64Type());
  types.push_back(builder.getI1Type());
  return types;
}

/// The parameter with this part of a logical argument; added where the text does not print it.
Value DescriptorExpansion::parameter(ParameterRole role, Type type, Location loc, int64_t alignment) {
  for (BlockArgument argument : func.getArguments()) {
    auto other = parameterRole(func, argument.getArgNumber());
    if (other && other->part == role.part && other->argument == role.argument && other->dimension == role.dimension &&
        argument.getType() == type)
      return argument;
  }
  Builder builder(func.getContext());
  SmallVector<NamedAttribute> attributes{ws::kArgumentAttr.named(writeParameterRole(builder, role))};
  if (role.part == ParameterRole::Part::Pointer)
    attributes.push_back(builder.getNamedAttr(kDivisibilityHint, builder.getI32IntegerAttr(alignment)));
  unsigned index = func.getNumArguments();
  func.insertArgument(index, type, builder.getDictionaryAttr(attributes), loc);
  return func.getArgument(index);
}

/// Rows of a tensor with a descriptor are aligned as TMA demands it, or as the caller said.
int64_t DescriptorExpansion::rowAlignment(BlockArgument descriptor) {
  return ws::kRowAlignmentAttr.get(func, descriptor.getArgNumber()).value_or(kTmaAlignment);
}

/// Rows that are as long as they are apart from each other are as aligned; others are as the caller said.
int64_t DescriptorExpansion::columnAlignment(BlockArgument descriptor) {
  auto said = ws::kColumnAlignmentAttr.get(func, descriptor.getArgNumber());
  return said ? *said : rowAlignment(descriptor);
}

void DescriptorExpansion::hint(Value number, Type element, int64_t alignment) {
  unsigned index = cast<BlockArgument>(number).getArgNumber();
  int64_t divisor = alignment * 8 / element.getIntOrFloatBitWidth();
  if (divisor > 1 && !func.getArgAttr(index, kDivisibilityHint))
    func.setArgAttr(index, kDivisibilityHint, IntegerAttr::get(IntegerType::get(func.getContext(), 32), divisor));
}

/// A launch checks what is hinted where an access relies on it: a vector of elements is inside of its row, or it is
/// not.
SmallVector<Value> DescriptorExpansion::partsOfParameter(BlockArgument descriptor) {
  using Part = ParameterRole::Part;
  auto own = parameterRole(func, descriptor.getArgNumber());
  unsigned argument = own ? own->argument : descriptor.getArgNumber();
  OpBuilder builder = OpBuilder::atBlockBegin(&func.getBody().front());
  SmallVector<Type> types = *partTypes(descriptor.getType());
  unsigned rank = (types.size() - 1) / 2;
  Location loc = descriptor.getLoc();
  int64_t alignment = rowAlignment(descriptor);
  Type element = cast<tt::PointerType>(types[0]).getPointeeType();
  SmallVector<Value> made{parameter({Part::Pointer, argument, 0}, types[0], loc, alignment)};
  for (unsigned dim = 0; dim < rank; ++dim)
    made.push_back(parameter({Part::Shape, argument, dim}, types[1 + dim], loc, alignment));
  hint(made.back(), element, columnAlignment(descriptor));
  for (unsigned dim = 0; dim + 1 < rank; ++dim) {
    made.push_back(parameter({Part::Stride, argument, dim}, types[1 + rank + dim], loc, alignment));
    hint(made.back(), element, alignment);
  }
  made.push_back(builder.create<arith::ConstantOp>(loc, builder.getBoolAttr(false)));
  return made;
}

template <typename Make> LogicalResult DescriptorExpansion::visitMake(Make make, bool padsWithNaN) {
  OpBuilder builder(make);
  SmallVector<Value> made{make.getBase()};
  llvm::append_range(made, make.getShape());
  llvm::append_range(made, make.getStrides().drop_back());
  made.push_back(builder.create<arith::ConstantOp>(make.getLoc(), builder.getBoolAttr(padsWithNaN)));
  record(make, std::move(made));
  return success(); // TMA may still want it whole; otherwise it is dead code
}

/// The elements of a block at `indices`; leading dimensions of size 1 may be missing in the tensor, or in the block.
BlockAccess DescriptorExpansion::accessAt(OpBuilder &builder, Operation *op, Value descriptor, ValueRange indices,
                                          Type tensor) {
  DescriptorParts described(builder, op->getLoc(), parts(descriptor));
  ArrayRef<int64_t> block = cast<tt::TensorDescType>(descriptor.getType()).getBlockType().getShape();
  ArrayRef<int64_t> shape = cast<RankedTensorType>(tensor).getShape();
  size_t dropped = block.size() > shape.size() ? block.size() - shape.size() : 0;
  SmallVector<BlockAxis> axes;
  for (auto [dim, index] : llvm::enumerate(indices))
    axes.push_back({block[dim], index, Value(), /*checked=*/true, /*dropped=*/dim < dropped});
  BlockAccess access = accessBlock(builder, op->getLoc(), described.tensor, axes);
  return {reshapeTo(builder, op->getLoc(), access.pointers, shape),
          reshapeTo(builder, op->getLoc(), access.mask, shape)};
}

/// Rows of a tensor of two dimensions, each from `column` on.
BlockAccess DescriptorExpansion::accessRows(OpBuilder &builder, Operation *op, Value descriptor, Value rows,
                                            Value column, Type tensor) {
  DescriptorParts described(builder, op->getLoc(), parts(descriptor));
  ArrayRef<int64_t> shape = cast<RankedTensorType>(tensor).getShape();
  BlockAxis axes[] = {{shape[0], Value(), rows, true, false}, {shape[1], column, Value(), true, false}};
  return accessBlock(builder, op->getLoc(), described.tensor, axes);
}

Value DescriptorExpansion::load(OpBuilder &builder, Location loc, Value descriptor, const BlockAccess &access) {
  auto type = cast<RankedTensorType>(tt::pointeeTypeOf(access.pointers.getType()));
  Value pads = parts(descriptor).back(), other;
  if (isa<FloatType>(type.getElementType()) && !matchPattern(pads, m_Zero()))
    other = builder.create<arith::SelectOp>(loc, pads, nanOf(builder, loc, type), zeroOf(builder, loc, type));
  return builder.create<tt::LoadOp>(loc, access.pointers, access.mask, other);
}

LogicalResult DescriptorExpansion::visitLoad(tt::DescriptorLoadOp op) {
  OpBuilder builder(op);
  BlockAccess access = accessAt(builder, op, op.getDesc(), op.getIndices(), op.getType());
  Value loaded = load(builder, op.getLoc(), op.getDesc(), access);
  auto plain = loaded.getDefiningOp<tt::LoadOp>();
  plain.setCache(op.getCache());
  plain.setEvict(op.getEvict());
  op.replaceAllUsesWith(loaded);
  discard(op);
  return success();
}

LogicalResult DescriptorExpansion::visitStore(tt::DescriptorStoreOp op) {
  OpBuilder builder(op);
  BlockAccess access = accessAt(builder, op, op.getDesc(), op.getIndices(), op.getSrc().getType());
  auto store = builder.create<tt::StoreOp>(op.getLoc(), access.pointers, op.getSrc());
  if (access.mask)
    store.getMaskMutable().assign(access.mask);
  discard(op);
  return success();
}

static std::optional<tt::RMWOp> atomicOf(tt::DescriptorReduceKind kind, bool isFloat, bool isUnsigned) {
  using Kind = tt::DescriptorReduceKind;
  switch (kind) {
  case Kind::Add:
    return isFloat ? tt::RMWOp::FAdd : tt::RMWOp::Add;
  case Kind::Min:
    return isFloat ? std::nullopt : std::optional(isUnsigned ? tt::RMWOp::UMin : tt::RMWOp::Min);
  case Kind::Max:
    return isFloat ? std::nullopt : std::optional(isUnsigned ? tt::RMWOp::UMax : tt::RMWOp::Max);
  case Kind::And:
    return tt::RMWOp::And;
  case Kind::Or:
    return tt::RMWOp::Or;
  case Kind::Xor:
    return tt::RMWOp::Xor;
  case Kind::Inc:
  case Kind::Dec:
    break;
  }
  return std::nullopt;
}

/// Combinations without an atomic operation on addresses: minimum and maximum of floats, and wrapping increment and
/// decrement (PTX ISA, red.inc and red.dec).
static Value combineElements(OpBuilder &builder, Location loc, tt::DescriptorReduceKind kind, Value inMemory,
                             Value value) {
  using Kind = tt::DescriptorReduceKind;
  if (kind == Kind::Min)
    return builder.create<arith::MinNumFOp>(loc, inMemory, value);
  if (kind == Kind::Max)
    return builder.create<arith::MaxNumFOp>(loc, inMemory, value);
  bool up = kind == Kind::Inc;
  Value zero = zeroOf(builder, loc, value.getType()), one = integerOf(builder, loc, value.getType(), 1);
  auto predicate = up ? arith::CmpIPredicate::uge : arith::CmpIPredicate::ugt;
  Value wraps = builder.create<arith::CmpIOp>(loc, predicate, inMemory, value);
  if (up)
    return builder.create<arith::SelectOp>(loc, wraps, zero, builder.create<arith::AddIOp>(loc, inMemory, one));
  Value isZero = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, inMemory, zero);
  wraps = builder.create<arith::OrIOp>(loc, wraps, isZero);
  return builder.create<arith::SelectOp>(loc, wraps, value, builder.create<arith::SubIOp>(loc, inMemory, one));
}

LogicalResult DescriptorExpansion::visitReduce(tt::DescriptorReduceOp op) {
  Type element = op.getDesc().getType().getBlockType().getElementType();
  OpBuilder builder(op);
  Type type = op.getSrc().getType();
  BlockAccess access = accessAt(builder, op, op.getDesc(), op.getIndices(), type);
  if (auto atomic = atomicOf(op.getKind(), isa<FloatType>(element), element.isUnsignedInteger()))
    builder.create<tt::AtomicRMWOp>(op.getLoc(), type, *atomic, access.pointers, op.getSrc(), access.mask,
                                    tt::MemSemantic::Relaxed, tt::MemSyncScope::GPU);
  else
    combineAtomically(builder, op.getLoc(), access, parts(op.getDesc()).front(), op.getSrc(),
                      [&](OpBuilder &at, Value inMemory, Value value) {
                        return combineElements(at, op.getLoc(), op.getKind(), inMemory, value);
                      });
  discard(op);
  return success();
}

LogicalResult DescriptorExpansion::visitGather(tt::DescriptorGatherOp op) {
  OpBuilder builder(op);
  BlockAccess access = accessRows(builder, op, op.getDesc(), op.getXOffsets(), op.getYOffset(), op.getType());
  op.replaceAllUsesWith(load(builder, op.getLoc(), op.getDesc(), access));
  discard(op);
  return success();
}

LogicalResult DescriptorExpansion::visitScatter(tt::DescriptorScatterOp op) {
  OpBuilder builder(op);
  BlockAccess access = accessRows(builder, op, op.getDesc(), op.getXOffsets(), op.getYOffset(), op.getSrc().getType());
  auto store = builder.create<tt::StoreOp>(op.getLoc(), access.pointers, op.getSrc());
  store.getMaskMutable().assign(access.mask);
  discard(op);
  return success();
}

LogicalResult DescriptorExpansion::visit(Operation *op) {
  if (stays(op))
    return success();
  if (auto make = dyn_cast<ws::MakeDescriptorOp>(op))
    return visitMake(make, make.getPadsWithNaN());
  if (auto make = dyn_cast<tt::MakeTensorDescOp>(op))
    return visitMake(make, make.getPadding() == tt::PaddingOption::NaN);
  if (auto load = dyn_cast<tt::DescriptorLoadOp>(op))
    return visitLoad(load);
  if (auto store = dyn_cast<tt::DescriptorStoreOp>(op))
    return visitStore(store);
  if (auto reduce = dyn_cast<tt::DescriptorReduceOp>(op))
    return visitReduce(reduce);
  if (auto gather = dyn_cast<tt::DescriptorGatherOp>(op))
    return visitGather(gather);
  if (auto scatter = dyn_cast<tt::DescriptorScatterOp>(op))
    return visitScatter(scatter);
  return op->emitOpError() << "does something with a tensor descriptor that no machine operation does";
}

LogicalResult DescriptorExpansion::expandAccesses(BlockArgument descriptor) {
  for (Operation *user : llvm::make_early_inc_range(descriptor.getUsers()))
    if (isDescriptorAccess(user) && failed(visit(user)))
      return failure();
  eraseDiscarded();
  return success();
}

bool isDescriptorAccess(Operation *op) {
  return isa<tt::DescriptorLoadOp, tt::DescriptorStoreOp, tt::DescriptorReduceOp, tt::DescriptorGatherOp,
             tt::DescriptorScatterOp>(op);
}

} // namespace tawa
