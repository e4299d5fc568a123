//===- OpsBlockPtr.td - block pointers ----------------------------------------------------------------------------===//
//
// Only text from before Triton's make_ttir has them (`.source`, up to 3.6). tt.load and tt.store take them too.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TAWA_TT_OPS_BLOCKPTR_TD
#define TAWA_TT_OPS_BLOCKPTR_TD

include "compiler/frontend/TT/Types.td"

def TT_MakeTensorPtrOp : TT_Op<"make_tensor_ptr", [Pure, SameVariadicOperandSize]> {
  let summary = "point at a block of a tensor in memory";
  let description = [{
    `%b = tt.make_tensor_ptr %base, [%m, %k], [%ld, %c1], [%i, %j] {order = array<i32: 1, 0>}
     : <tensor<128x64xf16>>`

    Shape and strides (i64) count elements, outermost dimension first; the offsets (i32) are the first corner of the
    block. `order` names the dimensions from the fastest in memory to the slowest; it is a hint. The type after the
    colon may be printed in full too.

    C1. the result is a block pointer; there are as many shape operands, strides and offsets as the block has
        dimensions;
    C2. order is a permutation of the dimensions, or empty;
    C3. the base points at elements of the block.
  }];
  let arguments = (ins TT_ElementPtr:$base, Variadic<I64>:$shape, Variadic<I64>:$strides, Variadic<I32>:$offsets,
                       DefaultValuedAttr<DenseI32ArrayAttr, "{}">:$order);
  let results = (outs TT_BlockPtr:$result);
  let assemblyFormat = [{
    $base `,` `[` $shape `]` `,` `[` $strides `]` `,` `[` $offsets `]` attr-dict `:`
    custom<BlockPointer>(type($base), type($result))
  }];
  let hasVerifier = 1;
}

def TT_AdvanceOp : TT_Op<"advance", [Pure]> {
  let summary = "move a block pointer";
  let description = [{
    `%c = tt.advance %b, [%di, %dj] : <tensor<128x64xf16>>`: the block's corner moves by that many elements along each
    dimension.

    C1. there is one offset for each dimension of the block;
    C2. the result has the operand's type.
  }];
  let arguments = (ins TT_BlockPtr:$ptr, Variadic<I32>:$offsets);
  let results = (outs TT_BlockPtr:$result);
  let assemblyFormat = "$ptr `,` `[` $offsets `]` attr-dict `:` custom<StrippedPair>(type($ptr), type($result))";
  let hasVerifier = 1;
  let hasFolder = 1;
}

#endif
