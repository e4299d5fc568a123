// The identity of an artifact: a hash of a canonical text of everything that determines its behaviour. Every string is
// preceded by its length, every list by its count, so that two different artifacts never give the same text.
#include "runtime/artifact/ParamLayout.h"
#include "runtime/support/Hash.h"

namespace tawa {

namespace {

class CanonicalText {
public:
  CanonicalText &add(std::string_view text) {
    number(text.size());
    bytes.append(text);
    return *this;
  }
  CanonicalText &number(int64_t value) {
    bytes.append(std::to_string(value)).append(" ");
    return *this;
  }
  template <typename Enum> CanonicalText &choice(Enum value) { return number(static_cast<int64_t>(value)); }
  const std::string &str() const { return bytes; }

private:
  std::string bytes = "tawa artifact 4 "; // raise the number when the text changes its meaning
};

void addArgument(CanonicalText &text, const LogicalArgument &argument) {
  text.choice(argument.kind).add(argument.name).choice(argument.elementType);
  text.number(argument.rank).number(argument.value).number(argument.alignment);
  text.number(argument.strideDivisor).number(argument.columnDivisor);
}

void addParam(CanonicalText &text, const KernelParam &param) {
  text.choice(param.source).number(param.index).number(param.dimension);
  text.number(param.bytes).number(param.alignment).number(param.offset);
}

void addList(CanonicalText &text, const std::vector<std::string> &list) {
  text.number(static_cast<int64_t>(list.size()));
  for (const std::string &item : list)
    text.add(item);
}

void addRecipe(CanonicalText &text, const TensorMapRecipe &recipe) {
  text.number(recipe.argument).choice(recipe.elementType).number(recipe.box.size());
  for (uint32_t extent : recipe.box)
    text.number(extent);
  text.choice(recipe.swizzle).choice(recipe.fill).add(recipe.offset);
  addList(text, recipe.shape);
  addList(text, recipe.strides);
}

} // namespace

std::string contentHash(const KernelArtifact &artifact) {
  CanonicalText text;
  text.choice(artifact.target).add(artifact.gpu).add(artifact.entry).add(artifact.code).add(artifact.config.str());
  text.number(artifact.launch.threads).number(artifact.launch.sharedBytes).number(artifact.launch.registersPerThread);
  for (uint32_t extent : artifact.launch.cluster)
    text.number(extent);
  for (bool isWalked : artifact.launch.walked)
    text.number(isWalked);
  text.number(artifact.launch.uniformTileWork).number(artifact.launch.paddedGrid);
  addList(text, artifact.launch.clusterDivides);
  for (const std::string &programs : artifact.launch.retiled.programs)
    text.add(programs);
  addList(text, artifact.launch.retiled.zeros);
  text.number(artifact.launch.split).number(artifact.launch.scratchBytes);
  text.number(artifact.launch.stream).number(artifact.launch.workspaceBytes);
  text.number(artifact.arguments.size());
  for (const LogicalArgument &argument : artifact.arguments)
    addArgument(text, argument);
  text.number(artifact.params.size());
  for (const KernelParam &param : artifact.params)
    addParam(text, param);
  text.number(artifact.tensorMaps.size());
  for (const TensorMapRecipe &recipe : artifact.tensorMaps)
    addRecipe(text, recipe);
  text.number(artifact.paramBytes).add(artifact.gridExpression);
  return hash128(text.str());
}

} // namespace tawa
