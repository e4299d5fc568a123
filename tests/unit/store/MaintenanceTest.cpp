// Copies between caches, sealed files, repair.
#include "runtime/store/Maintenance.h"
#include "tests/unit/store/StoreTestSupport.h"

#include <sys/stat.h>

using namespace tawa;
using namespace tawa::store;
using namespace tawa::store::test;

namespace {

std::unique_ptr<Layer> openLayer(const std::string &path, bool isReadOnly = false) {
  LayerOptions options;
  options.path = path;
  options.isReadOnly = isReadOnly;
  Result<std::unique_ptr<Layer>> layer = Layer::open(options);
  EXPECT_TRUE(layer) << layer.status().message();
  return layer ? std::move(*layer) : nullptr;
}

Row rowBy(const std::string &build, int64_t made) {
  TuneRow tuned = tuneRow("D=4", 1, build);
  Row row;
  row.kind = KeyKind::Tune;
  row.hash = keyNumber(1, KeyKind::Tune).hash();
  row.config = tuned.config;
  row.keyText = keyNumber(1, KeyKind::Tune).text();
  row.payload = writeTuneRow(keyNumber(1, KeyKind::Tune), tuned);
  row.made = made;
  return row;
}

bool everything(const Row &) { return true; }

std::string buildIn(Layer &layer) {
  std::string found;
  EXPECT_TRUE(layer.forEach(true, [&](Row &&row) {
    found = readTuneRow(row.payload)->build;
    return true;
  }));
  return found;
}

} // namespace

TEST(Maintenance, NewerTuningRowsReplaceOlderOnesAndNotTheOtherWayRound) {
  TestFolder folder;
  std::unique_ptr<Layer> older = openLayer(folder / "older"), newer = openLayer(folder / "newer");
  ASSERT_TRUE(older->put(rowBy("older", 1000)));
  ASSERT_TRUE(newer->put(rowBy("newer", 2000)));
  EXPECT_EQ(*copyRows(*older, *newer, everything), 0u);
  EXPECT_EQ(buildIn(*newer), "newer");
  EXPECT_EQ(*copyRows(*newer, *older, everything), 1u);
  EXPECT_EQ(buildIn(*older), "newer");
}

TEST(Maintenance, BadRowsAreNotCopiedButRemovedOnRequest) {
  TestFolder folder;
  {
    TestStore made(optionsFor(folder));
    ASSERT_TRUE(made.put(keyNumber(1), "one"));
    ASSERT_TRUE(made.put(keyNumber(2), "two"));
  }
  ASSERT_TRUE(Raw(folder).run("UPDATE row SET payload = x'00' WHERE rowid = 1"));
  std::unique_ptr<Layer> from = openLayer(folder / "cache"), to = openLayer(folder / "to");
  EXPECT_EQ(*copyRows(*from, *to, everything), 1u);
  EXPECT_EQ(*removeBadRows(*from, faultOf), 1u);
  EXPECT_EQ(*removeBadRows(*from, faultOf), 0u);
  EXPECT_EQ(*from->integrity(), "");
  EXPECT_TRUE(*from->find(keyNumber(2)));
}

TEST(Maintenance, AFilteredExportHoldsWhatWasWanted) {
  TestFolder folder;
  std::unique_ptr<Layer> layer = openLayer(folder / "cache");
  ASSERT_TRUE(layer->put(rowBy("here", 1000)));
  EXPECT_EQ(*exportRows(*layer, folder / "none", false, [](const Row &) { return false; }), 0u);
  EXPECT_EQ(*exportRows(*layer, folder / "all", true, everything), 1u);
  struct stat facts{};
  ASSERT_EQ(stat((folder / "all").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0444u);
  EXPECT_FALSE(exportRows(*layer, folder / "all", true, everything)); // exists
  EXPECT_EQ(buildIn(*openLayer(folder / "all", true)), "here");
  EXPECT_FALSE(exportRows(*layer, folder / "no such folder/file", false, everything));
}
