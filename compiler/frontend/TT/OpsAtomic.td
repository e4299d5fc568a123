//===- OpsAtomic.td - atomic accesses, and pointers as numbers ----------------------------------------------------===//
#ifndef TAWA_TT_OPS_ATOMIC_TD
#define TAWA_TT_OPS_ATOMIC_TD

include "compiler/frontend/TT/OpsMemory.td"

// The place that is changed.
defvar TT_AtomicPtr = Arg<TT_PtrLike, "", [MemRead<TT_GlobalMemory>, MemWrite<TT_GlobalMemory>]>;

def TT_AtomicRMWOp : TT_Op<"atomic_rmw"> {
  let summary = "atomic read, change and write";
  let description = [{
    `%old = tt.atomic_rmw fadd, acq_rel, gpu, %p, %v, %mask
     : (tensor<64x!tt.ptr<f32>>, tensor<64xf32>, tensor<64xi1>) -> tensor<64xf32>`

    The result is what memory held before. Where the mask is false nothing is accessed and the result is unspecified.
    Elements that name one address are applied one after the other, in any order. A scalar access happens once in a
    program. `max` and `min` are signed, `umax` and `umin` unsigned; front ends make those of floats of them.

    C1. value and result have the pointer's shape with pointee elements;
    C2. the mask has the pointer's shape with i1 elements;
    C3. the operation exists for the elements: fadd for f16, bf16, f32, f64; exch for all of 32 and 64 bits; the others
        for integers of 32 and 64 bits.
  }];
  let arguments = (ins TT_RMWOp:$atomic_rmw_op, TT_AtomicPtr:$ptr, TT_Value:$val, Optional<TT_BoolLike>:$mask,
                       TT_MemSemantic:$sem, TT_MemSyncScope:$scope);
  let results = (outs TT_Value:$result);
  let assemblyFormat = [{
    custom<EnumValue>($atomic_rmw_op) `,` custom<EnumValue>($sem) `,` custom<EnumValue>($scope) `,`
    $ptr `,` $val (`,` $mask^)? attr-dict `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def TT_AtomicCASOp : TT_Op<"atomic_cas"> {
  let summary = "atomic compare and swap";
  let description = [{
    `%old = tt.atomic_cas acq_rel, gpu, %p, %expected, %v : (!tt.ptr<i32>, i32, i32) -> i32`

    Where memory holds the expected bits, the value is written; the result is what memory held before.

    C1. expected, value and result have the pointer's shape with pointee elements;
    C2. elements have 16, 32 or 64 bits.
  }];
  let arguments = (ins TT_AtomicPtr:$ptr, TT_Value:$cmp, TT_Value:$val, TT_MemSemantic:$sem, TT_MemSyncScope:$scope);
  let results = (outs TT_Value:$result);
  let assemblyFormat = [{
    custom<EnumValue>($sem) `,` custom<EnumValue>($scope) `,` $ptr `,` $cmp `,` $val attr-dict `:`
    functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}

def TT_IntToPtrOp : TT_Op<"int_to_ptr", [Pure] # ElementwiseMappable.traits> {
  let summary = "a number as an address";
  let description = [{
    `%p = tt.int_to_ptr %x : i64 -> !tt.ptr<f16>`

    C1. operand and result have the same shape.
  }];
  let arguments = (ins TT_I64Like:$src);
  let results = (outs TT_PtrLike:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` qualified(type($result))";
  let hasFolder = 1;
}

def TT_PtrToIntOp : TT_Op<"ptr_to_int", [Pure] # ElementwiseMappable.traits> {
  let summary = "an address as a number";
  let description = [{
    `%x = tt.ptr_to_int %p : !tt.ptr<f16> -> i64`

    C1. operand and result have the same shape.
  }];
  let arguments = (ins TT_PtrLike:$src);
  let results = (outs TT_I64Like:$result);
  let assemblyFormat = "$src attr-dict `:` qualified(type($src)) `->` type($result)";
  let hasFolder = 1;
}

#endif
