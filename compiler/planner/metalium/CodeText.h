// Text of C++ with indentation, and a core program's variables as C++ names. Internal to the printing of code.
#pragma once

#include "compiler/planner/metalium/Metalium.h"

#include <set>

namespace tawa::metalium {

class CodeText {
public:
  explicit CodeText(int depth = 0) : depth(depth) {}
  void line(const std::string &code);
  /// "head {"
  void open(const std::string &head);
  void close(const std::string &tail = "");
  void blank() { text += "\n"; }
  void append(const CodeText &other) { text += other.text; }
  const std::string &str() const { return text; }

private:
  std::string text;
  int depth;
};

/// The first reason why a program has no code. Printing goes on after it; the text is not used.
class Refusals {
public:
  void add(Refusal reason, std::string detail);
  Refusal reason = Refusal::None;
  std::string detail;
};

/// Letters, digits and underscores.
std::string identifier(const std::string &name);

/// Variables of a core program in one kernel: "core_x" of coordinates, "i_k" of loops. A variable outside of its loop
/// is 0.
class Variables {
public:
  explicit Variables(const mesh::CoreProgram &program);

  const std::string &name(int variable) const { return names[variable]; }
  void enter(int variable) { inScope[variable] = true; }
  void leave(int variable) { inScope[variable] = false; }
  bool isInScope(int variable) const { return inScope[variable]; }
  /// Notes the coordinates that it names.
  std::string str(const mesh::Affine &affine);
  std::string str(const mesh::Guard &guard);
  /// Iteration number `index` (C++) of a loop takes place.
  std::string str(const mesh::TripCount &trips, const std::string &index);
  std::string str(const std::vector<mesh::Guard> &guards);
  /// The same without variables that are 0.
  mesh::Affine inside(mesh::Affine affine) const;

  std::set<int> coordinates; ///< Named so far.

private:
  size_t coordinateCount;
  std::vector<std::string> names;
  std::vector<bool> inScope;
};

/// "for (..) {" over the variable of a loop, which is in scope until it is left.
void enterLoop(CodeText &code, Variables &variables, const mesh::Loop &loop);
/// Declares the variable.
void print(CodeText &code, Variables &variables, const mesh::Turn &turn);
/// The function of a step of a circular buffer.
const char *functionOf(mesh::BufferStep::Kind kind);

/// Parentheses where `text` is a sum and would not bind.
std::string factor(const std::string &text);
/// "128", "128 * (i_k + 1)"; "0" for no index.
std::string scaled(int64_t scale, const std::string &index);
/// A sum, without terms that are "0".
std::string plus(const std::string &a, const std::string &b);
std::string joined(const std::vector<std::string> &parts, const std::string &between);

} // namespace tawa::metalium
