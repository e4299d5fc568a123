// Loads, stores and atomics of random programs. Every tensor argument is long enough for all programs; each store has
// one of its own, a slice of which belongs to each program.
#include "tests/conformance/GeneratorSteps.h"

#include <algorithm>
#include <numeric>

namespace tawa::conformance {

static constexpr int64_t kInputElements = 32768;

/// Offsets along permuted dimensions, sometimes with gaps or (for loads) with repetition.
Name ProgramBuilder::offsets(const Shape &shape, int64_t limit, bool distinct) {
  std::vector<size_t> order(shape.size());
  std::iota(order.begin(), order.end(), 0);
  if (oneIn(3))
    std::shuffle(order.begin(), order.end(), random);
  int64_t room = limit / elementsOf(shape), stride = room >= 2 && oneIn(4) ? 2 : 1;
  std::vector<int64_t> strides(shape.size());
  for (size_t i = order.size(); i-- > 0; stride *= shape[order[i]])
    strides[order[i]] = !distinct && oneIn(8) ? 0 : stride;
  Name sum;
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    Name along = range(shape[dim]);
    Shape grown = along.shape;
    for (size_t other = 0; other < shape.size(); ++other) {
      if (other == dim)
        continue;
      Shape next = grown;
      size_t axis = std::min(other, grown.size());
      next.insert(next.begin() + static_cast<int64_t>(axis), 1);
      along = emit(ElementType::I32, next,
                   "tt.expand_dims " + along.text + " {axis = " + std::to_string(axis) +
                       " : i32} : " + typeText(along) + " -> " + typeText(ElementType::I32, next));
      grown = next;
    }
    if (strides[dim] != 1)
      along = binary("arith.muli", along, constant(ElementType::I32, along.shape, static_cast<double>(strides[dim])));
    along = broadcast(along, shape);
    sum = dim == 0 ? along : binary("arith.addi", sum, along);
  }
  return sum;
}

std::string ProgramBuilder::inputOf(ElementType type) {
  auto [found, isNew] = inputs.try_emplace(type, "%in_" + std::string(elementName(type)));
  if (isNew) {
    arguments += (arguments.empty() ? "" : ", ") + found->second + ": " + pointerText(type, {}) +
                 (oneIn(4) ? "" : " {tt.divisibility = 16 : i32}");
    std::string range = type == ElementType::I1 ? "=0..2"
                        : !isFloat(type)        ? "=-100..100"
                        : hasSpecial            ? "=special"
                                                : "";
    launchArgs += " " + std::string(elementName(type)) + "[" + std::to_string(kInputElements) + "]" + range;
  }
  return found->second;
}

std::string ProgramBuilder::pointersAt(const std::string &base, ElementType type, const Name &offset) {
  std::string all = fresh(), moved = fresh(), to = pointerText(type, offset.shape);
  line(all + " = tt.splat " + base + " : " + pointerText(type, {}) + " -> " + to);
  line(moved + " = tt.addptr " + all + ", " + offset.text + " : " + to + ", " + typeText(offset));
  return moved;
}

std::string ProgramBuilder::movedBase(const std::string &base, ElementType type, const Name &distance) {
  std::string moved = fresh();
  line(moved + " = tt.addptr " + base + ", " + distance.text + " : " + pointerText(type, {}) + ", " +
       typeText(distance));
  return moved;
}

Name ProgramBuilder::load(ElementType type, const Shape &shape) {
  if (type == ElementType::I1) { // memory has none: bytes that are compared with 0
    Name bytes = load(ElementType::I8, shape);
    return emit(type, shape,
                "arith.cmpi sgt, " + bytes.text + ", " + constant(ElementType::I8, shape, 0).text + " : " +
                    typeText(bytes));
  }
  std::string base = inputOf(type);
  double size = isFloat(type) ? 8 : 0;
  int64_t most = elementsOf(shape), limit = kInputElements;
  if (limit > 2 * most && oneIn(2)) { // from somewhere after the first element
    int64_t start = oneIn(2) ? 16 * static_cast<int64_t>(draw(8)) : static_cast<int64_t>(draw(200));
    if (start + most <= limit) {
      base = movedBase(base, type, constant(ElementType::I32, {}, static_cast<double>(start)));
      limit -= start;
    }
  }
  if (oneIn(3) && limit >= (programs + 1) * most) { // each program its own
    Name distance = binary("arith.muli", program, constant(ElementType::I32, {}, static_cast<double>(most)));
    base = movedBase(base, type, distance);
    limit -= programs * most;
  }
  Name where = offsets(shape, limit, false);
  std::string pointers = pointersAt(base, type, where), mask, other;
  if (oneIn(2)) {
    mask = ", " + (oneIn(2) ? condition(shape)
                            : emit(ElementType::I1, shape,
                                   "arith.cmpi slt, " + where.text + ", " +
                                       constant(ElementType::I32, shape, static_cast<double>(draw(2 * most + 1))).text +
                                       " : " + typeText(where)))
                      .text;
    if (oneIn(2))
      other = ", " + constant(type, shape, static_cast<double>(draw(9)) - 4).text;
  }
  std::string clauses = oneIn(8) ? " cacheModifier = cg" : oneIn(8) ? " evictionPolicy = evict_last" : "";
  return emit(type, shape, "tt.load " + pointers + mask + other + clauses + " : " + pointerText(type, shape), size);
}

std::string ProgramBuilder::newOutput(ElementType type, int64_t elements) {
  std::string base = "%out" + std::to_string(outputs++);
  arguments += (arguments.empty() ? "" : ", ") + base + ": " + pointerText(type, {}) +
               (oneIn(4) ? "" : " {tt.divisibility = 16 : i32}");
  launchArgs += " " + std::string(elementName(type)) + "[" + std::to_string(elements) + "]";
  return base;
}

/// An output of its own, after whatever else writes.
void ProgramBuilder::store(const Name &given) {
  Name value = given.type == ElementType::I1 ? convert(given, ElementType::I8) : given;
  int64_t room = std::max<int64_t>(elementsOf(value.shape) * 2, 16);
  std::string base = newOutput(value.type, room * programs);
  Name distance = binary("arith.muli", program, constant(ElementType::I32, {}, static_cast<double>(room)));
  std::string mine = movedBase(base, value.type, distance);
  if (value.shape.empty()) {
    line("tt.store " + mine + ", " + value.text + " : " + pointerText(value.type, {}));
    return;
  }
  std::string pointers = pointersAt(mine, value.type, offsets(value.shape, room, true));
  std::string mask = oneIn(3) ? ", " + condition(value.shape).text : "";
  line("tt.store " + pointers + ", " + value.text + mask + " : " + pointerText(value.type, value.shape));
}

/// Addresses that are data.
void ProgramBuilder::gatherLoad() {
  Shape shape = someShape();
  ElementType type = oneOf({ElementType::F32, ElementType::F16, ElementType::I32, ElementType::I8, ElementType::F64});
  Name index = tensor(oneOf({ElementType::I32, ElementType::I32, ElementType::I64, ElementType::I16}), shape);
  std::string base = inputOf(type);
  std::string pointers = pointersAt(base, type, masked(index, kInputElements - 1));
  std::string mask = oneIn(2) ? ", " + condition(shape).text : "";
  emit(type, shape, "tt.load " + pointers + mask + " : " + pointerText(type, shape), isFloat(type) ? 8 : 0);
}

/// Operations whose order does not show; what memory held before is not looked at.
void ProgramBuilder::atomic() {
  Shape shape = someShape();
  bool wide = oneIn(3);
  ElementType type = wide ? ElementType::I64 : ElementType::I32;
  Name value = tensor(type, shape);
  std::string base = "%atomic" + std::to_string(outputs++);
  arguments += (arguments.empty() ? "" : ", ") + base + ": " + pointerText(type, {}) + " {tt.divisibility = 16 : i32}";
  launchArgs += " " + std::string(elementName(type)) + "[64]";
  Name where = oneIn(2) ? masked(tensor(ElementType::I32, shape), 63) : masked(offsets(shape, 1 << 20, true), 63);
  std::string pointers = pointersAt(base, type, where), mask = condition(shape).text;
  std::string text = fresh() + " = tt.atomic_rmw " + oneOf({"add", "and", "or", "xor", "max", "min", "umax", "umin"}) +
                     ", " + oneOf({"relaxed", "acq_rel"}) + ", gpu, " + pointers + ", " + value.text;
  std::string types = pointerText(type, shape) + ", " + typeText(value);
  if (oneIn(3))
    line(text + " : (" + types + ") -> " + typeText(value));
  else
    line(text + ", " + mask + " : (" + types + ", " + typeText(ElementType::I1, shape) + ") -> " + typeText(value));
}

} // namespace tawa::conformance
