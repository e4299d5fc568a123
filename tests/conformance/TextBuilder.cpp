// Prints types, constants and operations of random programs.
#include "tests/conformance/TextBuilder.h"

#include <cstdio>

namespace tawa::conformance {

std::string typeText(ElementType type) {
  switch (type) {
  case ElementType::F8E4M3:
    return "f8E4M3FN";
  case ElementType::F8E5M2:
    return "f8E5M2";
  default:
    return std::string(elementName(type));
  }
}

static std::string tensorText(const std::string &element, const Shape &shape) {
  if (shape.empty())
    return element;
  std::string text = "tensor<";
  for (int64_t size : shape)
    text += std::to_string(size) + "x";
  return text + element + ">";
}

std::string typeText(ElementType type, const Shape &shape) { return tensorText(typeText(type), shape); }
std::string pointerText(ElementType type, const Shape &shape) {
  return tensorText("!tt.ptr<" + typeText(type) + ">", shape);
}

Name TextBuilder::emit(ElementType type, const Shape &shape, const std::string &text, double size) {
  Name name{fresh(), type, shape, size};
  line(name.text + " = " + text);
  return remember(name);
}

std::string TextBuilder::numberText(ElementType type, double value) {
  if (type == ElementType::I1)
    return value != 0 ? "true" : "false";
  char text[40];
  if (isFloat(type))
    std::snprintf(text, sizeof text, "%.6e", value);
  else
    std::snprintf(text, sizeof text, "%lld", static_cast<long long>(value));
  return text;
}

Name TextBuilder::constant(ElementType type, const Shape &shape, double value) {
  std::string number = numberText(type, value);
  std::string text = shape.empty() ? number : "dense<" + number + ">";
  if (shape.empty() && type == ElementType::I1)
    return emit(type, shape, "arith.constant " + text);
  return emit(type, shape, "arith.constant " + text + " : " + typeText(type, shape), value < 0 ? -value : value);
}

} // namespace tawa::conformance
