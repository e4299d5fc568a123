// Evaluates the scalar steps of a WorkSummary in order. One pass suffices, as operands precede their users.
#include "runtime/tuner/model/ProgramValues.h"

#include <algorithm>

namespace tawa {

static int64_t signedScalar(const ArgumentValue &value) {
  unsigned unused = 64 - elementBits(value.elementType);
  return static_cast<int64_t>(value.bits << unused) >> unused;
}

/// Without overflow being undefined.
static int64_t wrapped(uint64_t number) { return static_cast<int64_t>(number); }

ProgramValues::ProgramValues(const WorkSummary &summary, std::span<const ArgumentValue> arguments,
                             const std::array<uint32_t, 3> &grid)
    : summary(summary), arguments(arguments), grid(grid), numbers(summary.values.size()), known(summary.values.size()),
      varies(summary.values.size()), loops(summary.values.size(), nullptr) {
  for (const RoleWork &role : summary.roles)
    collectLoops(role.steps);
  const std::array<uint32_t, 3> first{};
  for (size_t i = 0; i < numbers.size(); ++i) {
    varies[i] = isVarying(summary.values[i]);
    if (varies[i])
      varying.push_back(i);
    else
      evaluate(i, {first, 0, 0});
  }
}

bool ProgramValues::isVarying(const WorkValue &value) const {
  using Op = WorkValue::Op;
  if (value.op == Op::Program || value.op == Op::Induction)
    return true;
  bool isLeaf = value.op == Op::Constant || value.op == Op::Scalar || value.op == Op::Shape || value.op == Op::Stride ||
                value.op == Op::Programs || value.op == Op::Unknown;
  return !isLeaf && std::ranges::any_of(std::array{value.a, value.b, value.c}, [&](int32_t operand) {
    return operand >= 0 && varies[static_cast<size_t>(operand)];
  });
}

void ProgramValues::collectLoops(const std::vector<WorkStep> &steps) {
  for (const WorkStep &step : steps) {
    if (step.kind == WorkStep::Kind::Loop)
      loops[static_cast<size_t>(step.induction)] = &step;
    collectLoops(step.body);
    collectLoops(step.otherwise);
  }
}

void ProgramValues::evaluate(const std::array<uint32_t, 3> &program, int64_t iteration, int64_t ahead) {
  for (size_t i : varying)
    evaluate(i, {program, iteration, ahead});
}

void ProgramValues::evaluate(size_t at, const Place &place) {
  std::optional<int64_t> number = numberOf(at, place);
  known[at] = number.has_value();
  numbers[at] = number.value_or(0);
}

std::optional<int64_t> ProgramValues::numberOf(size_t at, const Place &place) const {
  const WorkValue &value = summary.values[at];
  switch (value.op) {
  case WorkValue::Op::Constant:
    return value.number;
  case WorkValue::Op::Scalar:
    return scalar(value);
  case WorkValue::Op::Shape:
    return dimension(value, &ArgumentValue::shape);
  case WorkValue::Op::Stride:
    return dimension(value, &ArgumentValue::strides);
  case WorkValue::Op::Program:
    return place.program[static_cast<size_t>(value.a)];
  case WorkValue::Op::Programs:
    return grid[static_cast<size_t>(value.a)];
  case WorkValue::Op::Induction:
    return induction(at, place);
  case WorkValue::Op::Unknown:
    return std::nullopt;
  default:
    return combine(value);
  }
}

std::optional<int64_t> ProgramValues::bound(int32_t value) const {
  if (isKnown(value))
    return (*this)[value];
  if (value < 0 || summary.values[static_cast<size_t>(value)].op != WorkValue::Op::Min)
    return std::nullopt;
  const WorkValue &minimum = summary.values[static_cast<size_t>(value)];
  std::optional<int64_t> a = bound(minimum.a), b = bound(minimum.b);
  return a && b ? std::min(*a, *b) : a ? a : b;
}

std::optional<int64_t> ProgramValues::scalar(const WorkValue &value) const {
  auto argument = static_cast<size_t>(value.a);
  bool isThere = argument < arguments.size() && arguments[argument].kind != LogicalArgument::Kind::Tensor;
  return isThere ? std::optional(signedScalar(arguments[argument])) : std::nullopt;
}

std::optional<int64_t> ProgramValues::dimension(const WorkValue &value,
                                                const std::array<int64_t, kMaxRank> ArgumentValue::*list) const {
  auto argument = static_cast<size_t>(value.a);
  bool isThere = argument < arguments.size() && static_cast<uint32_t>(value.b) < arguments[argument].rank;
  int64_t extent = isThere ? (arguments[argument].*list)[static_cast<size_t>(value.b)] : INT64_MIN;
  return extent == INT64_MIN ? std::nullopt : std::optional(extent);
}

std::optional<int64_t> ProgramValues::induction(size_t at, const Place &place) const {
  const WorkStep *loop = loops[at];
  if (!loop || !isKnown(loop->lower) || !isKnown(loop->step))
    return std::nullopt;
  return (*this)[loop->lower] + (*this)[loop->step] * (loop->walksGrid ? place.iteration : place.ahead);
}

std::optional<int64_t> ProgramValues::combine(const WorkValue &value) const {
  if (value.op == WorkValue::Op::Select) {
    if (!isKnown(value.a))
      return std::nullopt;
    int32_t chosen = (*this)[value.a] ? value.b : value.c;
    return isKnown(chosen) ? std::optional((*this)[chosen]) : std::nullopt;
  }
  if (!isKnown(value.a) || !isKnown(value.b))
    return std::nullopt;
  int64_t a = (*this)[value.a], b = (*this)[value.b];
  bool divides = b != 0 && b != -1, shifts = b >= 0 && b <= 62;
  switch (value.op) {
  case WorkValue::Op::Add:
    return wrapped(uint64_t(a) + uint64_t(b));
  case WorkValue::Op::Sub:
    return wrapped(uint64_t(a) - uint64_t(b));
  case WorkValue::Op::Mul:
    return wrapped(uint64_t(a) * uint64_t(b));
  case WorkValue::Op::Div:
    return divides ? std::optional(a / b) : std::nullopt;
  case WorkValue::Op::CeilDiv:
    return divides ? std::optional(a / b + (a % b != 0 && (a < 0) == (b < 0))) : std::nullopt;
  case WorkValue::Op::Rem:
    return divides ? std::optional(a % b) : std::nullopt;
  case WorkValue::Op::Min:
    return std::min(a, b);
  case WorkValue::Op::Max:
    return std::max(a, b);
  case WorkValue::Op::And:
    return a & b;
  case WorkValue::Op::Or:
    return a | b;
  case WorkValue::Op::Xor:
    return a ^ b;
  case WorkValue::Op::Shl:
    return shifts ? std::optional(wrapped(uint64_t(a) << b)) : std::nullopt;
  case WorkValue::Op::Shr:
    return shifts ? std::optional(a >> b) : std::nullopt;
  case WorkValue::Op::Equal:
    return a == b;
  case WorkValue::Op::NotEqual:
    return a != b;
  case WorkValue::Op::Less:
    return a < b;
  case WorkValue::Op::LessEqual:
    return a <= b;
  default:
    return std::nullopt;
  }
}

} // namespace tawa
