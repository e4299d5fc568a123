#include "compiler/planner/metalium/TileValues.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>

namespace tawa::metalium {
namespace {

using mesh::TileOperand;
using mesh::TileStep;

bool isLoop(const TileStep &step) { return step.kind == TileStep::Kind::Loop; }
bool isWork(const TileStep &step) {
  return step.kind == TileStep::Kind::Operator || step.kind == TileStep::Kind::Store;
}

/// Indices, and conditions on them: what reads them has masks instead.
bool isOfIndices(const mesh::TileOperator &op) { return op.type <= ElementType::I64; }

bool isProduct(const mesh::TileOperator &op) { return op.name == "tt.dot"; }

/// The most tiles; among those, the most nearly square, which needs the fewest operands.
Subblock chooseSubblock(int64_t m, int64_t n) {
  Subblock best;
  auto isBetter = [](const Subblock &a, const Subblock &b) {
    return a.tiles() != b.tiles() ? a.tiles() > b.tiles() : a.rows + a.columns < b.rows + b.columns;
  };
  for (int64_t rows = 1; rows <= kRegisters; ++rows)
    for (int64_t columns = 1; rows * columns <= kRegisters; ++columns)
      if (Subblock next{rows, columns}; m % rows == 0 && n % columns == 0 && isBetter(next, best))
        best = next;
  return best;
}

bool anyStep(const std::vector<TileStep> &body, const std::function<bool(const TileStep &)> &wanted) {
  return std::ranges::any_of(body, [&](const TileStep &step) { return wanted(step) || anyStep(step.body, wanted); });
}

} // namespace

bool isCast(const std::string &op) { return op == "arith.extf" || op == "arith.truncf" || op == "tt.fp_to_fp"; }

bool isNarrowing(const std::string &op) { return isCast(op) && op != "arith.extf"; }

std::string floatText(double value) {
  if (std::isinf(value))
    return value > 0 ? "__builtin_inff()" : "-__builtin_inff()";
  char text[64];
  std::snprintf(text, sizeof(text), "%af", value);
  return text;
}

bool hasColumns(const mesh::TileProgram &tiles) {
  return anyStep(tiles.body, [](const TileStep &step) {
    return (step.op.name == "tt.reduce" && step.op.shape.size() == 1) ||
           std::ranges::any_of(step.op.reads, [](const TileOperand &operand) {
             return operand.spread == TileOperand::Spread::Columns;
           });
  });
}

TileValues::TileValues(const mesh::TileProgram &tiles, Paging &paging, Refusals &refusals)
    : tiles(tiles), paging(paging), refusals(refusals) {
  collect(tiles.body, -1, -1, nullptr);
  collectUses();
  for (const auto &[loop, body] : bodies)
    for (int position = 0; position < static_cast<int>(body.steps->size()); ++position) {
      const TileStep &step = (*body.steps)[position];
      if (step.kind != TileStep::Kind::Operator)
        continue;
      const std::vector<Use> &own = uses[{loop, position}];
      if (own.empty() && isOfIndices(step.op))
        continue;
      if (own.empty())
        refusals.add(Refusal::Operands, step.op.name + " whose result nothing reads");
      else if (needsBuffer(step.op, loop, position, own))
        addValue(loop, position, own);
    }
}

void TileValues::collect(const std::vector<TileStep> &list, int loop, int parent, const TileStep *step) {
  Body &body = bodies[loop] = {&list, step, parent};
  for (const TileStep &inner : list) {
    int first = steps++;
    if (isLoop(inner))
      collect(inner.body, inner.index, loop, &inner);
    body.spans.push_back({first, steps - 1});
  }
}

//===--- Where operands come from ---------------------------------------------------------------------------------===//

/// The step at the operand's position, with the body that it is in; null where the operand is no step.
const TileStep *TileValues::stepOf(const TileOperand &operand, int loop, int &at) const {
  at = loop;
  for (int i = 0; i < operand.outer; ++i)
    at = around(at);
  bool isStep =
      operand.kind == TileOperand::Kind::Step && operand.step >= 0 && operand.step < static_cast<int>(body(at).size());
  return isStep ? &body(at)[operand.step] : nullptr;
}

std::optional<TileValues::Origin> TileValues::originOf(const TileOperand &operand, int loop) const {
  Origin origin;
  const TileStep *step = stepOf(operand, loop, origin.loop);
  origin.isOuter = operand.outer > 0;
  if (step && step->kind == TileStep::Kind::Operator) {
    origin.position = operand.step;
    return origin;
  }
  const TileStep *from = step && isLoop(*step) ? step : nullptr;
  if (operand.kind == TileOperand::Kind::Carried)
    from = bodies.at(origin.loop).loop;
  if (!from || operand.result >= static_cast<int>(from->carries.size()))
    return std::nullopt;
  const TileOperand &next = from->carries[operand.result].next;
  int at = -1;
  const TileStep *last = stepOf(next, from->index, at);
  if (!last || last->kind != TileStep::Kind::Operator || at != from->index || next.isTransposed ||
      next.spread != TileOperand::Spread::None)
    return std::nullopt;
  origin.time = from == step ? Origin::Time::After : Origin::Time::Before;
  origin.loop = at;
  origin.position = next.step;
  return origin;
}

void TileValues::addUse(const TileOperand &operand, int loop, int position, Use::Kind kind, bool isStore) {
  if (operand.spread != TileOperand::Spread::None)
    kind = Use::Kind::Operand;
  if (std::optional<Origin> origin = originOf(operand, loop))
    uses[{origin->loop, origin->position}].push_back(
        {loop, position, kind, origin->time, isStore, operand.isTransposed});
}

void TileValues::collectUses() {
  for (const auto &[loop, body] : bodies) {
    for (int position = 0; position < static_cast<int>(body.steps->size()); ++position) {
      const TileStep &step = (*body.steps)[position];
      bool reduces = step.op.name == "tt.reduce";
      for (size_t i = 0; i < step.op.reads.size() && !isOfIndices(step.op); ++i)
        addUse(step.op.reads[i], loop, position,
               reduces || (isProduct(step.op) && i < 2) ? Use::Kind::Operand : Use::Kind::Copied);
      if (step.kind == TileStep::Kind::Store)
        addUse(step.stored, loop, position, Use::Kind::Copied, /*isStore=*/true);
    }
    if (body.loop)
      for (const mesh::TileCarried &carried : body.loop->carries) {
        addUse(carried.first, body.parent, positionOf(loop), Use::Kind::Copied);
        addUse(carried.next, loop, static_cast<int>(body.steps->size()), Use::Kind::Next);
      }
  }
}

//===--- Which values have buffers --------------------------------------------------------------------------------===//

/// Arithmetic on arguments and constants: the processor that starts the units does it.
bool TileValues::isScalar(const mesh::TileOperator &op, int loop) const {
  return op.shape.empty() && !op.reads.empty() && std::ranges::all_of(op.reads, [&](const TileOperand &operand) {
           std::optional<Origin> origin = originOf(operand, loop);
           return operand.kind == TileOperand::Kind::Argument || operand.kind == TileOperand::Kind::Constant ||
                  (origin && origin->time == Origin::Time::Here && isScalar(operatorAt(*origin), origin->loop));
         });
}

std::string TileValues::scalarText(const mesh::TileOperator &op, int loop) const {
  static const std::map<std::string, const char *> signs = {
      {"arith.addf", " + "}, {"arith.subf", " - "}, {"arith.mulf", " * "}, {"arith.divf", " / "}};
  auto sign = signs.find(op.name);
  if (sign == signs.end() || op.reads.size() != 2) {
    refusals.add(Refusal::Operator, op.name + " of scalars");
    return "0";
  }
  return "(" + sourceOf(op.reads[0], loop).scalar + sign->second + sourceOf(op.reads[1], loop).scalar + ")";
}

/// Loads, stores and loops end a segment.
bool TileValues::isSameSegment(int loop, int from, int to) const {
  auto first = body(loop).begin();
  return std::all_of(first + from, first + to,
                     [](const TileStep &step) { return step.kind == TileStep::Kind::Operator; });
}

bool TileValues::needsBuffer(const mesh::TileOperator &op, int loop, int position, const std::vector<Use> &own) const {
  if (isScalar(op, loop))
    return false;
  if (isProduct(op) || op.name == "tt.reduce" || own.size() != 1)
    return true;
  const Use &use = own.front();
  return use.kind != Use::Kind::Copied || use.loop != loop || use.time != Origin::Time::Here || use.isTransposed ||
         (isNarrowing(op.name) && !use.isStore) || !isSameSegment(loop, position, use.position);
}

void TileValues::addValue(int loop, int position, const std::vector<Use> &own) {
  TileValue value{loop, position, &body(loop)[position].op};
  setSize(value);
  setCarried(value, own);
  std::vector<Use> here, kept;
  for (const Use &use : own) {
    if (use.kind == Use::Kind::Next)
      continue;
    (use.time == Origin::Time::Here ? here : kept).push_back(use);
    if (use.time == Origin::Time::Here)
      value.lastHere = std::max(value.lastHere, use.position);
    if (use.time == Origin::Time::After)
      value.lastAfter = std::max(value.lastAfter, use.position);
    if (use.loop != (use.time == Origin::Time::After ? around(loop) : loop))
      refusals.add(Refusal::Operands, value.op->name + " whose result is read in another loop");
  }
  if (!here.empty())
    value.here = addBuffers(value, here, 1);
  if (!kept.empty())
    value.kept = addBuffers(value, kept, value.isInPlace ? 1 : 2);
  else
    value.carried = nullptr;
  values.push_back(value);
}

/// What such a loop carries is there without it.
bool TileValues::mayBeEmpty(int loop) const {
  const std::optional<mesh::TripCount> &trips = tiles.indices[loop].trips;
  if (!trips)
    return false;
  std::vector<int64_t> shortest;
  shortest.reserve(tiles.gridDims);
  for (int grid = 0; grid < tiles.gridDims; ++grid)
    shortest.push_back(trips->dependsOn(grid) && trips->affine.coefficients[grid] < 0 ? tiles.indices[grid].extent - 1
                                                                                      : 0);
  return trips->at(shortest) == 0;
}

void TileValues::setSize(TileValue &value) const {
  const std::vector<int64_t> &shape = value.op->shape;
  std::vector<int64_t> extents = isProduct(*value.op) ? std::vector{value.op->m, value.op->n} : shape;
  if (extents.size() == 1)
    extents = paging.hasColumns ? std::vector<int64_t>{extents[0], kTileSide}
                                : std::vector<int64_t>{kTileSide, extents[0] / kTileSide};
  if (extents.empty())
    extents = {kTileSide, kTileSide};
  if (extents.size() != 2 || extents[0] % kTileSide != 0 || extents[1] % kTileSide != 0)
    return refusals.add(Refusal::Block, "a result of " + value.op->name + " of no whole tiles");
  value.rows = extents[0] / kTileSide;
  value.columns = extents[1] / kTileSide;
  value.subblock = chooseSubblock(value.rows, value.columns);
}

void TileValues::setCarried(TileValue &value, const std::vector<Use> &own) const {
  const TileStep *loop = bodies.at(value.loop).loop;
  auto count = [&](auto is) { return std::ranges::count_if(own, is); };
  int64_t nexts = count([](const Use &use) { return use.kind == Use::Kind::Next; });
  if (!loop || nexts == 0)
    return;
  auto carried = std::ranges::find_if(loop->carries, [&](const mesh::TileCarried &each) {
    return each.next.kind == TileOperand::Kind::Step && each.next.outer == 0 && each.next.step == value.position;
  });
  if (nexts > 1)
    return refusals.add(Refusal::Accumulator, value.op->name + " that a loop carries twice");
  if (anyStep({body(value.loop).begin() + lastPosition(value.loop) + 1, body(value.loop).end()}, isLoop))
    return refusals.add(Refusal::Accumulator, value.op->name + " that a loop carries through another one at its end");
  bool isRead = count([](const Use &use) { return use.time == Origin::Time::Here; }) > nexts;
  int64_t before = count([](const Use &use) { return use.time == Origin::Time::Before; });
  bool isOperand = count([](const Use &use) { return use.kind == Use::Kind::Operand; }) > 0;
  bool addsToItself = isProduct(*value.op) && value.op->reads.size() == 3 &&
                      value.op->reads[2].kind == TileOperand::Kind::Carried && value.op->reads[2].outer == 0;
  bool isFromZero = carried->first.kind == TileOperand::Kind::Constant && carried->first.value == 0;
  if (addsToItself && !isRead && !isOperand && before == 1 && isFromZero && !mayBeEmpty(value.loop))
    value.isInPlace = true;
  else
    value.carried = &carried->first;
}

ValueBuffers TileValues::addBuffers(const TileValue &value, const std::vector<Use> &own, int64_t blocks) {
  auto isUsed = [&](Use::Kind kind) { return std::ranges::any_of(own, [&](const Use &u) { return u.kind == kind; }); };
  bool isTwice = isUsed(Use::Kind::Copied) && isUsed(Use::Kind::Operand) && value.op->type == ElementType::F32;
  std::string name = value.isInPlace ? "accumulators" : identifier(value.op->name.substr(value.op->name.find('.') + 1));
  ValueBuffers made;
  bool isHere = std::ranges::all_of(own, [](const Use &use) { return use.time == Origin::Time::Here; });
  auto add = [&](const std::string &called, bool isOperand) {
    return isHere ? shareBuffer(value, called, isOperand) : addBuffer(value, called, blocks);
  };
  made.copied = made.operand = add(name, !isTwice && isUsed(Use::Kind::Operand) && value.op->type == ElementType::F32);
  if (isTwice)
    made.operand = add(name + "_operand", true);
  return made;
}

int TileValues::addBuffer(const TileValue &value, const std::string &name, int64_t blocks) {
  int number = static_cast<int>(paging.buffers.size());
  paging.buffers.push_back(
      {"cb_" + name + "_" + std::to_string(number), value.op->type, value.rows, value.columns, blocks});
  return number;
}

/// Until the end of the segment that reads it last, which pops it.
TileValues::Span TileValues::spanHere(const TileValue &value) const {
  const Body &own = bodies.at(value.loop);
  int last = value.lastHere;
  while (last + 1 < static_cast<int>(own.steps->size()) && isWork((*own.steps)[last + 1]))
    ++last;
  return {own.spans[value.position].first, own.spans[last].second};
}

int TileValues::shareBuffer(const TileValue &value, const std::string &name, bool isOperand) {
  Span span = spanHere(value);
  auto isFree = [&](const SharedBuffer &each) {
    const PagedBuffer &buffer = paging.buffers[each.number];
    return each.isOperand == isOperand && buffer.type == value.op->type && buffer.rows == value.rows &&
           buffer.columns == value.columns && std::ranges::all_of(each.taken, [&](const Span &other) {
             return other.second < span.first || span.second < other.first;
           });
  };
  auto found = std::ranges::find_if(shared, isFree);
  if (found == shared.end())
    found = shared.insert(found, {addBuffer(value, name, /*blocks=*/1), isOperand, {}});
  found->taken.push_back(span);
  return found->number;
}

//===--- For the printer ------------------------------------------------------------------------------------------===//

const TileValue *TileValues::find(int loop, int position) const {
  auto found = std::ranges::find_if(
      values, [&](const TileValue &value) { return value.loop == loop && value.position == position; });
  return found == values.end() ? nullptr : &*found;
}

int TileValues::lastPosition(int loop) const {
  int last = -1;
  for (size_t i = 0; i < body(loop).size(); ++i)
    if (isWork(body(loop)[i]))
      last = static_cast<int>(i);
  return last;
}

TileSource TileValues::sourceOf(const TileOperand &operand, int loop) const {
  TileSource source;
  int at = -1;
  if (operand.kind == TileOperand::Kind::Constant) {
    source.kind = TileSource::Kind::Constant;
    source.constant = operand.value;
    source.scalar = floatText(operand.value);
  } else if (operand.kind == TileOperand::Kind::Argument) {
    source.kind = TileSource::Kind::Scalar;
    source.scalar = "s_" + identifier(tiles.scalars[operand.step]);
  } else if (operand.kind == TileOperand::Kind::Mask) {
    source.kind = TileSource::Kind::Mask;
    source.mask = &tiles.masks[operand.step];
  } else if (const TileStep *step = stepOf(operand, loop, at); step && step->kind == TileStep::Kind::Load) {
    source.kind = TileSource::Kind::Load;
    source.load = step;
  } else if (std::optional<Origin> origin = originOf(operand, loop)) {
    const mesh::TileOperator &op = operatorAt(*origin);
    source.value = find(origin->loop, origin->position);
    if (isScalar(op, origin->loop)) {
      source.kind = TileSource::Kind::Scalar;
      source.scalar = scalarText(op, origin->loop);
    } else if (source.value && !origin->isOuter) {
      source.kind = TileSource::Kind::Value;
      source.isKept = origin->time != Origin::Time::Here;
    } else if (!source.value && !origin->isOuter && origin->loop == loop) {
      source.kind = TileSource::Kind::Part;
      source.part = &op;
    }
  }
  return source;
}

} // namespace tawa::metalium
