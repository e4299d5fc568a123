// The store without faults: rows, layers, eviction, claims.
#include "tests/unit/store/StoreTestSupport.h"

#include <atomic>
#include <sys/stat.h>
#include <thread>

using namespace tawa;
using namespace tawa::store;
using namespace tawa::store::test;

TEST(Store, RemembersAcrossInstances) {
  TestFolder folder;
  std::string payload("with\0zero and \xff", 16);
  {
    TestStore first(optionsFor(folder));
    EXPECT_FALSE(first.find(keyNumber(1)));
    EXPECT_TRUE(first.put(keyNumber(1), payload));
    EXPECT_EQ(first.store.counters().misses, 1u);
  }
  TestStore second(optionsFor(folder));
  EXPECT_EQ(second.find(keyNumber(1)), payload);
  EXPECT_FALSE(second.find(keyNumber(2)));
  EXPECT_FALSE(second.find(keyNumber(1, KeyKind::Load)));
  EXPECT_TRUE(second.log.lines.empty());
}

TEST(Store, FolderAndFileAreOurs) {
  TestFolder folder;
  TestStore made(optionsFor(folder));
  ASSERT_TRUE(made.put(keyNumber(1), "x"));
  struct stat facts{};
  ASSERT_EQ(stat((folder / "cache").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0700u);
  ASSERT_EQ(stat((folder / "cache/" + kFileName).c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0600u);
}

TEST(Store, LastPutWins) {
  TestFolder folder;
  TestStore made(optionsFor(folder));
  ASSERT_TRUE(made.put(keyNumber(1), "old"));
  ASSERT_TRUE(made.put(keyNumber(1), "new"));
  EXPECT_EQ(made.find(keyNumber(1)), "new");
}

TEST(Store, TuneRowsStandSideBySide) {
  TestFolder folder;
  TestStore made(optionsFor(folder));
  Key key = keyNumber(1, KeyKind::Tune);
  TuneRow fast = tuneRow("D=4 P=1", 1234.5e-9, "a build"), spilled, hung;
  fast.best = 1200.25e-9;
  fast.spread = 0.1e-9;
  fast.predicted = 1.1e-6;
  fast.samples = 100;
  fast.bound = "memory";
  fast.driver = 13000;
  fast.isDefault = fast.isOfSpace = true;
  spilled.config = "D=8 P=2";
  spilled.outcome = TuneRow::Outcome::Refused;
  spilled.reason = "spills 318 bytes";
  hung.config = "D=2 P=1";
  hung.outcome = TuneRow::Outcome::Failed;
  hung.reason = "no end\nafter 5 s";
  for (const TuneRow &row : {fast, spilled, hung})
    ASSERT_TRUE(made.store.putTuneRow(key, row));
  std::vector<TuneRow> rows = made.store.tuneRows(key);
  ASSERT_EQ(rows.size(), 3u);
  for (TuneRow &row : rows) {
    EXPECT_GT(row.made, 0);
    row.made = 0;
  }
  EXPECT_EQ(rows[0], hung); // in the order of the configurations
  EXPECT_EQ(rows[1], fast);
  EXPECT_EQ(rows[2], spilled);
  fast.median = 1e-6;
  ASSERT_TRUE(made.store.putTuneRow(key, fast));
  rows = made.store.tuneRows(key);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[1].median, 1e-6);
  EXPECT_TRUE(made.store.tuneRows(keyNumber(2, KeyKind::Tune)).empty());
}

TEST(Store, ReadOnlyLayersLieUnderTheWritableOne) {
  TestFolder folder;
  StoreOptions site = optionsFor(folder), image = site, user = site;
  site.folder = folder / "site";
  image.folder = folder / "image";
  {
    TestStore first(site), second(image);
    ASSERT_TRUE(first.put(keyNumber(1), "site"));
    ASSERT_TRUE(second.put(keyNumber(1), "image"));
    ASSERT_TRUE(second.put(keyNumber(2), "image"));
    ASSERT_TRUE(second.store.putTuneRow(keyNumber(3, KeyKind::Tune), tuneRow("D=4", 1, "image")));
  }
  user.readOnly = {folder / "site", folder / "image/" + kFileName};
  TestStore made(user);
  EXPECT_EQ(made.find(keyNumber(1)), "site");
  EXPECT_EQ(made.find(keyNumber(2)), "image");
  ASSERT_TRUE(made.put(keyNumber(1), "user"));
  EXPECT_EQ(made.find(keyNumber(1)), "user");
  ASSERT_TRUE(made.store.putTuneRow(keyNumber(3, KeyKind::Tune), tuneRow("D=4", 2, "user")));
  std::vector<TuneRow> rows = made.store.tuneRows(keyNumber(3, KeyKind::Tune));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].build, "user");
  EXPECT_TRUE(made.log.lines.empty());
}

TEST(Store, OnlyReadOnlyLayersIsNoFault) {
  TestFolder folder;
  {
    TestStore filled(optionsFor(folder));
    ASSERT_TRUE(filled.put(keyNumber(1), "there"));
  }
  StoreOptions options;
  options.readOnly = {folder / "cache"};
  TestStore made(options);
  EXPECT_EQ(made.find(keyNumber(1)), "there");
  EXPECT_EQ(made.put(keyNumber(2), "x").code(), StatusCode::CacheIO);
  EXPECT_FALSE(made.store.findOrClaim(keyNumber(2)).payload);
}

TEST(Store, LeastRecentlyUsedRowsGo) {
  TestFolder folder;
  StoreOptions options = optionsFor(folder);
  options.maxBytes = 1 << 20;
  std::string payload(100000, 'p');
  {
    TestStore made(options);
    for (int i = 0; i < 5; ++i)
      ASSERT_TRUE(made.put(keyNumber(i), payload));
  }
  ASSERT_TRUE(Raw(folder).run("UPDATE row SET used = used - 100000 + rowid")); // 0 is the oldest
  {                                                                            // a hit makes it the youngest
    TestStore made(options);
    ASSERT_TRUE(made.find(keyNumber(0)));
  }
  TestStore made(options);
  for (int i = 5; i < 12; ++i)
    ASSERT_TRUE(made.put(keyNumber(i), payload));
  EXPECT_TRUE(made.find(keyNumber(0)));
  EXPECT_FALSE(made.find(keyNumber(1)));
  EXPECT_TRUE(made.find(keyNumber(11)));
  EXPECT_LE(std::filesystem::file_size(folder / "cache/" + kFileName), options.maxBytes);
}

TEST(Store, ManyMakeTheFileAtOnce) {
  for (int round = 0; round < 5; ++round) {
    TestFolder folder;
    auto open = [&] {
      StoreOptions options = optionsFor(folder);
      options.busyMilliseconds = 10000;
      TestStore made(options);
      EXPECT_FALSE(made.find(keyNumber(1)));
      EXPECT_EQ(made.log.lines, std::vector<std::string>());
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i)
      threads.emplace_back(open);
    for (std::thread &thread : threads)
      thread.join();
  }
}

TEST(Store, OneThreadBuildsAndTheOthersWait) {
  TestFolder folder;
  std::atomic<int> builds = 0;
  auto ask = [&] {
    StoreOptions options = optionsFor(folder);
    options.busyMilliseconds = 10000; // eight make the file at once, and disks may be slow
    TestStore made(options);          // a connection of its own, like another process
    Store::Claim claim = made.store.findOrClaim(keyNumber(1));
    if (!claim.payload) {
      ++builds;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      EXPECT_TRUE(made.put(keyNumber(1), "built"));
      return;
    }
    EXPECT_EQ(*claim.payload, payloadFor(keyNumber(1), "built"));
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back(ask);
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(builds, 1);
}

TEST(Store, ABuilderThatNeverEndsIsNotWaitedForForEver) {
  TestFolder folder;
  StoreOptions options = optionsFor(folder);
  TestStore slow(options);
  Store::Claim held = slow.store.findOrClaim(keyNumber(1));
  ASSERT_FALSE(held.payload);
  options.buildWaitMilliseconds = 300;
  TestStore other(options);
  auto start = std::chrono::steady_clock::now();
  EXPECT_FALSE(other.store.findOrClaim(keyNumber(1)).payload);
  auto waited = std::chrono::steady_clock::now() - start;
  EXPECT_GE(waited, std::chrono::milliseconds(300));
  EXPECT_LT(waited, std::chrono::seconds(5));
  start = std::chrono::steady_clock::now();
  EXPECT_FALSE(other.store.findOrClaim(keyNumber(2)).payload); // another key is not held
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(300));
}

TEST(Store, ExplainsAMissByTheNearestRow) {
  TestFolder folder;
  TestStore made(optionsFor(folder));
  auto key = [](const char *config, const char *build) {
    return Key(KeyKind::Compile, 1).field("build", build).field("config", config).block("text", "t");
  };
  EXPECT_EQ(made.store.explainMiss(key("D=4", "1")), "the cache has no compile entry at all");
  ASSERT_TRUE(made.put(key("D=3", "0"), "x"));
  ASSERT_TRUE(made.put(key("D=3", "1"), "x"));
  EXPECT_EQ(made.store.explainMiss(key("D=4", "1")), "the nearest entry differs in\n  config: D=4 here, D=3 there");
}

TEST(Store, ASizeThatKeepsNothingIsSaidSo) {
  TestFolder folder;
  StoreOptions options = optionsFor(folder);
  options.maxBytes = 4096;
  TestStore made(options);
  EXPECT_TRUE(made.put(keyNumber(1), "x"));
  ASSERT_EQ(made.log.lines.size(), 1u);
  EXPECT_NE(made.log.lines[0].find("4096 bytes (TAWA_CACHE_MAX_SIZE"), std::string::npos) << made.log.lines[0];
}

TEST(Store, FolderComesFromTheEnvironment) {
  setenv("XDG_CACHE_HOME", "/xdg", 1);
  setenv("HOME", "/of-a-user", 1);
  unsetenv("TAWA_CACHE");
  EXPECT_EQ(storeOptionsFromEnvironment().folder, "/xdg/tawa");
  unsetenv("XDG_CACHE_HOME");
  EXPECT_EQ(storeOptionsFromEnvironment().folder, "/of-a-user/.cache/tawa");
  setenv("TAWA_CACHE_DIR", "/given", 1);
  setenv("TAWA_CACHE_READONLY", "/a::/b", 1);
  EXPECT_EQ(storeOptionsFromEnvironment().folder, "/given");
  EXPECT_EQ(storeOptionsFromEnvironment().readOnly, (std::vector<std::string>{"/a", "/b"}));
  setenv("TAWA_CACHE", "off", 1);
  EXPECT_EQ(storeOptionsFromEnvironment().folder, ""); // what is only read stays
  EXPECT_EQ(storeOptionsFromEnvironment().readOnly, (std::vector<std::string>{"/a", "/b"}));
  unsetenv("TAWA_CACHE");
  unsetenv("TAWA_CACHE_DIR");
  unsetenv("TAWA_CACHE_READONLY");
  setenv("HOME", "relative", 1);
  EXPECT_EQ(storeOptionsFromEnvironment().folder, "");
}
