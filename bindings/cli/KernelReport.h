// KernelReport: the compiler's findings and decisions, printed the same way by `run`, `explain` and `demo`, as text or
// as members of a JSON object.
#pragma once

#include "bindings/cli/Json.h"
#include "bindings/cli/Workload.h"

#include <string>

namespace tawa::cli {

/// One "label   value" line of a report; further lines of a value are indented under the first.
std::string reportLine(std::string_view label, std::string_view value);

std::string describeDevice(tawa_runtime_t runtime);
void writeDevice(JsonWriter &writer, tawa_runtime_t runtime);

/// Configuration, roles, rings, CTA resources, warnings.
std::string describeKernel(tawa_kernel_t kernel);
/// The compiler's phases and the driver's, with their times.
std::string describePhases(tawa_kernel_t kernel, double totalMilliseconds);
void writeKernel(JsonWriter &writer, tawa_kernel_t kernel);

/// "gemm.mlir:12:8: warning: tt.dot: ..." for each warning and remark that a successful compile left.
std::string describeDiagnostics(tawa_kernel_t kernel);

} // namespace tawa::cli
