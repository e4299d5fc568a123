// PTX that a kernel brings along (tt.elementwise_inline_asm). It becomes part of the kernel's own PTX as it is, past
// every proof of barriers, registers and memory; so only instructions that compute values from values are let through:
//
//   text      = { scope | statement }
//   scope     = "{" { ".reg" type name {"," name} ";" | text } "}"
//   statement = ["@" ["!"] operand] opcode [operand {"," operand}] ";"
//   operand   = ["-" | "!"] (number | name | "$"index | "_") ["|" operand] | "{" operand {"," operand} "}"
//
// Opcodes are those of the table in InlinePtx.cpp. Names are registers declared in a scope around them, so no symbol,
// label or special register is reached. The first operand, which is written, is a result or a declared register.
#pragma once

#include "runtime/support/Status.h"

#include <string>
#include <string_view>

namespace tawa {

/// The text without its comments, which might hide something. `constraints` are those of LLVM: "=r,=&h,r,0,~{memory}".
/// Anything else is Unsupported, and the message says what and why ("'trap': it ends threads, ...").
Result<std::string> readInlinePtx(std::string_view text, std::string_view constraints);

} // namespace tawa
