// A scope check of SSA names on tokens. One pass over the tokens with a tree of scopes, one for each pair of braces
// (those of attributes hold no definitions and do no harm). Arguments of functions and loops belong to the scope that
// opens after them.
#include "compiler/frontend/text/ValueOrder.h"

#include <set>
#include <unordered_map>

namespace tawa {
namespace {

class ValueOrder {
public:
  ValueOrder(std::string_view text, std::string_view name, const std::vector<Token> &tokens)
      : text(text), name(name), tokens(tokens) {
    scopes.push_back({});
  }

  Status run() {
    for (size_t at = 0; at < tokens.size(); ++at) {
      if (isMark(at, "(") || isMark(at, "[") || isMark(at, "{"))
        enter(at);
      else if (isMark(at, ")") || isMark(at, "]") || isMark(at, "}"))
        leave(at);
      else if (tokens[at].kind == Token::Kind::Value)
        if (Status status = value(at); !status)
          return status;
    }
    return {};
  }

private:
  struct Scope {
    size_t parent = 0;
    std::set<std::string_view> defined;
  };
  struct Use {
    size_t token, scope;
  };

  std::string_view spelling(size_t at) const {
    return at < tokens.size() ? text.substr(tokens[at].begin, tokens[at].end - tokens[at].begin) : std::string_view();
  }
  bool isMark(size_t at, std::string_view mark) const {
    return at < tokens.size() && tokens[at].kind == Token::Kind::Mark && spelling(at) == mark;
  }

  void enter(size_t at) {
    std::string_view before = at > 0 ? spelling(at - 1) : std::string_view();
    if (isMark(at, "{")) {
      scopes.push_back({current, {}});
      current = scopes.size() - 1;
      if (open.size() == pendingNesting && before != "attributes") {
        scopes[current].defined.insert(pending.begin(), pending.end());
        pending.clear();
      }
    }
    open.push_back(isMark(at, "(") ? before : std::string_view());
  }

  void leave(size_t at) {
    if (tokens[at].partner == 0 || open.empty())
      return; // closes nothing: the parser will say so
    open.pop_back();
    if (isMark(at, "}"))
      current = scopes[current].parent;
  }

  /// Whether `%a =`, `%a:2 =` or `%a, %b =` begins here: results, and loop-carried values.
  bool isDefined(size_t at) {
    if (at < listEnd)
      return listIsDefined;
    listIsDefined = false;
    if (at > 0 && isMark(at - 1, "="))
      return false; // what an argument starts with
    for (listEnd = at; listEnd < tokens.size() && tokens[listEnd].kind == Token::Kind::Value;) {
      ++listEnd;
      if (isMark(listEnd, ":") && listEnd + 1 < tokens.size() && tokens[listEnd + 1].kind == Token::Kind::Number)
        listEnd += 2;
      listIsDefined = isMark(listEnd, "=");
      if (!isMark(listEnd, ","))
        break;
      ++listEnd;
    }
    return listIsDefined;
  }

  Status value(size_t at) {
    std::string_view list = open.empty() ? std::string_view() : open.back(); // "iter_args", "@f", "^bb0"
    bool defined = isDefined(at);
    bool isParameter = isMark(at + 1, ":") && !list.empty() && (list.front() == '@' || list.front() == '^');
    if (defined && at > 0 && spelling(at - 1) == "scf.for")
      return defineInRegion(at, open.size());
    if ((defined && (list == "iter_args" || list == "scf.while")) || (isParameter && list.front() == '@'))
      return defineInRegion(at, open.size() - 1);
    if (defined || isParameter)
      return define(at);
    if (!isVisible(spelling(at)))
      early[spelling(at)].push_back({at, current});
    return {};
  }

  bool isVisible(std::string_view value) const {
    for (size_t scope = current;; scope = scopes[scope].parent)
      if (scopes[scope].defined.contains(value))
        return true;
      else if (scope == 0)
        return false;
  }

  /// Defines the arguments of the next region at this nesting of brackets.
  Status defineInRegion(size_t at, size_t nesting) {
    if (auto uses = early.find(spelling(at)); uses != early.end())
      return tooEarly(uses->second.front());
    pending.push_back(spelling(at));
    pendingNesting = nesting;
    return {};
  }

  Status define(size_t at) {
    scopes[current].defined.insert(spelling(at));
    auto uses = early.find(spelling(at));
    if (uses == early.end())
      return {};
    for (const Use &use : uses->second)
      if (!encloses(current, use.scope))
        return tooEarly(use);
    early.erase(uses);
    return {};
  }

  bool encloses(size_t outer, size_t inner) const {
    while (inner > outer) // a scope is made after its parent
      inner = scopes[inner].parent;
    return inner == outer;
  }

  Status tooEarly(const Use &use) const {
    return textError(name, tokens[use.token].place,
                     "'" + std::string(spelling(use.token)) +
                         "' is used here, but defined only later, inside of a region");
  }

  std::string_view text;
  std::string_view name;
  const std::vector<Token> &tokens;
  std::vector<Scope> scopes; ///< The first is the text's own.
  size_t current = 0;
  std::vector<std::string_view> open;    ///< What stands before each open parenthesis; empty for other brackets.
  std::vector<std::string_view> pending; ///< Defined by the next region at `pendingNesting` open brackets.
  size_t pendingNesting = 0;
  size_t listEnd = 0; ///< Tokens before it belong to a list of values that isDefined() has looked at.
  bool listIsDefined = false;
  std::unordered_map<std::string_view, std::vector<Use>> early; ///< Uses of what is not defined yet.
};

} // namespace

Status checkValueOrder(std::string_view text, std::string_view name, const std::vector<Token> &tokens) {
  return ValueOrder(text, name, tokens).run();
}

} // namespace tawa
