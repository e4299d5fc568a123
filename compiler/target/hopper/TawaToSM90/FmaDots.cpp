// FmaDots.cpp: dots without a tensor core instruction: IEEE f32, f64, tiny shapes. Both operands are in shared memory;
// every thread iterates over k and multiplies the rows and columns that its elements of the result need:
//
//   for k0 = 0 to K step U {                  (a loop of the machine code; the sums are carried in registers)
//     A[rows of the thread][k0 .. k0 + U)     vectors where neighbours of A lie along k
//     B[k0 .. k0 + U)[columns of the thread]  vectors where the thread's columns are neighbours
//     sum += a * b                            fused, in the order of k
//   }
//
// Addresses follow from the layouts alone: the offset of (batch, row, k) is the XOR of the contributions of thread,
// register and k, because layouts are linear.
#include "compiler/target/hopper/TawaToSM90/SynchronousDots.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace tawa {

namespace {

constexpr uint32_t kMaxUnroll = 8;
constexpr uint32_t kMaxAccessBytes = 16;

using Coordinates = std::vector<uint32_t>; // by dimension, outermost first

Coordinates inOrder(const LinearLayout &layout, const std::vector<uint32_t> &values) {
  Coordinates result(values.size());
  for (size_t i = 0; i < values.size(); ++i)
    for (size_t dim = 0; dim < values.size(); ++dim)
      if (layout.outs()[i].name == dimName(dim))
        result[dim] = values[i];
  return result;
}

/// A thread's traversal of one operand: the position in the tile of each result register's elements, and of each k. All
/// offsets are in bytes and combine by XOR.
struct Walk {
  Value tile;        ///< Its address.
  Type element;      ///< As it lies in memory.
  unsigned kDim = 0; ///< The dimension along k.
  uint32_t bytes = 0;
  LinearLayout places; ///< coordinates -> offset in elements
  std::vector<uint32_t> ofRegister, ofLane, ofWarp, ofK;
  uint32_t vectorK = 1;        ///< Elements of one access along k ..
  uint32_t vectorRegister = 1; ///< .. or along the offsets of registers.
  Value thread;                ///< The thread's part.

  uint32_t offsetOf(const Coordinates &place) const {
    std::vector<uint32_t> inputs;
    for (const LinearLayout::Dim &dim : places.ins())
      for (size_t axis = 0; axis < place.size(); ++axis)
        if (dim.name == dimName(axis))
          inputs.push_back(place[axis]);
    return places.apply(inputs).front() * bytes;
  }
  static uint32_t reach(const std::vector<uint32_t> &offsets) {
    uint32_t mask = 0;
    for (uint32_t offset : offsets)
      mask |= offset;
    return mask;
  }
  /// Widens the accesses as far as places are neighbours and everything else keeps them aligned.
  void widen(uint32_t unroll);
};

void Walk::widen(uint32_t unroll) {
  uint32_t threads = reach(ofLane) | reach(ofWarp), most = kMaxAccessBytes / bytes;
  auto clear = [&](uint32_t mask, uint32_t wider) { return (mask & (wider * bytes - 1)) == 0; };
  auto higher = [&](const std::vector<uint32_t> &bases, size_t bit) {
    return reach({bases.begin() + static_cast<std::ptrdiff_t>(bit), bases.end()});
  };
  for (size_t bit = 0; bit < ofK.size() && vectorK < std::min(unroll, most); ++bit) {
    uint32_t wider = vectorK * 2;
    if (ofK[bit] != vectorK * bytes || !clear(threads | reach(ofRegister) | higher(ofK, bit + 1), wider))
      break;
    vectorK = wider;
  }
  if (vectorK > 1)
    return;
  while (vectorRegister < most) {
    uint32_t next = vectorRegister * bytes, others = threads | reach(ofK);
    bool found = false;
    for (uint32_t basis : ofRegister) {
      found |= basis == next;
      others |= basis < next || basis == next ? 0 : basis;
    }
    if (!found || !clear(others, vectorRegister * 2))
      return;
    vectorRegister *= 2;
  }
}

/// Operand of the dot seen from the result: `kDim` replaces the dimension of the result that the operand does not have.
Walk makeWalk(Value tensor, const LinearLayout &result, unsigned kDim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Walk walk;
  walk.element = type.getElementType();
  walk.kDim = kDim;
  walk.bytes = storageBits(walk.element) / 8;
  walk.places = *ws::layoutOf(type).getLayout().inverse();
  auto offsets = [&](const char *in) {
    std::vector<uint32_t> list;
    for (unsigned bit = 0; bit < result.inBits(in); ++bit) {
      Coordinates place = inOrder(result, result.basis(in, bit));
      place[kDim] = 0;
      list.push_back(walk.offsetOf(place));
    }
    return list;
  };
  walk.ofRegister = offsets("register");
  walk.ofLane = offsets("lane");
  walk.ofWarp = offsets("warp");
  for (uint32_t k = 1; k < type.getDimSize(kDim); k *= 2) {
    Coordinates place(type.getRank(), 0);
    place[kDim] = k;
    walk.ofK.push_back(walk.offsetOf(place));
  }
  return walk;
}

/// The type of a thread's products: f32 for 16-bit floats, otherwise the type of the sum.
Type computeType(Type sum) {
  return isa<FloatType>(sum) && sum.getIntOrFloatBitWidth() < 32 ? Type(Float32Type::get(sum.getContext())) : sum;
}

Value widenTo(OpBuilder &builder, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  if (isa<IntegerType>(type))
    return builder.create<arith::ExtSIOp>(loc, type, value);
  if (value.getType().getIntOrFloatBitWidth() > type.getIntOrFloatBitWidth())
    return builder.create<arith::TruncFOp>(loc, type, value);
  return builder.create<arith::ExtFOp>(loc, type, value);
}

Value multiplyAdd(OpBuilder &builder, Location loc, Value a, Value b, Value sum) {
  if (isa<FloatType>(sum.getType()))
    return builder.create<LLVM::FMAOp>(loc, a, b, sum);
  return builder.create<arith::AddIOp>(loc, builder.create<arith::MulIOp>(loc, a, b), sum);
}

} // namespace

LogicalResult SynchronousDotEmitter::lowerFma(tt::DotOp dot) {
  Location loc = dot.getLoc();
  auto type = cast<RankedTensorType>(dot.getType());
  auto typeA = cast<RankedTensorType>(dot.getA().getType());
  LinearLayout layout = ws::layoutOf(type).getLayout();
  for (Value operand : {dot.getA(), dot.getB()})
    if (!ws::layoutOf(operand.getType()).getLayout().isInvertible())
      return dot.emitOpError() << "has an operand in shared memory whose layout does not name every element once";
  unsigned rank = type.getRank();
  uint32_t depth = typeA.getDimSize(rank - 1), unroll = std::min(depth, kMaxUnroll);
  Type compute = computeType(type.getElementType());
  auto prepare = [&](Value tensor, unsigned kDim) {
    Walk walk = makeWalk(tensor, layout, kDim);
    walk.tile = one(tensor);
    walk.thread = thread.applyBases(loc, walk.ofLane, walk.ofWarp);
    walk.widen(unroll);
    return walk;
  };
  Walk a = prepare(dot.getA(), rank - 1), b = prepare(dot.getB(), rank - 2);

  // The elements of one operand for `unroll` values of k from `k0`, by offset in the tile.
  auto load = [&](const Walk &walk, Value k0) {
    Value own = builder.create<arith::XOrIOp>(loc, walk.thread, builder.applyBases(loc, k0, walk.ofK));
    uint32_t variable = Walk::reach(walk.ofLane) | Walk::reach(walk.ofWarp) | Walk::reach(walk.ofK);
    uint32_t vector = std::max(walk.vectorK, walk.vectorRegister);
    llvm::DenseMap<uint32_t, Value> factors;
    for (uint32_t index = 0; index < 1u << walk.ofRegister.size(); ++index)
      for (uint32_t k = 0; k < unroll; ++k) {
        uint32_t offset = combineBases(walk.ofRegister, index) ^ combineBases(walk.ofK, k);
        if (factors.count(offset))
          continue;
        uint32_t first = offset & ~(vector * walk.bytes - 1);
        Value address = builder.plannedAddress(loc, walk.tile, own, first, first & ~variable);
        auto access =
            builder.create<sm90::LoadSharedOp>(loc, builder.wordTypes(walk.element, vector), address, Value());
        Values elements = builder.unpackWords(loc, access.getResults(), walk.element, vector);
        for (auto [i, element] : llvm::enumerate(elements))
          factors[first + i * walk.bytes] = widenTo(builder, loc, element, compute);
      }
    return factors;
  };
  auto step = [&](Value k0, Values sums) {
    llvm::DenseMap<uint32_t, Value> left = load(a, k0), right = load(b, k0);
    for (uint32_t k = 0; k < unroll; ++k)
      for (auto [index, sum] : llvm::enumerate(sums)) {
        Value factorA = left.lookup(combineBases(a.ofRegister, index) ^ combineBases(a.ofK, k));
        Value factorB = right.lookup(combineBases(b.ofRegister, index) ^ combineBases(b.ofK, k));
        sum = multiplyAdd(builder, loc, factorA, factorB, sum);
      }
    return sums;
  };

  Values sums;
  for (Value value : values[dot.getC()])
    sums.push_back(widenTo(builder, loc, value, compute));
  auto loop = builder.create<scf::ForOp>(loc, builder.constant(loc, 0), builder.constant(loc, depth),
                                         builder.constant(loc, unroll), sums);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(loop.getBody());
    builder.create<scf::YieldOp>(loc, step(loop.getInductionVar(), Values(loop.getRegionIterArgs())));
  }
  Values results;
  for (Value sum : loop.getResults())
    results.push_back(widenTo(builder, loc, sum, type.getElementType()));
  values[dot.getResult()] = std::move(results);
  slotReads.add(dot.getA());
  slotReads.add(dot.getB());
  return success();
}

} // namespace tawa
