// Entrant: what a trial has of one candidate, and what makes two of them the same or neighbours.
#pragma once

#include "runtime/jit/Jit.h"
#include "runtime/tuner/trial/Samples.h"

#include <memory>
#include <optional>
#include <string>

namespace tawa {

struct Entrant {
  std::optional<Result<std::unique_ptr<Kernel>>> loaded; ///< Compiled and loaded; not verified yet.
  std::string code;                                      ///< Equal for equal kernels.
  std::unique_ptr<Kernel> kernel;                        ///< None of wrong ones, and of twins of others.
  Samples samples;
};

/// What is the same for equal kernels: settings that came to nothing are not.
std::string codeOf(KernelArtifact artifact);

/// Settings in which two candidates differ.
int differences(const KernelConfig &one, const KernelConfig &other);

} // namespace tawa
