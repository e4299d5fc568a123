// Random edits of the tokens, lines and types of a text.
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

//===--- Pieces of the text ---------------------------------------------------------------------------------------===//

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

//===--- Kinds of damage ------------------------------------------------------------------------------------------===//

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

//===--- Insertions -----------------------------------------------------------------------------------------------===//

/// Lines that make $N of $V, both of type $T. $E is the element type, $B the tile with i1 elements, $H with f16 ones,
/// $R the tile with its two dimensions swapped.
constexpr const char *kOnFloatTiles[] = {
    "$N = arith.addf $V, $V : $T\n",
    "$N = arith.mulf $V, $V : $T\n",
    "$Nc = arith.constant dense<0.5> : $T\n$N = arith.mulf $V, $Nc : $T\n",
    "$Nc = arith.constant dense<-1.0> : $T\n$N = arith.subf $Nc, $V : $T\n",
    "$Nc = arith.constant dense<3.0> : $T\n$N = arith.divf $V, $Nc : $T\n",
    "$Nc = arith.constant dense<0.0> : $T\n$N = arith.maxnumf $V, $Nc : $T\n",
    "$N = math.absf $V : $T\n",
    "$N = math.exp2 $V : $T\n",
    "$Nc = arith.constant dense<0.0> : $T\n$Nb = arith.cmpf ogt, $V, $Nc : $T\n$N = arith.select $Nb, $V, $Nc : $B, "
    "$T\n",
    "$Nh = arith.truncf $V : $T to $H\n$N = arith.extf $Nh : $H to $T\n",
    "$Nt = tt.trans $V {order = array<i32: 1, 0>} : $T -> $R\n$N = tt.trans $Nt {order = array<i32: 1, 0>} : $R -> "
    "$T\n",
    "$N = tt.trans $V {order = array<i32: 1, 0>} : $T -> $T\n",
    "$Nt = tt.reshape $V : $T -> $R\n$N = tt.reshape $Nt : $R -> $T\n",
    "$Nc = arith.constant 0.5 : $E\n$Ns = tt.splat $Nc : $E -> $T\n$N = arith.addf $V, $Ns : $T\n",
    "$Nc = arith.constant true\n$N = scf.if $Nc -> ($T) {\nscf.yield $V : $T\n} else {\nscf.yield $V : $T\n}\n",
    "$N0 = arith.constant 0 : i32\n$N1 = arith.constant 1 : i32\n$N3 = arith.constant 3 : i32\n"
    "$N = scf.for $Ni = $N0 to $N3 step $N1 iter_args($Ns = $V) -> ($T) : i32 {\n"
    "$Nd = arith.addf $Ns, $V : $T\nscf.yield $Nd : $T\n}\n"};
constexpr const char *kOnIntegers[] = {
    "$N = arith.addi $V, $V : $T\n",
    "$Nc = arith.constant 8 : $T\n$N = arith.addi $V, $Nc : $T\n",
    "$Nc = arith.constant -64 : $T\n$N = arith.addi $V, $Nc : $T\n",
    "$Nc = arith.constant 2 : $T\n$N = arith.divsi $V, $Nc : $T\n",
    "$Nc = arith.constant 0 : $T\n$N = arith.maxsi $V, $Nc : $T\n",
    "$Nc = arith.constant 1 : $T\n$Nb = arith.cmpi ult, $V, $Nc : $T\n$N = arith.select $Nb, $Nc, $V : $T\n",
    "$Nc = arith.trunci $V : $T to i8\n$N = arith.extsi $Nc : i8 to $T\n",
    "$Nc = arith.extsi $V : $T to i64\n$N = arith.trunci $Nc : i64 to $T\n",
    "$Nc = tt.get_num_programs x : i32\n$N = arith.addi $V, $Nc : $T\n",
    "$Nc = arith.constant true\n$N = scf.if $Nc -> ($T) {\nscf.yield $V : $T\n} else {\nscf.yield $V : $T\n}\n",
    "$N0 = arith.constant 0 : i32\n$N1 = arith.constant 1 : i32\n$N3 = arith.constant 3 : i32\n"
    "$N = scf.for $Ni = $N0 to $N3 step $N1 iter_args($Ns = $V) -> ($T) : i32 {\n"
    "$Nd = arith.addi $Ns, $Ni : $T\nscf.yield $Nd : $T\n}\n"};

std::string replaceAll(std::string text, const std::string &from, const std::string &to) {
  for (size_t i = text.find(from); i != std::string::npos; i = text.find(from, i + to.size()))
    text.replace(i, from.size(), to);
  return text;
}

/// Fills a template in; nothing for a type that none of the lists is for.
std::optional<std::string> makeLines(const std::string &value, const std::string &type, const std::string &name,
                                     Random &random) {
  std::string text;
  if (type == "i32") {
    text = kOnIntegers[pick(random, std::size(kOnIntegers))];
  } else {
    size_t first = type.find('x'), second = type.find('x', first + 1);
    if (type.rfind("tensor<", 0) != 0 || type.back() != '>' || second == std::string::npos ||
        type.find("!") != std::string::npos)
      return std::nullopt;
    std::string rows = type.substr(7, first - 7), columns = type.substr(first + 1, second - first - 1);
    std::string element = type.substr(second + 1, type.size() - second - 2),
                shape = "tensor<" + rows + "x" + columns + "x";
    if (element.front() == 'i')
      return std::nullopt;
    text = kOnFloatTiles[pick(random, std::size(kOnFloatTiles))];
    text = replaceAll(replaceAll(text, "$E", element), "$B", shape + "i1>");
    text = replaceAll(replaceAll(text, "$H", shape + "f16>"), "$R",
                      "tensor<" + columns + "x" + rows + "x" + element + ">");
  }
  return replaceAll(replaceAll(replaceAll(text, "$T", type), "$V", value), "$N", name);
}

struct Typed {
  std::string value, type;
};

/// `%v = ... : ... -> T` or `%v = ... : T`, whatever location follows.
std::optional<Typed> resultOf(const std::string &line) {
  std::string text = line.substr(0, line.find(" loc("));
  size_t value = text.find_first_not_of(' '), equals = text.find(" = ");
  size_t colon = text.rfind(" : "), arrow = text.rfind(" -> "), to = text.rfind(" to ");
  if (value == std::string::npos || text[value] != '%' || equals == std::string::npos || colon == std::string::npos)
    return std::nullopt;
  size_t type = colon + 3;
  if (arrow != std::string::npos && arrow > colon)
    type = arrow + 4;
  else if (to != std::string::npos && to > colon)
    type = to + 4;
  std::string name = text.substr(value, equals - value),
              spelled = text.substr(type, text.find_last_not_of(" \n") + 1 - type);
  if (spelled.empty() || spelled.back() == '{' || name.find_first_of(":, ") != std::string::npos)
    return std::nullopt;
  return Typed{name, spelled};
}

/// `%r = op %v ... : T to ...`: the operand, for the values that no line of their own defines.
std::optional<Typed> operandOf(const std::string &line) {
  size_t value = line.find('%', line.find(" = ")), colon = line.find(" : "), to = line.find(" to ");
  if (value == std::string::npos || colon == std::string::npos || to == std::string::npos || value > colon ||
      to < colon)
    return std::nullopt;
  return Typed{line.substr(value, line.find_first_of(" ,", value) - value), line.substr(colon + 3, to - colon - 3)};
}

/// Lines that compute with a value, which later lines then use in its place.
MaybeMutation insertOperation(const std::string &text, Random &random) {
  std::vector<std::string> lines = splitLines(text);
  for (int tries = 0; tries < 20; ++tries) {
    size_t at = pick(random, lines.size());
    std::optional<Typed> operand = operandOf(lines[at]);
    bool before = operand && pick(random, 2);
    std::optional<Typed> value = before ? operand : resultOf(lines[at]);
    std::string name = "%made" + std::to_string(pick(random, 1000));
    std::optional<std::string> made = value ? makeLines(value->value, value->type, name, random) : std::nullopt;
    if (!made)
      continue;
    for (size_t line = before ? at : at + 1; line < lines.size(); ++line) {
      std::vector<Piece> uses = tokensThat(lines[line], [&](std::string_view word) { return word == value->value; });
      for (size_t use = uses.size(); use-- > 0;)
        lines[line].replace(uses[use].begin, uses[use].size, name);
    }
    lines.insert(lines.begin() + (before ? at : at + 1), *made);
    return Mutation{joinLines(lines), "'" + replaceAll(made->substr(0, made->size() - 1), "\n", " / ") +
                                          "' inserted at line " + std::to_string(at + 1)};
  }
  return std::nullopt;
}

using Kind = MaybeMutation (*)(const std::string &, Random &);
/// Those that tend to leave a valid kernel are listed twice.
constexpr Kind kKinds[] = {truncateText,       deleteLine,       doubleLine,       swapLines,         swapLines,
                           swapOperands,       swapOperands,     deleteToken,      changeElementType, changeElementType,
                           changeIntegerWidth, changeTileSize,   changeTileSize,   changeNumber,      changeNumber,
                           changeOperation,    changeArithmetic, changeArithmetic, removeAttribute,   renameOperand,
                           renameOperand,      changeByte,       insertOperation,  insertOperation,   insertOperation,
                           insertOperation,    insertOperation};

} // namespace

Mutation mutilate(const std::string &text, std::mt19937 &random) {
  if (text.empty())
    return {text, "nothing left to damage"};
  while (true)
    if (MaybeMutation mutation = kKinds[pick(random, std::size(kKinds))](text, random))
      return *mutation;
}

} // namespace tawa::conformance
