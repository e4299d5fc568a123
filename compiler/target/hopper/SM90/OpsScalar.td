// Scalar instructions that arith and LLVM define differently, or lower to slower code.
#ifndef TAWA_DIALECT_SM90_OPSSCALAR_TD
#define TAWA_DIALECT_SM90_OPSSCALAR_TD

include "compiler/target/hopper/SM90/OpBase.td"

def SM90_DivFullOp : SM90_Op<"div_full", [Pure, AllTypesMatch<["lhs", "rhs", "result"]>]> {
  let summary = "a quotient of f32 within 2 ulp";
  let description = [{
    div.full.f32: right within 2 ulp over the whole range. The host gives the correctly rounded quotient; that of
    `arith.divf` is correctly rounded on both.

    ```mlir
    %q = sm90.div_full %x, %y : f32
    ```
  }];
  let arguments = (ins F32:$lhs, F32:$rhs);
  let results = (outs F32:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}

def SM90_FloatToIntOp : SM90_Op<"float_to_int", [Pure]> {
  let summary = "a float cut to an integer, with a result for all floats";
  let description = [{
    cvt.rzi: towards zero; beyond the integer's range its nearest end. NaN gives 0, also in the forms whose PTX result is
    another one. arith.fptosi and fptoui have no result there.

    ```mlir
    %i = sm90.float_to_int %x : f32 -> i32
    %u = sm90.float_to_int %x {isUnsigned} : f64 -> i64
    ```
  }];
  let arguments = (ins AnyTypeOf<[F32, F64]>:$value, UnitAttr:$isUnsigned);
  let results = (outs AnyTypeOf<[I32, I64]>:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($result)";
}

#endif // TAWA_DIALECT_SM90_OPSSCALAR_TD
