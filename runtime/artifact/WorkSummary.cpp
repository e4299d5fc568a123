// Printing and comparison of summaries.
#include "runtime/artifact/WorkSummary.h"

#include <algorithm>
#include <cstdio>
#include <span>
#include <utility>

namespace tawa {

/// Without the values that they name.
static std::vector<WorkStep> formOf(std::vector<WorkStep> steps) {
  for (WorkStep &step : steps) {
    step.lower = step.upper = step.step = step.induction = step.condition = -1;
    step.access.places.clear();
    step.body = formOf(std::move(step.body));
    step.otherwise = formOf(std::move(step.otherwise));
  }
  return steps;
}

bool WorkSummary::hasFormOf(const WorkSummary &other) const {
  auto isAlike = [](const RoleWork &one, const RoleWork &another) {
    return one.kind == another.kind && one.warps == another.warps && formOf(one.steps) == formOf(another.steps);
  };
  return rings == other.rings && std::ranges::equal(roles, other.roles, isAlike);
}

namespace {

/// Of the operations from Add on.
constexpr const char *operators[] = {"+", "-", "*",  "/",  "ceildiv", "%",  "min", "max", "&",
                                     "|", "^", "<<", ">>", "==",      "!=", "<",   "<="};

class Printer {
public:
  explicit Printer(const WorkSummary &summary) : summary(summary) {}

  std::string print() {
    for (size_t i = 0; i < summary.rings.size(); ++i)
      printRing(i);
    int64_t beside = summary.operandBytes + summary.exchangedBytes + summary.scratchBytes;
    if (summary.panelBytes || beside)
      line("stores: panels of " + std::to_string(summary.panelBytes) + " bytes, scratch of " + std::to_string(beside));
    for (size_t i = 0; i < summary.movedBytes.size(); ++i)
      if (summary.movedBytes[i] > 0)
        line("an operand of " + std::to_string(summary.movedBytes[i]) + " bytes changes hands, in groups of " +
             std::to_string(i + 1));
    if (summary.uniformTileWork)
      line("equally long products");
    if (summary.paddedGrid)
      line("clusters run any grid");
    if (summary.maskedPrograms)
      line("masks leave " + std::to_string(summary.maskedPrograms) + " programs");
    if (!summary.declined.empty())
      line("one role: " + summary.declined);
    for (const auto &[setting, why] : summary.notApplied)
      line("no " + setting + ": " + why);
    for (size_t i = 0; i < summary.roles.size(); ++i) {
      const RoleWork &role = summary.roles[i];
      auto numberOf = [&](size_t end) {
        return std::ranges::count(std::span(summary.roles).first(end), role.kind, &RoleWork::kind);
      };
      line("role " + roleName(role.kind, numberOf(i), numberOf(summary.roles.size())) + ", " +
           std::to_string(role.warps) + " warps");
      printSteps(role.steps);
    }
    return std::move(text);
  }

private:
  void line(const std::string &content) { text.append(2 * depth, ' ').append(content).append("\n"); }

  void printRing(size_t index) {
    const RingWork &ring = summary.rings[index];
    line("ring " + std::to_string(index) + ": slots of " + std::to_string(ring.slotBytes) + " bytes, " +
         std::to_string(ring.usefulSlots) + " useful" + (ring.transposedBytes ? ", transposed" : "") +
         (ring.repeats ? "" : ", filled once") + (ring.isOuter ? ", around others" : ""));
  }

  void printSteps(const std::vector<WorkStep> &steps) {
    ++depth;
    for (const WorkStep &step : steps)
      printStep(step);
    --depth;
  }

  void printStep(const WorkStep &step) {
    switch (step.kind) {
    case WorkStep::Kind::Loop:
      line("for i" + std::to_string(step.induction) + " = " + value(step.lower) + " to " + value(step.upper) +
           " step " + value(step.step) + (step.walksGrid ? " over tiles" : ""));
      return printSteps(step.body);
    case WorkStep::Kind::Branch:
      line("if " + value(step.condition));
      printSteps(step.body);
      if (!step.otherwise.empty()) {
        line("else");
        printSteps(step.otherwise);
      }
      return;
    case WorkStep::Kind::Load:
      return line("load " + access(step.access));
    case WorkStep::Kind::Store:
      return line("store " + access(step.access));
    case WorkStep::Kind::Dot:
      return line("dot " + std::to_string(step.m) + "x" + std::to_string(step.n) + "x" + std::to_string(step.k) +
                  " of " + std::to_string(step.bits) + " bits" + (step.isWgmma ? ", wgmma" : "") +
                  (step.aInRegisters ? ", A in registers" : "") + (step.isPipelined ? ", pipelined" : "") +
                  (step.isPromoted ? ", promoted" : "") + (step.isFresh ? ", fresh" : ""));
    case WorkStep::Kind::Vector:
      return line("vector " + std::to_string(static_cast<int64_t>(step.operations)));
    }
  }

  std::string access(const WorkAccess &access) const {
    std::string result;
    for (int64_t extent : access.block)
      result += (result.empty() ? "" : "x") + std::to_string(extent);
    result += " of " + std::to_string(access.elementBytes) + " bytes";
    result += access.argument < 0 ? ", argument unknown" : ", argument " + std::to_string(access.argument);
    if (!access.places.empty()) {
      result += " at [";
      for (size_t i = 0; i < access.places.size(); ++i)
        result += (i ? ", " : "") + value(access.places[i]);
      result += "]";
    }
    if (access.ring >= 0)
      result += ", ring " + std::to_string(access.ring);
    return result + (access.byTma ? ", TMA" : "");
  }

  std::string value(int32_t index) const {
    if (index < 0)
      return "?";
    const WorkValue &entry = summary.values[static_cast<size_t>(index)];
    std::string a = std::to_string(entry.a);
    switch (entry.op) {
    case WorkValue::Op::Constant:
      return std::to_string(entry.number);
    case WorkValue::Op::Scalar:
      return "a" + a;
    case WorkValue::Op::Shape:
      return "a" + a + "_shape" + std::to_string(entry.b);
    case WorkValue::Op::Stride:
      return "a" + a + "_stride" + std::to_string(entry.b);
    case WorkValue::Op::Program:
      return std::string("program_") + "xyz"[entry.a];
    case WorkValue::Op::Programs:
      return std::string("programs_") + "xyz"[entry.a];
    case WorkValue::Op::Induction:
      return "i" + std::to_string(index);
    case WorkValue::Op::Unknown:
      return "?";
    case WorkValue::Op::Select:
      return "(" + value(entry.a) + " ? " + value(entry.b) + " : " + value(entry.c) + ")";
    default: {
      const char *symbol = operators[static_cast<size_t>(entry.op) - static_cast<size_t>(WorkValue::Op::Add)];
      return "(" + value(entry.a) + " " + symbol + " " + value(entry.b) + ")";
    }
    }
  }

  const WorkSummary &summary;
  std::string text;
  size_t depth = 0;
};

} // namespace

std::string WorkSummary::str() const { return Printer(*this).print(); }

} // namespace tawa
