// Types, attributes and verifiers of the tawa dialect. Each check cites the constraint (C1, C2, ...) of the description
// in Ops.td or Dialect.td that it enforces.
#include "compiler/roles/Tawa/Tawa.h"
#include "compiler/roles/Tawa/Target.h"
#include "runtime/artifact/PtxShapes.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tawa::ws;

#include "compiler/roles/Tawa/Dialect.cpp.inc"
#include "compiler/roles/Tawa/Enums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "compiler/roles/Tawa/Attrs.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "compiler/roles/Tawa/Types.cpp.inc"
#define GET_OP_CLASSES
#include "compiler/roles/Tawa/Ops.cpp.inc"

void TawaDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "compiler/roles/Tawa/Attrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "compiler/roles/Tawa/Types.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "compiler/roles/Tawa/Ops.cpp.inc"
      >();
}

//===--- Attributes of passes -------------------------------------------------------------------------------------===//

static constexpr tawa::AttributeRule kRules[] = {
#define TAWA_ATTRIBUTE(NAME, TEXT, ACCESSOR, TYPE, PLACES, MEANING) {TEXT, TYPE, PLACES, tawa::ACCESSOR::holds},
#include "compiler/roles/Tawa/Attributes.def"
};

LogicalResult TawaDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  return verifyTypedAttribute(op, attribute, /*ofParameter=*/false, kRules);
}

LogicalResult TawaDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned, NamedAttribute attribute) {
  return verifyTypedAttribute(op, attribute, /*ofParameter=*/true, kRules);
}

static_assert(plainKind(RoleKind::Producer) == tawa::RoleKind::Producer &&
                  plainKind(RoleKind::Consumer) == tawa::RoleKind::Consumer &&
                  plainKind(RoleKind::Converter) == tawa::RoleKind::Converter &&
                  plainKind(RoleKind::Main) == tawa::RoleKind::Main &&
                  getMaxEnumValForRoleKind() + 1 == tawa::kRoleKindNames.size(),
              "Attributes.td and runtime/artifact/RoleKind.h list different kinds of roles");

void RolesAttr::print(AsmPrinter &printer) const {
  printer << "<";
  llvm::interleaveComma(getKinds(), printer, [&](RoleKind kind) { printer << stringifyRoleKind(kind); });
  printer << ">";
}

Attribute RolesAttr::parse(AsmParser &parser, Type) {
  SmallVector<RoleKind> kinds;
  auto parseKind = [&]() -> ParseResult {
    FailureOr<RoleKind> kind = FieldParser<RoleKind>::parse(parser);
    if (succeeded(kind))
      kinds.push_back(*kind);
    return failure(failed(kind));
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, parseKind))
    return {};
  return get(parser.getContext(), kinds);
}

//===--- Types ----------------------------------------------------------------------------------------------------===//

static constexpr unsigned kMaxRingDepth = 32;

static bool isOneNumber(ArrayRef<Type> payload) { return payload.size() == 1 && payload.front().isInteger(32); }

bool ArefType::holdsNumber() const { return isOneNumber(getPayload()); }

LogicalResult ArefType::verify(function_ref<InFlightDiagnostic()> emitError, unsigned depth, ArrayRef<Type> payload) {
  if (depth < 1 || depth > kMaxRingDepth) // C1
    return emitError() << "ring depth " << depth << " is not in [1, " << kMaxRingDepth << "]";
  if (payload.empty()) // C2
    return emitError() << "an aref carries at least one value";
  if (isOneNumber(payload)) // C2
    return success();
  for (Type type : payload) {
    auto tensor = llvm::dyn_cast<RankedTensorType>(type);
    if (!tensor || !tensor.hasStaticShape()) // C2
      return emitError() << "payload " << type << " is not a ranked tensor of static shape";
  }
  return success();
}

//===--- Layout attribute -----------------------------------------------------------------------------------------===//

LinearAttr LinearAttr::get(MLIRContext *context, const tawa::LinearLayout &layout) {
  SmallVector<int32_t> shape, bits, bases;
  SmallVector<StringAttr> dims;
  for (const auto &out : layout.outs())
    shape.push_back(1 << out.bits);
  for (const auto &in : layout.ins()) {
    dims.push_back(StringAttr::get(context, in.name));
    bits.push_back(in.bits);
    for (unsigned bit = 0; bit < in.bits; ++bit)
      for (uint32_t coordinate : layout.basis(in.name, bit))
        bases.push_back(coordinate);
  }
  return get(context, shape, dims, bits, bases);
}

tawa::LinearLayout LinearAttr::getLayout() const {
  std::vector<std::pair<std::string, std::vector<tawa::LinearLayout::Basis>>> ins;
  std::vector<tawa::LinearLayout::Dim> outs;
  for (auto [index, size] : llvm::enumerate(getShape()))
    outs.push_back({"dim" + std::to_string(index), llvm::Log2_32(size)});
  const int32_t *next = getBases().data();
  for (auto [dim, bits] : llvm::zip(getDims(), getBits())) {
    std::vector<tawa::LinearLayout::Basis> bases;
    for (int32_t bit = 0; bit < bits; ++bit, next += outs.size())
      bases.emplace_back(next, next + outs.size());
    ins.emplace_back(dim.getValue().str(), std::move(bases));
  }
  return tawa::LinearLayout(std::move(ins), std::move(outs));
}

bool LinearAttr::isShared() const { return getDims().size() == 1 && getDims().front() == "offset"; }

void LinearAttr::print(AsmPrinter &printer) const {
  printer << "<[" << getShape() << "]";
  const int32_t *next = getBases().data();
  size_t rank = getShape().size();
  for (auto [dim, bits] : llvm::zip(getDims(), getBits())) {
    printer << ", " << dim.getValue() << " = [";
    for (int32_t bit = 0; bit < bits; ++bit, next += rank)
      printer << (bit ? ", [" : "[") << ArrayRef<int32_t>(next, rank) << "]";
    printer << "]";
  }
  printer << ">";
}

static ParseResult parseIntegers(AsmParser &parser, SmallVectorImpl<int32_t> &values) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                        [&] { return parser.parseInteger(values.emplace_back()); });
}

Attribute LinearAttr::parse(AsmParser &parser, Type) {
  SmallVector<int32_t> shape, bits, bases;
  SmallVector<StringAttr> dims;
  SMLoc location = parser.getCurrentLocation();
  if (parser.parseLess() || parseIntegers(parser, shape))
    return {};
  for (int32_t size : shape)
    if (size < 1 || !llvm::isPowerOf2_32(size))
      return parser.emitError(location, "layout shape ") << size << " is not a power of two", Attribute();
  while (succeeded(parser.parseOptionalComma())) {
    std::string dim;
    if (parser.parseKeywordOrString(&dim) || parser.parseEqual())
      return {};
    dims.push_back(StringAttr::get(parser.getContext(), dim));
    bits.push_back(0);
    auto parseBasis = [&]() -> ParseResult {
      size_t before = bases.size();
      ++bits.back();
      if (parseIntegers(parser, bases))
        return failure();
      if (bases.size() - before != shape.size())
        return parser.emitError(location, "a basis has one coordinate for each of the ")
               << shape.size() << " dimensions";
      for (auto [coordinate, size] : llvm::zip(ArrayRef(bases).drop_front(before), shape))
        if (coordinate < 0 || coordinate >= size)
          return parser.emitError(location, "coordinate ") << coordinate << " lies outside dimension of size " << size;
      return success();
    };
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseBasis))
      return {};
  }
  if (parser.parseGreater())
    return {};
  return get(parser.getContext(), shape, dims, bits, bases);
}

//===--- Operations -----------------------------------------------------------------------------------------------===//

std::string WarpGroupOp::roleName() {
  size_t index = 0, count = 0;
  for (auto other : (*this)->getBlock()->getOps<WarpGroupOp>()) {
    index = other == *this ? count : index;
    count += other.getKind() == getKind();
  }
  return tawa::roleName(plainKind(getKind()), index, count);
}

LogicalResult WarpGroupOp::verify() {
  uint32_t warps = getWarps(), registers = getRegisters();
  bool wholeGroups = warps != 0 && warps % 4 == 0;
  if (!wholeGroups && warps != 1 && warps != 2) // C1
    return emitOpError() << "warps(" << warps << ") is not 1, 2 or a positive multiple of 4";
  if (registers != 0 && !wholeGroups) // C2
    return emitOpError() << "registers(" << registers << ") needs whole warp groups; warps(" << warps << ") are none";
  if (registers != 0 && (registers % 8 != 0 || registers < 24 || registers > 256)) // C2
    return emitOpError() << "registers(" << registers << ") is neither 0 nor a multiple of 8 in [24, 256]";
  if (!isa<FunctionOpInterface>((*this)->getParentOp())) // C3
    return emitOpError() << "stands directly in a function's body";
  return success();
}

static LogicalResult verifyIsSplit(Operation *op) {
  auto func = op->getParentOfType<FunctionOpInterface>();
  if (func && kSplitAttr.on(func))
    return success();
  return op->emitOpError() << "stands in a function without " << kSplitAttr.name;
}

LogicalResult ClusterRankOp::verify() { return verifyIsSplit(*this); } // C1

static LogicalResult verifyElementsTravel(Operation *op, RankedTensorType tensor) {
  Type element = tensor.getElementType();
  bool travels =
      element.isIntOrFloat() && (element.getIntOrFloatBitWidth() == 16 || element.getIntOrFloatBitWidth() == 32);
  return travels ? success() : op->emitOpError() << "of " << element << "; elements have 16 or 32 bits";
}

LogicalResult ClusterSumOp::verify() {
  if (failed(verifyIsSplit(*this))) // C1
    return failure();
  if ((*this)->getParentOfType<LoopLikeOpInterface>()) // C2
    return emitOpError() << "stands in a loop";
  return verifyElementsTravel(*this, getTensor().getType()); // C3
}

static LogicalResult verifyStreams(Operation *op) {
  auto func = op->getParentOfType<FunctionOpInterface>();
  if (func && kStreamAttr.on(func))
    return success();
  return op->emitOpError() << "stands in a function without " << kStreamAttr.name;
}

LogicalResult NeedsPartOp::verify() { return verifyStreams(*this); } // C1

LogicalResult StorePartOp::verify() {
  if (failed(verifyElementsTravel(*this, getPart().getType()))) // C1
    return failure();
  return verifyStreams(*this); // C2
}

LogicalResult CountPartOp::verify() { return verifyStreams(*this); } // C1

LogicalResult SumPartsOp::verify() {
  if (getPart().getDefiningOp<StorePartOp>()) // C1
    return success();
  return emitOpError() << "of a tensor that no tawa.store_part has stored";
}

LogicalResult NextTileOp::verify() {
  WalkResult others = (*this)->getParentOfType<FunctionOpInterface>()->walk(
      [&](NextTileOp other) { return other == *this ? WalkResult::advance() : WalkResult::interrupt(); });
  return others.wasInterrupted() ? emitOpError() << "is not the only one of its kernel" : success(); // C1
}

LogicalResult CreateArefOp::verify() {
  if (!isa<FunctionOpInterface>((*this)->getParentOp())) // C1
    return emitOpError() << "stands directly in a function's body";
  // C2 of tawa.put: of several roles, one that puts does not get; only roles that get release.
  llvm::SmallPtrSet<Operation *, 4> putting, getting, releasing;
  for (Operation *user : getAref().getUsers())
    if (Operation *role = user->getParentOfType<WarpGroupOp>(); role && !isa<MakeDescriptorOp, ProducerTailOp>(user))
      (isa<PutOp>(user) ? putting : isa<GetOp>(user) ? getting : releasing).insert(role);
  auto isLone = [](Operation *role) { return llvm::hasSingleElement(role->getBlock()->getOps<WarpGroupOp>()); };
  for (Operation *role : putting)
    if (getting.contains(role) && !isLone(role))
      return emitOpError() << "role " << cast<WarpGroupOp>(role).roleName()
                           << " both puts and gets: it would wait for itself";
  auto shares = [](Operation *user) { return !isa<PutOp>(user) || !cast<PutOp>(user).getMulticast().empty(); };
  if (isMulticastRing(getAref()) && !llvm::all_of(getAref().getUsers(), shares)) // C3 of tawa.put
    return emitOpError() << "is shared by a cluster in some of its puts only";
  for (Operation *role : releasing)
    if (!getting.contains(role))
      return emitOpError() << "role " << cast<WarpGroupOp>(role).roleName() << " releases slots it never gets";
  return success();
}

LogicalResult ProducerTailOp::verify() {
  auto role = (*this)->getParentOfType<WarpGroupOp>();
  bool puts = llvm::any_of(getAref().getUsers(), [&](Operation *user) {
    return isa<PutOp>(user) && user->getParentOfType<WarpGroupOp>() == role;
  });
  return puts ? success() : emitOpError() << "stands in a role that puts nothing into the ring"; // C1
}

/// Compares types of values with a ring's payload; encodings may differ while layouts are being assigned.
static LogicalResult verifyPayload(Operation *op, ArefType aref, TypeRange types) {
  if (types.size() != aref.getPayload().size())
    return op->emitOpError() << "has " << types.size() << " values, the ring carries " << aref.getPayload().size();
  for (auto [index, type, payload] : llvm::enumerate(types, aref.getPayload()))
    if (type != payload)
      return op->emitOpError() << "value " << index << " is " << type << ", the ring carries " << payload;
  return success();
}

bool tawa::ws::isMulticastRing(Value aref) {
  return llvm::any_of(aref.getUsers(), [](Operation *user) {
    auto put = dyn_cast<PutOp>(user);
    return put && !put.getMulticast().empty();
  });
}

LogicalResult PutOp::verify() {
  size_t numbers = getMulticast().size();
  if (numbers != 0 && numbers != getValues().size()) // C3
    return emitOpError() << "has " << numbers << " numbers of sharing for " << getValues().size() << " values";
  if (auto func = (*this)->getParentOfType<FunctionOpInterface>(); numbers != 0 && !kClusterAttr.on(func)) // C3
    return emitOpError() << "is shared, but the function has no '" << kClusterAttr.name << "'";
  SmallVector<Type> types(getValues().getTypes()); // C1; what a converter puts has another layout than the slot
  for (auto [type, value, payload] : llvm::zip(types, getValues(), getAref().getType().getPayload())) {
    auto tile = dyn_cast<RankedTensorType>(type), own = dyn_cast<RankedTensorType>(payload);
    bool sameTile = tile && own && tile.getShape() == own.getShape() && tile.getElementType() == own.getElementType();
    LinearAttr layout = tile ? layoutOf(tile) : LinearAttr();
    bool isConverted = value.getDefiningOp<GetOp>() || (layout && !layout.isShared());
    if (isConverted && sameTile)
      type = own;
  }
  return verifyPayload(*this, getAref().getType(), types);
}

LogicalResult GetOp::verify() { return verifyPayload(*this, getAref().getType(), getValues().getTypes()); } // C1

/// The role in which operations of this kind and group stand; null where there is none or more than one.
template <typename PingPongOp> static WarpGroupOp roleOfPingPong(Operation *func, uint32_t group) {
  llvm::SmallPtrSet<Operation *, 2> roles;
  func->walk([&](PingPongOp op) {
    if (op.getGroup() == group)
      roles.insert(op->template getParentOfType<WarpGroupOp>());
  });
  return roles.size() == 1 ? cast<WarpGroupOp>(*roles.begin()) : WarpGroupOp();
}

static LogicalResult verifyPingPong(Operation *op, uint32_t group) {
  auto role = op->getParentOfType<WarpGroupOp>();
  if (!role || role.getWarps() % tawa::kWarpsPerGroup != 0) // C1
    return op->emitOpError() << "stands in no role of whole warp groups";
  auto awaits = roleOfPingPong<PingPongWaitOp>(role->getParentOp(), group);
  auto passes = roleOfPingPong<PingPongPassOp>(role->getParentOp(), group);
  if (!awaits || !passes || awaits == passes || awaits.getWarps() != passes.getWarps()) // C2
    return op->emitOpError() << "group " << group
                             << " is not one role that waits, with one other role of its size that passes to it";
  return success();
}

LogicalResult PingPongWaitOp::verify() { return verifyPingPong(*this, getGroup()); }
LogicalResult PingPongPassOp::verify() { return verifyPingPong(*this, getGroup()); }

static LogicalResult verifyTurn(Operation *op) {
  auto role = op->getParentOfType<WarpGroupOp>();
  if (role && role.getWarps() % tawa::kWarpsPerGroup == 0 && role.getWarps() > tawa::kWarpsPerGroup) // C1
    return success();
  return op->emitOpError() << "stands in no role of several warp groups";
}

LogicalResult TurnsBeginOp::verify() { return verifyTurn(*this); }
LogicalResult TurnWaitOp::verify() { return verifyTurn(*this); }
LogicalResult TurnPassOp::verify() { return verifyTurn(*this); }

LogicalResult CopyTileOp::verify() {
  auto tile = cast<RankedTensorType>(getTile().getType()), pointers = cast<RankedTensorType>(getPointers().getType());
  auto isOfShape = [&](Value value) {
    return !value || cast<RankedTensorType>(value.getType()).getShape() == tile.getShape();
  };
  bool sameShape = tile.getRank() == 2 && tile.getShape() == pointers.getShape() && isOfShape(getMask());
  if (!sameShape || !isOfShape(getCount())) // C1
    return emitOpError() << "pointers, mask, counts and result have different shapes, or not two dimensions";
  uint32_t along = getContiguous(), vector = getVector();
  if (along > 1 || !llvm::isPowerOf2_32(vector) || tile.getDimSize(along) % vector != 0) // C2
    return emitOpError() << "copies of " << vector << " elements along dimension " << along << " do not divide "
                         << tile;
  return success();
}

/// Constraint C1 of the operations that move a tensor from one place to another.
LogicalResult MakeDescriptorOp::verify() {
  constexpr size_t kMostDimensions = 5; // CUDA driver API, cuTensorMapEncodeTiled
  size_t rank = getShape().size();
  if (getArefs().size() != getIndices().size() || getStrides().size() != rank || rank < 1 ||
      rank > kMostDimensions) // C1
    return emitOpError() << "describes " << rank << " dimensions by " << getStrides().size() << " strides, after "
                         << getArefs().size() << " rings by " << getIndices().size() << " indices";
  return success();
}

static LogicalResult verifyMove(Operation *op, bool fromShared, bool toShared) {
  auto source = cast<RankedTensorType>(op->getOperand(0).getType());
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  if (source.getShape() != result.getShape() || source.getElementType() != result.getElementType())
    return op->emitOpError() << "changes " << source << " to " << result << "; shape and element type must stay";
  for (auto [type, shared] : {std::pair(source, fromShared), std::pair(result, toShared)}) {
    LinearAttr layout = layoutOf(type);
    if (!layout || layout.isShared() != shared)
      return op->emitOpError() << type << " has no layout in " << (shared ? "shared memory" : "registers");
  }
  return success();
}

LogicalResult ConvertLayoutOp::verify() { return verifyMove(*this, false, false); }
LogicalResult ToSharedOp::verify() { return verifyMove(*this, false, true); }
LogicalResult FromSharedOp::verify() { return verifyMove(*this, true, false); }

LogicalResult DotBeginOp::verify() {
  if (getResult().getType().getTensor() != getTensor().getType())
    return emitOpError() << "result " << getResult().getType() << " does not hold " << getTensor().getType();
  return success();
}

LogicalResult DotIssueOp::verify() {
  auto a = cast<RankedTensorType>(getA().getType()), b = cast<RankedTensorType>(getB().getType());
  RankedTensorType acc = getResult().getType().getTensor();
  bool fits = a.getRank() == 2 && b.getRank() == 2 && acc.getRank() == 2 && a.getDimSize(1) == b.getDimSize(0) &&
              a.getDimSize(0) == acc.getDimSize(0) && b.getDimSize(1) == acc.getDimSize(1);
  if (!fits) // C1
    return emitOpError() << "shapes do not multiply: " << a << " times " << b << " into " << acc;
  return success();
}

/// Dots issued in the block of `issue`, if that is the wait's, between the two.
static uint32_t issuedAfter(DotIssueOp issue, DotWaitOp wait) {
  uint32_t count = 0;
  if (!issue || issue->getBlock() != wait->getBlock())
    return 0;
  for (Operation *op = issue->getNextNode(); op != wait; op = op->getNextNode())
    count += isa<DotIssueOp>(op);
  return count;
}

LogicalResult DotWaitOp::verify() {
  Type result = getResult().getType();
  if (result == getAccumulator().getType())
    return success();
  if (result != getAccumulator().getType().getTensor()) // C1
    return emitOpError() << "result " << result << " is neither the accumulator's type nor its tensor";
  // C1
  if (uint32_t younger = issuedAfter(getAccumulator().getDefiningOp<DotIssueOp>(), *this); younger < getPendings())
    return emitOpError() << "with pendings(" << getPendings()
                         << ") a dot can be read after which that many were issued, not " << younger;
  return success();
}
