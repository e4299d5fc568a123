// `tawa cache ls|show|stats|verify|prune|export|import|merge|seal`: lists, checks and copies cache contents.
#include "bindings/cli/Commands.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <map>

namespace tawa::cli {
namespace {

using CacheHandle = std::unique_ptr<tawa_cache, Releaser<tawa_cache_release>>;

/// The command line of every subcommand.
struct CacheOptions {
  std::string path, kind, maxSize;
  long long days = 0;
  bool json = false, repair = false;
  std::vector<std::string> words; ///< Arguments after the subcommand.
  tawa_cache_kind_t kindNumber = TAWA_CACHE_ALL;

  void declare(Options &options) {
    options.value("--cache", "PATH", path,
                  "the cache: a folder, or a file that was exported (default: as tawa env says)");
    options.value("--kind", "KIND", kind, "only entries of a kind: compile, tune, load, preset or plan");
    options.value("--max-size", "BYTES", maxSize, "prune: keep at most so much; K, M, G");
    options.number("--days", "N", days, "prune: remove what was not used for N days");
    options.flag("--repair", repair, "verify: remove bad entries");
    options.flag("--json", json, "print JSON");
  }
};

struct Entry {
  std::string kind, hash, key, summary, fault;
  uint64_t bytes = 0;
  int64_t made = 0, used = 0;
};

constexpr const char *kKinds[] = {"all", "compile", "tune", "load", "preset", "plan"};

std::string dateOf(int64_t seconds) {
  std::time_t time = seconds;
  std::tm parts{};
  char text[32] = "";
  gmtime_r(&time, &parts);
  std::strftime(text, sizeof(text), "%Y-%m-%d %H:%M", &parts);
  return text;
}

ExitCode openCache(const Console &console, const std::string &path, tawa_cache_access_t access, CacheHandle &cache) {
  ErrorSink error;
  tawa_cache_t opened = nullptr;
  if (tawa_cache_open(path.empty() ? nullptr : path.c_str(), access, &opened, error))
    return console.failed(error);
  cache.reset(opened);
  return ExitCode::Ok;
}

int collect(void *user, const tawa_cache_entry_t *entry) {
  static_cast<std::vector<Entry> *>(user)->push_back({kKinds[entry->kind <= TAWA_CACHE_PLAN ? entry->kind : 0],
                                                      entry->hash, entry->key, entry->summary, entry->fault,
                                                      entry->bytes, entry->made, entry->used});
  return 0;
}

/// The folder or file of the selected cache; empty where the environment disables it.
std::string pathOf(const CacheOptions &given) {
  char *folder = nullptr;
  if (!given.path.empty() || tawa_cache_folder(&folder, nullptr))
    return given.path;
  std::string path = folder;
  tawa_free(folder);
  return path;
}

/// There is nothing, or a folder in which nothing was kept yet.
bool isYetToBeMade(const std::string &path) {
  namespace fs = std::filesystem;
  std::error_code error;
  bool isThere = fs::exists(path, error);
  return !path.empty() && !error && (!isThere || (fs::is_directory(path, error) && fs::is_empty(path, error)));
}

int collectBad(void *user, const tawa_cache_entry_t *entry) { return *entry->fault ? collect(user, entry) : 0; }

/// Entries of the kind asked for.
ExitCode readEntries(const Console &console, const CacheOptions &given, std::vector<Entry> &entries) {
  if (std::string path = pathOf(given); isYetToBeMade(path)) {
    console.remark("tawa: there is no cache at " + path + " yet\n");
    return ExitCode::Ok;
  }
  CacheHandle cache;
  if (ExitCode code = openCache(console, given.path, TAWA_CACHE_READ, cache); code != ExitCode::Ok)
    return code;
  ErrorSink error;
  if (tawa_cache_visit(cache.get(), collect, &entries, error))
    return console.failed(error);
  if (!given.kind.empty())
    std::erase_if(entries, [&](const Entry &entry) { return entry.kind != given.kind; });
  return ExitCode::Ok;
}

void writeEntry(JsonWriter &writer, const Entry &entry, bool withKey) {
  writer.beginObject().text("kind", entry.kind).text("hash", entry.hash).text("summary", entry.summary);
  writer.integer("bytes", static_cast<int64_t>(entry.bytes)).integer("made", entry.made).integer("used", entry.used);
  if (!entry.fault.empty())
    writer.text("fault", entry.fault);
  if (withKey)
    writer.text("key", entry.key);
  writer.endObject();
}

ExitCode printEntries(const CacheOptions &given, const std::vector<Entry> &entries, bool withKey) {
  if (given.json) {
    JsonWriter writer;
    writer.beginArray();
    for (const Entry &entry : entries)
      writeEntry(writer, entry, withKey);
    writer.endArray();
    std::fputs(writer.take().c_str(), stdout);
    return ExitCode::Ok;
  }
  for (const Entry &entry : entries) {
    std::printf("%-7s %s  %s  %9llu  %s\n", entry.kind.c_str(), entry.hash.c_str(), dateOf(entry.used).c_str(),
                static_cast<unsigned long long>(entry.bytes),
                entry.fault.empty() ? entry.summary.c_str() : ("BAD: " + entry.fault).c_str());
    if (withKey)
      std::printf("\n%s\n", entry.key.c_str());
  }
  return ExitCode::Ok;
}

ExitCode list(const Console &console, const CacheOptions &given) {
  std::vector<Entry> entries;
  ExitCode code = readEntries(console, given, entries);
  return code == ExitCode::Ok ? printEntries(given, entries, false) : code;
}

ExitCode show(const Console &console, const CacheOptions &given) {
  std::vector<Entry> entries;
  if (ExitCode code = readEntries(console, given, entries); code != ExitCode::Ok)
    return code;
  std::erase_if(entries, [&](const Entry &entry) { return !entry.hash.starts_with(given.words[0]); });
  if (entries.empty())
    return console.failed(ExitCode::CacheMiss, "no entry whose hash begins with " + given.words[0]);
  return printEntries(given, entries, true);
}

ExitCode stats(const Console &console, const CacheOptions &given) {
  struct Sum {
    int64_t entries = 0, bytes = 0, bad = 0;
  };
  std::vector<Entry> entries;
  if (ExitCode code = readEntries(console, given, entries); code != ExitCode::Ok)
    return code;
  std::map<std::string, Sum> sums;
  for (int kind = TAWA_CACHE_COMPILE; kind <= TAWA_CACHE_PLAN; ++kind)
    sums[kKinds[kind]] = {};
  for (const Entry &entry : entries) {
    Sum &sum = sums[entry.kind];
    ++sum.entries;
    sum.bytes += static_cast<int64_t>(entry.bytes);
    sum.bad += !entry.fault.empty();
  }
  JsonWriter writer;
  writer.beginObject();
  for (const auto &[kind, sum] : sums) {
    writer.beginObject(kind).integer("entries", sum.entries).integer("bytes", sum.bytes).integer("bad", sum.bad);
    writer.endObject();
    if (!given.json)
      std::printf("%-7s %6lld entries %12lld bytes %4lld bad\n", kind.c_str(), static_cast<long long>(sum.entries),
                  static_cast<long long>(sum.bytes), static_cast<long long>(sum.bad));
  }
  writer.endObject();
  if (given.json)
    std::fputs(writer.take().c_str(), stdout);
  return ExitCode::Ok;
}

/// One number as the result.
ExitCode report(const CacheOptions &given, const char *what, uint64_t count) {
  if (given.json) {
    JsonWriter writer;
    writer.beginObject().integer(what, static_cast<int64_t>(count)).endObject();
    std::fputs(writer.take().c_str(), stdout);
  } else {
    std::printf("%s: %llu\n", what, static_cast<unsigned long long>(count));
  }
  return ExitCode::Ok;
}

ExitCode verify(const Console &console, const CacheOptions &given) {
  CacheHandle cache;
  if (ExitCode code = openCache(console, given.path, given.repair ? TAWA_CACHE_WRITE : TAWA_CACHE_READ, cache);
      code != ExitCode::Ok)
    return code;
  ErrorSink error;
  uint64_t bad = 0;
  std::vector<Entry> entries;
  tawa_cache_visit(cache.get(), collectBad, &entries, nullptr); // what it cannot read, the next call names
  if (tawa_cache_verify(cache.get(), given.repair, &bad, error))
    return console.failed(error);
  if (!given.json)
    printEntries(given, entries, false);
  report(given, given.repair ? "removed" : "bad", bad);
  return bad == 0 || given.repair ? ExitCode::Ok : ExitCode::VerificationFailed;
}

/// "64M" in bytes; false for anything else.
bool parseSize(const std::string &text, uint64_t &bytes) {
  size_t unit = text.find_last_not_of("KMG");
  std::optional<long long> number = parseInteger(text.substr(0, unit + 1));
  std::string letter = unit == std::string::npos ? text : text.substr(unit + 1);
  int shift = letter == "K" ? 10 : letter == "M" ? 20 : letter == "G" ? 30 : 0;
  bool isRight = number && *number >= 0 && *number < (1LL << 32) && (letter.empty() || shift);
  bytes = isRight ? static_cast<uint64_t>(*number) << shift : 0;
  return isRight;
}

ExitCode prune(const Console &console, const CacheOptions &given) {
  uint64_t bytes = UINT64_MAX, removed = 0;
  if (given.maxSize.empty() && given.days <= 0)
    return console.failed(ExitCode::Usage, "prune needs --max-size or --days");
  if (!given.maxSize.empty() && !parseSize(given.maxSize, bytes))
    return console.failed(ExitCode::Usage, "--max-size wants a number with K, M or G, got " + given.maxSize);
  CacheHandle cache;
  if (ExitCode code = openCache(console, given.path, TAWA_CACHE_WRITE, cache); code != ExitCode::Ok)
    return code;
  constexpr int64_t kDay = int64_t{24} * 60 * 60;
  int64_t since = given.days > 0 ? static_cast<int64_t>(std::time(nullptr)) - given.days * kDay : INT64_MIN;
  ErrorSink error;
  if (tawa_cache_prune(cache.get(), bytes, since, &removed, error))
    return console.failed(error);
  return report(given, "removed", removed);
}

ExitCode exportTo(const Console &console, const CacheOptions &given, bool seal) {
  CacheHandle cache;
  if (ExitCode code = openCache(console, given.path, TAWA_CACHE_READ, cache); code != ExitCode::Ok)
    return code;
  ErrorSink error;
  uint64_t copied = 0;
  if (tawa_cache_export(cache.get(), given.words[0].c_str(), given.kindNumber, seal, &copied, error))
    return console.failed(error);
  return report(given, "copied", copied);
}

ExitCode exportPlain(const Console &console, const CacheOptions &given) { return exportTo(console, given, false); }
ExitCode seal(const Console &console, const CacheOptions &given) { return exportTo(console, given, true); }

/// `import` and `merge`: the entries of other caches into ours.
ExitCode bringIn(const Console &console, const CacheOptions &given) {
  CacheHandle ours;
  if (ExitCode code = openCache(console, given.path, TAWA_CACHE_WRITE, ours); code != ExitCode::Ok)
    return code;
  uint64_t total = 0;
  for (const std::string &source : given.words) {
    CacheHandle theirs;
    if (ExitCode code = openCache(console, source, TAWA_CACHE_READ, theirs); code != ExitCode::Ok)
      return code;
    ErrorSink error;
    uint64_t copied = 0;
    if (tawa_cache_copy(theirs.get(), ours.get(), given.kindNumber, &copied, error))
      return console.failed(error);
    total += copied;
  }
  return report(given, "copied", total);
}

struct Subcommand {
  const char *name;
  size_t fewest, most; ///< Further words.
  ExitCode (*run)(const Console &console, const CacheOptions &given);
};
constexpr Subcommand kSubcommands[] = {
    {"ls", 0, 0, list},
    {"show", 1, 1, show},
    {"stats", 0, 0, stats},
    {"verify", 0, 0, verify},
    {"prune", 0, 0, prune},
    {"export", 1, 1, exportPlain},
    {"seal", 1, 1, seal},
    {"import", 1, SIZE_MAX, bringIn},
    {"merge", 2, SIZE_MAX, bringIn},
};

const Subcommand *findSubcommand(const std::vector<std::string> &words) {
  for (const Subcommand &subcommand : kSubcommands)
    if (!words.empty() && words[0] == subcommand.name && words.size() - 1 >= subcommand.fewest &&
        words.size() - 1 <= subcommand.most)
      return &subcommand;
  return nullptr;
}

std::string misuse(const Command &command, const std::vector<std::string> &words) {
  std::vector<std::string> names;
  for (const Subcommand &subcommand : kSubcommands)
    names.emplace_back(subcommand.name);
  std::string usage = std::string("usage: tawa cache ") + command.arguments;
  bool isKnown = words.empty() || std::ranges::find(names, words[0]) != names.end();
  return isKnown ? usage : "no command 'cache " + words[0] + "'" + suggest(words[0], names) + "\n" + usage;
}

} // namespace

ExitCode runCache(const Command &command, int count, char **arguments) {
  CacheOptions given;
  std::vector<std::string> words;
  if (std::optional<ExitCode> code = readCommandLine(command, given, count, arguments, words, kAnyFiles))
    return *code;
  Console console(given.json);
  const Subcommand *subcommand = findSubcommand(words);
  if (!subcommand)
    return console.failed(ExitCode::Usage, misuse(command, words));
  for (int kind = TAWA_CACHE_COMPILE; kind <= TAWA_CACHE_PLAN; ++kind)
    if (given.kind == kKinds[kind])
      given.kindNumber = static_cast<tawa_cache_kind_t>(kind);
  if (!given.kind.empty() && given.kindNumber == TAWA_CACHE_ALL)
    return console.failed(ExitCode::Usage, "--kind knows compile, tune, load, preset and plan, not " + given.kind);
  given.words.assign(words.begin() + 1, words.end());
  return subcommand->run(console, given);
}

} // namespace tawa::cli
