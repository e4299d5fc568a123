// ProgramValues: the scalars of a WorkSummary as numbers, for one program of a launch.
#pragma once

#include "runtime/artifact/ArgumentValue.h"
#include "runtime/artifact/WorkSummary.h"

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace tawa {

/// Summary, arguments and grid outlive it.
class ProgramValues {
public:
  ProgramValues(const WorkSummary &summary, std::span<const ArgumentValue> arguments,
                const std::array<uint32_t, 3> &grid);

  /// Loops over the grid are in `iteration`, all others `ahead` iterations after their first.
  void evaluate(const std::array<uint32_t, 3> &program, int64_t iteration, int64_t ahead = 0);

  /// False of what follows from memory or is carried by a loop, and of -1.
  bool isKnown(int32_t value) const { return value >= 0 && known[static_cast<size_t>(value)]; }
  int64_t operator[](int32_t value) const { return numbers[static_cast<size_t>(value)]; }
  /// What the value is at most: itself if it is known, of a minimum the smaller one of its operands that are.
  std::optional<int64_t> bound(int32_t value) const;

private:
  struct Place {
    const std::array<uint32_t, 3> &program;
    int64_t iteration, ahead;
  };

  void collectLoops(const std::vector<WorkStep> &steps);
  bool isVarying(const WorkValue &value) const;
  void evaluate(size_t at, const Place &place);
  std::optional<int64_t> numberOf(size_t at, const Place &place) const;
  std::optional<int64_t> scalar(const WorkValue &value) const;
  std::optional<int64_t> dimension(const WorkValue &value,
                                   const std::array<int64_t, kMaxRank> ArgumentValue::*list) const;
  std::optional<int64_t> induction(size_t at, const Place &place) const;
  std::optional<int64_t> combine(const WorkValue &value) const;

  const WorkSummary &summary;
  std::span<const ArgumentValue> arguments;
  const std::array<uint32_t, 3> &grid;
  std::vector<int64_t> numbers;
  std::vector<char> known;
  std::vector<char> varies;            ///< With program or iteration; all others are evaluated once.
  std::vector<size_t> varying;         ///< Those, in their order.
  std::vector<const WorkStep *> loops; ///< By the value of their induction variable.
};

} // namespace tawa
