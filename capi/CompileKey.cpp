// What the compiler reads, as lines of a key.
#include "capi/CompileKey.h"

#include "compiler/text/Directives.h"

#include <algorithm>

namespace tawa::capi {

namespace {

// Raise it when a field changes its meaning; what the compiler makes of the fields is the build's affair.
constexpr int kCompileKeyVersion = 1;

/// "f16 tensor rank 2 alignment 16", "i32 scalar", "i32 constant 128".
std::string describe(const ArgumentFacts &facts) {
  std::string text(elementName(facts.elementType));
  switch (facts.kind) {
  case LogicalArgument::Kind::Tensor:
    text += " tensor rank " + std::to_string(facts.shape.size());
    break;
  case LogicalArgument::Kind::Scalar:
    text += " scalar";
    break;
  case LogicalArgument::Kind::Constant:
    text += " constant " + std::to_string(facts.value);
    break;
  }
  return facts.alignment ? text + " alignment " + std::to_string(facts.alignment) : text;
}

} // namespace

void forgetShapes(std::vector<ArgumentFacts> &facts) {
  for (ArgumentFacts &argument : facts) {
    std::fill(argument.shape.begin(), argument.shape.end(), ArgumentFacts::kUnknown);
    std::fill(argument.strides.begin(), argument.strides.end(), ArgumentFacts::kUnknown);
    if (argument.kind != LogicalArgument::Kind::Constant)
      argument.value = 0;
  }
}

Result<store::Key> compileKey(const CompileInput &input, std::string_view build) {
  Result<TemplateText> text = parseDirectives(input.text, input.name);
  if (!text)
    return text.status();
  Result<std::string> expanded = expand(*text, input.config.tile, input.name);
  if (!expanded)
    return expanded.status();
  KernelConfig config = input.config;
  for (const TileParameter &parameter : text->parameters) // so that a default and the same value given are one
    config.tile.try_emplace(parameter.name, parameter.values.front());
  store::Key key(store::KeyKind::Compile, kCompileKeyVersion);
  key.field("build", build).field("target", input.target == TargetKind::Ptx ? "sm_90a" : "x86-64-v2");
  key.field("config", config.str()).field("arguments", static_cast<int64_t>(input.arguments.size()));
  for (size_t i = 0; i < input.arguments.size(); ++i)
    key.field("argument." + std::to_string(i), describe(input.arguments[i]));
  key.block("text", *expanded);
  return key;
}

} // namespace tawa::capi
