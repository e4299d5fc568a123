// Checks PTX that a kernel contains (tt.elementwise_inline_asm). It becomes part of the kernel's PTX unchanged, outside
// every proof of barriers, registers and memory; so only instructions that compute values from values are permitted:
//
//   text      = { scope | statement }
//   scope     = "{" { ".reg" type name {"," name} ";" | text } "}"
//   statement = ["@" ["!"] operand] opcode [operand {"," operand}] ";"
//   operand   = ["-" | "!"] (number | name | "$"index | "_") ["|" operand] | "{" operand {"," operand} "}"
//
// Opcodes are those of the table in InlinePtx.cpp. Names are registers declared in an enclosing scope, so no symbol,
// label or special register is accessible. The first operand, which is written, is a result or a declared register.
#pragma once

#include "runtime/support/Status.h"

#include <string>
#include <string_view>

namespace tawa {

/// The text without its comments, which might hide something. `constraints` are those of LLVM: "=r,=&h,r,0,~{memory}".
/// Anything else is Unsupported, with the instruction and the reason in the message ("'trap': it ends threads, ...").
Result<std::string> readInlinePtx(std::string_view text, std::string_view constraints);

} // namespace tawa
