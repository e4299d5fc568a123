// Joins the environment table with the values of this process.
#include "bindings/cli/Environment.h"

#include "bindings/cli/Options.h"
#include "tawa/tawa.h"

#include <unistd.h>

namespace tawa::cli {

/// Calls visit(name, value) for every variable.
template <typename Visit> static void forEachVariable(Visit visit) {
  for (char **entry = environ; entry && *entry; ++entry) {
    std::string_view text = *entry;
    if (size_t equals = text.find('='); equals != text.npos)
      visit(text.substr(0, equals), text.substr(equals + 1));
  }
}

std::vector<Variable> knownVariables() {
  constexpr std::string_view fallback = " (default: ", meaning = "): ";
  std::vector<Variable> known;
  for (const std::string &line : split(tawa_environment_help(), '\n')) {
    size_t first = line.find(fallback), second = line.find(meaning, first);
    if (first == line.npos || second == line.npos)
      continue;
    size_t begin = first + fallback.size();
    known.push_back({line.substr(0, first), line.substr(begin, second - begin), line.substr(second + meaning.size())});
  }
  return known;
}

std::vector<std::pair<std::string, std::string>> variablesSet() {
  std::vector<std::pair<std::string, std::string>> found;
  forEachVariable([&](std::string_view name, std::string_view value) {
    if (name.starts_with("TAWA_"))
      found.emplace_back(name, value);
  });
  return found;
}

std::optional<std::string> environmentValue(std::string_view wanted) {
  std::optional<std::string> found;
  forEachVariable([&](std::string_view name, std::string_view value) {
    if (name == wanted && !value.empty())
      found = value;
  });
  return found;
}

} // namespace tawa::cli
