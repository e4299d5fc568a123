// The store under faults: always a miss, never a wrong payload, one line in the log.
#include "tests/unit/store/StoreTestSupport.h"

#include <csignal>
#include <fstream>
#include <random>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

using namespace tawa;
using namespace tawa::store;
using namespace tawa::store::test;

/// Exchanging or garbling any column that decides what a row means makes it a miss; a bad row is removed.
TEST(StoreFaults, EveryColumnIsChecked) {
  const char *changes[] = {"kind = 3",
                           "hash = replace(hash, substr(hash, 1, 1), 'f')||'0'",
                           "config = 'D=4'",
                           "made = made + 1",
                           "made = 'text'",
                           "checksum = '00000000000000000000000000000000'",
                           "checksum = x'00'",
                           "key = CAST(replace(CAST(key AS TEXT), 'number 0', 'number 1') AS BLOB)",
                           "key = CAST(key AS TEXT)",
                           "key = x''",
                           "payload = CAST(replace(CAST(payload AS TEXT), 'payload 0', 'payload 1') AS BLOB)",
                           "payload = substr(payload, 1, 100)",
                           "payload = x''",
                           "payload = 7"};
  for (const char *change : changes) {
    TestFolder folder;
    fill(folder, 1);
    ASSERT_TRUE(Raw(folder).run(std::string("UPDATE row SET ") + change)) << change;
    TestStore made(optionsFor(folder));
    EXPECT_FALSE(made.find(keyNumber(0))) << change;
    EXPECT_TRUE(made.put(keyNumber(0), "again")) << change;
    EXPECT_EQ(made.find(keyNumber(0)), "again") << change;
    EXPECT_LE(made.log.lines.size(), 1u) << change;
  }
}

TEST(StoreFaults, PayloadsExchangedBetweenRowsAreMisses) {
  TestFolder folder;
  fill(folder, 2);
  ASSERT_TRUE(Raw(folder).run("CREATE TEMP TABLE swapped AS SELECT rowid AS id, payload FROM row;"
                              "UPDATE row SET payload = (SELECT payload FROM swapped WHERE id = 3 - row.rowid)"));
  TestStore made(optionsFor(folder));
  EXPECT_FALSE(made.find(keyNumber(0)));
  EXPECT_FALSE(made.find(keyNumber(1)));
  EXPECT_EQ(made.log.lines.size(), 2u);
  EXPECT_EQ(made.store.counters().faults, 2u);
}

/// As a tool or a defect of ours would leave them: whole rows with right checksums.
TEST(StoreFaults, APayloadMadeForAnotherKeyIsAMissAndNamed) {
  TestFolder folder;
  fill(folder, 2);
  {
    Result<std::unique_ptr<Layer>> layer = Layer::open({.path = folder / "cache"});
    ASSERT_TRUE(layer);
    std::vector<Row> rows;
    ASSERT_TRUE((*layer)->forEach(true, [&](Row &&row) { return rows.push_back(std::move(row)), true; }));
    std::swap(rows.at(0).payload, rows.at(1).payload);
    for (const Row &row : rows)
      ASSERT_TRUE((*layer)->put(row)); // makes the checksum
    ASSERT_TRUE((*layer)->forEach(true, [&](Row &&row) {
      EXPECT_NE(faultOf(row).find("made for another key"), std::string::npos) << faultOf(row);
      return true;
    }));
  }
  TestStore made(optionsFor(folder));
  EXPECT_FALSE(made.find(keyNumber(0)));
  EXPECT_FALSE(made.find(keyNumber(1)));
  EXPECT_EQ(made.log.lines.size(), 2u);
}

TEST(StoreFaults, AMeasurementOfAnotherConfigurationIsNotBelieved) {
  TestFolder folder;
  Key key = keyNumber(1, KeyKind::Tune);
  {
    Result<std::unique_ptr<Layer>> layer = Layer::open({.path = folder / "cache"});
    ASSERT_TRUE(layer);
    Row row;
    row.kind = KeyKind::Tune;
    row.hash = key.hash();
    row.keyText = key.text();
    row.config = "D=4";
    row.payload = writeTuneRow(key, tuneRow("D=2", 1, "here"));
    ASSERT_TRUE((*layer)->put(row));
  }
  TestStore made(optionsFor(folder));
  EXPECT_TRUE(made.store.tuneRows(key).empty());
  ASSERT_EQ(made.log.lines.size(), 1u);
  EXPECT_NE(made.log.lines[0].find("made for another key"), std::string::npos) << made.log.lines[0];
}

TEST(StoreFaults, APayloadForAnotherKeyIsNotWritten) {
  TestFolder folder;
  TestStore made(optionsFor(folder));
  EXPECT_EQ(made.store.put(keyNumber(1), payloadFor(keyNumber(2), "x")).code(), StatusCode::Internal);
  EXPECT_EQ(made.store.put(keyNumber(1), "x").code(), StatusCode::Internal);
  EXPECT_FALSE(made.find(keyNumber(1)));
}

/// A whole row of one key under the hash of another, its checksum made right: the key text is compared.
TEST(StoreFaults, ARowUnderAnotherKeysHashIsAMiss) {
  TestFolder folder;
  fill(folder, 1);
  Row row;
  row.kind = KeyKind::Compile;
  row.hash = keyNumber(1).hash();
  row.keyText = keyNumber(0).text();
  row.payload = payloadFor(keyNumber(1), payloadOf(0));
  EXPECT_NE(faultOf([&] {
              Row sealed = row;
              sealed.checksum = checksumOf(sealed);
              return sealed;
            }()),
            "");
  Result<std::unique_ptr<Layer>> layer = Layer::open({.path = folder / "cache"});
  ASSERT_TRUE(layer);
  ASSERT_TRUE((*layer)->put(row)); // makes the checksum
  TestStore made(optionsFor(folder));
  EXPECT_FALSE(made.find(keyNumber(1)));
}

TEST(StoreFaults, NoFlippedBitGivesAWrongPayload) {
  TestFolder folder;
  fill(folder, 4);
  std::string whole;
  {
    std::ifstream file(fileOf(folder), std::ios::binary);
    whole.assign(std::istreambuf_iterator<char>(file), {});
  }
  std::mt19937 random(20261122);
  int misses = 0;
  for (int round = 0; round < 400; ++round) {
    std::string damaged = whole;
    // Every third round anywhere, else in the first page, where the schema is.
    size_t at = random() % (round % 3 == 0 ? whole.size() : 4096);
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << random() % 8));
    if (round % 50 == 49)
      damaged.resize(random() % whole.size());
    std::ofstream(fileOf(folder), std::ios::binary | std::ios::trunc) << damaged;
    std::filesystem::remove(fileOf(folder) + "-journal");
    TestStore made(optionsFor(folder));
    for (int i = 0; i < 4; ++i) {
      std::optional<std::string> payload = made.find(keyNumber(i));
      EXPECT_TRUE(!payload || *payload == payloadOf(i)) << "byte " << at;
      misses += !payload;
    }
  }
  EXPECT_GT(misses, 0);
}

TEST(StoreFaults, AFileThatIsNoDatabaseIsReplaced) {
  TestFolder folder;
  fill(folder, 1);
  std::ofstream(fileOf(folder), std::ios::binary | std::ios::trunc) << std::string(50000, 'n');
  TestStore made(optionsFor(folder));
  EXPECT_FALSE(made.find(keyNumber(0)));
  EXPECT_TRUE(made.put(keyNumber(0), "again"));
  EXPECT_EQ(made.find(keyNumber(0)), "again");
  EXPECT_EQ(made.log.lines.size(), 1u);
}

namespace {

/// Kills a process amid a change that has reached the file in part.
void leaveHotJournal(const TestFolder &folder) {
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    Raw writer(folder);
    writer.run("PRAGMA cache_size = 1; BEGIN IMMEDIATE; UPDATE row SET used = used + 1, payload = payload || 'y'");
    kill(getpid(), SIGKILL);
  }
  waitpid(child, nullptr, 0);
  ASSERT_GT(std::filesystem::file_size(fileOf(folder) + "-journal"), 0u);
}

} // namespace

TEST(StoreFaults, WhatAKilledWriterBeganIsUndoneByReaders) {
  TestFolder folder;
  fill(folder, 30);
  leaveHotJournal(folder);
  Result<std::unique_ptr<Layer>> layer = Layer::open({.path = folder / "cache", .isReadOnly = true});
  ASSERT_TRUE(layer) << layer.status().message();
  EXPECT_EQ(*(*layer)->integrity(), "");
  int rows = 0;
  ASSERT_TRUE((*layer)->forEach(true, [&](Row &&row) {
    EXPECT_EQ(faultOf(row), "");
    return ++rows;
  }));
  EXPECT_EQ(rows, 30);
  EXPECT_FALSE((*layer)->remove(KeyKind::Compile, keyNumber(0).hash(), "")); // nothing else is changed
  EXPECT_FALSE(std::filesystem::exists(fileOf(folder) + "-journal"));
}

/// As a layer of an image made from a cache in that state.
TEST(StoreFaults, WhereAKilledWritersChangeCannotBeUndoneTheReasonIsSaid) {
  if (geteuid() != 0)
    GTEST_SKIP() << "only root can take permissions from itself";
  constexpr uid_t kSomebody = 12345;
  TestFolder folder;
  fill(folder, 30);
  leaveHotJournal(folder);
  for (const std::string &path : {folder.path, folder / "cache", fileOf(folder), fileOf(folder) + "-journal"})
    chmod(path.c_str(), 0755);
  for (bool isSealed : {false, true}) {
    chmod(fileOf(folder).c_str(), isSealed ? 0444 : 0644);
    pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      StoreOptions options;
      options.readOnly = {folder / "cache"};
      if (setuid(kSomebody) != 0)
        _exit(2);
      TestStore made(options);
      bool isRight = !made.find(keyNumber(0)) && made.log.lines.size() == 1 &&
                     made.log.lines[0].find("was killed while it changed") != std::string::npos;
      _exit(isRight ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0) << isSealed;
  }
}

TEST(StoreFaults, SchemaOfTheFutureIsLeftAlone) {
  TestFolder folder;
  fill(folder, 1);
  ASSERT_TRUE(Raw(folder).run("PRAGMA user_version = 2"));
  auto size = std::filesystem::file_size(fileOf(folder));
  expectMiss(folder, false);
  EXPECT_EQ(std::filesystem::file_size(fileOf(folder)), size);
}

TEST(StoreFaults, AnotherProgramsDatabaseIsLeftAlone) {
  TestFolder folder;
  std::filesystem::create_directory(folder / "cache");
  std::filesystem::permissions(folder / "cache", std::filesystem::perms::owner_all);
  ASSERT_TRUE(Raw(folder).run("CREATE TABLE theirs (x); PRAGMA application_id = 7"));
  std::filesystem::permissions(fileOf(folder), std::filesystem::perms(0600));
  expectMiss(folder, false);
}

TEST(StoreFaults, ALockedDatabaseIsAMissAfterAWhile) {
  TestFolder folder;
  fill(folder, 1);
  Raw other(folder);
  ASSERT_TRUE(other.run("BEGIN EXCLUSIVE"));
  TestStore made(optionsFor(folder));
  auto start = std::chrono::steady_clock::now();
  EXPECT_FALSE(made.find(keyNumber(0)));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
  EXPECT_EQ(made.log.lines.size(), 1u);
}

TEST(StoreFaults, AProcessThatStopsWithTheLockCostsOneWait) {
  TestFolder folder;
  fill(folder, 1);
  StoreOptions options = optionsFor(folder);
  options.busyMilliseconds = 1000;
  options.restMilliseconds = 1500;
  TestStore made(options);
  ASSERT_TRUE(made.find(keyNumber(0)));
  Raw other(folder);
  ASSERT_TRUE(other.run("BEGIN EXCLUSIVE"));
  auto start = std::chrono::steady_clock::now();
  EXPECT_FALSE(made.find(keyNumber(0)));
  EXPECT_FALSE(made.find(keyNumber(0)));
  EXPECT_FALSE(made.put(keyNumber(1), "x"));
  EXPECT_TRUE(made.store.tuneRows(keyNumber(2, KeyKind::Tune)).empty());
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(1900)); // two waits are 2000
  EXPECT_EQ(made.log.lines.size(), 1u);
  ASSERT_TRUE(other.run("COMMIT"));
  usleep(1000 * 1600);
  EXPECT_TRUE(made.find(keyNumber(0)));
  EXPECT_TRUE(made.put(keyNumber(1), "x"));
}

TEST(StoreFaults, AWriterThatHoldsTheLockDisturbsNoReader) {
  TestFolder folder;
  fill(folder, 1);
  Raw other(folder);
  ASSERT_TRUE(other.run("BEGIN IMMEDIATE"));
  StoreOptions options = optionsFor(folder);
  options.restMilliseconds = 0;
  TestStore made(options);
  EXPECT_EQ(made.find(keyNumber(0)), payloadOf(0));
  EXPECT_EQ(made.put(keyNumber(1), "x").code(), StatusCode::Busy);
  ASSERT_TRUE(other.run("COMMIT"));
  EXPECT_TRUE(made.put(keyNumber(1), "x"));
}

/// The limit on file sizes stands for a full disk: writes fail half way.
TEST(StoreFaults, AFullDiskIsOneLineInTheLog) {
  TestFolder folder;
  fill(folder, 2);
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    rlimit limit{200000, 200000};
    setrlimit(RLIMIT_FSIZE, &limit);
    TestStore made(optionsFor(folder));
    bool isRight = !made.put(keyNumber(7), std::string(1 << 20, 'l')) &&
                   !made.put(keyNumber(8), std::string(1 << 20, 'l')) && made.find(keyNumber(0)) == payloadOf(0) &&
                   !made.find(keyNumber(7)) && made.log.lines.size() == 1;
    _exit(isRight ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  TestStore after(optionsFor(folder));
  EXPECT_EQ(after.find(keyNumber(1)), payloadOf(1));
  EXPECT_TRUE(after.put(keyNumber(7), std::string(1 << 20, 'l')));
  EXPECT_TRUE(after.log.lines.empty());
}

/// A read-only file system, mounted for a child alone: reading works, as a layer below and as the writable one's
/// remains.
TEST(StoreFaults, AReadOnlyFileSystemIsReadFrom) {
  constexpr int kNotAllowed = 77;
  TestFolder folder, mounted;
  fill(folder, 1);
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount(folder.path.c_str(), mounted.path.c_str(), nullptr, MS_BIND, nullptr) != 0 ||
        mount(nullptr, mounted.path.c_str(), nullptr, MS_REMOUNT | MS_BIND | MS_RDONLY, nullptr) != 0)
      _exit(kNotAllowed);
    StoreOptions below;
    below.readOnly = {mounted / "cache"};
    TestStore reader(below);
    bool isRight = reader.find(keyNumber(0)) == payloadOf(0) && reader.log.lines.empty();
    TestStore writer(optionsFor(mounted)); // a folder that was writable once
    writer.find(keyNumber(0));
    isRight = isRight && !writer.put(keyNumber(1), "x") && writer.log.lines.size() == 1;
    _exit(isRight ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNotAllowed)
    GTEST_SKIP() << "this process may not mount";
  EXPECT_EQ(status, 0);
}

TEST(StoreFaults, ARowLargerThanTheCacheIsNotKept) {
  TestFolder folder;
  StoreOptions options = optionsFor(folder);
  options.maxBytes = 1 << 20;
  TestStore made(options);
  ASSERT_TRUE(made.put(keyNumber(0), payloadOf(0)));
  EXPECT_FALSE(made.put(keyNumber(1), std::string(1 << 20, 'l')));
  EXPECT_TRUE(made.find(keyNumber(0)));
}

TEST(StoreFaults, WithoutAFolderThereIsNoCacheAndNoComplaint) {
  TestStore made(StoreOptions{});
  EXPECT_FALSE(made.find(keyNumber(0)));
  EXPECT_FALSE(made.put(keyNumber(0), "x"));
  EXPECT_FALSE(made.store.findOrClaim(keyNumber(0)).payload);
  EXPECT_TRUE(made.log.lines.empty());
}

TEST(StoreFaults, AChildOfForkLeavesTheFileAlone) {
  TestFolder folder;
  auto made = std::make_unique<TestStore>(optionsFor(folder));
  ASSERT_TRUE(made->put(keyNumber(0), payloadOf(0)));
  ASSERT_TRUE(Raw(folder).run("UPDATE row SET used = 0")); // so that the hit is to be written down
  ASSERT_TRUE(made->find(keyNumber(0)));
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    made.reset();
    _exit(0);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(Raw(folder).number("SELECT used FROM row"), 0); // the hit was not the child's to write down
  EXPECT_TRUE(made->find(keyNumber(0)));
  made.reset();
  TestStore after(optionsFor(folder));
  EXPECT_TRUE(after.find(keyNumber(0)));
}
