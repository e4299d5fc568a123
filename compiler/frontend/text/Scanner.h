// Scanner: splits a text into MLIR tokens as far as the pre-lexer must distinguish them, and checks limits that protect
// the parser: size, NUL bytes and nesting. Comments and white space separate tokens.
#pragma once

#include "compiler/frontend/text/TextError.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tawa {

struct Token {
  enum class Kind : uint8_t {
    Word,   ///< scf.for, tensor, i32
    Value,  ///< %x
    Hash,   ///< #loc3
    Other,  ///< @name, !type, ^block
    String, ///< "text", quotes included
    Number, ///< digits only: in 128x64xf16 the rest is a word
    Mark,   ///< one character, or -> <= >= ==
  };
  Kind kind = Kind::Mark;
  size_t begin = 0;
  size_t end = 0;
  TextPlace place;
  size_t partner = 0; ///< Of a bracket that is closed: the token on the other side. 0: none.
};

/// Limits of a kernel's text; larger ones are refused before anything recurses over them.
constexpr size_t kMaxTextBytes = size_t(1) << 20;
constexpr size_t kMaxTextNesting = 64;
/// MLIR's lexer reads the word of a shape ("x1x1x1...") again for each of its dimensions: time grows with the square.
constexpr size_t kMaxWordBytes = 4096;

Result<std::vector<Token>> scan(std::string_view text, std::string_view name);

} // namespace tawa
