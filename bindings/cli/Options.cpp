// The command-line reader of Options.h.
#include "bindings/cli/Options.h"

#include <algorithm>
#include <charconv>

namespace tawa::cli {

/// Letters to put in, leave out, replace or swap with the next one to make one word of the other.
static size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> cost(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i)
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  return cost[a.size()][b.size()];
}

std::string suggest(std::string_view word, const std::vector<std::string> &names) {
  constexpr size_t kFarthest = 40; // longer words are no misspelt names
  if (names.empty() || word.empty() || word.size() > kFarthest)
    return {};
  auto distance = [&](const std::string &name) {
    return name.starts_with(word) ? 1 : editDistance(word, name); // a beginning is as good as one wrong letter
  };
  auto nearest = std::ranges::min_element(names, {}, distance);
  return distance(*nearest) <= 1 + word.size() / 4 ? " (did you mean " + *nearest + "?)" : std::string();
}

std::optional<long long> parseInteger(std::string_view text) {
  long long number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return number;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    size_t at = text.find(separator);
    parts.emplace_back(text.substr(0, at));
    if (at == std::string_view::npos)
      return parts;
    text.remove_prefix(at + 1);
  }
}

void Options::flag(std::string name, bool &into, std::string help) {
  options.push_back({std::move(name), "", std::move(help), [&into](std::string_view) { return into = true; }});
}

void Options::value(std::string name, std::string placeholder, std::string &into, std::string help) {
  options.push_back({std::move(name), std::move(placeholder), std::move(help), [&into](std::string_view text) {
                       into = text;
                       return true;
                     }});
}

void Options::number(std::string name, std::string placeholder, long long &into, std::string help) {
  options.push_back({std::move(name), std::move(placeholder), std::move(help), [&into](std::string_view text) {
                       std::optional<long long> number = parseInteger(text);
                       into = number.value_or(into);
                       return number.has_value();
                     }});
}

void Options::list(std::string name, std::string placeholder, std::vector<std::string> &into, std::string help) {
  options.push_back({std::move(name), std::move(placeholder), std::move(help), [&into](std::string_view text) {
                       into.emplace_back(text);
                       return true;
                     }});
}

Options::Option *Options::find(std::string_view name) {
  auto found = std::find_if(options.begin(), options.end(), [&](const Option &option) { return option.name == name; });
  return found == options.end() ? nullptr : &*found;
}

std::string Options::unknown(std::string_view name) const {
  std::vector<std::string> names = {"--help"};
  for (const Option &option : options)
    names.push_back(option.name);
  return "unknown option " + std::string(name) + suggest(name, names);
}

std::optional<std::string> Options::parse(int count, const char *const *arguments,
                                          std::vector<std::string> &positional) {
  for (int i = 0; i < count; ++i) {
    std::string_view word = arguments[i];
    if (word == "--help" || word == "-h") {
      help = true;
      return std::nullopt;
    }
    if (word.size() < 2 || word[0] != '-') { // A lone "-" names standard input or output.
      positional.emplace_back(word);
      continue;
    }
    size_t equals = word.find('=');
    std::string_view name = word.substr(0, equals);
    Option *option = word == "-o" ? find("--output") : find(name);
    if (!option)
      return unknown(name);
    bool isFlag = option->placeholder.empty();
    std::string_view text;
    if (equals != std::string_view::npos) {
      if (isFlag)
        return option->name + " takes no value";
      text = word.substr(equals + 1);
    } else if (!isFlag) {
      if (++i == count)
        return option->name + " needs a value: " + option->placeholder;
      text = arguments[i];
    }
    if (!option->take(text))
      return option->name + " wants " + option->placeholder + ", got '" + std::string(text) + "'";
  }
  return std::nullopt;
}

std::string Options::describe() const {
  size_t width = 0;
  for (const Option &option : options)
    width = std::max(width, option.name.size() + option.placeholder.size() + 1);
  std::string text;
  for (const Option &option : options) {
    std::string left = option.placeholder.empty() ? option.name : option.name + " " + option.placeholder;
    text += "  " + left + std::string(width - left.size() + 2, ' ') + option.help + "\n";
  }
  return text;
}

} // namespace tawa::cli
