// Tune rows as text: one "name value" line each, numbers with enough digits to come back as they were.
#include "runtime/store/TuneRow.h"

#include "runtime/store/Key.h"

#include <charconv>
#include <cmath>

namespace tawa::store {

static constexpr TuneRow::Outcome kOutcomes[] = {TuneRow::Outcome::Measured, TuneRow::Outcome::Failed,
                                                 TuneRow::Outcome::Refused};

std::string_view outcomeName(TuneRow::Outcome outcome) {
  switch (outcome) {
  case TuneRow::Outcome::Measured:
    return "measured";
  case TuneRow::Outcome::Failed:
    return "failed";
  case TuneRow::Outcome::Refused:
    return "refused";
  }
  return "unknown";
}

static std::string digits(double number) {
  char text[64];
  return {text, std::to_chars(text, text + sizeof(text), number).ptr};
}

std::string writeTuneRow(const TuneRow &row) {
  std::string text = "tune-row 1\n";
  auto line = [&](std::string_view name, std::string_view value) {
    text.append(name).append(" ").append(std::to_string(value.size())).append(" ").append(value).append("\n");
  };
  line("outcome", outcomeName(row.outcome));
  line("median", digits(row.time.median));
  line("best", digits(row.time.best));
  line("spread", digits(row.time.spread));
  line("samples", std::to_string(row.time.samples));
  line("reason", row.reason);
  line("provenance", row.provenance);
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
  std::string_view name;
  if (!reader.line("outcome", name))
    return false;
  for (TuneRow::Outcome candidate : kOutcomes)
    if (outcomeName(candidate) == name) {
      outcome = candidate;
      return true;
    }
  return false;
}

} // namespace

Result<TuneRow> readTuneRow(std::string_view config, std::string_view payload) {
  TuneRow row;
  row.config = config;
  LineReader reader(payload);
  std::string_view reason, provenance;
  bool isRight = reader.literal("tune-row 1\n") && readOutcome(reader, row.outcome) &&
                 reader.number("median", row.time.median) && reader.number("best", row.time.best) &&
                 reader.number("spread", row.time.spread) && reader.number("samples", row.time.samples) &&
                 reader.line("reason", reason) && reader.line("provenance", provenance) && reader.atEnd();
  if (!isRight || !std::isfinite(row.time.median))
    return Status(StatusCode::CacheCorrupt, "a tuning row cannot be read");
  row.reason = reason;
  row.provenance = provenance;
  return row;
}

} // namespace tawa::store
