// Looks for descriptors among the parameters of a text, and for the alignment of what a caller passes for them.
#include "capi/service/Alignments.h"

#include <bit>

namespace tawa::capi {

namespace {

constexpr uint64_t kTmaAlignment = 16; // of address and strides (CUDA driver API, cuTensorMapEncodeTiled)

/// The largest power of two that divides so many bytes; 0 where 16 does.
uint32_t alignmentOf(uint64_t bytes) {
  uint64_t divisor = uint64_t{1} << std::countr_zero(bytes | kTmaAlignment);
  return divisor < kTmaAlignment ? static_cast<uint32_t>(divisor) : 0;
}

/// Of the address and the strides. 0 also where another rule than that of 16 bytes is broken, which a launch reports.
uint32_t rowAlignment(const ArgumentValue &tensor) {
  uint64_t bits = tensor.address;
  for (uint32_t d = 0; d + 1 < tensor.rank; ++d)
    if (tensor.shape[d] != 1 && tensor.strides[d] != kUnknownExtent)
      bits |= static_cast<uint64_t>(tensor.strides[d]) * elementBytes(tensor.elementType);
  return alignmentOf(bits);
}

/// Of the last extent. What the launch will tell is taken to be as aligned as rows, so that a kernel which is compiled
/// ahead for any size is the one that is asked for by its size.
uint32_t columnAlignment(const ArgumentValue &tensor) {
  int64_t columns = tensor.shape[tensor.rank - 1];
  return columns == kUnknownExtent ? 0 : alignmentOf(static_cast<uint64_t>(columns) * elementBytes(tensor.elementType));
}

/// What follows a string or a comment that begins at `at`; `at` itself where none does.
size_t afterQuote(std::string_view text, size_t at) {
  if (text[at] == '"')
    for (++at; at < text.size() && text[at] != '"'; ++at)
      at += text[at] == '\\';
  else if (text.substr(at, 2) == "//")
    at = text.find('\n', at);
  return std::min(at, text.size());
}

/// The parameters of the first function at or after `from`, with parentheses; empty where there is none.
std::string_view parametersAfter(std::string_view text, size_t from) {
  size_t open = text.npos;
  int depth = 0;
  for (size_t at = text.find("tt.func", from); at < text.size(); ++at) {
    at = afterQuote(text, at);
    if (at == text.size())
      break;
    if (text[at] == '(' && depth++ == 0)
      open = at;
    if (text[at] == ')' && --depth == 0)
      return text.substr(open, at + 1 - open);
  }
  return {};
}

bool takesDescriptors(std::string_view text) {
  std::string_view parameters = parametersAfter(text, 0);
  while (!parameters.empty()) {
    if (parameters.find("!tt.tensordesc<") != parameters.npos)
      return true;
    parameters = parametersAfter(text, static_cast<size_t>(parameters.end() - text.begin()));
  }
  return false;
}

} // namespace

void noteAlignments(std::string_view text, std::span<const ArgumentValue> values, std::vector<ArgumentFacts> &facts) {
  if (!takesDescriptors(text))
    return;
  for (size_t i = 0; i < facts.size() && i < values.size(); ++i)
    if (values[i].kind == LogicalArgument::Kind::Tensor && values[i].rank != 0) {
      facts[i].rowAlignment = rowAlignment(values[i]);
      facts[i].columnAlignment = columnAlignment(values[i]);
    }
}

} // namespace tawa::capi
