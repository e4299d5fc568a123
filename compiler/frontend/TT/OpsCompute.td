//===- OpsCompute.td - reductions, scans and the movement of elements by value ------------------------------------===//
#ifndef TAWA_TT_OPS_COMPUTE_TD
#define TAWA_TT_OPS_COMPUTE_TD

include "mlir/Interfaces/ControlFlowInterfaces.td"
include "compiler/frontend/TT/Enums.td"
include "compiler/frontend/TT/Types.td"

def TT_ReduceOp : TT_Op<"reduce", [RecursiveMemoryEffects, RecursivelySpeculatable, SingleBlock]> {
  let summary = "combine the elements along one dimension";
  let description = [{
    ```mlir
    %s = "tt.reduce"(%t) <{axis = 1 : i32}> ({
    ^bb0(%x: f32, %y: f32):
      %z = arith.addf %x, %y : f32
      tt.reduce.return %z : f32
    }) : (tensor<64x128xf32>) -> tensor<64xf32>
    ```
    The region combines two elements into one; it is taken to be associative and commutative, and the order is not
    specified. Several operands are reduced together (a value with its index, say). Reducing the only dimension gives
    scalars. There is no other spelling than the generic one.

    C1. there is at least one operand, and all have the same shape;
    C2. axis names one of its dimensions;
    C3. there is one result for each operand: the operand's shape without the axis, or a scalar where none is left,
        with its element type;
    C4. the region takes the elements of the accumulator, then the new ones: 2n scalars of the operands' element types;
    C5. it ends in a `tt.reduce.return` of n scalars of these types.
  }];
  let arguments = (ins Variadic<TT_NumberTensor>:$srcs, I32Attr:$axis);
  let results = (outs Variadic<AnyTypeOf<[TT_Float, TT_Int, TT_NumberTensor]>>:$result);
  let regions = (region SizedRegion<1>:$combineOp);
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$srcs, "int32_t":$axis)>];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def TT_ReduceReturnOp : TT_Op<"reduce.return", [Pure, HasParent<"ReduceOp">, ReturnLike, Terminator]> {
  let summary = "result of a reduction's region";
  let description = "`tt.reduce.return %z : f32`; `tt.reduce` says what must hold (C5).";
  let arguments = (ins Variadic<AnyTypeOf<[TT_Float, TT_Int]>>:$srcs);
  let assemblyFormat = "$srcs attr-dict `:` type($srcs)";
}

def TT_ScanOp : TT_Op<"scan", [RecursiveMemoryEffects, RecursivelySpeculatable, SingleBlock]> {
  let summary = "running combination along one dimension";
  let description = [{
    ```mlir
    %s = "tt.scan"(%t) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%x: f32, %y: f32):
      %z = arith.addf %x, %y : f32
      tt.scan.return %z : f32
    }) : (tensor<128xf32>) -> tensor<128xf32>
    ```
    Element i of the result combines the operand's elements up to i along the axis, in order of their index; with
    `reverse` those from the last one down to i. The region is taken to be associative; its first arguments are the
    combination so far, the second ones the next element. There is no other spelling than the generic one.

    C1. there is at least one operand, and all have the same shape;
    C2. axis names one of its dimensions;
    C3. there is one result for each operand, of its type;
    C4. the region takes 2n scalars of the operands' element types;
    C5. it ends in a `tt.scan.return` of n scalars of these types.
  }];
  let arguments = (ins Variadic<TT_NumberTensor>:$srcs, I32Attr:$axis, DefaultValuedAttr<BoolAttr, "false">:$reverse);
  let results = (outs Variadic<TT_NumberTensor>:$result);
  let regions = (region SizedRegion<1>:$combineOp);
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$srcs, "int32_t":$axis, CArg<"bool", "false">:$reverse)>];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def TT_ScanReturnOp : TT_Op<"scan.return", [Pure, HasParent<"ScanOp">, ReturnLike, Terminator]> {
  let summary = "result of a scan's region";
  let description = "`tt.scan.return %z : f32`; `tt.scan` says what must hold (C5).";
  let arguments = (ins Variadic<AnyTypeOf<[TT_Float, TT_Int]>>:$srcs);
  let assemblyFormat = "$srcs attr-dict `:` type($srcs)";
}

def TT_HistogramOp : TT_Op<"histogram", [Pure]> {
  let summary = "count values";
  let description = [{
    `%h = tt.histogram %x, %mask : tensor<1024xi32> -> tensor<256xi32>`

    Element b of the result is how often the value b stands in the operand, where the mask is not false. Values that are
    no index of the result are not counted (Triton leaves that open).

    C1. operand and result have one dimension;
    C2. the mask has the operand's shape with i1 elements.
  }];
  let arguments = (ins TT_IntTensor:$src, Optional<RankedTensorOf<[I1]>>:$mask);
  let results = (outs RankedTensorOf<[I32, I64]>:$result);
  let assemblyFormat = [{
    $src (`,` $mask^)? attr-dict `:` custom<HistogramTypes>(ref($mask), type($src), type($mask)) `->` type($result)
  }];
  let hasVerifier = 1;
}

def TT_GatherOp : TT_Op<"gather", [Pure]> {
  let summary = "pick elements along one dimension";
  let description = [{
    `%r = tt.gather %t[%i] {axis = 0 : i32} : (tensor<128x64xf32>, tensor<32x64xi32>) -> tensor<32x64xf32>`

    Element (.., i, ..) of the result is the operand's element (.., index(.., i, ..), ..). An index outside of the
    operand gives an unspecified element. `efficient_layout` asks the compiler to choose a cheap layout.

    C1. axis names one of the operand's dimensions; the indices have the same rank, and the same size along all others;
    C2. the result has the indices' shape and the operand's elements.
  }];
  let arguments = (ins TT_NumberTensor:$src, TT_IntTensor:$indices, I32Attr:$axis, UnitAttr:$efficient_layout);
  let results = (outs TT_NumberTensor:$result);
  let assemblyFormat = "$src `[` $indices `]` attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TT_MapElementwiseOp : TT_Op<"map_elementwise", [RecursiveMemoryEffects, RecursivelySpeculatable]> {
  let summary = "a scalar function, applied to every element";
  let description = [{
    ```mlir
    %s = "tt.map_elementwise"(%t, %u) <{pack = 1 : i32}> ({
    ^bb0(%x: f32, %y: f32):
      %z = arith.addf %x, %y : f32
      tt.map_elementwise.return %z : f32
    }) : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32>
    ```
    The region may have several blocks and control flow of its own. With `pack` P it takes P elements of each operand
    (those of the first operand, then those of the second, ...) and returns P of each result; which elements meet in one
    call is up to the compiler, so it must not matter.

    C1. there is at least one operand; all operands and results have the same shape;
    C2. pack is a power of two and divides the number of elements;
    C3. the region takes P scalars for each operand, of its element type;
    C4. it ends in `tt.map_elementwise.return` of P scalars for each result, of its element type;
    C5. it does not write to memory.
  }];
  let arguments = (ins Variadic<TT_NumberTensor>:$srcs, DefaultValuedAttr<I32Attr, "1">:$pack);
  let results = (outs Variadic<TT_NumberTensor>:$result);
  let regions = (region MinSizedRegion<1>:$scalarOp);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def TT_MapElementwiseReturnOp
    : TT_Op<"map_elementwise.return", [Pure, HasParent<"MapElementwiseOp">, ReturnLike, Terminator]> {
  let summary = "result of a scalar function";
  let description = "`tt.map_elementwise.return %z : f32`; `tt.map_elementwise` says what must hold (C4).";
  let arguments = (ins Variadic<AnyTypeOf<[TT_Float, TT_Int]>>:$srcs);
  let assemblyFormat = "attr-dict ($srcs^ `:` type($srcs))?";
}

#endif
