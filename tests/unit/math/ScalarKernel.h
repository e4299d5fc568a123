// Runs one scalar operation over arrays: a machine-phase kernel with a loop around it is compiled by tawa-expand-math
// and the host back end, linked in memory and called. The same text can be had as PTX.
#pragma once

#include "runtime/emulator/ObjectLoader.h"
#include "runtime/support/Status.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace tawa::test {

/// An f16, bf16 or FP8 by its bits.
enum class Half : uint16_t {};
enum class BHalf : uint16_t {};
enum class E4M3 : uint8_t {};
enum class E5M2 : uint8_t {};

/// "f32" for float, and so on.
template <typename T> std::string typeName() {
  if constexpr (std::is_same_v<T, float>)
    return "f32";
  else if constexpr (std::is_same_v<T, double>)
    return "f64";
  else if constexpr (std::is_same_v<T, Half>)
    return "f16";
  else if constexpr (std::is_same_v<T, BHalf>)
    return "bf16";
  else if constexpr (std::is_same_v<T, E4M3>)
    return "f8E4M3FN";
  else if constexpr (std::is_same_v<T, E5M2>)
    return "f8E5M2";
  else
    return "i" + std::to_string(8 * sizeof(T));
}

/// The kernel: `body` computes %r of %a, %b, ... in each of %n rounds.
std::string scalarKernel(const std::string &body, const std::vector<std::string> &operandTypes,
                         const std::string &resultType, const std::string &name = "kernel");
/// "tt.extern_elementwise" by symbol.
std::string libraryCall(const std::string &symbol, const std::vector<std::string> &operandTypes,
                        const std::string &resultType);

struct HostCode {
  int optimization = 2;
  bool detectHost = false; ///< As in HostOptions; needed where many samples call fma.
  std::string gpu = {};    ///< Hardware description whose instructions are used; empty: the default one.
};

Result<std::string> expandedPtx(const std::string &text);
Result<std::shared_ptr<LoadedObject>> expandedHost(const std::string &text, const HostCode &how = {},
                                                   const std::string &entry = "kernel");
/// Calls the kernel: addresses of operands, of the result, and the count.
void callKernel(const LoadedObject &kernel, const std::vector<const void *> &operands, void *result, uint64_t count);
/// What the pass says about a text it refuses; empty if it does not.
std::string refusal(const std::string &text);
/// The path of ptxas, empty if there is none; and what it says about a text that it refuses.
std::string findPtxas();
std::string assemble(const std::string &ptxas, const std::string &ptx);

/// Compiles once, runs on as many arrays as wanted.
template <typename R, typename... As> class ScalarFunction {
public:
  explicit ScalarFunction(const std::string &body, const HostCode &how = {})
      : status(Status::ok()), text(scalarKernel(body, {typeName<As>()...}, typeName<R>())) {
    auto loaded = expandedHost(text, how);
    if (loaded)
      kernel = *loaded;
    else
      status = loaded.status();
  }
  static ScalarFunction library(const std::string &symbol, const HostCode &how = {}) {
    return ScalarFunction(libraryCall(symbol, {typeName<As>()...}, typeName<R>()), how);
  }

  bool isOk() const { return kernel != nullptr; }
  std::vector<R> operator()(const std::vector<As> &...operands) const {
    std::vector<R> results(std::min({operands.size()...}));
    callKernel(*kernel, {operands.data()...}, results.data(), results.size());
    return results;
  }
  R one(As... operands) const { return (*this)(std::vector<As>{operands}...)[0]; }

  Status status;
  std::string text;

private:
  std::shared_ptr<LoadedObject> kernel;
};

} // namespace tawa::test
