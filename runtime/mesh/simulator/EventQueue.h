// Events in the order of time; those of one time in the order in which they were added. Internal to the simulator.
//
// A hierarchical timing wheel (G. Varghese, T. Lauck, "Hashed and hierarchical timing wheels", SOSP 1987): a list for
// each tick of the present span of time, one for each later span of the present turn, one for each later turn. When a
// span begins, its list is dealt out. Lists keep the order of their events and nothing is added to a list after its
// events were dealt out, so that nothing has to be compared.
#pragma once

#include "runtime/mesh/simulator/Time.h"

#include <array>
#include <bit>
#include <map>
#include <utility>
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
  int32_t subject, core;
  int32_t next; ///< In its list.
  Kind kind;
};

class EventQueue {
public:
  /// Not before the event that was taken last.
  void add(Ticks time, Event::Kind kind, int subject, int core = -1) {
    int32_t number = unused;
    if (number >= 0) {
      unused = events[number].next;
    } else {
      number = static_cast<int32_t>(events.size());
      events.emplace_back();
    }
    events[number] = {time, subject, core, -1, kind};
    ++added, ++waiting;
    if (time >> kBits == span)
      ticks.append(time & kMask, number, events);
    else if (time >> 2 * kBits == span >> kBits)
      spans.append(time >> kBits & kMask, number, events);
    else
      append(turns[time >> 2 * kBits], number, events);
  }
  bool isEmpty() const { return waiting == 0; }
  Event take() {
    int slot = ticks.firstUsed();
    for (; slot < 0; slot = ticks.firstUsed())
      beginNextSpan();
    int32_t number = ticks.takeFirst(slot, events);
    Event event = events[number];
    events[number].next = unused;
    unused = number;
    --waiting;
    return event;
  }
  int64_t count() const { return added; }

private:
  static constexpr int kBits = 12;
  static constexpr int64_t kSlots = int64_t(1) << kBits, kMask = kSlots - 1;
  using Events = std::vector<Event>;

  struct List {
    int32_t first = -1, last = -1;
  };
  static void append(List &list, int32_t number, Events &events) {
    (list.first < 0 ? list.first : events[list.last].next) = number;
    list.last = number;
  }

  /// Lists, and which of them have events.
  class Wheel {
  public:
    void append(int64_t slot, int32_t number, Events &events) {
      EventQueue::append(lists[slot], number, events);
      used[slot / 64] |= uint64_t(1) << slot % 64;
    }
    /// -1 if no list has events. No list before the one that it returned last may have got any.
    int firstUsed() {
      for (; word < std::ssize(used); ++word)
        if (used[word])
          return static_cast<int>(word * 64 + std::countr_zero(used[word]));
      word = 0;
      return -1;
    }
    int32_t takeFirst(int slot, Events &events) {
      List &list = lists[slot];
      int32_t number = list.first;
      list.first = events[number].next;
      if (list.first < 0)
        used[slot / 64] &= ~(uint64_t(1) << slot % 64);
      return number;
    }
    int32_t takeAll(int slot) {
      used[slot / 64] &= ~(uint64_t(1) << slot % 64);
      return std::exchange(lists[slot].first, -1);
    }

  private:
    std::vector<List> lists = std::vector<List>(kSlots);
    std::array<uint64_t, kSlots / 64> used{};
    int64_t word = 0; ///< No list of a word before this one has events.
  };

  /// Begins the next span that has events, or the next turn.
  void beginNextSpan() {
    int slot = spans.firstUsed();
    if (slot < 0) {
      auto turn = turns.begin();
      span = turn->first << kBits;
      deal(turn->second.first, kBits, spans);
      turns.erase(turn);
      slot = spans.firstUsed();
    }
    span = (span & ~kMask) + slot;
    deal(spans.takeAll(slot), 0, ticks);
  }
  void deal(int32_t number, int shift, Wheel &wheel) {
    while (number >= 0) {
      int32_t next = std::exchange(events[number].next, -1);
      wheel.append(events[number].time >> shift & kMask, number, events);
      number = next;
    }
  }

  Events events; ///< Those that wait and places for others.
  int32_t unused = -1;
  Wheel ticks;                   ///< Of the present span.
  Wheel spans;                   ///< Of the present turn, after the present span.
  std::map<int64_t, List> turns; ///< Later ones, by number.
  int64_t span = 0;              ///< Number of the present span.
  int64_t added = 0, waiting = 0;
};

} // namespace tawa::mesh
