// Assertions and printing, and inline PTX of the kernel's own.
#ifndef TAWA_DIALECT_SM90_OPSDEBUG_TD
#define TAWA_DIALECT_SM90_OPSDEBUG_TD

include "compiler/target/hopper/SM90/OpBase.td"

def SM90_AssertOp : SM90_Op<"assert"> {
  let summary = "abort the kernel where the condition is false, saying why";
  let description = [{
    On PTX a thread whose condition is false prints the message with its CTA and thread, and traps. On the host the launch
    ends with an error that holds the same.

    ```mlir
    sm90.assert %inside, "index out of range"
    ```
  }];
  let arguments = (ins I1:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict";
}

def SM90_PrintOp : SM90_PredicatedOp<"print", [AttrSizedOperandSegments]> {
  let summary = "print a line: where the thread is, a text, and values";
  let description = [{
    vprintf on PTX, standard output on the host. Integers are signed unless `hex` is set.

    Constraints:
    C1: 16 values at most.

    ```mlir
    sm90.print "x:", %x, %i {hex} : f32, i32
    ```
  }];
  let arguments = (ins StrAttr:$text, Variadic<SM90_Scalar>:$values, Optional<I1>:$predicate, UnitAttr:$hex);
  let assemblyFormat = "$text (`,` $values^)? (`if` $predicate^)? attr-dict (`:` type($values)^)?";
  let hasVerifier = 1;
}

def SM90_InlineAsmOp : SM90_Op<"inline_asm", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "PTX in the kernel's own words";
  let description = [{
    Text and constraints are LLVM's for NVPTX: `$0` is the first result, operands follow. The host has no meaning for it and
    refuses the kernel. Without `pure` it counts as touching memory.

    ```mlir
    %r = sm90.inline_asm "prmt.b32 $0, $1, $2, 0x5410;", "=r,r,r" {pure} (%a, %b) : (i32, i32) -> (i32)
    ```
  }];
  let arguments = (ins StrAttr:$text, StrAttr:$constraints, Variadic<AnyType>:$operands, UnitAttr:$pure);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    $text `,` $constraints attr-dict ` ` `(` ($operands^)? `)` `:` functional-type($operands, $results)
  }];
}

#endif // TAWA_DIALECT_SM90_OPSDEBUG_TD
