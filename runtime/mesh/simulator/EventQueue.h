// Events in the order of time; those of one time in the order in which they were added. Internal to the simulator.
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
  void add(Ticks time, Event::Kind kind, int subject, int core = -1) {
    heap.push_back({time, added++, subject, core, kind});
    std::push_heap(heap.begin(), heap.end(), isLater);
  }
  bool isEmpty() const { return heap.empty(); }
  Event take() {
    std::pop_heap(heap.begin(), heap.end(), isLater);
    Event event = heap.back();
    heap.pop_back();
    return event;
  }
  int64_t count() const { return static_cast<int64_t>(added); }

private:
  static bool isLater(const Event &a, const Event &b) { return a.time != b.time ? a.time > b.time : a.order > b.order; }
  std::vector<Event> heap;
  uint64_t added = 0;
};

} // namespace tawa::mesh
