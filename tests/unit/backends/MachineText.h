// Helpers of the back-end tests: machine-phase text in, PTX or a host object out.
#pragma once

#include "compiler/target/hopper/host/EmitHostObject.h"
#include "compiler/target/hopper/ptx/EmitPtx.h"
#include "runtime/support/Status.h"

#include <string>

namespace tawa::test {

/// A file under tests/lit/target/hopper.
std::string machineFile(const std::string &name);
/// The hand-written GEMM.
std::string gemmText();
/// `text` with its only occurrence of `from` replaced; fails the test if there is none or more than one.
std::string replaceOnce(std::string text, const std::string &from, const std::string &to);

Result<std::string> compileToPtx(const std::string &machineText, const PtxOptions &options = {});
Result<std::string> compileToHost(const std::string &machineText, const HostOptions &options = {});

size_t countOf(const std::string &text, const std::string &what);

/// The path of ptxas (TAWA_PTXAS or where CUDA puts it); empty where there is none.
std::string findPtxas();
/// What ptxas prints about the text, and its exit status.
std::pair<std::string, int> assemble(const std::string &ptxas, const std::string &ptx);

} // namespace tawa::test
