// Entrant: a trial's data about one candidate, and the comparison of candidates for equality or neighbourhood.
#pragma once

#include "runtime/jit/Jit.h"
#include "runtime/tuner/trial/Samples.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tawa {

struct Entrant {
  std::optional<Result<KernelArtifact>> compiled;        ///< Not loaded yet.
  std::string code;                                      ///< Equal for equal kernels.
  bool isTaken = false;                                  ///< Loaded, or about to be.
  std::optional<Result<std::unique_ptr<Kernel>>> loaded; ///< Not verified yet.
  std::unique_ptr<Kernel> kernel;                        ///< None of wrong ones, and of twins of others.
  Samples samples;
};

/// The part that is equal for equal kernels: settings without effect are left out.
std::string codeOf(KernelArtifact artifact);

/// The settings in which two candidates differ. Depths (D, P, epilogue) count only where nothing else differs, and then
/// as one: which ones are best follows from all other settings.
std::vector<std::string> differences(const KernelConfig &one, const KernelConfig &other);

} // namespace tawa
