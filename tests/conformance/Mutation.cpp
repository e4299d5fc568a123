// See Mutation.h.
#include "tests/conformance/Mutation.h"

#include <array>
#include <cctype>
#include <optional>
#include <string_view>
#include <vector>

namespace tawa::conformance {

namespace {

using Random = std::mt19937;
using MaybeMutation = std::optional<Mutation>; ///< Nothing where the text has no place for this kind.

//===--- Pieces of the text
//---------------------------------------------------------------------------------------------===//

struct Piece {
  size_t begin, size;
};

std::string at(const std::string &text, Piece piece) { return text.substr(piece.begin, piece.size); }

std::string replaced(std::string text, Piece piece, const std::string &with) {
  return text.replace(piece.begin, piece.size, with);
}

std::string place(const std::string &text, size_t offset) {
  size_t line = 1;
  for (size_t i = 0; i < offset && i < text.size(); ++i)
    line += text[i] == '\n';
  return " in line " + std::to_string(line);
}

std::vector<std::string> splitLines(const std::string &text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = text.find('\n', begin);
    end = end == std::string::npos ? text.size() : end + 1;
    lines.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return lines;
}

std::string joinLines(const std::vector<std::string> &lines) {
  std::string text;
  for (const std::string &line : lines)
    text += line;
  return text;
}

bool isWordByte(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '$'; }

/// Words (with a leading % or #), and single other bytes that are no space.
std::vector<Piece> tokens(const std::string &text) {
  std::vector<Piece> found;
  for (size_t i = 0; i < text.size();) {
    if (std::isspace(static_cast<unsigned char>(text[i]))) {
      ++i;
      continue;
    }
    size_t end = i + 1;
    if (isWordByte(text[i]) || text[i] == '%' || text[i] == '#')
      while (end < text.size() && isWordByte(text[end]))
        ++end;
    found.push_back({i, end - i});
    i = end;
  }
  return found;
}

template <typename Matches> std::vector<Piece> tokensThat(const std::string &text, Matches matches) {
  std::vector<Piece> found;
  for (Piece piece : tokens(text))
    if (matches(std::string_view(text).substr(piece.begin, piece.size)))
      found.push_back(piece);
  return found;
}

/// Places of a word where no letter or digit follows (before it one may: 64xf16).
std::vector<Piece> occurrences(const std::string &text, std::string_view word) {
  std::vector<Piece> found;
  for (size_t i = text.find(word); i != std::string::npos; i = text.find(word, i + 1))
    if (i + word.size() == text.size() || !isWordByte(text[i + word.size()]))
      if (i == 0 || !isWordByte(text[i - 1]) || text[i - 1] == 'x')
        found.push_back({i, word.size()});
  return found;
}

/// Numbers, alone or as a size in 128x64xf16.
std::vector<Piece> numbers(const std::string &text) {
  std::vector<Piece> found;
  for (size_t i = 0; i < text.size();) {
    if (!std::isdigit(static_cast<unsigned char>(text[i]))) {
      ++i;
      continue;
    }
    size_t end = i;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])))
      ++end;
    char before = i == 0 ? ' ' : text[i - 1], after = end == text.size() ? ' ' : text[end];
    if ((!isWordByte(before) || before == 'x') && (!isWordByte(after) || after == 'x'))
      found.push_back({i, end - i});
    i = end;
  }
  return found;
}

template <typename T> const T &oneOf(const std::vector<T> &list, Random &random) {
  return list[pick(random, list.size())];
}
template <typename T, size_t N> const T &oneOf(const std::array<T, N> &list, Random &random) {
  return list[pick(random, N)];
}

//===--- Kinds of damage
//------------------------------------------------------------------------------------------------===//

MaybeMutation truncateText(const std::string &text, Random &random) {
  size_t bytes = pick(random, text.size());
  return Mutation{text.substr(0, bytes), "cut after " + std::to_string(bytes) + " bytes"};
}

MaybeMutation deleteLine(const std::string &text, Random &random) {
  std::vector<std::string> lines = splitLines(text);
  size_t line = pick(random, lines.size());
  lines.erase(lines.begin() + line);
  return Mutation{joinLines(lines), "line " + std::to_string(line + 1) + " deleted"};
}

MaybeMutation doubleLine(const std::string &text, Random &random) {
  std::vector<std::string> lines = splitLines(text);
  size_t line = pick(random, lines.size());
  lines.insert(lines.begin() + line, lines[line]);
  return Mutation{joinLines(lines), "line " + std::to_string(line + 1) + " doubled"};
}

/// Mostly neighbours: that is what still parses.
MaybeMutation swapLines(const std::string &text, Random &random) {
  std::vector<std::string> lines = splitLines(text);
  if (lines.size() < 2)
    return std::nullopt;
  size_t first = pick(random, lines.size() - 1);
  size_t second = pick(random, 2) ? first + 1 : pick(random, lines.size());
  std::swap(lines[first], lines[second]);
  return Mutation{joinLines(lines),
                  "lines " + std::to_string(first + 1) + " and " + std::to_string(second + 1) + " swapped"};
}

bool isValue(std::string_view word) { return word.size() > 1 && word.front() == '%'; }

MaybeMutation swapOperands(const std::string &text, Random &random) {
  std::vector<Piece> values = tokensThat(text, isValue);
  if (values.size() < 2)
    return std::nullopt;
  size_t first = pick(random, values.size() - 1);
  Piece a = values[first], b = values[first + 1];
  std::string result = replaced(replaced(text, b, at(text, a)), a, at(text, b));
  return Mutation{result, at(text, a) + " and " + at(text, b) + " swapped" + place(text, a.begin)};
}

MaybeMutation deleteToken(const std::string &text, Random &random) {
  std::vector<Piece> all = tokens(text);
  if (all.empty())
    return std::nullopt;
  Piece piece = oneOf(all, random);
  return Mutation{replaced(text, piece, ""), "'" + at(text, piece) + "' deleted" + place(text, piece.begin)};
}

/// Replaces one occurrence of a word, or all of them.
MaybeMutation replaceWord(const std::string &text, const std::string &from, const std::string &to, Random &random) {
  std::vector<Piece> found = occurrences(text, from);
  if (found.empty() || from == to)
    return std::nullopt;
  if (pick(random, 2)) {
    Piece piece = oneOf(found, random);
    return Mutation{replaced(text, piece, to), from + " changed to " + to + place(text, piece.begin)};
  }
  std::string result = text;
  for (size_t i = found.size(); i-- > 0;)
    result.replace(found[i].begin, found[i].size, to);
  return Mutation{result, from + " changed to " + to + " everywhere"};
}

MaybeMutation changeElementType(const std::string &text, Random &random) {
  static const std::array<std::string, 8> types = {"f16", "bf16", "f32", "f64", "f8E4M3FN", "f8E5M2", "i8", "i1"};
  const std::string &from = types[pick(random, 5)], &to = oneOf(types, random);
  return replaceWord(text, from, to, random);
}

MaybeMutation changeIntegerWidth(const std::string &text, Random &random) {
  static const std::array<std::string, 8> types = {"i32", "i64", "i16", "i8", "i1", "index", "i128", "i7"};
  const std::string &from = types[pick(random, 2)], &to = oneOf(types, random);
  return replaceWord(text, from, to, random);
}

MaybeMutation changeTileSize(const std::string &text, Random &random) {
  static const std::array<std::string, 12> sizes = {"64", "128", "256", "32", "16", "8",
                                                    "48", "512", "1",   "0",  "2",  "1024"};
  std::vector<Piece> all = numbers(text), found;
  for (Piece piece : all)
    if (std::string number = at(text, piece); number == "128" || number == "256" || number == "64" || number == "32")
      found.push_back(piece);
  if (found.empty())
    return std::nullopt;
  Piece piece = oneOf(found, random);
  std::string old = at(text, piece);
  const std::string &size = oneOf(sizes, random);
  if (pick(random, 2))
    return Mutation{replaced(text, piece, size), old + " changed to " + size + place(text, piece.begin)};
  std::string result = text;
  for (size_t i = found.size(); i-- > 0;)
    if (at(text, found[i]) == old)
      result.replace(found[i].begin, found[i].size, size);
  return Mutation{result, old + " changed to " + size + " everywhere"};
}

MaybeMutation changeNumber(const std::string &text, Random &random) {
  static const std::array<std::string, 14> values = {
      "0",   "1",    "2",          "-1",          "7",  "63",    "3",
      "100", "1000", "2147483647", "-2147483648", "16", "0x10p", "99999999999999999999"};
  std::vector<Piece> found = numbers(text);
  if (found.empty())
    return std::nullopt;
  Piece piece = oneOf(found, random);
  const std::string &value = oneOf(values, random);
  return Mutation{replaced(text, piece, value), at(text, piece) + " changed to " + value + place(text, piece.begin)};
}

MaybeMutation changeOperation(const std::string &text, Random &random) {
  static const std::array<std::string, 44> names = {"arith.addi",
                                                    "arith.subi",
                                                    "arith.muli",
                                                    "arith.divsi",
                                                    "arith.remsi",
                                                    "arith.minsi",
                                                    "arith.maxsi",
                                                    "arith.andi",
                                                    "arith.ori",
                                                    "arith.xori",
                                                    "arith.shli",
                                                    "arith.divui",
                                                    "arith.addf",
                                                    "arith.mulf",
                                                    "arith.divf",
                                                    "arith.maxnumf",
                                                    "arith.extf",
                                                    "arith.truncf",
                                                    "arith.extsi",
                                                    "arith.trunci",
                                                    "arith.cmpi",
                                                    "arith.select",
                                                    "arith.sitofp",
                                                    "arith.constant",
                                                    "math.exp2",
                                                    "math.sqrt",
                                                    "math.absf",
                                                    "tt.trans",
                                                    "tt.dot",
                                                    "tt.splat",
                                                    "tt.load",
                                                    "tt.store",
                                                    "tt.broadcast",
                                                    "tt.reshape",
                                                    "tt.descriptor_load",
                                                    "tt.descriptor_store",
                                                    "tt.call",
                                                    "tt.atomic_rmw",
                                                    "tt.get_num_programs",
                                                    "tt.get_program_id",
                                                    "scf.while",
                                                    "tt.nothing",
                                                    "foo.bar",
                                                    "llvm.mlir.undef"};
  std::vector<Piece> found = tokensThat(text, [](std::string_view word) {
    return word.rfind("arith.", 0) == 0 || word.rfind("tt.", 0) == 0 || word.rfind("scf.", 0) == 0 ||
           word.rfind("math.", 0) == 0;
  });
  if (found.empty())
    return std::nullopt;
  Piece piece = oneOf(found, random);
  const std::string &name = oneOf(names, random);
  return Mutation{replaced(text, piece, name), at(text, piece) + " changed to " + name + place(text, piece.begin)};
}

/// Integer arithmetic for integer arithmetic: this still parses, and computes something else.
MaybeMutation changeArithmetic(const std::string &text, Random &random) {
  static const std::array<std::string, 9> names = {"arith.addi",  "arith.subi",  "arith.muli",
                                                   "arith.divsi", "arith.remsi", "arith.minsi",
                                                   "arith.maxsi", "arith.andi",  "arith.ori"};
  std::vector<Piece> found = tokensThat(text, [](std::string_view word) {
    for (const std::string &name : names)
      if (word == name)
        return true;
    return false;
  });
  if (found.empty())
    return std::nullopt;
  Piece piece = oneOf(found, random);
  const std::string &name = oneOf(names, random);
  return Mutation{replaced(text, piece, name), at(text, piece) + " changed to " + name + place(text, piece.begin)};
}

/// A dictionary in braces on one line, or the keyword clause of a dot.
MaybeMutation removeAttribute(const std::string &text, Random &random) {
  std::vector<Piece> found;
  for (size_t open = text.find('{'); open != std::string::npos; open = text.find('{', open + 1)) {
    size_t close = text.find_first_of("}\n{", open + 1);
    if (close != std::string::npos && text[close] == '}')
      found.push_back({open, close + 1 - open});
  }
  for (std::string_view clause : {", inputPrecision = tf32", " attributes {noinline = false}", "public "})
    if (size_t begin = text.find(clause); begin != std::string::npos)
      found.push_back({begin, clause.size()});
  if (found.empty())
    return std::nullopt;
  Piece piece = oneOf(found, random);
  return Mutation{replaced(text, piece, ""), "'" + at(text, piece) + "' removed" + place(text, piece.begin)};
}

MaybeMutation renameOperand(const std::string &text, Random &random) {
  std::vector<Piece> values = tokensThat(text, isValue);
  if (values.empty())
    return std::nullopt;
  Piece piece = oneOf(values, random);
  std::string name = pick(random, 10) ? at(text, oneOf(values, random)) : "%nowhere";
  return Mutation{replaced(text, piece, name), at(text, piece) + " renamed to " + name + place(text, piece.begin)};
}

MaybeMutation changeByte(const std::string &text, Random &random) {
  size_t byte = pick(random, text.size());
  std::string result = text;
  result[byte] = static_cast<char>(pick(random, 4) ? 32 + pick(random, 95) : pick(random, 256));
  return Mutation{result, "byte " + std::to_string(byte) + " changed" + place(text, byte)};
}

using Kind = MaybeMutation (*)(const std::string &, Random &);
/// Those that tend to leave a kernel behind stand twice.
constexpr Kind kKinds[] = {truncateText,       deleteLine,       doubleLine,       swapLines,         swapLines,
                           swapOperands,       swapOperands,     deleteToken,      changeElementType, changeElementType,
                           changeIntegerWidth, changeTileSize,   changeTileSize,   changeNumber,      changeNumber,
                           changeOperation,    changeArithmetic, changeArithmetic, removeAttribute,   renameOperand,
                           renameOperand,      changeByte};

} // namespace

Mutation mutilate(const std::string &text, std::mt19937 &random) {
  if (text.empty())
    return {text, "nothing left to damage"};
  while (true)
    if (MaybeMutation mutation = kKinds[pick(random, std::size(kKinds))](text, random))
      return *mutation;
}

} // namespace tawa::conformance
