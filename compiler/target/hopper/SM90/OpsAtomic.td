// Atomic read-modify-write and compare-and-swap, in global and in shared memory.
#ifndef TAWA_DIALECT_SM90_OPSATOMIC_TD
#define TAWA_DIALECT_SM90_OPSATOMIC_TD

include "compiler/target/hopper/SM90/OpBase.td"

// A shared address is an i32, a global one a pointer, as everywhere in the dialect.
def SM90_Address : AnyTypeOf<[I32, SM90_GlobalPointer], "shared address or global pointer">;

def SM90_AtomicRmwOp : SM90_PredicatedOp<"atomic_rmw"> {
  let summary = "change a value in memory in one step";
  let description = [{
    atom (red, where the old value is unused and PTX has that form). The result is what memory held before. A signed
    integer is what `max` and `min` compare, an unsigned one `umax` and `umin`.

    Constraints:
    C1: and, or, xor, add, max, min, umax, umin on i32 and i64; fadd on f16, bf16, f32 and f64; exch on i32, i64, f32, f64.
    C2: the result, if any, has the value's type.

    ```mlir
    %old = sm90.atomic_rmw fadd acq_rel gpu %pointer, %x if %inside : !llvm.ptr<1>, f32 -> f32
    sm90.atomic_rmw add relaxed cta %address, %one : i32, i32
    ```
  }];
  let arguments = (ins SM90_AtomicKindAttr:$kind, SM90_SemanticsAttr:$semantics, SM90_ScopeAttr:$scope,
                       SM90_Address:$address, SM90_Scalar:$value, Optional<I1>:$predicate);
  let results = (outs Optional<SM90_Scalar>:$result);
  let assemblyFormat = [{
    $kind $semantics $scope $address `,` $value (`if` $predicate^)? attr-dict
    `:` type($address) `,` type($value) (`->` type($result)^)?
  }];
  let hasVerifier = 1;
}

def SM90_AtomicCasOp : SM90_PredicatedOp<"atomic_cas", [AllTypesMatch<["expected", "value", "result"]>]> {
  let summary = "store a value where memory holds the expected one";
  let description = [{
    atom.cas: compares and swaps bits, whatever the type. The result is what memory held before.

    Constraints:
    C1: expected value, value and result are of one type of 16, 32 or 64 bits.

    ```mlir
    %old = sm90.atomic_cas acq_rel gpu %lock, %free, %taken : !llvm.ptr<1>, i32
    ```
  }];
  let arguments = (ins SM90_SemanticsAttr:$semantics, SM90_ScopeAttr:$scope, SM90_Address:$address,
                       SM90_Scalar:$expected, SM90_Scalar:$value, Optional<I1>:$predicate);
  let results = (outs SM90_Scalar:$result);
  let assemblyFormat = [{
    $semantics $scope $address `,` $expected `,` $value (`if` $predicate^)? attr-dict `:` type($address) `,` type($result)
  }];
  let hasVerifier = 1;
}

def SM90_AddGlobalOp : SM90_PredicatedOp<"add_global", [AttrSizedOperandSegments]> {
  let summary = "add to 2, 4 or 8 neighbours in global memory, to each in one step";
  let description = [{
    red.add of a vector (PTX ISA, "red"): each element is atomic, not all of them. Words are f32, or two halves each, the first
    in the low bits.

    Constraints:
    C1: 2 or 4 words of f32; 1, 2 or 4 words of two f16 or bf16 as i32.
    C2: the semantics are relaxed or release.
    C3: the address is aligned to the bytes of all words. Not checked here.

    ```mlir
    sm90.add_global relaxed gpu %pointer, %x, %y if %inside {type = f32} : f32, f32
    sm90.add_global release gpu %pointer, %halves {type = bf16} : i32
    ```
  }];
  let arguments = (ins SM90_SemanticsAttr:$semantics, SM90_ScopeAttr:$scope, SM90_GlobalPointer:$address,
                       Variadic<SM90_Scalar>:$words, Optional<I1>:$predicate, TypeAttr:$type);
  let assemblyFormat = [{
    $semantics $scope $address `,` $words (`if` $predicate^)? attr-dict `:` type($words)
  }];
  let hasVerifier = 1;
}

def SM90_FenceAcqRelOp : SM90_Op<"fence_acq_rel"> {
  let summary = "order this thread's accesses to memory before its later ones, as others in the scope see them";
  let description = [{
    With relaxed atomics after it they release, with relaxed atomics before it they acquire (PTX ISA, "Release and Acquire
    Patterns"): one fence for all atomics of a tile.

    ```mlir
    sm90.fence_acq_rel gpu
    ```
  }];
  let arguments = (ins SM90_ScopeAttr:$scope);
  let assemblyFormat = "$scope attr-dict";
}

#endif // TAWA_DIALECT_SM90_OPSATOMIC_TD
