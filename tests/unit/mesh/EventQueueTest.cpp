// The simulator's queue against a stable sort of what waits.
#include "runtime/mesh/simulator/EventQueue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace tawa::mesh {
namespace {

/// Adds and takes at random, a few more adds than takes, then takes what is left. `distance` draws how much later than
/// the last event a new one is.
template <typename Distance> void compare(Distance distance) {
  std::mt19937_64 random(7);
  EventQueue queue;
  std::vector<std::pair<Ticks, int>> waiting; // The next one last.
  Ticks now = 0;
  int added = 0;
  for (int step = 0; step < 200000 || !waiting.empty(); ++step) {
    if (waiting.empty() || (step < 200000 && random() % 100 < 52)) {
      std::pair<Ticks, int> event(now + distance(random), added++);
      queue.add(event.first, Event::Kind::Done, event.second, /*core=*/event.second + 1);
      waiting.insert(std::ranges::lower_bound(waiting, event, std::greater()), event);
      continue;
    }
    Event event = queue.take();
    ASSERT_EQ(std::pair(event.time, event.subject), waiting.back()) << "at " << step;
    ASSERT_EQ(event.core, event.subject + 1);
    now = event.time;
    waiting.pop_back();
    ASSERT_EQ(queue.isEmpty(), waiting.empty());
  }
  EXPECT_EQ(queue.count(), added);
}

TEST(EventQueueTest, EventsOfOneTimeKeepTheirOrder) {
  compare([](auto &random) { return Ticks(random() % 3); });
}

TEST(EventQueueTest, NearAndFarEventsMix) {
  compare([](auto &random) { return Ticks(random() % 2 ? random() % 1000 : random() % 100000); });
}

/// Spans and turns begin: from a tick to 2^28 ticks, as many of each magnitude.
TEST(EventQueueTest, AllMagnitudes) {
  compare([](auto &random) { return Ticks(random() >> (36 + random() % 28)); });
}

} // namespace
} // namespace tawa::mesh
