//===- OpsDot.td - matrix products --------------------------------------------------------------------------------===//
#ifndef TAWA_TT_OPS_DOT_TD
#define TAWA_TT_OPS_DOT_TD

include "compiler/frontend/TT/Enums.td"
include "compiler/frontend/TT/Types.td"

def TT_DotOp : TT_Op<"dot", [Pure]> {
  let summary = "matrix product with accumulation";
  let description = [{
    `%d = tt.dot %a, %b, %c, inputPrecision = tf32 {maxNumImpreciseAcc = 0 : i32}
     : tensor<128x64xf16> * tensor<64x256xf16> -> tensor<128x256xf32>`

    d = a b + c, over the last two dimensions; a third, leading one is a batch. `inputPrecision` says what happens to
    f32 operands (absent: IEEE f32); for other types it has no meaning. `maxNumImpreciseAcc` N lets a
    matrix unit sum N FP8 products along K with fewer bits than f32, before it adds them to the accumulator in f32; 2^30,
    which Triton writes on Hopper, lets it sum them all.

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
    $a `,` $b `,` $c `` custom<InputPrecision>($inputPrecision) attr-dict `:` type($a) `*` type($b) `->`
    custom<PairTypes>(type($c), type($result))
  }];
  let hasVerifier = 1;
}

def TT_ScaleTensor : RankedTensorOf<[I8, F8E4M3FN]>;

def TT_DotScaledOp : TT_Op<"dot_scaled", [Pure, AttrSizedOperandSegments]> {
  let summary = "matrix product of operands with block scales";
  let description = [{
    `%d = tt.dot_scaled %a scale %sa, %b scale %sb, %c lhs = e2m1 rhs = e4m3 {fastMath = false}
     : tensor<128x32xi8>, tensor<128x2xi8> * tensor<64x128xf8E4M3FN>, tensor<128x2xi8> -> tensor<128x128xf32>`

    d = (a sa) (b sb) + c, where each run of 32 elements along K has one scale: 2 to the power of its value less 127
    (i8, 0xFF stands for NaN), or an f8E4M3FN number for runs of 16. The scales of a are Mx(K/32), those of b
    Nx(K/32). An operand without scales is taken as it is. e2m1 values come two to an i8, the low half first: along K,
    or with `lhs_k_pack = false` along M, with `rhs_k_pack = false` along N. `fastMath` permits ignoring NaN scales.

    Triton 3.2 separates operands and scales by commas, which is read too.

    C1. a, b and c have rank 2, or all rank 3 with equal leading dimensions;
    C2. the elements are those that `lhs` and `rhs` say: f8E4M3FN or i8 for e4m3, f8E5M2 or i8 for e5m2, i8 for e2m1,
        bf16, f16; the 6-bit types exist on no Hopper unit and are refused;
    C3. after unpacking, a is MxK, b is KxN and c is MxN;
    C4. the scales of a are Mx(K/F) and those of b Nx(K/F), F = 32 for i8 and 16 for f8E4M3FN; bf16 and fp16 take none
        or i8;
    C5. the result has the accumulator's type, and that is f32, f16 or bf16.
  }];
  let arguments = (ins TT_NumberTensor:$a, TT_NumberTensor:$b, TT_FloatTensor:$c, Optional<TT_ScaleTensor>:$a_scale,
                       Optional<TT_ScaleTensor>:$b_scale, TT_ScaleDotElemType:$a_elem_type,
                       TT_ScaleDotElemType:$b_elem_type, DefaultValuedAttr<BoolAttr, "false">:$fastMath,
                       DefaultValuedAttr<BoolAttr, "true">:$lhs_k_pack, DefaultValuedAttr<BoolAttr, "true">:$rhs_k_pack);
  let results = (outs TT_FloatTensor:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

#endif
