// Environment: the variables that the library reads, with their values in this process.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tawa::cli {

/// One line of tawa_environment_help().
struct Variable {
  std::string name, fallback, meaning;
};
std::vector<Variable> knownVariables();

/// TAWA_* variables that are set in this process, with their values.
std::vector<std::pair<std::string, std::string>> variablesSet();

/// A variable's value; nothing where it is unset or empty.
std::optional<std::string> environmentValue(std::string_view name);

} // namespace tawa::cli
