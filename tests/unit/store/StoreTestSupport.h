// Helpers of the store's tests: a folder removed with the test, keys, and direct access to the file.
#pragma once

#include "runtime/artifact/PayloadHead.h"
#include "runtime/store/Schema.h"
#include "runtime/store/Store.h"
#include "runtime/support/TemporaryFolder.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <string>
#include <unistd.h>
#include <vector>

namespace tawa::store::test {

/// A new folder whose name is text, removed with the object.
struct TestFolder {
  TemporaryFolder folder;
  std::string path = folder.path.string();
  std::string operator/(const std::string &name) const { return path + "/" + name; }
};

inline Key keyNumber(int number, KeyKind kind = KeyKind::Compile) {
  return Key(kind, 1).field("number", number).block("text", "some kernel\nof two lines");
}

/// Keeps what a store logs.
struct Log {
  std::vector<std::string> lines;
  Logger logger{LogLevel::Warning, [this](LogLevel, const std::string &message) { lines.push_back(message); }};
};

inline StoreOptions optionsFor(const TestFolder &folder) {
  StoreOptions options;
  options.folder = folder / "cache";
  options.busyMilliseconds = 100;
  return options;
}

/// A measured row.
inline TuneRow tuneRow(std::string config, double median, std::string build) {
  TuneRow row;
  row.config = std::move(config);
  row.outcome = TuneRow::Outcome::Measured;
  row.median = row.best = median;
  row.samples = 1;
  row.build = std::move(build);
  return row;
}

inline std::string payloadFor(const Key &key, const std::string &text) {
  return payloadHead("test 1", key.hash()) + text;
}

/// A store with its log. Payloads go in and come out without their heads.
struct TestStore {
  explicit TestStore(const StoreOptions &options) : store(options, log.logger) {}
  Status put(const Key &key, const std::string &text) { return store.put(key, payloadFor(key, text)); }
  std::optional<std::string> find(const Key &key) {
    std::optional<std::string> payload = store.find(key);
    return payload ? std::optional(payload->substr(payloadFor(key, "").size())) : std::nullopt;
  }
  Log log;
  Store store;
};

inline std::string fileOf(const TestFolder &folder) { return folder / "cache/" + kFileName; }

inline std::string payloadOf(int number) { return "payload " + std::to_string(number) + std::string(5000, 'x'); }

inline void fill(const TestFolder &folder, int rows) {
  TestStore made(optionsFor(folder));
  for (int i = 0; i < rows; ++i)
    ASSERT_TRUE(made.put(keyNumber(i), payloadOf(i)));
}

/// A store on a file that is no good: misses, takes rows again where `heals`, and says it once.
inline void expectMiss(const TestFolder &folder, bool heals) {
  TestStore made(optionsFor(folder));
  EXPECT_FALSE(made.find(keyNumber(0)));
  EXPECT_EQ(made.put(keyNumber(0), payloadOf(0)).isOk(), heals);
  EXPECT_EQ(made.find(keyNumber(0)).has_value(), heals);
  EXPECT_EQ(made.log.lines.size(), 1u);
}

/// A connection of our own to the file of a cache.
class Raw {
public:
  explicit Raw(const TestFolder &folder) { sqlite3_open((folder / "cache/" + kFileName).c_str(), &database); }
  ~Raw() { sqlite3_close(database); }
  bool run(const std::string &sql) {
    return sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
  }
  /// The first column of the first row.
  int64_t number(const std::string &sql) {
    int64_t value = -1;
    auto take = [](void *into, int, char **columns, char **) {
      *static_cast<int64_t *>(into) = std::stoll(columns[0]);
      return 0;
    };
    sqlite3_exec(database, sql.c_str(), take, &value, nullptr);
    return value;
  }

private:
  sqlite3 *database = nullptr;
};

} // namespace tawa::store::test
