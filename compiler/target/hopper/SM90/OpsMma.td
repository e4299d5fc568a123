// The warp-level matrix multiply, for tiles that wgmma does not take.
#ifndef TAWA_DIALECT_SM90_OPSMMA_TD
#define TAWA_DIALECT_SM90_OPSMMA_TD

include "compiler/target/hopper/SM90/OpBase.td"

def SM90_MmaOp : SM90_Op<"mma", [AllTypesMatch<["c", "d"]>]> {
  let summary = "D = A * B + C, one m16n8kK product of a warp, everything in registers";
  let description = [{
    mma.sync.aligned.m16n8kK.row.col: all 32 lanes execute it together. K is what 32 bytes of a row of A hold: 16 for 16-bit
    elements, 8 for tf32, 32 for 8-bit ones. A comes in four 32-bit registers, B in two, C and D in four f32 or i32, or,
    for f16, in two i32 of two halves each; the PTX ISA defines the positions of elements, "Matrix fragments for
    mma.m16n8k*". With 8-bit floats it is two f16 products of their halves on PTX, which is exact.

    Constraints:
    C1: aType, bType and the element of D are one of: f16 f16 -> f32 or f16; bf16 bf16 -> f32; tf32 tf32 -> f32;
        f8E4M3FN or f8E5M2, either side -> f32; i8 or ui8, either side -> i32.
    C2: C and D have four f32 or i32 registers, or two i32 (f16).

    ```mlir
    %d:4 = sm90.mma (%a0, %a1, %a2, %a3), (%b0, %b1), (%c0, %c1, %c2, %c3) {aType = f16, bType = f16} : f32, f32, f32, f32
    ```
  }];
  let arguments = (ins I32:$a0, I32:$a1, I32:$a2, I32:$a3, I32:$b0, I32:$b1, Variadic<SM90_Word>:$c, TypeAttr:$aType,
                       TypeAttr:$bType);
  let results = (outs Variadic<SM90_Word>:$d);
  let assemblyFormat = [{
    ` ` `(` $a0 `,` $a1 `,` $a2 `,` $a3 `)` `,` `(` $b0 `,` $b1 `)` `,` `(` $c `)` attr-dict `:` type($c)
  }];
  let hasVerifier = 1;
}

#endif // TAWA_DIALECT_SM90_OPSMMA_TD
