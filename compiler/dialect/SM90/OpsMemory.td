// Ordinary loads and stores, matrix moves through shared memory, and the conversion that feeds them.
#ifndef TAWA_DIALECT_SM90_OPSMEMORY_TD
#define TAWA_DIALECT_SM90_OPSMEMORY_TD

include "compiler/dialect/SM90/OpBase.td"

def SM90_SharedBaseOp : SM90_Op<"shared_base", [Pure]> {
  let summary = "address of the CTA's dynamic shared memory";
  let description = [{
    A 32-bit address of the shared::cta window, aligned to 1024 bytes, not necessarily 0.

    ```mlir
    %base = sm90.shared_base : i32
    ```
  }];
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

class SM90_LoadOp<string opMnemonic> : SM90_PredicatedOp<opMnemonic> {
  let results = (outs Variadic<SM90_Scalar>:$results);
  let assemblyFormat = "$address (`if` $predicate^)? attr-dict `:` type($results)";
  let hasVerifier = 1;
}
class SM90_StoreOp<string opMnemonic> : SM90_PredicatedOp<opMnemonic, [AttrSizedOperandSegments]> {
  let assemblyFormat = "$address `,` $values (`if` $predicate^)? attr-dict `:` type($values)";
  let hasVerifier = 1;
}

def SM90_LoadSharedOp : SM90_LoadOp<"load_shared"> {
  let summary = "load 1 to 16 bytes from shared memory";
  let description = [{
    Constraints:
    C1: one scalar, or two or four 32-bit scalars of one type (a vector access).
    C2: the address is aligned to the bytes moved. Not checked here.

    ```mlir
    %x = sm90.load_shared %address : f32
    %w:4 = sm90.load_shared %address if %inside : i32, i32, i32, i32
    ```
  }];
  let arguments = (ins I32:$address, Optional<I1>:$predicate);
}

def SM90_StoreSharedOp : SM90_StoreOp<"store_shared"> {
  let summary = "store 1 to 16 bytes to shared memory";
  let description = [{
    Constraints C1 and C2 of `load_shared` hold.

    ```mlir
    sm90.store_shared %address, %x : f32
    ```
  }];
  let arguments = (ins I32:$address, Variadic<SM90_Scalar>:$values, Optional<I1>:$predicate);
}

def SM90_LoadGlobalOp : SM90_LoadOp<"load_global"> {
  let summary = "load 1 to 16 bytes from global memory";
  let description = [{
    Constraints C1 and C2 of `load_shared` hold.

    ```mlir
    %x = sm90.load_global %pointer if %inside : f16
    ```
  }];
  let arguments = (ins SM90_GlobalPointer:$address, Optional<I1>:$predicate);
}

def SM90_StoreGlobalOp : SM90_StoreOp<"store_global"> {
  let summary = "store 1 to 16 bytes to global memory";
  let description = [{
    Constraints C1 and C2 of `load_shared` hold.

    ```mlir
    sm90.store_global %pointer, %x if %inside : f16
    ```
  }];
  let arguments = (ins SM90_GlobalPointer:$address, Variadic<SM90_Scalar>:$values, Optional<I1>:$predicate);
}

def SM90_StmatrixOp : SM90_Op<"stmatrix"> {
  let summary = "store 8x8 matrices of 16-bit elements from a warp's registers to shared memory";
  let description = [{
    stmatrix.sync.aligned.m8n8: lane l gives the address of a row of 16 bytes, row l mod 8 of matrix l / 8; register i of the
    lanes holds matrix i. `trans` stores each matrix transposed.

    Constraints:
    C1: 1, 2 or 4 registers.

    ```mlir
    sm90.stmatrix %address, %r0, %r1, %r2, %r3
    ```
  }];
  let arguments = (ins I32:$address, Variadic<I32>:$registers, UnitAttr:$trans);
  let assemblyFormat = "$address `,` $registers attr-dict";
  let hasVerifier = 1;
}

def SM90_LdmatrixOp : SM90_Op<"ldmatrix"> {
  let summary = "load 8x8 matrices of 16-bit elements from shared memory to a warp's registers";
  let description = [{
    The reverse of `stmatrix`; its constraint C1 holds for the results.

    ```mlir
    %r:4 = sm90.ldmatrix %address {trans} : i32, i32, i32, i32
    ```
  }];
  let arguments = (ins I32:$address, UnitAttr:$trans);
  let results = (outs Variadic<I32>:$registers);
  let assemblyFormat = "$address attr-dict `:` type($registers)";
  let hasVerifier = 1;
}

def SM90_CvtPackOp : SM90_Op<"cvt_pack", [Pure]> {
  let summary = "round two f32 to 16 bits and pack them";
  let description = [{
    cvt.rn.f16x2.f32 or cvt.rn.bf16x2.f32: round to nearest even; `lo` goes to the low half.

    Constraints:
    C1: the type is f16 or bf16.

    ```mlir
    %r = sm90.cvt_pack %lo, %hi {type = f16} : (f32, f32) -> i32
    ```
  }];
  let arguments = (ins F32:$lo, F32:$hi, TypeAttr:$type);
  let results = (outs I32:$result);
  let assemblyFormat = "$lo `,` $hi attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

#endif // TAWA_DIALECT_SM90_OPSMEMORY_TD
