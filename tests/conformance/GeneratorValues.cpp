// Operands for the steps of a random program: existing values of a type and shape, or new ones computed from others.
#include "tests/conformance/GeneratorSteps.h"

#include <algorithm>
#include <cmath>

namespace tawa::conformance {

namespace {

constexpr int64_t kMostElements = 4096;

unsigned bitsOf(ElementType type) { return type == ElementType::I1 ? 1 : elementBits(type); }

/// Numbers that leave room for a few more operations before they overflow.
double limitOf(ElementType type) {
  switch (type) {
  case ElementType::F8E4M3:
    return 200;
  case ElementType::F8E5M2:
  case ElementType::F16:
    return 500;
  default:
    return 1e4;
  }
}

} // namespace

ElementType ProgramBuilder::someType() {
  return oneOf({ElementType::F32, ElementType::F32, ElementType::F32, ElementType::F32, ElementType::I32,
                ElementType::I32, ElementType::I32, ElementType::F16, ElementType::F16, ElementType::BF16,
                ElementType::I8, ElementType::I16, ElementType::I64, ElementType::F64, ElementType::I1,
                ElementType::F8E4M3, ElementType::F8E5M2});
}

/// Sizes 2^a split over one to four dimensions.
Shape ProgramBuilder::sameElements(int64_t count) {
  Shape shape(1 + draw(4), 1);
  for (; count > 1; count /= 2)
    shape[draw(shape.size())] *= 2;
  return shape;
}

Shape ProgramBuilder::someShape() {
  if (const Name *known = oneIn(3) ? pick([](const Name &n) { return !n.shape.empty(); }) : nullptr)
    return known->shape;
  int64_t count = int64_t(1) << (oneIn(4) ? draw(13) : 3 + draw(8));
  return sameElements(std::min(count, kMostElements));
}

const Name *ProgramBuilder::inScope(ElementType type, const Shape &shape) {
  return pick([&](const Name &n) { return n.type == type && n.shape == shape; });
}

Name ProgramBuilder::splat(const Name &scalar, const Shape &shape) {
  return emit(scalar.type, shape,
              "tt.splat " + scalar.text + " : " + typeText(scalar) + " -> " + typeText(scalar.type, shape),
              scalar.size);
}

Name ProgramBuilder::broadcast(const Name &from, const Shape &shape) {
  if (from.shape == shape)
    return from;
  return emit(from.type, shape,
              "tt.broadcast " + from.text + " : " + typeText(from) + " -> " + typeText(from.type, shape), from.size);
}

Name ProgramBuilder::binary(const char *op, const Name &a, const Name &b, double size) {
  return emit(a.type, a.shape, std::string(op) + " " + a.text + ", " + b.text + " : " + typeText(a), size);
}

/// A tensor of this type and shape: one in scope, or loaded, counted, splat, converted or broadcast.
Name ProgramBuilder::tensor(ElementType type, const Shape &shape) {
  if (shape.empty())
    return scalar(type);
  if (const Name *known = oneIn(4) ? nullptr : inScope(type, shape))
    return *known;
  switch (draw(7)) {
  case 0:
    return constant(type, shape, type == ElementType::I1 ? draw(2) : static_cast<double>(draw(33)) / 4 - 4);
  case 1:
    if (type == ElementType::I32 && shape.size() == 1) {
      int64_t start = oneIn(3) ? static_cast<int64_t>(draw(50)) : 0;
      return emit(type, shape,
                  "tt.make_range {end = " + std::to_string(start + shape[0]) +
                      " : i32, start = " + std::to_string(start) + " : i32} : " + typeText(type, shape));
    }
    return splat(scalar(type), shape);
  case 2:
    if (const Name *other = pick([&](const Name &n) { return n.shape == shape && n.type != type; }))
      return convert(*other, type);
    return load(type, shape);
  case 3: {
    Shape narrow = shape;
    narrow[draw(shape.size())] = 1;
    return broadcast(load(type, narrow), shape);
  }
  default:
    return load(type, shape);
  }
}

Name ProgramBuilder::someTensor() {
  if (const Name *known = oneIn(5) ? nullptr : pick([](const Name &n) { return !n.shape.empty(); }))
    return *known;
  return tensor(someType(), someShape());
}

Name ProgramBuilder::scalar(ElementType type) {
  if (const Name *known = oneIn(3) ? nullptr : inScope(type, {}))
    return *known;
  if (type == ElementType::I32 && oneIn(2))
    return program;
  return constant(type, {}, type == ElementType::I1 ? draw(2) : static_cast<double>(draw(21)) - 10);
}

/// 0, 1, ...
Name ProgramBuilder::range(int64_t count) {
  return emit(ElementType::I32, {count},
              "tt.make_range {end = " + std::to_string(count) +
                  " : i32, start = 0 : i32} : " + typeText(ElementType::I32, {count}));
}

/// The low bits of an integer: from 0 up to the mask.
Name ProgramBuilder::masked(const Name &from, int64_t mask) {
  return binary("arith.andi", from, constant(from.type, from.shape, static_cast<double>(mask)));
}

Name ProgramBuilder::bounded(const Name &from, double limit) {
  if (!isFloat(from.type) || from.size <= limit)
    return from;
  bool ignoresNaN = oneIn(2);
  Name high = binary(ignoresNaN ? "arith.minnumf" : "arith.minimumf", from, constant(from.type, from.shape, limit));
  return binary(ignoresNaN ? "arith.maxnumf" : "arith.maximumf", high, constant(from.type, from.shape, -limit), limit);
}

/// |x| + 1/2
Name ProgramBuilder::positive(const Name &from) {
  Name magnitude = emit(from.type, from.shape, "math.absf " + from.text + " : " + typeText(from), from.size);
  return binary("arith.addf", magnitude, constant(from.type, from.shape, 0.5), from.size + 0.5);
}

/// A tensor of truths.
Name ProgramBuilder::condition(const Shape &shape) {
  if (const Name *known = oneIn(3) ? inScope(ElementType::I1, shape) : nullptr)
    return *known;
  Name a = tensor(oneOf({ElementType::I32, ElementType::I32, ElementType::I16, ElementType::I64}), shape);
  Name b = tensor(a.type, shape);
  return emit(ElementType::I1, shape,
              std::string("arith.cmpi ") + oneOf({"slt", "sge", "ult", "ne", "sle", "ugt", "eq"}) + ", " + a.text +
                  ", " + b.text + " : " + typeText(a));
}

/// Any type as any other, by whatever operations lead there.
Name ProgramBuilder::convert(const Name &from, ElementType type) {
  if (from.type == type)
    return from;
  auto cast = [&](const std::string &op, const Name &value, double size) {
    return emit(type, value.shape,
                op + " " + value.text + " : " + typeText(value) + " to " + typeText(type, value.shape), size);
  };
  if (!isFloat(from.type) && !isFloat(type)) {
    bool widens = bitsOf(type) > bitsOf(from.type);
    return cast(!widens ? "arith.trunci" : oneIn(2) ? "arith.extsi" : "arith.extui", from, 0);
  }
  bool fp8 = elementBits(type) == 8 && isFloat(type), fromFp8 = elementBits(from.type) == 8 && isFloat(from.type);
  if (!isFloat(from.type)) {
    if (fp8)
      return convert(convert(from, ElementType::F32), type);
    Name small = bitsOf(from.type) > 8 ? masked(from, 127) : from;
    return cast(oneIn(2) || from.type == ElementType::I1 ? "arith.uitofp" : "arith.sitofp", small, 256);
  }
  if (!isFloat(type)) {
    if (fromFp8)
      return convert(convert(from, ElementType::F32), type);
    if (type == ElementType::I1)
      return emit(type, from.shape,
                  "arith.cmpf ogt, " + from.text + ", " + constant(from.type, from.shape, 0.25).text + " : " +
                      typeText(from));
    Name small = bounded(from, 100);
    return oneIn(4)
               ? cast("arith.fptoui",
                      bounded(emit(from.type, from.shape, "math.absf " + small.text + " : " + typeText(small), 100),
                              100),
                      0)
               : cast("arith.fptosi", small, 0);
  }
  Name small = bounded(from, limitOf(type));
  bool widens = elementBits(type) > elementBits(from.type);
  if (fp8 || fromFp8 ||
      (elementBits(type) != elementBits(from.type) && oneIn(8) && !(bitsOf(from.type) == 64) && bitsOf(type) != 64)) {
    std::string rounding = widens ? "" : oneIn(4) ? ", rounding = rtz" : ", rounding = rtne";
    if (fp8 && fromFp8)
      return convert(convert(small, ElementType::F16), type);
    if (from.type == ElementType::F64 || type == ElementType::F64)
      return convert(convert(small, ElementType::F32), type);
    return emit(type, from.shape,
                "tt.fp_to_fp " + small.text + rounding + " : " + typeText(small) + " -> " + typeText(type, from.shape),
                small.size);
  }
  if (elementBits(type) == elementBits(from.type)) // f16 and bf16
    return convert(convert(small, ElementType::F32), type);
  return cast(widens ? "arith.extf" : "arith.truncf", small, small.size);
}

} // namespace tawa::conformance
