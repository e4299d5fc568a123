// Events in the order of time; those of one time in the order in which they were added. Internal to the simulator.
//
// A calendar queue: the near future is a ring of buckets of a few cycles each, what is later waits in a heap. The
// bucket of the present is sorted (R. Brown, "Calendar queues", CACM 31 (10), 1988).
#pragma once

#include "runtime/mesh/simulator/Time.h"

#include <algorithm>
#include <vector>

namespace tawa::mesh {

struct Event {
  enum class Kind : uint8_t {
    Resume, ///< subject: thread
    Arrive, ///< subject: packet, at its stage
    Done,   ///< subject: transfer, all of it
    Land,   ///< subject: transfer; core: whose slot has its bytes now
    Signal, ///< subject: semaphore; core: whose
  };
  Ticks time;
  uint64_t order;
  int32_t subject, core;
  Kind kind;
};

class EventQueue {
public:
  EventQueue() : buckets(kBuckets) {}

  /// Not before the event that was taken last.
  void add(Ticks time, Event::Kind kind, int subject, int core = -1) {
    Event event{time, added++, subject, core, kind};
    int64_t slot = slotOf(event);
    if (slot <= present)
      current.insert(std::upper_bound(current.begin(), current.end(), event, isLater), event);
    else if (slot < present + kBuckets)
      buckets[slot % kBuckets].push_back(event), ++near;
    else
      pushFar(event);
  }
  bool isEmpty() const { return current.empty() && near == 0 && far.empty(); }
  Event take() {
    while (current.empty())
      advance();
    Event event = current.back();
    current.pop_back();
    return event;
  }
  int64_t count() const { return static_cast<int64_t>(added); }

private:
  static constexpr int64_t kBuckets = 4096;
  static constexpr Ticks kBucketTicks = 4 * kTicksPerCycle;

  static int64_t slotOf(const Event &event) { return event.time / kBucketTicks; }
  static bool isLater(const Event &a, const Event &b) { return a.time != b.time ? a.time > b.time : a.order > b.order; }

  void pushFar(const Event &event) {
    far.push_back(event);
    std::push_heap(far.begin(), far.end(), isLater);
  }

  /// Makes the next bucket the present one.
  void advance() {
    present = near == 0 ? slotOf(far.front()) : present + 1;
    while (!far.empty() && slotOf(far.front()) < present + kBuckets) {
      std::pop_heap(far.begin(), far.end(), isLater);
      buckets[slotOf(far.back()) % kBuckets].push_back(far.back());
      far.pop_back();
      ++near;
    }
    current.swap(buckets[present % kBuckets]);
    near -= static_cast<int64_t>(current.size());
    std::ranges::sort(current, isLater);
  }

  std::vector<Event> current; ///< Of the present bucket and before; the next one last.
  std::vector<std::vector<Event>> buckets;
  std::vector<Event> far;
  int64_t present = 0; ///< Number of the present bucket.
  int64_t near = 0;    ///< Events in buckets.
  uint64_t added = 0;
};

} // namespace tawa::mesh
