// Steps of random programs with the loops that the compiler splits into roles and rotates: attention, chained products,
// operands loaded once, loops that end on conditions.
#include "tests/conformance/GeneratorSteps.h"

namespace tawa::conformance {

namespace {

constexpr int64_t kMostRounds = 7; ///< Of one loop; a round's number has three bits.

} // namespace

/// A tile at `base` + `number` * `step` elements; the place of its elements is `where`.
Name ProgramBuilder::loadTile(ElementType type, const Name &where, const std::string &base, const Name &number,
                              int64_t step) {
  Name distance = binary("arith.muli", number, constant(ElementType::I32, {}, static_cast<double>(step)));
  std::string moved = movedBase(base, type, distance);
  return emit(type, where.shape, "tt.load " + pointersAt(moved, type, where) + " : " + pointerText(type, where.shape),
              8);
}

Name ProgramBuilder::product(const Name &a, const Name &b, const Name &c) {
  return emit(c.type, c.shape,
              "tt.dot " + a.text + ", " + b.text + ", " + c.text + ", inputPrecision = tf32 : " + typeText(a) + " * " +
                  typeText(b) + " -> " + typeText(c),
              1e3);
}

/// Carries a tile through a loop of a few rounds: scf.for, scf.while that counts, or scf.while whose condition reads
/// memory.
Name ProgramBuilder::carriedThrough(LoopKind kind, const Name &init, const RoundText &round) {
  Name low = constant(ElementType::I32, {}, 0), one = constant(ElementType::I32, {}, 1);
  Name high = oneIn(2) ? masked(scalar(ElementType::I32), kMostRounds)
                       : constant(ElementType::I32, {}, 2 + static_cast<double>(draw(5))); // fewer are no loop
  std::string result = fresh(), number = fresh(), carried = fresh(), t = typeText(init);
  std::string table = kind == LoopKind::Reads ? inputOf(ElementType::I32) : "";
  Name i{fresh(), ElementType::I32, {}, 0}, x{fresh(), init.type, init.shape, init.size};
  if (kind == LoopKind::For) {
    line(result + " = scf.for " + i.text + " = " + low.text + " to " + high.text + " step " + one.text + " iter_args(" +
         x.text + " = " + init.text + ") -> (" + t + ") : i32 {");
  } else {
    line(result + ":2 = scf.while (" + number + " = " + low.text + ", " + carried + " = " + init.text + ") : (i32, " +
         t + ") -> (i32, " + t + ") {");
    std::string more = fresh(), end = high.text;
    if (kind == LoopKind::Reads) {
      std::string at = fresh(), entry = fresh(), mask = fresh();
      end = fresh();
      line(at + " = tt.addptr " + table + ", " + number + " : " + pointerText(ElementType::I32, {}) + ", i32");
      line(entry + " = tt.load " + at + " : " + pointerText(ElementType::I32, {}));
      line(mask + " = arith.constant " + std::to_string(kMostRounds) + " : i32");
      line(end + " = arith.andi " + entry + ", " + mask + " : i32");
    }
    line(more + " = arith.cmpi slt, " + number + ", " + end + " : i32");
    line("scf.condition(" + more + ") " + number + ", " + carried + " : i32, " + t);
    line("} do {\n^bb0(" + i.text + ": i32, " + x.text + ": " + t + "):");
  }
  size_t mark = openScope();
  Name next = round(i, x);
  if (kind == LoopKind::For)
    line("scf.yield " + next.text + " : " + t);
  else
    line("scf.yield " + binary("arith.addi", i, one).text + ", " + next.text + " : i32, " + t);
  line("}");
  closeScope(mark);
  return remember({kind == LoopKind::For ? result : result + "#1", init.type, init.shape, 1e4});
}

ProgramBuilder::LoopKind ProgramBuilder::someLoop() {
  return oneOf({LoopKind::For, LoopKind::For, LoopKind::Counts, LoopKind::Reads});
}

/// Q K^T in one or two parts, arithmetic on it, the product with V; Q is loaded before the loop, in it, or in one
/// around it. Products with Q may be added to those with V, and the sum multiplied once more, or stored in each
/// iteration. The result is stored at once: a program of which nothing is stored shows nothing.
void ProgramBuilder::attentionStep() {
  ElementType type = oneOf({ElementType::F16, ElementType::BF16});
  int64_t rows = 64 << draw(2), keys = 32 << draw(2), head = 32 << draw(2), columns = 16 << draw(3);
  unsigned parts = oneIn(2) ? 2 : 1;
  bool hasBias = oneIn(3), isScaled = oneIn(2), isNested = oneIn(4);
  bool isAdded = oneIn(3), hasState = oneIn(3), isProjected = oneIn(3), isStored = oneIn(4);
  bool isFresh = hasState ? !oneIn(3) : oneIn(6);
  std::string base = inputOf(type), biases = hasBias ? inputOf(ElementType::F32) : "";
  auto places = [&](const Shape &shape) { return offsets(shape, elementsOf(shape), !oneIn(4)); };
  Name sums = constant(ElementType::F32, {rows, columns}, 0), scores = constant(ElementType::F32, {rows, keys}, 0);
  std::vector<Name> queryPlaces, keyPlaces, queries;
  for (unsigned part = 0; part < parts; ++part) {
    queryPlaces.push_back(places({rows, head}));
    keyPlaces.push_back(places({head, keys}));
  }
  Name valuePlaces = places({keys, columns}), biasPlaces = hasBias ? places({rows, keys}) : Name();
  Name statePlaces = hasState ? places({head, columns}) : Name();
  Name weightPlaces = isProjected ? places({columns, columns}) : Name();
  auto loadQueries = [&](const Name &number) {
    queries.clear();
    for (unsigned part = 0; part < parts; ++part)
      queries.push_back(loadTile(type, queryPlaces[part], base, number, 16 << part));
  };
  auto added = [&](const Name &a, const Name &b, const Name &c) {
    return isAdded ? binary("arith.addf", product(a, b, constant(c.type, c.shape, 0)), c, 1e3) : product(a, b, c);
  };
  auto scoresOf = [&](const Name &number) {
    Name s = scores;
    for (unsigned part = 0; part < parts; ++part) {
      Name k = loadTile(type, keyPlaces[part], base, number, 512 << part);
      s = part ? added(queries[part], k, s) : product(queries[part], k, s);
    }
    return hasBias ? binary("arith.addf", s, loadTile(ElementType::F32, biasPlaces, biases, number, 256), 1e3) : s;
  };
  auto round = [&](const Name &number, const Name &sum) {
    if (isFresh)
      loadQueries(number);
    Name before = isScaled ? binary("arith.mulf", sum, constant(sum.type, sum.shape, 0.5), sum.size) : sum;
    Name o = isProjected ? sums : before;
    if (hasState)
      o = product(queries[0], loadTile(type, statePlaces, base, number, 128), o);
    Name p = convert(bounded(scoresOf(number), 4), type);
    o = added(p, loadTile(type, valuePlaces, base, number, 1024), o);
    if (isProjected)
      o = product(convert(bounded(o, 4), type), loadTile(type, weightPlaces, base, number, 64), before);
    if (isStored)
      store(o);
    return isStored && !isProjected ? before : o;
  };
  LoopKind inner = someLoop();
  if (isNested) {
    store(carriedThrough(someLoop(), sums, [&](const Name &tile, const Name &sum) {
      loadQueries(tile);
      Name result = carriedThrough(inner, sums, round);
      return binary("arith.addf", bounded(result, 64), bounded(sum, 64), 128);
    }));
  } else {
    loadQueries(masked(program, 3));
    store(carriedThrough(inner, sums, round));
  }
  slots = 1 + draw(3);
  inFlight = 1;
  consumers = rows >= 128 && oneIn(2) ? 2 : 1;
  slotBytes +=
      (parts * (rows + keys) * head + (keys + head + columns) * columns) * elementBytes(type) + rows * keys * 2;
}

/// A sum of products in a loop that may end on a condition, with another one around it.
void ProgramBuilder::conditionGemmStep() {
  ElementType type = oneOf({ElementType::F16, ElementType::BF16, ElementType::F16, ElementType::F32});
  int64_t rows = 64 << draw(2), columns = 16 << draw(3), depth = 32;
  std::string base = inputOf(type);
  Name sums = constant(ElementType::F32, {rows, columns}, 0);
  Name left = offsets({rows, depth}, rows * depth, !oneIn(4)),
       right = offsets({depth, columns}, depth * columns, !oneIn(4));
  bool isChained = oneIn(3);
  auto round = [&](const Name &number, const Name &sum) {
    Name x = loadTile(type, left, base, number, 32), y = loadTile(type, right, base, number, 64);
    Name first = product(x, y, sum);
    return isChained ? product(x, loadTile(type, right, base, number, 128), first) : first;
  };
  LoopKind inner = someLoop();
  auto around = [&](const Name &, const Name &sum) {
    Name result = carriedThrough(inner, sums, round);
    return binary("arith.addf", bounded(result, 64), bounded(sum, 64), 128);
  };
  store(oneIn(2) ? carriedThrough(someLoop(), sums, around) : carriedThrough(inner, sums, round));
  slots = 1 + draw(4);
  inFlight = 1 + draw(std::min<size_t>(slots, 3));
  consumers = rows >= 128 && oneIn(2) ? 2 : 1;
  slotBytes += (rows + 2 * columns) * depth * elementBytes(type);
}

} // namespace tawa::conformance
