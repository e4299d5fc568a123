// Building, hashing and comparing of key texts.
#include "runtime/store/Key.h"

#include "runtime/support/Hash.h"

#include <algorithm>
#include <charconv>

namespace tawa::store {

std::string_view kindName(KeyKind kind) {
  switch (kind) {
  case KeyKind::Compile:
    return "compile";
  case KeyKind::Tune:
    return "tune";
  case KeyKind::Load:
    return "load";
  case KeyKind::Preset:
    return "preset";
  case KeyKind::Plan:
    return "plan";
  }
  return "unknown";
}

Key::Key(KeyKind kind, int version) : itsKind(kind) {
  canonical.append("tawa ").append(kindName(kind)).append(" ").append(std::to_string(version)).append("\n");
}

Key &Key::field(std::string_view name, std::string_view value) {
  canonical.append(name).append(" ");
  for (char c : value) {
    if (c == '\n')
      canonical += "\\n";
    else if (c == '\\')
      canonical += "\\\\";
    else
      canonical += c;
  }
  canonical += '\n';
  return *this;
}

Key &Key::block(std::string_view name, std::string_view bytes) {
  canonical.append("block ").append(name).append(" ").append(std::to_string(bytes.size())).append("\n");
  canonical.append(bytes).append("\n");
  return *this;
}

std::string Key::hash() const { return hash128(canonical); }

/// The line that `text` starts with, taken off it.
static std::string_view takeLine(std::string_view &text) {
  size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

static std::pair<std::string_view, std::string_view> splitAtSpace(std::string_view line) {
  size_t space = std::min(line.find(' '), line.size());
  return {line.substr(0, space), line.substr(std::min(space + 1, line.size()))};
}

std::vector<KeyField> fieldsOf(std::string_view text) {
  std::vector<KeyField> fields;
  while (!text.empty()) {
    auto [name, value] = splitAtSpace(takeLine(text));
    if (name != "block") {
      fields.push_back({std::string(name), std::string(value)});
      continue;
    }
    auto [blockName, length] = splitAtSpace(value);
    size_t size = 0;
    std::from_chars(length.data(), length.data() + length.size(), size);
    if (size > text.size())
      break;
    std::string summary = std::to_string(size) + " bytes, " + hash128(text.substr(0, size));
    fields.push_back({std::string(blockName), summary});
    text.remove_prefix(std::min(size + 1, text.size()));
  }
  return fields;
}

std::vector<KeyDifference> differences(std::string_view here, std::string_view there) {
  std::vector<KeyField> ours = fieldsOf(here), theirs = fieldsOf(there);
  auto valueIn = [](const std::vector<KeyField> &fields, const std::string &name) {
    auto found =
        std::find_if(fields.begin(), fields.end(), [&](const KeyField &candidate) { return candidate.name == name; });
    return found == fields.end() ? std::string() : found->value;
  };
  std::vector<KeyDifference> found;
  for (const KeyField &field : ours)
    if (std::string other = valueIn(theirs, field.name); other != field.value)
      found.push_back({field.name, field.value, other});
  for (const KeyField &field : theirs)
    if (valueIn(ours, field.name).empty() && !field.value.empty())
      found.push_back({field.name, "", field.value});
  return found;
}

} // namespace tawa::store
