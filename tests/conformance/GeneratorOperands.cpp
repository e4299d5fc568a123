// Steps of random programs whose loops make the operands of their products: rows that wrap around or come from a table,
// tiles that end with their tensor, integers and FP8 that become floats, scales by group, block and channel.
#include "tests/conformance/GeneratorSteps.h"

namespace tawa::conformance {

namespace {

constexpr double kMostLoaded = 8; ///< Floats in memory are no larger.

} // namespace

Name ProgramBuilder::cast(const std::string &op, const Name &from, ElementType type, double size) {
  return emit(type, from.shape, op + " " + from.text + " : " + typeText(from) + " to " + typeText(type, from.shape),
              size);
}

/// 0, 1, ... along dimension `along` of a tile.
Name ProgramBuilder::numbersAlong(const Shape &tile, size_t along) { return spread(range(tile[along]), tile, along); }

/// A vector along dimension `along` of a two-dimensional tile, repeated along the other one.
Name ProgramBuilder::spread(const Name &vector, const Shape &tile, size_t along) {
  Shape grown = tile;
  grown[1 - along] = 1;
  return broadcast(emit(vector.type, grown,
                        "tt.expand_dims " + vector.text + " {axis = " + std::to_string(1 - along) +
                            " : i32} : " + typeText(vector) + " -> " + typeText(vector.type, grown),
                        vector.size),
                   tile);
}

/// A scalar argument of the launch.
Name ProgramBuilder::argument(const std::string &prefix, int64_t value) {
  std::string name = "%" + prefix + std::to_string(outputs++);
  bool isHinted = value % 16 == 0 && oneIn(2);
  arguments += (arguments.empty() ? "" : ", ") + name + ": i32" + (isHinted ? " {tt.divisibility = 16 : i32}" : "");
  launchArgs += " i32:" + std::to_string(value);
  return remember({name, ElementType::I32, {}, 0});
}

Name ProgramBuilder::less(const Name &a, const Name &b) {
  return emit(ElementType::I1, a.shape, "arith.cmpi slt, " + a.text + ", " + b.text + " : " + typeText(a));
}

/// Where the tile's mask holds; elsewhere zeros.
Name ProgramBuilder::loadWhere(ElementType type, const Name &where, const std::string &base, const Name &mask) {
  std::string pointers = pointersAt(base, type, where);
  std::string masked = mask.text.empty() ? "" : ", " + mask.text + ", " + constant(type, where.shape, 0).text;
  return emit(type, where.shape, "tt.load " + pointers + masked + " : " + pointerText(type, where.shape), kMostLoaded);
}

/// The rows of A that this program multiplies, and how many rows the result has.
ProgramBuilder::Rows ProgramBuilder::someRows(int64_t rows) {
  Rows made;
  int64_t count = rows * programs - static_cast<int64_t>(oneIn(2) ? 0 : draw(rows - 1));
  made.count = argument("rows", count);
  Name first = binary("arith.muli", program, constant(ElementType::I32, {}, static_cast<double>(rows)));
  made.numbers = binary("arith.addi", splat(first, {rows}), range(rows));
  Name bound = splat(made.count, {rows});
  made.inside = less(made.numbers, bound);
  made.loaded = made.numbers;
  switch (draw(4)) {
  case 0: // as texts do that load without a mask
    made.loaded = binary("arith.remsi", made.numbers, bound);
    break;
  case 1: { // gathered
    Name table = loadWhere(ElementType::I32, made.numbers, inputOf(ElementType::I32), oneIn(2) ? made.inside : Name());
    made.loaded = masked(table, 127);
    break;
  }
  case 2:
    made.isMasked = true;
    break;
  default:
    break;
  }
  return made;
}

/// depth x columns floats of `type`, made from what memory holds.
Name ProgramBuilder::weights(WeightKind kind, ElementType type, const Shape &shape, const Name &number) {
  using T = ElementType;
  auto at = [&](const Shape &tile, const Name &down, int64_t step) {
    Name sum = binary("arith.addi", binary("arith.muli", down, constant(T::I32, tile, static_cast<double>(tile[1]))),
                      numbersAlong(tile, 1));
    Name distance = binary("arith.muli", number, constant(T::I32, {}, static_cast<double>(step)));
    return binary("arith.addi", sum, splat(distance, tile));
  };
  auto loadAs = [&](T loaded, const Shape &tile) {
    return loadWhere(loaded, at(tile, numbersAlong(tile, 0), tile[0] * tile[1]), inputOf(loaded), {});
  };
  auto fill = [&](double value) { return constant(T::I32, shape, value); };
  switch (kind) {
  case WeightKind::Bytes:
    return cast("arith.sitofp", loadAs(T::I8, shape), type, 128);
  case WeightKind::Fp8: {
    Name raw = loadAs(T::F8E4M3, shape);
    return emit(type, shape, "tt.fp_to_fp " + raw.text + " : " + typeText(raw) + " -> " + typeText(type, shape), 8);
  }
  case WeightKind::Words: { // eight numbers of four bits, along the sum
    Name down = numbersAlong(shape, 0), word = binary("arith.divsi", down, fill(8));
    Name packed = loadWhere(T::I32, at(shape, word, shape[0] / 8 * shape[1]), inputOf(T::I32), {});
    Name shift = binary("arith.muli", binary("arith.remsi", down, fill(8)), fill(4));
    Name bits = masked(binary("arith.shrsi", packed, shift), 15);
    return cast("arith.sitofp", binary("arith.subi", bits, fill(8)), type, 8);
  }
  case WeightKind::Nibbles: { // neighbours along the sum in one byte
    Shape half{shape[0] / 2, shape[1]}, both{half[0], half[1], 2}, turned{half[0], 2, half[1]};
    Name packed = loadAs(T::I8, half), low = masked(packed, 15);
    Name high = masked(binary("arith.shrsi", packed, constant(T::I8, half, 4)), 15);
    Name pairs = emit(
        T::I8, both, "tt.join " + low.text + ", " + high.text + " : " + typeText(low) + " -> " + typeText(T::I8, both));
    Name rows = emit(T::I8, turned,
                     "tt.trans " + pairs.text + " {order = array<i32: 0, 2, 1>} : " + typeText(pairs) + " -> " +
                         typeText(T::I8, turned));
    Name flat =
        emit(T::I8, shape, "tt.reshape " + rows.text + " : " + typeText(rows) + " -> " + typeText(T::I8, shape));
    return cast("arith.sitofp", flat, type, 16);
  }
  case WeightKind::Floats:
    break;
  }
  Name plain = loadAs(type, shape);
  return oneIn(2) ? plain : binary("arith.maximumf", plain, constant(type, shape, 0), kMostLoaded);
}

/// The weights times a scale for each column and round.
Name ProgramBuilder::scaledWeights(const Name &plain, const Name &number) {
  int64_t columns = plain.shape[1];
  Name distance = binary("arith.muli", number, constant(ElementType::I32, {}, static_cast<double>(columns)));
  Name where = binary("arith.addi", splat(distance, {columns}), range(columns));
  Name scales = spread(loadWhere(plain.type, where, inputOf(plain.type), {}), plain.shape, 1);
  return binary("arith.mulf", plain, scales, plain.size * kMostLoaded);
}

/// A product's sum times scales of its rows and of the round, as texts have them for FP8 by blocks.
Name ProgramBuilder::blockScaled(const Name &sum, const Rows &rows, const Name &number) {
  Name distance = binary("arith.muli", number, constant(ElementType::I32, {}, 256));
  Name where = binary("arith.addi", splat(distance, {sum.shape[0]}), rows.loaded);
  std::string base = inputOf(ElementType::F32);
  Name ofRows = spread(loadWhere(ElementType::F32, where, base, {}), sum.shape, 0);
  Name scaled = binary("arith.mulf", sum, ofRows, 1e3);
  if (oneIn(2))
    return scaled;
  std::string at = movedBase(base, ElementType::F32, number);
  Name one = emit(ElementType::F32, {}, "tt.load " + at + " : " + pointerText(ElementType::F32, {}), kMostLoaded);
  return binary("arith.mulf", scaled, splat(one, sum.shape), 1e3);
}

void ProgramBuilder::storeRows(const Name &value, const Rows &rows) {
  std::string base = newOutput(value.type, elementsOf(value.shape) * programs);
  Name down = binary("arith.muli", spread(rows.numbers, value.shape, 0),
                     constant(ElementType::I32, value.shape, static_cast<double>(value.shape[1])));
  Name where = binary("arith.addi", down, numbersAlong(value.shape, 1)), inside = spread(rows.inside, value.shape, 0);
  line("tt.store " + pointersAt(base, value.type, where) + ", " + value.text + ", " + inside.text + " : " +
       pointerText(value.type, value.shape));
}

/// A product whose operands are made in its loop, as kernels of quantized models have it.
void ProgramBuilder::operandGemmStep() {
  using T = ElementType;
  int64_t tile = 16 << draw(4), depth = 32 << draw(2), columns = 16 << draw(depth == 32 ? 4 : 3);
  bool isFp8 = oneIn(5), isEndMasked = oneIn(3), isGroupScaled = !isFp8 && oneIn(2), isBlockScaled = isFp8 || oneIn(4);
  T type = isFp8 ? T::F8E4M3 : oneOf({T::F16, T::BF16});
  WeightKind kind =
      isFp8 ? WeightKind::Floats
            : oneOf({WeightKind::Bytes, WeightKind::Fp8, WeightKind::Words, WeightKind::Nibbles, WeightKind::Floats});
  Rows rows = someRows(tile);
  Shape left{tile, depth}, right{depth, columns}, sum{tile, columns};
  Name end = isEndMasked ? argument("depth", 1 + static_cast<int64_t>(draw(4 * depth))) : Name();
  int64_t all = tile * programs; // rows, which inputs have room for
  Name stride = constant(T::I32, left,
                         all > 512                     ? 16
                         : tile >= 128 || programs > 3 ? 32
                                                       : 64),
       zero = constant(T::F32, sum, 0);
  Name downLeft = binary("arith.muli", spread(rows.loaded, left, 0), stride), alongLeft = numbersAlong(left, 1);
  Name insideLeft = rows.isMasked ? spread(rows.inside, left, 0) : Name();
  auto leftOperand = [&](const Name &number) {
    Name first = splat(binary("arith.muli", number, constant(T::I32, {}, static_cast<double>(depth))), left);
    Name along = binary("arith.addi", first, alongLeft), mask = insideLeft;
    if (isEndMasked) {
      Name before = less(along, splat(end, left));
      mask = mask.text.empty() ? before : binary("arith.andi", mask, before);
    }
    return loadWhere(type, binary("arith.addi", downLeft, along), inputOf(type), mask);
  };
  auto round = [&](const Name &number, const Name &carried) {
    Name x = leftOperand(number), y = weights(kind, type, right, number);
    if (isGroupScaled)
      y = scaledWeights(y, number);
    if (!isBlockScaled)
      return product(x, y, carried);
    return binary("arith.addf", carried, blockScaled(product(x, y, zero), rows, number), 1e4);
  };
  for (T used : {type, T::F32, T::I8, T::I32, T::F8E4M3}) // arguments are added outside of the loop's text
    (void)inputOf(used);
  Name result = carriedThrough(someLoop(), zero, round);
  storeRows(oneIn(2) ? result : convert(result, T::F16), rows);
  slots = 1 + draw(4);
  inFlight = 1 + draw(std::min<size_t>(slots, 2));
  consumers = static_cast<int>(tile >= 128 && oneIn(2) ? 2 : draw(3) > 0);
  slotBytes += (tile + 2 * columns) * depth * 2;
}

} // namespace tawa::conformance
