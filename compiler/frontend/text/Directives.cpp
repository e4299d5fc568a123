// Parses the directives line by line, then scans the code once for placeholders; expansion is substitution. All checks
// that need no values are made when the directives are read, so that a broken text fails for all values.
#include "compiler/frontend/text/Directives.h"

#include "compiler/frontend/text/Scanner.h"
#include "compiler/frontend/text/TextError.h"
#include "runtime/artifact/ConfigKeys.h"
#include "runtime/artifact/TileSizes.h"
#include "runtime/support/Expression.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace tawa {
namespace {

constexpr size_t kMaxGridDimensions = 3;

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

std::string_view trimmed(std::string_view text) {
  size_t begin = text.find_first_not_of(" \t\r");
  return begin == std::string_view::npos ? text.substr(0, 0)
                                         : text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\r'; }

class Reader {
public:
  Reader(std::string_view text, std::string_view name) : name(name) { result.text = text; }

  Result<TemplateText> run() {
    if (result.text.size() > kMaxTextBytes)
      return textError(name, {},
                       "the text has " + std::to_string(result.text.size()) + " bytes; at most " +
                           std::to_string(kMaxTextBytes) + " are read");
    if (Status status = readHead(); !status)
      return status;
    if (Status status = readCode(); !status)
      return status;
    if (Status status = checkUse(); !status)
      return status;
    return std::move(result);
  }

private:
  std::string_view text() const { return result.text; }

  // Of a piece of the text itself.
  TextPlace placeOf(std::string_view piece) const {
    return {line, static_cast<int>(piece.data() - (result.text.data() + lineStart)) + 1};
  }
  Status error(std::string_view at, const std::string &reason) const { return textError(name, placeOf(at), reason); }

  std::string_view currentLine() const {
    size_t end = std::min(text().find('\n', lineStart), text().size());
    return text().substr(lineStart, end - lineStart);
  }
  void nextLine() {
    lineStart += currentLine().size() + 1;
    ++line;
  }

  // The leading comment lines, to the first line of code.
  Status readHead() {
    for (; lineStart < text().size(); nextLine()) {
      std::string_view content = trimmed(currentLine());
      if (!content.empty() && !content.starts_with("//"))
        break;
      if (Status status = readComment(content); !status)
        return status;
    }
    return {};
  }

  // A comment is a directive if its first word starts with "tawa.".
  Status readComment(std::string_view content) {
    std::string_view body = trimmed(content.substr(std::min<size_t>(2, content.size())));
    if (!body.starts_with("tawa."))
      return {};
    std::string_view word = body.substr(0, std::ranges::find_if(body, isSpace) - body.begin());
    std::string_view rest = body.substr(word.size());
    if (word == "tawa.param" || word == "tawa.setting")
      return readParameter(word, rest);
    if (word == "tawa.grid")
      return readGrid(rest);
    return error(word, "unknown directive " + quoted(word) + "; there are tawa.param, tawa.setting and tawa.grid");
  }

  Status readParameter(std::string_view directive, std::string_view rest) {
    size_t equals = rest.find('=');
    std::string_view parameter = trimmed(rest.substr(0, equals));
    if (equals == std::string_view::npos)
      return error(parameter, "expected `" + std::string(directive) + " NAME = VALUE | VALUE ...`");
    if (!isVariableName(parameter))
      return error(parameter.empty() ? rest : parameter, quoted(parameter) + " cannot name a tile parameter");
    for (const TileParameter &other : result.parameters)
      if (other.name == parameter)
        return error(parameter, "tile parameter " + quoted(parameter) + " is declared twice; the first time on line " +
                                    std::to_string(other.line));
    TextPlace place = placeOf(parameter);
    std::string_view list = rest.substr(equals + 1);
    auto begin = static_cast<size_t>(list.data() - result.text.data());
    TileParameter declared{std::string(parameter),      {},    place.line,         place.column,
                           directive == "tawa.setting", begin, begin + list.size()};
    for (;;) {
      size_t bar = list.find('|');
      if (Status status = readValue(declared, list.substr(0, bar)); !status)
        return status;
      if (bar == std::string_view::npos)
        break;
      list.remove_prefix(bar + 1);
    }
    result.parameters.push_back(std::move(declared));
    return {};
  }

  Status readValue(TileParameter &parameter, std::string_view text) {
    std::string_view digits = trimmed(text);
    if (size_t at = findLongNumber(digits); at != std::string_view::npos)
      return error(digits.substr(at), longNumberReason());
    int64_t value = 0;
    auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (digits.empty() || problem != std::errc() || end != digits.data() + digits.size())
      return error(digits.empty() ? text : digits, quoted(digits) +
                                                       " is not an integer; the values of tile parameter " +
                                                       quoted(parameter.name) + " are integers separated by '|'");
    if (std::ranges::find(parameter.values, value) != parameter.values.end())
      return error(digits, "value " + std::to_string(value) + " is listed twice");
    parameter.values.push_back(value);
    return {};
  }

  Status readGrid(std::string_view rest) {
    std::string_view grid = trimmed(rest);
    if (!result.grid.empty())
      return error(grid, "the grid is given twice");
    size_t dimensions = 0;
    Result<std::vector<ExpressionName>> names = variablesOf(grid, &dimensions);
    if (!names)
      return atExpression(names.status(), placeOf(grid));
    if (dimensions > kMaxGridDimensions)
      return error(grid, "a grid has at most 3 dimensions, but there are " + std::to_string(dimensions));
    for (const ExpressionName &used : *names)
      usedNames.insert(used.name);
    result.grid = grid;
    result.gridPlace = placeOf(grid);
    return {};
  }

  // An error inside of an expression, moved to the expression's place in the text.
  Status atExpression(const Status &status, TextPlace start) const {
    const Diagnostic &inner = status.diagnostics().front();
    return textError(name, {start.line, start.column + inner.column - 1}, inner.message);
  }

  // Placeholders of the code, outside of comments and strings.
  Status readCode() {
    for (; lineStart < text().size(); nextLine()) {
      std::string_view content = currentLine();
      for (size_t at = 0; at < content.size(); ++at) {
        if (content[at] == '"') {
          at = endOfString(content, at);
        } else if (content.substr(at, 2) == "//") {
          if (Status status = refuseDirective(content.substr(at)); !status)
            return status;
          break;
        } else if (content.substr(at, 2) == "${") {
          if (Status status = readPlaceholder(content, at); !status)
            return status;
        }
      }
    }
    return {};
  }

  static size_t endOfString(std::string_view content, size_t at) {
    for (++at; at < content.size() && content[at] != '"'; ++at)
      if (content[at] == '\\')
        ++at;
    return at;
  }

  Status refuseDirective(std::string_view comment) const {
    std::string_view body = trimmed(comment.substr(2));
    for (std::string_view directive : {"tawa.param ", "tawa.setting ", "tawa.grid "})
      if (body.starts_with(directive))
        return error(body, "directives stand before the first line of code");
    return {};
  }

  // `at` is the dollar sign, and becomes the closing brace.
  Status readPlaceholder(std::string_view content, size_t &at) {
    size_t close = content.find('}', at);
    if (close == std::string_view::npos)
      return error(content.substr(at), "'${' is not closed on its line");
    std::string_view expression = content.substr(at + 2, close - at - 2);
    TextPlace place = placeOf(expression);
    size_t count = 0;
    Result<std::vector<ExpressionName>> names = variablesOf(expression, &count);
    if (!names)
      return atExpression(names.status(), place);
    if (count != 1)
      return error(expression, "'${' holds one expression, not " + std::to_string(count));
    for (const ExpressionName &used : *names) {
      if (std::ranges::find(result.parameters, used.name, &TileParameter::name) == result.parameters.end())
        return textError(name, {place.line, place.column + used.column - 1},
                         quoted(used.name) + " is not a declared tile parameter; declare it with `// tawa.param " +
                             used.name + " = ...` at the head of the text");
      usedNames.insert(used.name);
    }
    result.placeholders.push_back(
        {lineStart + at, lineStart + close + 1, std::string(expression), place.line, place.column});
    at = close;
    return {};
  }

  Status checkUse() const {
    for (const TileParameter &parameter : result.parameters)
      if (!usedNames.contains(parameter.name))
        return textError(name, {parameter.line, parameter.column},
                         "tile parameter " + quoted(parameter.name) + " is declared but never used");
    return {};
  }

  std::string_view name;
  TemplateText result;
  std::set<std::string> usedNames;
  size_t lineStart = 0;
  int line = 1;
};

std::string listed(const std::vector<int64_t> &values) {
  std::string list;
  for (int64_t value : values)
    list.append(list.empty() ? "" : ", ").append(std::to_string(value));
  return list;
}

std::vector<std::string> namesOf(const TemplateText &source) {
  std::vector<std::string> names;
  for (const TileParameter &parameter : source.parameters)
    names.push_back(parameter.name);
  return names;
}

// The value of every parameter; or why the values do not fit the declarations.
Result<std::map<std::string, int64_t>>
chooseValues(const TemplateText &source, const std::map<std::string, int64_t> &values, std::string_view name) {
  std::map<std::string, int64_t> chosen;
  for (const TileParameter &parameter : source.parameters) {
    auto given = values.find(parameter.name);
    int64_t value = given == values.end() ? parameter.values.front() : given->second;
    if (std::ranges::find(parameter.values, value) == parameter.values.end())
      return textError(name, {parameter.line, parameter.column},
                       "configuration: " + parameter.name + "=" + std::to_string(value) +
                           " is not one of the values that the text lists: " + listed(parameter.values),
                       StatusCode::InvalidArgument);
    chosen[parameter.name] = value;
  }
  for (const auto &[given, value] : values)
    if (!chosen.contains(given))
      return Status(StatusCode::InvalidArgument, std::string(name) + ": " + unknownKey(given, namesOf(source)));
  return chosen;
}

// A grid that no launch could have fails for these values whatever the arguments are.
Status checkGrid(const TemplateText &source, const VariableLookup &chosen, std::string_view name) {
  Result<std::vector<ExpressionName>> names = variablesOf(source.grid, nullptr, chosen);
  if (source.grid.empty() || names)
    return {};
  const Diagnostic &inner = names.status().diagnostics().front();
  return textError(name, {source.gridPlace.line, source.gridPlace.column + inner.column - 1}, inner.message,
                   StatusCode::InvalidArgument);
}

} // namespace

Result<TemplateText> parseDirectives(std::string_view text, std::string_view name) { return Reader(text, name).run(); }

std::map<std::string, int64_t> valuesOfText(const TemplateText &source, std::map<std::string, int64_t> values) {
  std::erase_if(values, [&](const auto &value) {
    return isTileSize(value.first) &&
           std::ranges::find(source.parameters, value.first, &TileParameter::name) == source.parameters.end();
  });
  return values;
}

Result<std::string> withSettings(const TemplateText &source, const std::map<std::string, int64_t> &values,
                                 std::string_view name) {
  Result<std::map<std::string, int64_t>> chosen = chooseValues(source, values, name);
  if (!chosen)
    return chosen.status();
  std::string fixed;
  size_t done = 0;
  for (const TileParameter &parameter : source.parameters) {
    if (!parameter.isSetting)
      continue;
    std::string value = std::to_string(chosen->at(parameter.name));
    fixed.append(source.text, done, parameter.valuesBegin - done).append(" " + value);
    done = parameter.valuesEnd;
  }
  return fixed.append(source.text, done);
}

Result<std::string> expand(const TemplateText &source, const std::map<std::string, int64_t> &values,
                           std::string_view name) {
  Result<std::map<std::string, int64_t>> chosen = chooseValues(source, values, name);
  if (!chosen)
    return chosen.status();
  auto lookup = [&](std::string_view variable) -> std::optional<int64_t> {
    auto found = chosen->find(std::string(variable));
    return found == chosen->end() ? std::nullopt : std::optional(found->second);
  };
  if (Status status = checkGrid(source, lookup, name); !status)
    return status;
  std::string expanded;
  size_t done = 0;
  for (const Placeholder &placeholder : source.placeholders) {
    Result<int64_t> value = evaluate(placeholder.expression, lookup);
    if (!value) {
      const Diagnostic &inner = value.status().diagnostics().front();
      return textError(name, {placeholder.line, placeholder.column + inner.column - 1}, inner.message,
                       StatusCode::InvalidArgument);
    }
    expanded.append(source.text, done, placeholder.begin - done).append(std::to_string(*value));
    done = placeholder.end;
  }
  return expanded.append(source.text, done);
}

} // namespace tawa
