#include "compiler/planner/metalium/CodeText.h"

#include <cctype>

namespace tawa::metalium {

void CodeText::line(const std::string &code) { text += std::string(size_t(2) * depth, ' ') + code + "\n"; }

void CodeText::open(const std::string &head) {
  line(head.empty() ? "{" : head + " {");
  ++depth;
}

void CodeText::close(const std::string &tail) {
  --depth;
  line("}" + tail);
}

void Refusals::add(Refusal why, std::string what) {
  if (reason != Refusal::None)
    return;
  reason = why;
  detail = std::move(what);
}

std::string identifier(const std::string &name) {
  std::string made;
  for (char c : name)
    made += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return made;
}

Variables::Variables(const mesh::CoreProgram &program) : coordinateCount(program.coordinates.size()) {
  for (size_t i = 0; i < program.variables.size(); ++i) {
    names.push_back((i < coordinateCount ? "core_" : "i_") + identifier(program.variables[i]));
    inScope.push_back(i < coordinateCount);
  }
}

mesh::Affine Variables::inside(mesh::Affine affine) const {
  for (size_t i = 0; i < affine.coefficients.size(); ++i)
    if (i >= inScope.size() || !inScope[i])
      affine.coefficients[i] = 0;
  return affine;
}

std::string Variables::str(const mesh::Affine &affine) {
  mesh::Affine visible = inside(affine);
  for (size_t i = 0; i < coordinateCount; ++i)
    if (visible.dependsOn(i))
      coordinates.insert(static_cast<int>(i));
  return visible.str(names);
}

std::string Variables::str(const mesh::Guard &guard) {
  mesh::Guard left = guard;
  if (guard.extent == mesh::Guard::kUnbounded) {
    left.value.constant = 0;
    return str(left.value) + (guard.outside ? " < " : " >= ") + std::to_string(-guard.value.constant);
  }
  int64_t bound = guard.extent - guard.value.constant;
  left.value.constant = 0;
  std::string value = str(left.value);
  if (guard.extent == 1)
    return value + (guard.outside ? " != " : " == ") + std::to_string(bound - 1);
  std::string below = value + " < " + std::to_string(bound);
  std::string least = std::to_string(-guard.value.constant);
  return (guard.outside ? "!(" : "(") + value + " >= " + least + " && " + below + ")";
}

std::string Variables::str(const mesh::TripCount &trips, const std::string &index) {
  std::string most = index + " < " + std::to_string(trips.most) + " && ";
  if (trips.divisor == 1)
    return most + index + " < " + str(trips.affine);
  return most + std::to_string(trips.divisor) + " * (" + index + " + 1) <= " + str(trips.affine);
}

std::string Variables::str(const std::vector<mesh::Guard> &guards) {
  std::vector<std::string> parts;
  parts.reserve(guards.size());
  for (const mesh::Guard &guard : guards)
    parts.push_back(str(guard));
  bool isInParentheses = parts.size() == 1 && parts[0].front() == '(';
  return isInParentheses ? parts[0].substr(1, parts[0].size() - 2) : joined(parts, " && ");
}

std::string factor(const std::string &text) { return text.find(' ') == std::string::npos ? text : "(" + text + ")"; }

std::string scaled(int64_t scale, const std::string &index) {
  if (index.find_first_not_of("0123456789") == std::string::npos)
    return std::to_string(scale * std::stoll(index));
  return scale == 1 ? index : std::to_string(scale) + " * " + factor(index);
}

std::string plus(const std::string &a, const std::string &b) {
  if (a == "0" || b == "0")
    return a == "0" ? b : a;
  return a + " + " + b;
}

std::string joined(const std::vector<std::string> &parts, const std::string &between) {
  std::string all;
  for (const std::string &part : parts)
    all += (all.empty() ? "" : between) + part;
  return all;
}

void enterLoop(CodeText &code, Variables &variables, const mesh::Loop &loop) {
  const std::string &i = variables.name(loop.variable);
  std::string condition = loop.trips ? variables.str(*loop.trips, i) : i + " < " + std::to_string(loop.extent);
  variables.enter(loop.variable);
  code.open("for (int32_t " + i + " = 0; " + condition + "; ++" + i + ")");
}

void print(CodeText &code, Variables &variables, const mesh::Turn &turn) {
  std::string value = variables.str(turn.value);
  code.line("[[maybe_unused]] const int32_t " + variables.name(turn.variable) + " = " + variables.name(turn.wave) +
            " % 2 == 0 ? " + value + " : " + std::to_string(turn.last) + " - " + factor(value) + ";");
  variables.enter(turn.variable);
}

const char *functionOf(mesh::BufferStep::Kind kind) {
  static const char *const functions[] = {"cb_reserve_back", "cb_push_back", "cb_wait_front", "cb_pop_front"};
  return functions[static_cast<int>(kind)];
}

} // namespace tawa::metalium
