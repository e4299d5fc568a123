// TextBuilder: writes Triton IR line by line and records which values are in scope, their types, and how large their
// numbers can be. Used by the generator of random programs (Generator.h).
#pragma once

#include "compiler/reference/Elements.h"

#include <deque>
#include <random>
#include <string>
#include <vector>

namespace tawa::conformance {

using reference::isFloat;

using Shape = std::vector<int64_t>;

inline int64_t elementsOf(const Shape &shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

/// A value of the text. Without a shape it is a scalar.
struct Name {
  std::string text;
  ElementType type = ElementType::I32;
  Shape shape;
  double size = 0; ///< Floats are no larger than this; integers may be anything.
};

std::string typeText(ElementType type);
std::string typeText(ElementType type, const Shape &shape);
inline std::string typeText(const Name &name) { return typeText(name.type, name.shape); }
std::string pointerText(ElementType type, const Shape &shape);

class TextBuilder {
public:
  explicit TextBuilder(std::mt19937 &random) : random(random) {}

  /// A name nothing has yet.
  std::string fresh() { return "%v" + std::to_string(++last); }
  void line(const std::string &text) { body += text + "\n"; }

  /// `%v = TEXT`, and the value in scope.
  Name emit(ElementType type, const Shape &shape, const std::string &text, double size = 0);
  Name remember(Name name) {
    names.push_back(name);
    return name;
  }
  Name constant(ElementType type, const Shape &shape, double value);
  /// A constant as text.
  static std::string numberText(ElementType type, double value);

  /// Values in scope; a region's own go when it ends.
  size_t openScope() const { return names.size(); }
  void closeScope(size_t mark) { names.resize(mark); }

  /// One of the values in scope for which the question is answered with yes, recent ones more often; null if none.
  template <typename Wanted> const Name *pick(Wanted wanted) {
    std::vector<const Name *> found;
    for (const Name &name : names)
      if (wanted(name))
        found.push_back(&name);
    if (found.empty())
      return nullptr;
    size_t first = draw(found.size()), second = draw(found.size());
    return found[std::max(first, second)];
  }

  /// A number below `limit`; true once in `n` times; a number in a range of floats, a multiple of 1/4.
  size_t draw(size_t limit) { return random() % limit; }
  bool oneIn(size_t n) { return draw(n) == 0; }
  template <typename T> T oneOf(std::initializer_list<T> list) { return list.begin()[draw(list.size())]; }

  std::mt19937 &random;
  std::string body;
  std::deque<Name> names; ///< A step holds references to some while it makes others.

private:
  int last = 0;
};

} // namespace tawa::conformance
