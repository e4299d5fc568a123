// Facts of arguments as AffinizeInput wants them.
#pragma once

#include "compiler/pipeline/Compiler.h"

namespace tawa {

/// Strides are in elements; left out: dense rows.
inline ArgumentFacts tensorFacts(ElementType type, std::vector<int64_t> shape, std::vector<int64_t> strides = {}) {
  ArgumentFacts facts;
  facts.kind = LogicalArgument::Kind::Tensor;
  facts.elementType = type;
  facts.shape = std::move(shape);
  facts.strides = std::move(strides);
  return facts;
}

inline ArgumentFacts integerFacts(int64_t value) {
  ArgumentFacts facts;
  facts.kind = LogicalArgument::Kind::Constant;
  facts.value = value;
  return facts;
}

/// A float, whose value does not matter.
inline ArgumentFacts floatFacts() {
  ArgumentFacts facts;
  facts.elementType = ElementType::F32;
  return facts;
}

} // namespace tawa
