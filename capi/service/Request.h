// A compile request read from the caller's struct, and the choice of its configuration. Shared by all entries that
// compile.
#pragma once

#include "capi/boundary/Wrap.h"

#include <atomic>
#include <optional>

namespace tawa::capi {

/// Text and names point to the caller's memory.
struct Request {
  tawa_compile_request_t given = TAWA_COMPILE_REQUEST_INIT;
  CompileInput input;
  std::string madeFor;      ///< The hardware description that its code is for; empty: that of the device.
  std::string ownText;      ///< What `input.text` is where the caller's text has settings: with one value each.
  bool leavesChoice = true; ///< The configuration names settings at most.
  std::vector<ArgumentValue> values;
  std::vector<uint32_t> buckets; ///< Of each argument, as tawa_arg_t has them.
  tawa_tune_options_t tune = TAWA_TUNE_OPTIONS_INIT;
  double chooseMilliseconds = 0; ///< What the choice of a configuration took.
  // What became of the choice.
  std::string chosenBy = "request";       ///< As tawa_kernel_info_t has it.
  std::vector<store::Key> choiceKeys;     ///< Under which a choice is kept; none where the policy leaves no choice.
  std::vector<KernelConfig> alternatives; ///< What the model would take next, in that order.
  std::vector<TuneRow> refused;           ///< What was chosen, and refused.
  bool wantsSearch = false;               ///< No search has run yet, and the policy is to run one in the background.
};

/// Everything but the choice of a configuration; the one that is named, or the default, is in the input.
Status readRequest(const tawa_runtime &runtime, const tawa_compile_request_t *given, Request &request);

/// The configuration that the request names, or the one that its policy leads to for `target`, as
/// tawa_compile_to_cache() takes it (null: the runtime's device). Puts the target into the request's input.
Status chooseConfig(const tawa_runtime &runtime, Request &request, const char *target = nullptr);

/// After the compiler or the driver refused what was chosen: the next of the alternatives, at last one role, which
/// has all registers of its threads. False where nothing is left, or where nothing was chosen.
bool chooseAnother(const tawa_runtime &runtime, Request &request, const Status &why);

/// Keeps what was taken in place of what was refused, so that the next process begins with it.
void keepChoice(const tawa_runtime &runtime, const Request &request);

/// The first values of the text's tile parameters, with which a caller may reckon that knows the text alone; empty
/// where `config` has them, or the request names it.
std::map<std::string, int64_t> reckonedSizes(const Request &request, const KernelConfig &config);

/// Why the cache has no configuration for the request; "" where it has one.
Result<std::string> explainChoice(const tawa_runtime &runtime, Request &request);

/// tawa_compile() without its guard. `cancelled` may be null; where it becomes true the status is Cancelled.
Status compileRequest(tawa_runtime &runtime, const tawa_compile_request_t *given, const std::atomic<bool> *cancelled,
                      tawa_kernel_t *kernel);

} // namespace tawa::capi
