//===- OpsCompute.td - matrix products, reductions and conversions ------------------------------------------------===//
#ifndef TAWA_TT_OPS_COMPUTE_TD
#define TAWA_TT_OPS_COMPUTE_TD

include "mlir/Interfaces/ControlFlowInterfaces.td"
include "compiler/dialect/TT/Enums.td"
include "compiler/dialect/TT/Types.td"

def TT_DotOp : TT_Op<"dot", [Pure]> {
  let summary = "matrix product with accumulation";
  let description = [{
    `%d = tt.dot %a, %b, %c, inputPrecision = tf32 {maxNumImpreciseAcc = 0 : i32}
     : tensor<128x64xf16> * tensor<64x256xf16> -> tensor<128x256xf32>`

    d = a b + c, over the last two dimensions; a third, leading one is a batch. `inputPrecision` says what happens to
    f32 operands (absent: IEEE f32); for other types it has no meaning. `maxNumImpreciseAcc` N > 0 asks FP8 products to
    be added to an f32 accumulator every N of K.

    C1. all three have rank 2, or all three rank 3 with equal leading dimensions;
    C2. a is MxK, b is KxN and c is MxN;
    C3. a and b have elements of the same width, of the same type or both FP8;
    C4. the accumulator fits: f32 for FP8, f16, bf16 and f32; f16 for FP8 and f16; i32 for i8; f64 for f64;
    C5. the result has the accumulator's type.
  }];
  let arguments = (ins TT_NumberTensor:$a, TT_NumberTensor:$b, TT_NumberTensor:$c,
                       DefaultValuedAttr<TT_InputPrecision, "::tawa::tt::InputPrecision::IEEE">:$inputPrecision,
                       DefaultValuedAttr<I32Attr, "0">:$maxNumImpreciseAcc);
  let results = (outs TT_NumberTensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$a, "::mlir::Value":$b, "::mlir::Value":$c,
                                 CArg<"::tawa::tt::InputPrecision", "::tawa::tt::InputPrecision::IEEE">:$precision,
                                 CArg<"int32_t", "0">:$maxNumImpreciseAcc), [{
    build($_builder, $_state, c.getType(), a, b, c, precision, maxNumImpreciseAcc);
  }]>];
  let assemblyFormat = [{
    $a `,` $b `,` $c (`,` `inputPrecision` `=` $inputPrecision^)? attr-dict `:` type($a) `*` type($b) `->`
    custom<PairTypes>(type($c), type($result))
  }];
  let hasVerifier = 1;
}

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

def TT_BitcastOp : TT_Op<"bitcast", [Pure]> {
  let summary = "the same bits as another type";
  let description = [{
    `%i = tt.bitcast %x : tensor<64xf32> -> tensor<64xi32>`

    C1. operand and result have the same shape;
    C2. their elements have the same width, or are both pointers into the same address space.
  }];
  let arguments = (ins TT_Value:$src);
  let results = (outs TT_Value:$result);
  let assemblyFormat = "$src attr-dict `:` qualified(type($src)) `->` qualified(type($result))";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TT_FpToFpOp : TT_Op<"fp_to_fp", [Pure]> {
  let summary = "convert between float types";
  let description = [{
    `%h = tt.fp_to_fp %x, rounding = rtne : tensor<64xf32> -> tensor<64xf8E4M3FN>`. Narrowing to FP8 saturates to the
    largest finite value; NaN stays NaN.

    C1. operand and result have the same shape;
    C2. a narrowing conversion says how it rounds.
  }];
  let arguments = (ins TT_FloatLike:$src, OptionalAttr<TT_RoundingMode>:$rounding);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = [{
    $src attr-dict (`,` `rounding` `=` $rounding^)? `:` type($src) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

#endif
