// inParallel: the same work for many numbers, on several threads, of which the caller's is one.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace tawa {

/// work(0) to work(count - 1), begun in this order; returns when all have ended.
template <typename Work> void inParallel(size_t threads, size_t count, const Work &work) {
  std::atomic<size_t> next{0};
  auto take = [&] {
    for (size_t at = next++; at < count; at = next++)
      work(at);
  };
  std::vector<std::jthread> helpers;
  for (size_t i = 1; i < std::min(threads, count); ++i)
    helpers.emplace_back(take);
  take();
}

} // namespace tawa
