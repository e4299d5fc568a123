// Steps of random programs that compute with tiles.
#include "tests/conformance/GeneratorSteps.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tawa::conformance {

namespace {

bool isInteger(const Name &name) { return !isFloat(name.type) && name.type != ElementType::I1; }
bool hasArithmetic(const Name &name) { return isFloat(name.type) && elementBits(name.type) > 8; }

std::string f32OrF64(ElementType type, const std::string &name) {
  return "__nv_" + name + (type == ElementType::F32 ? "f" : "");
}

} // namespace

//===--- Elementwise ----------------------------------------------------------------------------------------------===//

void ProgramBuilder::integerStep() {
  Name a = someTensor();
  if (!isInteger(a))
    a = tensor(oneOf({ElementType::I32, ElementType::I32, ElementType::I64, ElementType::I16, ElementType::I8}),
               a.shape);
  Name b = tensor(a.type, a.shape);
  unsigned bits = elementBits(a.type);
  switch (draw(6)) {
  case 0: { // a divisor from 1 to 8
    Name divisor = binary("arith.addi", masked(b, 7), constant(a.type, a.shape, 1));
    binary(oneOf({"arith.divsi", "arith.remsi", "arith.divui", "arith.remui"}), a, divisor);
    return;
  }
  case 1:
    binary(oneOf({"arith.shli", "arith.shrsi", "arith.shrui"}), a, masked(b, bits - 1));
    return;
  case 2:
    if (bits >= 32 && oneIn(2))
      binary("tt.mulhiui", a, b);
    else
      emit(a.type, a.shape, "math.absi " + a.text + " : " + typeText(a));
    return;
  case 3: {
    Name c = condition(a.shape);
    emit(a.type, a.shape,
         "arith.select " + c.text + ", " + a.text + ", " + b.text + " : " + typeText(c) + ", " + typeText(a));
    return;
  }
  default:
    binary(oneOf({"arith.addi", "arith.subi", "arith.muli", "arith.andi", "arith.ori", "arith.xori", "arith.minsi",
                  "arith.maxsi", "arith.minui", "arith.maxui"}),
           a, b);
  }
}

void ProgramBuilder::floatStep() {
  Name a = someTensor();
  if (!hasArithmetic(a))
    a = tensor(oneOf({ElementType::F32, ElementType::F32, ElementType::F16, ElementType::BF16, ElementType::F64}),
               a.shape);
  a = bounded(a, 100);
  auto unary = [&](const std::string &op, Name x, double size) {
    return emit(x.type, x.shape, op + " " + x.text + " : " + typeText(x), size);
  };
  bool isWide = a.type == ElementType::F32 || a.type == ElementType::F64;
  switch (draw(12)) {
  case 0: {
    Name b = positive(bounded(tensor(a.type, a.shape), 100));
    binary(isWide && oneIn(3) ? "tt.precise_divf" : "arith.divf", a, b, 2 * a.size + 1);
    return;
  }
  case 1:
    unary(oneOf({"math.exp", "math.exp2"}), bounded(a, 5), 150);
    return;
  case 2:
    unary(oneOf({"math.log", "math.log2", "math.sqrt", "math.rsqrt"}), positive(a), 16);
    return;
  case 3:
    unary(oneOf({"math.sin", "math.cos", "math.erf"}), a, 1);
    return;
  case 4:
    unary(oneOf({"math.floor", "math.ceil", "math.absf", "arith.negf"}), a, a.size + 1);
    return;
  case 5: {
    Name b = bounded(tensor(a.type, a.shape), 100), c = bounded(tensor(a.type, a.shape), 100);
    emit(a.type, a.shape, "math.fma " + a.text + ", " + b.text + ", " + c.text + " : " + typeText(a),
         a.size * b.size + c.size);
    return;
  }
  case 6: {
    Name low = constant(a.type, a.shape, -2), high = constant(a.type, a.shape, 3);
    emit(a.type, a.shape,
         "tt.clampf " + a.text + ", " + low.text + ", " + high.text + ", propagateNan = " + oneOf({"none", "all"}) +
             " : " + typeText(a),
         3);
    return;
  }
  case 7: {
    if (!isWide)
      return;
    std::string name = oneOf({"tanh", "expm1", "log1p", "atan", "rint", "cbrt", "trunc", "round", "asinh"});
    Name x = name == "log1p" ? positive(a) : bounded(a, 4);
    emit(a.type, a.shape,
         "tt.extern_elementwise " + x.text + " {libname = \"\", libpath = \"\", pure = true, symbol = \"" +
             f32OrF64(a.type, name) + "\"} : (" + typeText(x) + ") -> " + typeText(x),
         100);
    return;
  }
  case 8: {
    Name c = condition(a.shape), b = bounded(tensor(a.type, a.shape), 100);
    emit(a.type, a.shape,
         "arith.select " + c.text + ", " + a.text + ", " + b.text + " : " + typeText(c) + ", " + typeText(a),
         std::max(a.size, b.size));
    return;
  }
  default: {
    Name b = bounded(tensor(a.type, a.shape), 100);
    const char *op = oneOf({"arith.addf", "arith.subf", "arith.mulf", "arith.maxnumf", "arith.minnumf",
                            "arith.maximumf", "arith.minimumf"});
    binary(op, a, b, std::string(op) == "arith.mulf" ? a.size * b.size : a.size + b.size);
  }
  }
}

void ProgramBuilder::compareStep() {
  Name a = someTensor();
  if (a.type == ElementType::I1) {
    binary(oneOf({"arith.andi", "arith.ori", "arith.xori"}), a, tensor(a.type, a.shape));
    return;
  }
  if (isFloat(a.type) && !hasArithmetic(a))
    a = convert(a, ElementType::F16);
  Name b = tensor(a.type, a.shape);
  std::string predicate =
      isFloat(a.type)
          ? std::string("arith.cmpf ") + oneOf({"oeq", "ogt", "oge", "olt", "ole", "one", "une", "ult", "ord", "uno"})
          : std::string("arith.cmpi ") + oneOf({"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"});
  emit(ElementType::I1, a.shape, predicate + ", " + a.text + ", " + b.text + " : " + typeText(a));
}

void ProgramBuilder::conversionStep() {
  Name a = someTensor();
  if (!oneIn(4) || a.type == ElementType::I1) {
    convert(a, someType());
    return;
  }
  if (isFloat(a.type)) { // its bits
    unsigned bits = elementBits(a.type);
    ElementType type = bits == 8    ? ElementType::I8
                       : bits == 16 ? ElementType::I16
                       : bits == 32 ? ElementType::I32
                                    : ElementType::I64;
    const char *op = bits == 8 || oneIn(2) ? "tt.bitcast" : "arith.bitcast";
    emit(type, a.shape,
         std::string(op) + " " + a.text + " : " + typeText(a) + (std::string(op) == "tt.bitcast" ? " -> " : " to ") +
             typeText(type, a.shape));
  }
}

//===--- Shapes ---------------------------------------------------------------------------------------------------===//

void ProgramBuilder::shapeStep() {
  Name a = someTensor();
  auto to = [&](const std::string &op, const Shape &shape) {
    return emit(a.type, shape, op + " : " + typeText(a) + " -> " + typeText(a.type, shape), a.size);
  };
  switch (draw(8)) {
  case 0: {
    Shape shape = sameElements(elementsOf(a.shape));
    to("tt.reshape " + a.text, shape);
    return;
  }
  case 1: {
    std::vector<size_t> order(a.shape.size());
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    Shape shape;
    std::string text;
    for (size_t dim : order) {
      shape.push_back(a.shape[dim]);
      text += (text.empty() ? "" : ", ") + std::to_string(dim);
    }
    to("tt.trans " + a.text + " {order = array<i32: " + text + ">}", shape);
    return;
  }
  case 2: {
    if (a.shape.size() >= 4)
      return;
    Shape shape = a.shape;
    size_t axis = draw(shape.size() + 1);
    shape.insert(shape.begin() + static_cast<int64_t>(axis), 1);
    to("tt.expand_dims " + a.text + " {axis = " + std::to_string(axis) + " : i32}", shape);
    return;
  }
  case 3: {
    Shape shape = a.shape;
    for (int64_t &size : shape)
      if (size == 1 && elementsOf(shape) < 1024)
        size = int64_t(1) << draw(4);
    if (shape != a.shape)
      broadcast(a, shape);
    return;
  }
  case 4: {
    if (elementsOf(a.shape) > 2048 || a.shape.size() > 4)
      return;
    Name b = tensor(a.type, a.shape);
    Shape shape = a.shape;
    shape.push_back(2);
    emit(a.type, shape, "tt.join " + a.text + ", " + b.text + " : " + typeText(a) + " -> " + typeText(a.type, shape),
         std::max(a.size, b.size));
    return;
  }
  case 5: {
    if (elementsOf(a.shape) < 4)
      return;
    Shape shape = sameElements(elementsOf(a.shape) / 2), whole = shape;
    whole.push_back(2);
    Name pairs = to("tt.reshape " + a.text, whole);
    Name first{fresh(), a.type, shape, a.size}, second{fresh(), a.type, shape, a.size};
    line(first.text + ", " + second.text + " = tt.split " + pairs.text + " : " + typeText(pairs) + " -> " +
         typeText(first));
    remember(first);
    remember(second);
    return;
  }
  case 6: {
    if (a.shape.size() != 1 || a.shape[0] > 1024)
      return;
    Name b = tensor(a.type, a.shape);
    Shape shape{2 * a.shape[0]};
    emit(a.type, shape, "tt.cat " + a.text + ", " + b.text + " : " + typeText(a) + " -> " + typeText(a.type, shape),
         std::max(a.size, b.size));
    return;
  }
  default: {
    if (elementsOf(a.shape) == 1)
      emit(a.type, {}, "tt.unsplat " + a.text + " : " + typeText(a), a.size);
    return;
  }
  }
}

//===--- Combining ------------------------------------------------------------------------------------------------===//

/// A combining region of one value; `size` becomes that of its result.
std::string ProgramBuilder::region(ElementType type, const char *terminator, double &size, int64_t length) {
  std::string element = typeText(type), op;
  if (type == ElementType::I1) {
    op = oneOf({"arith.andi", "arith.ori", "arith.xori"});
  } else if (!isFloat(type)) {
    op = oneOf({"arith.addi", "arith.addi", "arith.maxsi", "arith.minsi", "arith.maxui", "arith.minui", "arith.andi",
                "arith.ori", "arith.xori", "arith.muli"});
  } else {
    op = oneOf({"arith.addf", "arith.addf", "arith.maxnumf", "arith.minnumf", "arith.maximumf", "arith.minimumf"});
    size = op == "arith.addf" ? size * static_cast<double>(length) : size;
  }
  return " ({\n^bb0(%x: " + element + ", %y: " + element + "):\n  %z = " + op + " %x, %y : " + element + "\n  " +
         terminator + " %z : " + element + "\n})";
}

void ProgramBuilder::reduceStep() {
  Name a = someTensor();
  if (isFloat(a.type) && !hasArithmetic(a))
    a = convert(a, ElementType::F32);
  a = bounded(a, 20);
  size_t axis = draw(a.shape.size());
  Shape shape = a.shape;
  shape.erase(shape.begin() + static_cast<int64_t>(axis));
  double size = a.size;
  std::string body = region(a.type, "tt.reduce.return", size, a.shape[axis]);
  emit(a.type, shape,
       "\"tt.reduce\"(" + a.text + ") <{axis = " + std::to_string(axis) + " : i32}>" + body + " : (" + typeText(a) +
           ") -> " + typeText(a.type, shape),
       size);
}

/// The largest value and its place, the first of equal ones.
void ProgramBuilder::argReduceStep() {
  Shape shape = someShape();
  size_t axis = draw(shape.size());
  using T = ElementType;
  Name values = bounded(tensor(oneOf({T::F32, T::I32, T::F16, T::F64, T::I64}), shape), 100);
  Name along = emit(ElementType::I32, {shape[axis]},
                    "tt.make_range {end = " + std::to_string(shape[axis]) +
                        " : i32, start = 0 : i32} : " + typeText(ElementType::I32, {shape[axis]}));
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    if (dim == axis)
      continue;
    Shape grown = along.shape;
    grown.insert(grown.begin() + static_cast<int64_t>(dim), 1);
    along = emit(ElementType::I32, grown,
                 "tt.expand_dims " + along.text + " {axis = " + std::to_string(dim) + " : i32} : " + typeText(along) +
                     " -> " + typeText(ElementType::I32, grown));
  }
  Name indices = broadcast(along, shape);
  std::string t = typeText(values.type);
  bool real = isFloat(values.type);
  std::string greater = real ? "arith.cmpf ogt" : "arith.cmpi sgt", equal = real ? "arith.cmpf oeq" : "arith.cmpi eq";
  Shape left = shape;
  left.erase(left.begin() + static_cast<int64_t>(axis));
  std::string both = fresh();
  line(both + ":2 = \"tt.reduce\"(" + values.text + ", " + indices.text + ") <{axis = " + std::to_string(axis) +
       " : i32}> ({\n^bb0(%x: " + t + ", %i: i32, %y: " + t + ", %j: i32):\n  %g = " + greater + ", %x, %y : " + t +
       "\n  %e = " + equal + ", %x, %y : " + t +
       "\n  %l = arith.cmpi slt, %i, %j : i32\n  %f = arith.andi %e, %l : i1\n"
       "  %k = arith.ori %g, %f : i1\n  %a = arith.select %k, %x, %y : " +
       t + "\n  %b = arith.select %k, %i, %j : i32\n  tt.reduce.return %a, %b : " + t + ", i32\n}) : (" +
       typeText(values) + ", " + typeText(indices) + ") -> (" + typeText(values.type, left) + ", " +
       typeText(ElementType::I32, left) + ")");
  remember({both + "#0", values.type, left, values.size});
  remember({both + "#1", ElementType::I32, left, 0});
}

void ProgramBuilder::scanStep() {
  Name a = someTensor();
  if (isFloat(a.type) && !hasArithmetic(a))
    a = convert(a, ElementType::F32);
  a = bounded(a, 20);
  size_t axis = draw(a.shape.size());
  double size = a.size;
  std::string body = region(a.type, "tt.scan.return", size, a.shape[axis]);
  emit(a.type, a.shape,
       "\"tt.scan\"(" + a.text + ") <{axis = " + std::to_string(axis) + " : i32, reverse = " +
           oneOf({"true", "false", "false"}) + "}>" + body + " : (" + typeText(a) + ") -> " + typeText(a),
       size);
}

//===--- Movement by value ----------------------------------------------------------------------------------------===//

void ProgramBuilder::gatherStep() {
  Name a = someTensor();
  size_t axis = draw(a.shape.size());
  Shape shape = a.shape;
  if (oneIn(2))
    shape[axis] = std::max<int64_t>(1, shape[axis] / 2);
  Name indices = masked(tensor(ElementType::I32, shape), a.shape[axis] - 1);
  emit(a.type, shape,
       "tt.gather " + a.text + "[" + indices.text + "] {axis = " + std::to_string(axis) + " : i32} : (" + typeText(a) +
           ", " + typeText(indices) + ") -> " + typeText(a.type, shape),
       a.size);
}

void ProgramBuilder::histogramStep() {
  int64_t bins = int64_t(1) << (1 + draw(7));
  Shape shape{int64_t(1) << (3 + draw(7))};
  Name values = masked(tensor(ElementType::I32, shape), bins - 1);
  emit(ElementType::I32, {bins},
       "tt.histogram " + values.text + " : " + typeText(values) + " -> " + typeText(ElementType::I32, {bins}));
}

/// A scalar function with control flow of its own.
void ProgramBuilder::mapStep() {
  Name a = someTensor();
  if (!isInteger(a))
    a = tensor(ElementType::I32, a.shape);
  std::string t = typeText(a.type);
  emit(a.type, a.shape,
       "\"tt.map_elementwise\"(" + a.text + ") <{pack = 1 : i32}> ({\n^bb0(%x: " + t +
           "):\n  %zero = arith.constant 0 : " + t + "\n  %c = arith.cmpi slt, %x, %zero : " + t +
           "\n  cf.cond_br %c, ^bb1, ^bb2(%x : " + t + ")\n^bb1:\n  %n = arith.subi %zero, %x : " + t +
           "\n  cf.br ^bb2(%n : " + t + ")\n^bb2(%r: " + t + "):\n  tt.map_elementwise.return %r : " + t + "\n}) : (" +
           typeText(a) + ") -> " + typeText(a));
}

void ProgramBuilder::scalarStep() {
  ElementType type = oneOf({ElementType::I32, ElementType::I32, ElementType::I64, ElementType::F32});
  Name a = scalar(type), b = scalar(type);
  if (isFloat(type)) {
    a = bounded(a, 50);
    b = bounded(b, 50);
    binary(oneOf({"arith.addf", "arith.mulf", "arith.subf"}), a, b, a.size * b.size + a.size + b.size);
  } else {
    binary(oneOf({"arith.addi", "arith.muli", "arith.subi", "arith.xori", "arith.maxsi", "arith.minui"}), a, b);
  }
}

//===--- Products -------------------------------------------------------------------------------------------------===//

void ProgramBuilder::dotStep() {
  using T = ElementType;
  struct Kind {
    T operand, sum;
    const char *clause;
  };
  Kind kind = oneOf<Kind>({{T::F16, T::F32, ", inputPrecision = tf32"},
                           {T::F16, T::F32, ""},
                           {T::BF16, T::F32, ", inputPrecision = tf32"},
                           {T::F16, T::F16, ""},
                           {T::F32, T::F32, ", inputPrecision = tf32"},
                           {T::F32, T::F32, ""},
                           {T::F32, T::F32, ", inputPrecision = tf32x3"},
                           {T::I8, T::I32, ""},
                           {T::F8E4M3, T::F32, ""},
                           {T::F8E5M2, T::F32, ""},
                           {T::F64, T::F64, ""}});
  int64_t rows = int64_t(1) << (oneIn(4) ? draw(4) : 4 + draw(4)), columns = int64_t(1)
                                                                             << (oneIn(4) ? draw(4) : 4 + draw(4));
  int64_t depth = int64_t(1) << (5 + draw(2)), batch = oneIn(5) ? 2 << draw(2) : 0;
  int64_t operandBytes = batch * (rows + columns) * depth * elementBytes(kind.operand);
  if (batch && (rows * columns * batch > 8192 || operandBytes > 65536)) // both operands stand in shared memory
    batch = 0;
  auto shaped = [&](int64_t first, int64_t second) {
    return batch ? Shape{batch, first, second} : Shape{first, second};
  };
  Name a = tensor(kind.operand, shaped(rows, depth)), b;
  if (oneIn(2)) { // transposed, as Triton prints most
    Name stored = tensor(kind.operand, shaped(columns, depth));
    b = emit(kind.operand, shaped(depth, columns),
             "tt.trans " + stored.text + " {order = array<i32: " + (batch ? "0, 2, 1" : "1, 0") +
                 ">} : " + typeText(stored) + " -> " + typeText(kind.operand, shaped(depth, columns)),
             stored.size);
  } else {
    b = tensor(kind.operand, shaped(depth, columns));
  }
  if (elementBits(kind.operand) > 8) {
    a = bounded(a, 10);
    b = bounded(b, 10);
  }
  Name c = oneIn(2) ? constant(kind.sum, shaped(rows, columns), 0) : tensor(kind.sum, shaped(rows, columns));
  c = bounded(c, 100);
  emit(kind.sum, shaped(rows, columns),
       "tt.dot " + a.text + ", " + b.text + ", " + c.text + kind.clause + " : " + typeText(a) + " * " + typeText(b) +
           " -> " + typeText(kind.sum, shaped(rows, columns)),
       a.size * b.size * static_cast<double>(depth) + c.size);
}

} // namespace tawa::conformance
