// Steps of random programs that contain other steps, and the program as a whole.
#include "tests/conformance/Generator.h"
#include "tests/conformance/GeneratorSteps.h"

#include <algorithm>

namespace tawa::conformance {

namespace {

/// What a loop or branch may carry; floats must be no larger after a round than before.
constexpr double kCarriedSize = 64;

std::string joined(const std::vector<std::string> &parts) {
  std::string text;
  for (const std::string &part : parts)
    text += (text.empty() ? "" : ", ") + part;
  return text;
}

} // namespace

void ProgramBuilder::forStep(unsigned depth) {
  std::vector<Name> inits;
  for (size_t count = 1 + draw(3); count > 0; --count) {
    Name init = oneIn(4) ? scalar(oneOf({ElementType::I32, ElementType::F32})) : someTensor();
    if (isFloat(init.type) && elementBits(init.type) == 8)
      init = convert(init, ElementType::F16);
    inits.push_back(bounded(init, kCarriedSize));
  }
  Name low = constant(ElementType::I32, {}, static_cast<double>(draw(3)));
  Name high =
      oneIn(3) ? masked(scalar(ElementType::I32), 3) : constant(ElementType::I32, {}, static_cast<double>(draw(5)));
  Name stride = constant(ElementType::I32, {}, 1 + static_cast<double>(draw(2)));
  std::vector<std::string> bindings, types;
  std::vector<Name> carried;
  for (const Name &init : inits) {
    carried.push_back({fresh(), init.type, init.shape, std::max(init.size, kCarriedSize)});
    bindings.push_back(carried.back().text + " = " + init.text);
    types.push_back(typeText(init));
  }
  std::string results = fresh(), counter = fresh();
  line(results + (inits.size() > 1 ? ":" + std::to_string(inits.size()) : "") + " = scf.for " + counter + " = " +
       low.text + " to " + high.text + " step " + stride.text + " iter_args(" + joined(bindings) + ") -> (" +
       joined(types) + ") : i32 {");
  size_t mark = openScope();
  remember({counter, ElementType::I32, {}, 0});
  for (const Name &name : carried)
    remember(name);
  steps(1 + draw(4), depth + 1);
  std::vector<std::string> yields;
  for (const Name &name : carried) {
    const Name *next = inScope(name.type, name.shape);
    yields.push_back(bounded(next ? *next : name, name.size).text);
  }
  line("scf.yield " + joined(yields) + " : " + joined(types));
  line("}");
  closeScope(mark);
  for (size_t i = 0; i < carried.size(); ++i)
    remember({carried.size() > 1 ? results + "#" + std::to_string(i) : results, carried[i].type, carried[i].shape,
              carried[i].size});
}

void ProgramBuilder::ifStep(unsigned depth) {
  Name taken = condition({});
  Name like = oneIn(4) ? scalar(ElementType::I32) : someTensor();
  std::string result = fresh();
  line(result + " = scf.if " + taken.text + " -> (" + typeText(like) + ") {");
  double size = 0;
  for (int side = 0; side < 2; ++side) {
    size_t mark = openScope();
    steps(1 + draw(3), depth + 1);
    const Name *found = inScope(like.type, like.shape);
    Name value = found ? *found : like;
    size = std::max(size, value.size);
    line("scf.yield " + value.text + " : " + typeText(like));
    line(side == 0 ? "} else {" : "}");
    closeScope(mark);
  }
  remember({result, like.type, like.shape, size});
}

/// Counts down from a small number while it carries a tile along.
void ProgramBuilder::whileStep(unsigned depth) {
  Name tile = bounded(someTensor(), kCarriedSize);
  if (isFloat(tile.type) && elementBits(tile.type) == 8)
    return;
  Name start = masked(scalar(ElementType::I32), 3);
  std::string t = typeText(tile), results = fresh(), count = fresh(), carried = fresh();
  line(results + ":2 = scf.while (" + count + " = " + start.text + ", " + carried + " = " + tile.text + ") : (i32, " +
       t + ") -> (i32, " + t + ") {");
  std::string zero = fresh(), more = fresh();
  line(zero + " = arith.constant 0 : i32");
  line(more + " = arith.cmpi sgt, " + count + ", " + zero + " : i32");
  line("scf.condition(" + more + ") " + count + ", " + carried + " : i32, " + t);
  std::string left = fresh(), inside = fresh();
  line("} do {\n^bb0(" + left + ": i32, " + inside + ": " + t + "):");
  size_t mark = openScope();
  Name counter = remember({left, ElementType::I32, {}, 0});
  Name body = remember({inside, tile.type, tile.shape, std::max(tile.size, kCarriedSize)});
  steps(1 + draw(3), depth + 1);
  const Name *next = inScope(body.type, body.shape);
  Name value = bounded(next ? *next : body, body.size);
  Name fewer = binary("arith.subi", counter, constant(ElementType::I32, {}, 1));
  line("scf.yield " + fewer.text + ", " + value.text + " : i32, " + t);
  line("}");
  closeScope(mark);
  remember({results + "#1", tile.type, tile.shape, body.size});
}

/// The loop of a matrix product through pointers that advance. Where B is converted first, the kernel is one role,
/// which loads ahead for itself.
void ProgramBuilder::gemmStep() {
  ElementType type = oneOf({ElementType::F16, ElementType::BF16, ElementType::F32, ElementType::F8E4M3});
  int64_t rows = 16 << draw(4), columns = 16 << draw(4), depth = 32 << draw(2);
  Shape sum{rows, columns}, left{rows, depth}, right{depth, columns};
  slotBytes += (rows + columns) * depth * elementBytes(type);
  bool isConverted = type != ElementType::F8E4M3 && oneIn(2);
  ElementType loaded = isConverted ? ElementType::I8 : type;
  auto pointers = [&](ElementType element, const Shape &shape) {
    std::string base = inputOf(element), all = fresh(), moved = fresh();
    Name where = offsets(shape, elementsOf(shape), false);
    std::string to = pointerText(element, shape);
    line(all + " = tt.splat " + base + " : " + pointerText(element, {}) + " -> " + to);
    line(moved + " = tt.addptr " + all + ", " + where.text + " : " + to + ", " + typeText(where));
    return moved;
  };
  std::string a = pointers(type, left), b = pointers(loaded, right);
  Name zero = constant(ElementType::F32, sum, 0), moveA = constant(ElementType::I32, left, static_cast<double>(depth)),
       moveB = constant(ElementType::I32, right, 64);
  Name low = constant(ElementType::I32, {}, 0), stride = constant(ElementType::I32, {}, 1),
       high = oneIn(2) ? masked(scalar(ElementType::I32), 3)
                       : constant(ElementType::I32, {}, static_cast<double>(draw(5)));
  std::string results = fresh(), pa = fresh(), pb = fresh(), acc = fresh(), k = fresh(), x = fresh(), y = fresh(),
              product = fresh(), na = fresh(), nb = fresh(), raw = isConverted ? fresh() : y;
  std::string ta = pointerText(type, left), tb = pointerText(loaded, right), tc = typeText(ElementType::F32, sum);
  line(results + ":3 = scf.for " + k + " = " + low.text + " to " + high.text + " step " + stride.text + " iter_args(" +
       pa + " = " + a + ", " + pb + " = " + b + ", " + acc + " = " + zero.text + ") -> (" + ta + ", " + tb + ", " + tc +
       ") : i32 {");
  line(x + " = tt.load " + pa + " : " + ta);
  line(raw + " = tt.load " + pb + " : " + tb);
  if (isConverted)
    line(y + " = arith.sitofp " + raw + " : " + typeText(loaded, right) + " to " + typeText(type, right));
  line(product + " = tt.dot " + x + ", " + y + ", " + acc + ", inputPrecision = tf32 : " + typeText(type, left) +
       " * " + typeText(type, right) + " -> " + tc);
  line(na + " = tt.addptr " + pa + ", " + moveA.text + " : " + ta + ", " + typeText(moveA));
  line(nb + " = tt.addptr " + pb + ", " + moveB.text + " : " + tb + ", " + typeText(moveB));
  line("scf.yield " + na + ", " + nb + ", " + product + " : " + ta + ", " + tb + ", " + tc);
  line("}" + std::string(oneIn(2) ? " {tt.num_stages = 3 : i32}" : ""));
  remember({results + "#2", ElementType::F32, sum, 1e4});
}

/// The number of a row or a column of tiles, of which programs of a cluster may have some in common: they come to them
/// one by one, stay for a while, take turns, or walk two rows at a time.
Name ProgramBuilder::tileNumber() {
  auto of = [&](const char *op, int64_t by) {
    return binary(op, program, constant(ElementType::I32, {}, static_cast<double>(by)));
  };
  switch (draw(5)) {
  case 0:
    return of("arith.divsi", 2 << draw(2));
  case 1:
    return of("arith.remsi", 2 << draw(2));
  case 2:
    return binary("arith.addi", binary("arith.muli", of("arith.divsi", 4), constant(ElementType::I32, {}, 2)),
                  of("arith.remsi", 2));
  default:
    return program;
  }
}

/// The loop of a matrix product through the launch's own descriptors, which the compiler may split into roles.
void ProgramBuilder::tmaGemmStep() {
  ElementType type =
      oneOf({ElementType::F16, ElementType::F16, ElementType::BF16, ElementType::F8E4M3, ElementType::F32});
  int64_t rows = 64 << draw(2), columns = 16 << draw(4), depth = (oneIn(2) ? 64 : 128) / elementBytes(type);
  int64_t multiple = 16 / elementBytes(type);
  auto sized = [&](int64_t tile) {
    return std::max<int64_t>(1, oneIn(2) ? tile * programs : tile * programs - static_cast<int64_t>(draw(tile / 2)));
  };
  int64_t trips = static_cast<int64_t>(draw(6)), depthSize = std::max<int64_t>(multiple, trips * depth);
  depthSize = oneIn(2) ? depthSize : (depthSize + multiple - 1) / multiple * multiple + multiple;
  bool isTransposed = elementBytes(type) != 2 || oneIn(2);
  auto descriptor = [&](const char *name, const Shape &block, int64_t height, int64_t width) {
    std::string d = "%" + std::string(name) + std::to_string(outputs++),
                t = "!tt.tensordesc<" + typeText(type, block) + ">";
    arguments += (arguments.empty() ? "" : ", ") + d + ": " + t + ", " + d + "_0: i32, " + d + "_1: i32, " + d +
                 "_2: i64, " + d + "_3: i64";
    launchArgs +=
        " " + std::string(elementName(type)) + "[" + std::to_string(height) + "," + std::to_string(width) + "]";
    return std::pair(d, t);
  };
  Shape left{rows, depth}, right = isTransposed ? Shape{columns, depth} : Shape{depth, columns}, sum{rows, columns};
  int64_t columnSize = (sized(columns) + multiple - 1) / multiple * multiple;
  auto [a, ta] = descriptor("a", left, sized(rows), depthSize);
  auto [b, tb] =
      isTransposed ? descriptor("b", right, columnSize, depthSize) : descriptor("b", right, depthSize, columnSize);
  Name row = binary("arith.muli", tileNumber(), constant(ElementType::I32, {}, static_cast<double>(rows)));
  Name column = oneIn(3)
                    ? constant(ElementType::I32, {}, oneIn(2) ? 0 : 8)
                    : binary("arith.muli", tileNumber(), constant(ElementType::I32, {}, static_cast<double>(columns)));
  Name zero = constant(ElementType::F32, sum, 0), low = constant(ElementType::I32, {}, 0),
       high = constant(ElementType::I32, {}, static_cast<double>(trips)), one = constant(ElementType::I32, {}, 1),
       width = constant(ElementType::I32, {}, static_cast<double>(depth));
  std::string result = fresh(), k = fresh(), acc = fresh(), at = fresh(), x = fresh(), y = fresh(), z = fresh(),
              product = fresh(), tx = typeText(type, left), ty = typeText(type, right),
              tz = typeText(type, {depth, columns}), tc = typeText(ElementType::F32, sum);
  line(result + " = scf.for " + k + " = " + low.text + " to " + high.text + " step " + one.text + " iter_args(" + acc +
       " = " + zero.text + ") -> (" + tc + ") : i32 {");
  line(at + " = arith.muli " + k + ", " + width.text + " : i32");
  line(x + " = tt.descriptor_load " + a + "[" + row.text + ", " + at + "] : " + ta + " -> " + tx);
  line(y + " = tt.descriptor_load " + b + "[" + (isTransposed ? column.text + ", " + at : at + ", " + column.text) +
       "] : " + tb + " -> " + ty);
  if (isTransposed)
    line(z + " = tt.trans " + y + " {order = array<i32: 1, 0>} : " + ty + " -> " + tz);
  line(product + " = tt.dot " + x + ", " + (isTransposed ? z : y) + ", " + acc + ", inputPrecision = tf32 : " + tx +
       " * " + tz + " -> " + tc);
  line("scf.yield " + product + " : " + tc);
  line("}");
  slots = 1 + draw(4);
  inFlight = 1 + draw(std::min<size_t>(slots, 3));
  consumers = rows >= 128 && oneIn(2) ? 2 : 1;
  slotBytes += (rows + columns) * depth * elementBytes(type);
  remember({result, ElementType::F32, sum, 1e4});
}

//===--- The program ----------------------------------------------------------------------------------------------===//

void ProgramBuilder::step(unsigned depth) {
  if (oneIn(9))
    return memoryStep(depth);
  if (depth == 0 && slots == 0 && oneIn(8))
    switch (draw(4)) {
    case 0:
      return tmaGemmStep();
    case 1:
      return attentionStep();
    case 2:
      return operandGemmStep();
    default:
      return conditionGemmStep();
    }
  size_t kind = draw(depth >= 2 ? 33 : 38);
  if (kind < 8)
    floatStep();
  else if (kind < 14)
    integerStep();
  else if (kind < 17)
    shapeStep();
  else if (kind < 19)
    conversionStep();
  else if (kind < 21)
    compareStep();
  else if (kind < 23)
    reduceStep();
  else if (kind < 24)
    argReduceStep();
  else if (kind < 25)
    scanStep();
  else if (kind < 26)
    gatherStep();
  else if (kind < 27)
    depth == 0 ? atomic() : gatherLoad();
  else if (kind < 28)
    gatherLoad();
  else if (kind < 29)
    scalarStep();
  else if (kind < 30)
    histogramStep();
  else if (kind < 31)
    mapStep();
  else if (kind < 33)
    dotStep();
  else if (kind < 35)
    forStep(depth);
  else if (kind < 36)
    ifStep(depth);
  else if (kind < 37)
    whileStep(depth);
  else
    gemmStep();
}

/// Blocks of tensors in memory, and calls. What stores stands outside of regions, so that it happens once.
void ProgramBuilder::memoryStep(unsigned depth) {
  switch (draw(depth == 0 ? 6 : 4)) {
  case 0:
    return blockPointerStep();
  case 1:
    return descriptorStep();
  case 2:
    return descriptorRowsStep();
  case 3:
    return callStep();
  default:
    return descriptorStoreStep();
  }
}

void ProgramBuilder::steps(size_t count, unsigned depth) {
  for (; count > 0; --count)
    step(depth);
}

void ProgramBuilder::begin() {
  programs = oneOf({1, 1, 2, 3, 5, 8});
  program = emit(ElementType::I32, {}, "tt.get_program_id x : i32");
  if (oneIn(3)) {
    arguments += "%count: i32 {tt.divisibility = 16 : i32}";
    launchArgs += " i32:" + std::to_string(16 * draw(40));
    remember({"%count", ElementType::I32, {}, 0});
  }
  if (oneIn(3)) {
    arguments += std::string(arguments.empty() ? "" : ", ") + "%factor: f32";
    launchArgs += " f32:" + std::to_string(static_cast<double>(draw(20)) / 4 - 2);
    remember({"%factor", ElementType::F32, {}, 4});
  }
  config = oneIn(3) ? "" : "warps=" + std::to_string(1 << draw(4));
  hasSpecial = oneIn(8);
  ahead = oneIn(2) ? 1 + draw(4) : 0;
  tiles = oneOf({"", "", "", "", " persistent=1", " persistent=1 dynamic=1", " cluster=2", " persistent=1 cluster=2",
                 " cluster=4", " cluster=8", " persistent=1 cluster=4", " persistent=1 stream=1",
                 " persistent=1 stream=1 cluster=2", " converters=1", " converters=1 persistent=1",
                 " converters=1 cluster=2"});
}

/// The last values of every kind that a comparison should see.
void ProgramBuilder::storeResults() {
  std::vector<Name> last(names.rbegin(), names.rbegin() + static_cast<int64_t>(std::min<size_t>(names.size(), 40)));
  size_t stored = 0;
  for (const Name &name : last) {
    bool isNumber = name.shape.empty() && stored > 0 && !oneIn(3);
    if (isNumber || (stored >= 2 && !oneIn(4)))
      continue;
    store(name);
    if (++stored == 5)
      break;
  }
}

/// D holds for every loop of products: with as many slots as were drawn, or as all of them have room for.
std::string ProgramBuilder::configuration() const {
  constexpr int64_t kRingBytes = 160 << 10; // the rest of 227 KiB is for what other steps exchange
  constexpr int64_t kWidened = 3;           // a slot of bytes, and one of the operand in 16 bits that is made of it
  int64_t ringBytes = tiles.find("converters") == tiles.npos ? kRingBytes : kRingBytes / kWidened;
  if (slots == 0)
    return config + (ahead == 0 ? "" : (config.empty() ? "D=" : " D=") + std::to_string(ahead));
  auto depth = std::clamp(static_cast<size_t>(ringBytes / slotBytes), size_t{1}, slots);
  return config + (config.empty() ? "" : " ") + "D=" + std::to_string(depth) +
         " P=" + std::to_string(std::min(inFlight, depth)) + " consumers=" + std::to_string(consumers) + tiles;
}

TileProgram ProgramBuilder::finish(uint32_t dataSeed) {
  TileProgram made;
  std::string settings = configuration();
  std::string run = "grid=" + std::to_string(programs) + (settings.empty() ? "" : " config=\"" + settings + "\"") +
                    " args=" + launchArgs;
  made.text = "// run: " + run + "\nmodule {\ntt.func public @random(" + arguments +
              ") attributes {noinline = false} {\n" + body + "tt.return\n}\n" + functions + "}\n";
  made.name = "random.mlir";
  (void)readLaunch(run, dataSeed, made).isOk();
  return made;
}

TileProgram generateProgram(uint32_t seed, uint32_t index) {
  std::seed_seq sequence{seed, index};
  std::mt19937 random(sequence);
  ProgramBuilder builder(random);
  builder.begin();
  builder.steps(3 + builder.draw(14), 0);
  builder.storeResults();
  return builder.finish(seed * 7919 + index);
}

} // namespace tawa::conformance
