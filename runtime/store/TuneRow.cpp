// Tune rows as text: one "name value" line each, numbers with enough digits to be restored exactly.
#include "runtime/store/TuneRow.h"

#include "runtime/artifact/PayloadHead.h"
#include "runtime/store/Row.h"

#include <charconv>
#include <cmath>

namespace tawa::store {

static constexpr const char *kFormat = "tune-row 3"; // raise it when a line changes its meaning

static constexpr std::pair<TuneRow::Outcome, std::string_view> kOutcomes[] = {
    {TuneRow::Outcome::Predicted, "predicted"}, {TuneRow::Outcome::Measured, "measured"},
    {TuneRow::Outcome::Verified, "verified"},   {TuneRow::Outcome::Failed, "failed"},
    {TuneRow::Outcome::Refused, "refused"},
};

std::string_view outcomeName(TuneRow::Outcome outcome) {
  for (const auto &[value, name] : kOutcomes)
    if (value == outcome)
      return name;
  return "unknown";
}

static std::string digits(double number) {
  char text[64];
  return {text, std::to_chars(text, text + sizeof(text), number).ptr};
}

std::string writeTuneRow(const Key &key, const TuneRow &row) {
  std::string text = payloadHead(kFormat, payloadOwner(key.hash(), row.config));
  auto line = [&](std::string_view name, std::string_view value) {
    text.append(name).append(" ").append(std::to_string(value.size())).append(" ").append(value).append("\n");
  };
  line("outcome", outcomeName(row.outcome));
  line("reason", row.reason);
  line("bound", row.bound);
  line("predicted", digits(row.predicted));
  line("median", digits(row.median));
  line("best", digits(row.best));
  line("spread", digits(row.spread));
  line("samples", std::to_string(row.samples));
  line("default", row.isDefault ? "1" : "0");
  line("space", row.isOfSpace ? "1" : "0");
  line("build", row.build);
  line("driver", std::to_string(row.driver));
  return text;
}

namespace {

/// Reads the lines in the order in which they were written.
class LineReader {
public:
  explicit LineReader(std::string_view text) : rest(text) {}

  bool literal(std::string_view expected) {
    if (!rest.starts_with(expected))
      return false;
    rest.remove_prefix(expected.size());
    return true;
  }
  bool line(std::string_view name, std::string_view &value) {
    size_t size = 0;
    if (!literal(name) || !literal(" "))
      return false;
    auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), size);
    rest.remove_prefix(end - rest.data());
    if (error != std::errc() || !literal(" ") || size >= rest.size())
      return false;
    value = rest.substr(0, size);
    rest.remove_prefix(size);
    return literal("\n");
  }
  bool text(std::string_view name, std::string &into) {
    std::string_view value;
    if (!line(name, value))
      return false;
    into = value;
    return true;
  }
  bool flag(std::string_view name, bool &into) {
    int value = -1;
    if (!number(name, value) || value < 0 || value > 1)
      return false;
    into = value == 1;
    return true;
  }
  template <typename Number> bool number(std::string_view name, Number &into) {
    std::string_view text;
    if (!line(name, text))
      return false;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), into);
    return error == std::errc() && end == text.data() + text.size();
  }
  bool atEnd() const { return rest.empty(); }

private:
  std::string_view rest;
};

bool readOutcome(LineReader &reader, TuneRow::Outcome &outcome) {
  std::string_view found;
  if (!reader.line("outcome", found))
    return false;
  for (const auto &[value, name] : kOutcomes)
    if (name == found) {
      outcome = value;
      return true;
    }
  return false;
}

} // namespace

Result<TuneRow> readTuneRow(std::string_view payload) {
  std::optional<std::string_view> owner = takePayloadHead(kFormat, payload);
  if (!owner)
    return Status(StatusCode::CacheCorrupt, "a tuning row is of another version");
  TuneRow row;
  if (size_t space = owner->find(' '); space != owner->npos)
    row.config = owner->substr(space + 1);
  LineReader reader(payload);
  bool isRight = !row.config.empty() && readOutcome(reader, row.outcome) && reader.text("reason", row.reason) &&
                 reader.text("bound", row.bound) && reader.number("predicted", row.predicted) &&
                 reader.number("median", row.median) && reader.number("best", row.best) &&
                 reader.number("spread", row.spread) && reader.number("samples", row.samples) &&
                 reader.flag("default", row.isDefault) && reader.flag("space", row.isOfSpace) &&
                 reader.text("build", row.build) && reader.number("driver", row.driver) && reader.atEnd();
  if (!isRight || !std::isfinite(row.median) || !std::isfinite(row.predicted))
    return Status(StatusCode::CacheCorrupt, "a tuning row cannot be read");
  return row;
}

} // namespace tawa::store
