// What the compiler reads, as lines of a key.
#include "capi/service/CompileKey.h"

#include "compiler/frontend/text/Directives.h"
#include "runtime/artifact/ArgumentValue.h"

#include <algorithm>

namespace tawa::capi {

namespace {

// Raise it when a field changes its meaning; what the compiler makes of the fields is the build's affair.
constexpr int kCompileKeyVersion = 3;

/// What of an argument changes the code: "alignment 16", "constant 128", "rows 2 columns 2" or nothing. Kinds, types
/// and ranks are the text's: a request that says otherwise is refused (checkFacts) whether the kernel is known or not.
std::string describe(const ArgumentFacts &facts) {
  bool isConstant = facts.kind == LogicalArgument::Kind::Constant;
  bool isNumber =
      facts.kind != LogicalArgument::Kind::Tensor && isFloat(facts.elementType); // of which none is a multiple
  std::string text = isConstant ? "constant " + std::to_string(facts.value) : "";
  if (facts.alignment > 1 && !isNumber)
    text += (text.empty() ? "alignment " : " alignment ") + std::to_string(facts.alignment);
  if (facts.rowAlignment != 0)
    text += (text.empty() ? "rows " : " rows ") + std::to_string(facts.rowAlignment);
  if (facts.columnAlignment != 0)
    text += (text.empty() ? "columns " : " columns ") + std::to_string(facts.columnAlignment);
  return text;
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
  Result<std::string> expanded = expand(*text, valuesOfText(*text, input.config.tile), input.name);
  if (!expanded)
    return expanded.status();
  KernelConfig config = input.config;
  for (const TileParameter &parameter : text->parameters) // so that a default and the same value given are one
    config.tile.try_emplace(parameter.name, parameter.values.front());
  store::Key key(store::KeyKind::Compile, kCompileKeyVersion);
  key.field("build", build).field("code", input.target == TargetKind::Ptx ? "ptx" : "x86-64-v2");
  key.field("target", input.gpu.str());
  key.field("config", config.str());
  if (input.keepsTileLoop)
    key.field("tile loop", "kept");
  for (size_t i = 0; i < input.arguments.size(); ++i)
    if (std::string what = describe(input.arguments[i]); !what.empty())
      key.field("argument." + std::to_string(i), what);
  key.block("text", *expanded);
  return key;
}

} // namespace tawa::capi
