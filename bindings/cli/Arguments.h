// Arguments: `--arg NAME=VALUE` read and matched with what the kernel's text asks for.
//
//   --arg a=f16[512,256]   a dense row-major tensor, filled with random normal numbers
//   --arg a=f16[?,256]     the same with a size that only a launch tells; not where there is a launch
//   --arg M=512            a number, in the type the text prints
//   --arg K=const:256      the same, but compiled into the kernel
//   --arg i=i32[64]=0..8   uniform numbers from 0 to 7; =0 makes all of them 0
// NAME is the name printed in the text, or the argument's position counted from 0. Without names arguments stand in the
// kernel's order, numbers with their type: --arg f32[1024] --arg i32:1000 --arg f32:0.5 --arg i32:const:64.
#pragma once

#include "bindings/cli/Console.h"
#include "bindings/cli/HostTensor.h"
#include "tawa/tawa.h"

#include <optional>
#include <string>
#include <vector>

namespace tawa::cli {

/// A kernel's text and what it asks for.
struct KernelSource {
  std::string path, text;
  SignatureHandle signature;
  std::vector<tawa_arg_info_t> arguments; ///< Names live in the signature.
};

/// Reads a kernel file ("-": standard input). On failure it has printed why and returns the exit code.
ExitCode readKernel(const Console &console, const std::string &path, KernelSource &source);

/// The contents of one `--arg`, or why it cannot be read.
struct ArgSpec {
  std::string name; ///< Empty: the next argument that nothing was said about.
  tawa_arg_t value = TAWA_ARG_INIT;
  std::optional<TensorFilling> filling; ///< Of a tensor, where the spec says it.
  bool hasFraction = false;             ///< The number was written as one that no integer holds.
  std::string problem;
};
ArgSpec parseArgSpec(const std::string &text);

/// Reads the texts of all `--arg` and puts them in the kernel's order; returns the problem if there is one. An argument
/// without an `--arg` becomes an unknown tensor or scalar when `allowUnknown`; otherwise these are the problem, and so
/// are sizes left open. Contents of tensors go to `fillings`, by argument.
using TensorFillings = std::vector<std::optional<TensorFilling>>;
std::optional<std::string> matchArguments(const KernelSource &source, const std::vector<std::string> &texts,
                                          bool allowUnknown, std::vector<tawa_arg_t> &arguments,
                                          TensorFillings *fillings = nullptr);

/// Borrows all; an empty `config` is left to the policy, an empty `target` is the device's.
tawa_compile_request_t requestFor(const KernelSource &source, const std::vector<tawa_arg_t> &arguments,
                                  const std::string &config, const std::string &target = {});

/// "f16[512,256]", "i32", "const i32 = 256": an argument of a call.
std::string describeArgument(const tawa_arg_t &argument);

} // namespace tawa::cli
