// Progress, budget and turns of a trial.
#include "runtime/tuner/trial/Course.h"

#include <thread>

namespace tawa {

Status Course::report(const char *stage, int config, size_t done, size_t total) const {
  if (!input.progress || input.progress(stage, config, static_cast<uint32_t>(done), static_cast<uint32_t>(total)))
    return Status::ok();
  return {StatusCode::Cancelled, "the search was cancelled"};
}

bool Course::isLate() const {
  std::chrono::duration<double> spent = std::chrono::steady_clock::now() - started;
  return input.budgetSeconds > 0 && spent.count() > input.budgetSeconds;
}

Status Course::takeTurn() {
  constexpr auto kPoll = std::chrono::milliseconds(20);
  auto began = std::chrono::steady_clock::now();
  for (size_t times = 0; input.tryTurn && !turn && !(turn = input.tryTurn()); ++times) {
    if (Status status = report("wait", -1, times, 0); !status)
      return status;
    std::this_thread::sleep_for(kPoll);
  }
  started += std::chrono::steady_clock::now() - began;
  return Status::ok();
}

} // namespace tawa
