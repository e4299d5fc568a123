// Steps of random programs through block pointers and tensor descriptors, made in the kernel, with blocks that reach
// over the tensor's edges; and calls of private functions.
#include "tests/conformance/GeneratorSteps.h"

#include <algorithm>

namespace tawa::conformance {

namespace {

std::string list(const Shape &values) {
  std::string text;
  for (int64_t value : values)
    text += (text.empty() ? "" : ", ") + std::to_string(value);
  return text;
}

} // namespace

/// Constants, as a list of names. A prefix stands before it.
std::string ProgramBuilder::scalars(ElementType type, const Shape &values, std::string prefix) {
  for (int64_t value : values)
    prefix += (prefix.empty() ? "" : ", ") + constant(type, {}, static_cast<double>(value)).text;
  return prefix;
}

/// A tensor of up to three dimensions in an input. For descriptors rows begin at multiples of 16 bytes and hold at
/// least so many.
ProgramBuilder::Surface ProgramBuilder::someSurface(bool forTma) {
  Surface surface;
  surface.type = oneOf({ElementType::F32, ElementType::F16, ElementType::BF16, ElementType::I32, ElementType::I8,
                        ElementType::F16, ElementType::I16});
  surface.base = inputOf(surface.type);
  size_t rank = 1 + draw(3);
  int64_t perRow = 16 / elementBytes(surface.type), left = 32768;
  for (size_t dim = 0; dim < rank; ++dim) {
    bool isRow = dim + 1 == rank;
    int64_t block = int64_t(1) << draw(rank == 3 ? 4 : 6);
    surface.block.push_back(isRow && forTma ? std::max(block, perRow) : block);
    surface.size.push_back(1 + static_cast<int64_t>(draw(rank == 1 ? 300 : rank == 2 ? 90 : 25)));
  }
  surface.strides.assign(rank, 1);
  for (size_t dim = rank; dim-- > 1;) {
    int64_t row = surface.size[dim] * surface.strides[dim];
    surface.strides[dim - 1] = (row + perRow - 1) / perRow * perRow;
  }
  // The outermost dimension ends where the input does.
  surface.size[0] = std::max<int64_t>(1, std::min(surface.size[0], left / surface.strides[0] - 1));
  return surface;
}

void ProgramBuilder::blockPointerStep() {
  Surface surface = someSurface(false);
  size_t rank = surface.block.size();
  std::string block = fresh(), type = "tensor<";
  type = typeText(surface.type, surface.block);
  Shape corner, order, checked, moves;
  for (size_t dim = 0; dim < rank; ++dim) {
    corner.push_back(static_cast<int64_t>(draw(static_cast<size_t>(surface.size[dim]) + 4)) - 4);
    order.push_back(static_cast<int64_t>(rank - 1 - dim));
    moves.push_back(static_cast<int64_t>(draw(8)) - 2);
    bool fits = surface.size[dim] >= surface.block[dim] + 6;
    if (fits && oneIn(2)) {
      corner[dim] = 2 + static_cast<int64_t>(draw(static_cast<size_t>(surface.size[dim] - surface.block[dim] - 5)));
      moves[dim] = oneIn(2) ? -2 : 0;
    } else {
      checked.push_back(static_cast<int64_t>(dim));
    }
  }
  std::string shape = scalars(ElementType::I64, surface.size), strides = scalars(ElementType::I64, surface.strides),
              offsets = scalars(ElementType::I32, corner);
  line(block + " = tt.make_tensor_ptr " + surface.base + ", [" + shape + "], [" + strides + "], [" + offsets +
       "] {order = array<i32: " + list(order) + ">} : <" + type + ">");
  if (oneIn(2)) {
    std::string moved = fresh(), by = scalars(ElementType::I32, moves);
    line(moved + " = tt.advance " + block + ", [" + by + "] : <" + type + ">");
    block = moved;
  }
  std::string clauses = checked.empty() ? "" : "boundaryCheck = array<i32: " + list(checked) + ">";
  if (!checked.empty() && oneIn(2))
    clauses += ", padding = 1 : i32";
  emit(surface.type, surface.block,
       "tt.load " + block + (clauses.empty() ? "" : " {" + clauses + "}") + " : !tt.ptr<" + type + ">",
       isFloat(surface.type) ? 8 : 0);
}

std::string ProgramBuilder::descriptorOf(const Surface &surface) {
  std::string descriptor = fresh(), shape = scalars(ElementType::I32, surface.size),
              strides = scalars(ElementType::I64, surface.strides);
  line(descriptor + " = tt.make_tensor_descriptor " + surface.base + ", [" + shape + "], [" + strides + "] : <" +
       typeText(surface.type) + ">, <" + typeText(surface.type, surface.block) + ">");
  return descriptor;
}

void ProgramBuilder::descriptorStep() {
  Surface surface = someSurface(true);
  std::string descriptor = descriptorOf(surface), type = typeText(surface.type, surface.block);
  Shape corner;
  for (int64_t size : surface.size)
    corner.push_back(static_cast<int64_t>(draw(static_cast<size_t>(size) + 8)) - 4);
  std::string indices = scalars(ElementType::I32, corner);
  emit(surface.type, surface.block,
       "tt.descriptor_load " + descriptor + "[" + indices + "] : !tt.tensordesc<" + type + "> -> " + type,
       isFloat(surface.type) ? 8 : 0);
}

/// Rows that a tensor names, some of them outside.
void ProgramBuilder::descriptorRowsStep() {
  Surface surface = someSurface(true);
  if (surface.block.size() != 2)
    return;
  surface.block[0] = 1;
  int64_t rows = 8 << draw(3);
  Name which = masked(tensor(ElementType::I32, {rows}), 127);
  std::string descriptor = descriptorOf(surface), column = scalars(ElementType::I32, {static_cast<int64_t>(draw(16))});
  emit(surface.type, {rows, surface.block[1]},
       "tt.descriptor_gather " + descriptor + "[" + which.text + ", " + column + "] : (!tt.tensordesc<" +
           typeText(surface.type, surface.block) + ">, " + typeText(which) + ", i32) -> " +
           typeText(surface.type, {rows, surface.block[1]}),
       isFloat(surface.type) ? 8 : 0);
}

/// Into an output of its own, of which each program has as many rows as it likes.
void ProgramBuilder::descriptorStoreStep() {
  Name value = someTensor();
  if (value.type == ElementType::I1)
    value = convert(value, ElementType::I8);
  if (value.shape.size() > 3 || value.shape.back() * elementBytes(value.type) < 16)
    return;
  Surface surface{value.type, "%out" + std::to_string(outputs++), value.shape, value.shape, {}};
  int64_t perRow = 16 / elementBytes(value.type);
  for (int64_t &size : surface.size)
    size = std::max<int64_t>(1, size - (oneIn(2) ? static_cast<int64_t>(draw(3)) : 0));
  surface.strides.assign(value.shape.size(), 1);
  for (size_t dim = value.shape.size(); dim-- > 1;)
    surface.strides[dim - 1] = (surface.size[dim] * surface.strides[dim] + perRow - 1) / perRow * perRow;
  int64_t room = surface.strides[0] * surface.size[0];
  room = (room + perRow - 1) / perRow * perRow;
  arguments += (arguments.empty() ? "" : ", ") + surface.base + ": " + pointerText(value.type, {}) +
               " {tt.divisibility = 16 : i32}";
  launchArgs += " " + std::string(elementName(value.type)) + "[" + std::to_string(room * programs) + "]";
  Name distance = binary("arith.muli", program, constant(ElementType::I32, {}, static_cast<double>(room)));
  std::string mine = fresh();
  line(mine + " = tt.addptr " + surface.base + ", " + distance.text + " : " + pointerText(value.type, {}) + ", i32");
  surface.base = mine;
  std::string descriptor = descriptorOf(surface);
  Shape corner;
  for (size_t dim = 0; dim < value.shape.size(); ++dim)
    corner.push_back(oneIn(2) ? 0 : static_cast<int64_t>(draw(5)) - 2);
  std::string indices = scalars(ElementType::I32, corner), type = typeText(value);
  bool reduces = value.type == ElementType::I32 && oneIn(2);
  line(std::string(reduces ? "tt.descriptor_reduce " : "tt.descriptor_store ") +
       (reduces ? oneOf({"add, ", "min, ", "max, ", "and, ", "or, ", "xor, "}) : "") + descriptor + "[" + indices +
       "], " + value.text + " : !tt.tensordesc<" + type + ">, " + type);
}

/// A private function of a tile and a number, with an early return sometimes.
void ProgramBuilder::callStep() {
  Name tile = tensor(ElementType::I32, someShape()), number = scalar(ElementType::I32);
  std::string name = "@helper" + fresh().substr(1), t = typeText(tile);
  functions += "tt.func private " + name + "(%x: " + t + ", %n: i32) -> " + t +
               " attributes {noinline = " + oneOf({"true", "false"}) + "} {\n%c = arith.constant 3 : i32\n";
  if (oneIn(2))
    functions +=
        "%b = arith.cmpi sgt, %n, %c : i32\ncf.cond_br %b, ^early, ^late\n^early:\ntt.return %x : " + t + "\n^late:\n";
  functions += "%s = tt.splat %n : i32 -> " + t + "\n%y = arith." + oneOf({"addi", "muli", "xori", "maxsi"}) +
               " %x, %s : " + t + "\ntt.return %y : " + t + "\n}\n";
  emit(ElementType::I32, tile.shape,
       "tt.call " + name + "(" + tile.text + ", " + number.text + ") : (" + t + ", i32) -> " + t);
}

} // namespace tawa::conformance
