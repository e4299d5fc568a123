// What the plan study does with a problem: plans are ranked, some are simulated, and a line of JSON is printed.
#pragma once

#include "perf/PlanProblems.h"

#include <chrono>
#include <limits>

namespace tawa::perf {

class Clock {
public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); }

private:
  std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
};

struct StudyOptions {
  std::string study, kernels;
  std::vector<std::string> machines = {};
  double limit = std::numeric_limits<double>::infinity();
  double seconds = std::numeric_limits<double>::infinity();
  uint64_t seed = 1;
  std::string skip = ""; ///< A file with lines of an earlier run.
};

class Study {
public:
  Study(const StudyOptions &options, const std::vector<std::string> &machines);

  struct Named {
    std::string name;
    mesh::Machine machine;
  };
  std::vector<Named> machines;

  /// False, and a line that says so, for a problem that is too large or too late.
  bool isAccepted(const std::string &name, double operations) const;
  /// Some of the best plans of the model by one template, simulated; nothing for what the earlier run has.
  void measure(const Problem &all, const Named &on, mesh::planner::Template only, mesh::planner::RankOptions ranking,
               size_t simulated);

private:
  void readEarlier();
  double printPlan(const Problem &problem, const Named &on, const mesh::planner::RankedPlan &ranked,
                   bool isLater) const;
  void printPlans(const Problem &problem, const Named &on, const std::vector<mesh::planner::RankedPlan> &best,
                  size_t simulated) const;

  StudyOptions options;
  Clock clock;
  std::map<std::string, int> earlier; ///< Lines by their beginnings.
};

} // namespace tawa::perf
