// The locations and files that a store trusts, and those that it rejects, with a reason.
#include "tests/unit/store/StoreTestSupport.h"

#include <fstream>
#include <sys/stat.h>

using namespace tawa;
using namespace tawa::store;
using namespace tawa::store::test;

namespace {

constexpr uid_t kSomebody = 12345;

/// Misses and says once why, with this in the reason; nothing in the file is changed.
void expectRefused(const StoreOptions &options, const std::string &reason) {
  TestStore made(options);
  EXPECT_FALSE(made.find(keyNumber(0)));
  EXPECT_FALSE(made.put(keyNumber(0), payloadOf(0)));
  ASSERT_EQ(made.log.lines.size(), 1u) << reason;
  EXPECT_NE(made.log.lines[0].find(reason), std::string::npos) << made.log.lines[0];
}

StoreOptions readOnly(const std::string &path) {
  StoreOptions options;
  options.readOnly = {path};
  return options;
}

} // namespace

TEST(StorePlaces, PlacesThatOthersMayWriteAreRefused) {
  for (mode_t mode : {0777, 0770, 0702}) {
    TestFolder folder;
    fill(folder, 1);
    ASSERT_EQ(chmod((folder / "cache").c_str(), mode), 0);
    expectMiss(folder, false);
  }
  TestFolder folder;
  fill(folder, 1);
  ASSERT_EQ(chmod(fileOf(folder).c_str(), 0666), 0);
  expectMiss(folder, false);
  StoreOptions options;
  options.readOnly = {folder / "cache"};
  TestStore below(options);
  EXPECT_FALSE(below.find(keyNumber(0)));
}

TEST(StorePlaces, PlacesOfOtherUsersAreRefused) {
  if (geteuid() != 0)
    GTEST_SKIP() << "only root can give files away";
  TestFolder folder;
  fill(folder, 1);
  ASSERT_EQ(chown(fileOf(folder).c_str(), kSomebody, kSomebody), 0);
  expectMiss(folder, false);
  ASSERT_EQ(chown(fileOf(folder).c_str(), 0, 0), 0);
  ASSERT_EQ(chown((folder / "cache").c_str(), kSomebody, kSomebody), 0);
  expectMiss(folder, false);
}

TEST(StorePlaces, ThingsThatAreNoPlainFileAreRefused) {
  {
    TestFolder folder;
    std::filesystem::create_directory(folder / "cache");
    std::filesystem::permissions(folder / "cache", std::filesystem::perms::owner_all);
    ASSERT_EQ(mkfifo(fileOf(folder).c_str(), 0600), 0);
    expectMiss(folder, false);
  }
  {
    TestFolder folder, elsewhere;
    fill(elsewhere, 1);
    std::filesystem::create_directory(folder / "cache");
    std::filesystem::permissions(folder / "cache", std::filesystem::perms::owner_all);
    std::filesystem::create_symlink(fileOf(elsewhere), fileOf(folder));
    expectMiss(folder, false);
  }
  {
    TestFolder folder;
    std::ofstream(folder / "cache") << "a file where a folder should be";
    expectMiss(folder, false);
  }
  StoreOptions options;
  options.folder = "relative/path";
  TestStore relative(options);
  EXPECT_FALSE(relative.find(keyNumber(0)));
  EXPECT_EQ(relative.log.lines.size(), 1u);
}

/// A folder reached through a symbolic link is fine, as people move ~/.cache to other disks.
TEST(StorePlaces, AFolderMayBeALink) {
  TestFolder folder, elsewhere;
  fill(elsewhere, 1);
  std::filesystem::create_directory_symlink(elsewhere / "cache", folder / "cache");
  TestStore made(optionsFor(folder));
  EXPECT_EQ(made.find(keyNumber(0)), payloadOf(0));
}

TEST(StorePlaces, APathMayBeginWithManySlashes) {
  TestFolder folder;
  StoreOptions options = optionsFor(folder);
  options.folder = "//" + options.folder;
  TestStore made(options);
  EXPECT_TRUE(made.put(keyNumber(0), "x"));
  Result<std::unique_ptr<Layer>> exported = Layer::create("/" + (folder / "exported"));
  EXPECT_TRUE(exported) << exported.status().message();
}

/// A user who may write to a directory on the path can exchange everything below it.
TEST(StorePlaces, ParentsThatOthersMayWriteAreRefusedUnlessSticky) {
  for (mode_t mode : {0777, 01777, 0755}) {
    TestFolder folder;
    std::filesystem::create_directory(folder / "parent");
    StoreOptions options = optionsFor(folder);
    options.folder = folder / "parent/between/cache";
    ASSERT_TRUE(TestStore(options).put(keyNumber(0), payloadOf(0)));
    ASSERT_EQ(chmod((folder / "parent").c_str(), mode), 0);
    if (mode == 0777) {
      expectRefused(options, "others may write to " + folder / "parent and exchange it");
      expectRefused(readOnly(options.folder), "others may write to " + folder / "parent and exchange it");
    } else {
      EXPECT_TRUE(TestStore(options).find(keyNumber(0))) << mode;
    }
  }
}

TEST(StorePlaces, AGroupOfOthersCountsAsOthersAndOursDoesNot) {
  if (geteuid() != 0)
    GTEST_SKIP() << "only root can give files away";
  TestFolder folder;
  fill(folder, 1);
  ASSERT_EQ(chmod(folder.path.c_str(), 0770), 0);
  EXPECT_TRUE(TestStore(optionsFor(folder)).find(keyNumber(0)));
  ASSERT_EQ(chown(folder.path.c_str(), 0, kSomebody), 0);
  expectRefused(optionsFor(folder), "others may write to " + folder.path);
}

/// In a directory for all, anyone can leave a link to a folder of ours, and point it elsewhere later.
TEST(StorePlaces, LinksOfOthersAreRefusedWhereAllMayWrite) {
  if (geteuid() != 0)
    GTEST_SKIP() << "only root can give files away";
  TestFolder folder, elsewhere;
  fill(elsewhere, 1);
  ASSERT_EQ(chmod(folder.path.c_str(), 01777), 0);
  std::filesystem::create_directory_symlink(elsewhere / "cache", folder / "cache");
  EXPECT_TRUE(TestStore(optionsFor(folder)).find(keyNumber(0)));
  ASSERT_EQ(lchown((folder / "cache").c_str(), kSomebody, kSomebody), 0);
  expectRefused(optionsFor(folder), "belongs to user 12345, in " + folder.path);
}

TEST(StorePlaces, ChainsOfLinksAreFollowedToTheirEnd) {
  TestFolder folder;
  fill(folder, 1);
  std::filesystem::create_directory_symlink("cache", folder / "one");
  std::filesystem::create_directory_symlink("./../" + folder.folder.path.filename().string() + "/one", folder / "two");
  EXPECT_TRUE(TestStore(readOnly(folder / "two")).find(keyNumber(0)));
  std::filesystem::create_directory_symlink("round", folder / "round");
  expectRefused(readOnly(folder / "round"), "Too many levels of symbolic links");
}

/// SQLite looks for what a killed writer began under the name by which it opens the file.
TEST(StorePlaces, AFileOfTwoNamesIsRefusedUnlessSealed) {
  TestFolder folder;
  fill(folder, 1);
  std::filesystem::create_hard_link(fileOf(folder), folder / "another");
  expectRefused(optionsFor(folder), "has 2 names");
  expectRefused(readOnly(folder / "cache"), "has 2 names");
  ASSERT_EQ(chmod(fileOf(folder).c_str(), 0444), 0);
  EXPECT_TRUE(TestStore(readOnly(folder / "another")).find(keyNumber(0)));
}

/// Whatever ran on our statements, or stood in our table beside what we know.
TEST(StorePlaces, ASchemaThatIsNotOursToTheLetterIsRefused) {
  for (auto [change, name] :
       {std::pair("CREATE TRIGGER harmless AFTER UPDATE ON row BEGIN DELETE FROM row; END", "harmless"),
        std::pair("CREATE VIEW seen AS SELECT * FROM row", "seen"), std::pair("CREATE TABLE other (x)", "other"),
        std::pair("CREATE INDEX more ON row (made)", "more"), std::pair("ALTER TABLE row ADD COLUMN extra", "row is"),
        std::pair("DROP INDEX row_used", "no row_used"),
        std::pair("PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = replace(sql, 'NOT NULL', '')",
                  "row is")}) {
    TestFolder folder;
    fill(folder, 1);
    ASSERT_TRUE(Raw(folder).run(change)) << change;
    expectRefused(optionsFor(folder), std::string("schema is not Tawa's: ") + (*name == 'n' ? "it has " : "") + name);
    expectRefused(readOnly(folder / "cache"), "schema is not Tawa's");
    EXPECT_EQ(Raw(folder).number("SELECT count(*) FROM row"), 1);
  }
}
