//===- OpsElementwise.td - conversions and functions of single elements -------------------------------------------===//
#ifndef TAWA_TT_OPS_ELEMENTWISE_TD
#define TAWA_TT_OPS_ELEMENTWISE_TD

include "mlir/Interfaces/InferTypeOpInterface.td"
include "compiler/frontend/TT/Enums.td"
include "compiler/frontend/TT/Types.td"

def TT_BitcastOp : TT_Op<"bitcast", [Pure] # ElementwiseMappable.traits> {
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

def TT_FpToFpOp : TT_Op<"fp_to_fp", [Pure] # ElementwiseMappable.traits> {
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
    $src attr-dict (`,` `rounding` `=` custom<EnumValue>($rounding)^)? `:` type($src) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

// Operands and result of one type, printed once.
class TT_ElementwiseOp<string mnemonic>
    : TT_Op<mnemonic, [Pure, SameOperandsAndResultType] # ElementwiseMappable.traits>;

def TT_ClampFOp : TT_ElementwiseOp<"clampf"> {
  let summary = "bring a float between two others";
  let description = [{
    `%r = tt.clampf %x, %lo, %hi, propagateNan = none : tensor<64xf32>`: min(max(x, lo), hi). A NaN x gives one of the
    bounds with `none`, and NaN with `all`.

    C1. operands and result have one type.
  }];
  let arguments = (ins TT_FloatLike:$x, TT_FloatLike:$min, TT_FloatLike:$max, TT_PropagateNan:$propagateNan);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = [{
    $x `,` $min `,` $max `,` `propagateNan` `=` custom<EnumValue>($propagateNan) attr-dict `:` type($result)
  }];
}

def TT_PreciseSqrtOp : TT_ElementwiseOp<"precise_sqrt"> {
  let summary = "square root, correctly rounded";
  let description = [{
    `%r = tt.precise_sqrt %x : tensor<64xf32>`

    C1. operand and result have one type.
  }];
  let arguments = (ins TT_FloatLike:$x);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
}

def TT_PreciseDivFOp : TT_ElementwiseOp<"precise_divf"> {
  let summary = "quotient of floats, correctly rounded";
  let description = [{
    `%r = tt.precise_divf %x, %y : tensor<64xf32>`

    C1. operands and result have one type.
  }];
  let arguments = (ins TT_FloatLike:$x, TT_FloatLike:$y);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = "$x `,` $y attr-dict `:` type($x)";
}

def TT_MulhiUIOp : TT_ElementwiseOp<"mulhiui"> {
  let summary = "upper half of a product of unsigned integers";
  let description = [{
    `%r = tt.mulhiui %x, %y : tensor<64xi32>`

    C1. operands and result have one type.
  }];
  let arguments = (ins TT_IntLike:$x, TT_IntLike:$y);
  let results = (outs TT_IntLike:$result);
  let assemblyFormat = "$x `,` $y attr-dict `:` type($x)";
  let hasFolder = 1;
}

// Opaque calls: `pure` says whether they may be moved, merged and dropped.
class TT_OpaqueOp<string mnemonic>
    : TT_Op<mnemonic, [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
                       DeclareOpInterfaceMethods<ConditionallySpeculatable>] # ElementwiseMappable.traits>;

def TT_ExternElementwiseOp : TT_OpaqueOp<"extern_elementwise"> {
  let summary = "a function of a library, applied to every element";
  let description = [{
    `%r = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "__nv_tanhf"}
     : (tensor<64xf32>) -> tensor<64xf32>`

    The symbols are CUDA's libdevice names. `libname` and `libpath` say where Triton found the function; here they mean
    nothing, since functions are implemented in the compiler.

    C1. the symbol is not empty;
    C2. operands that are tensors have the result's shape.
  }];
  let arguments = (ins Variadic<TT_Value>:$srcs, StrAttr:$libname, StrAttr:$libpath, StrAttr:$symbol, BoolAttr:$pure);
  let results = (outs TT_Value:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, $result)";
  let hasVerifier = 1;
}

def TT_ElementwiseInlineAsmOp : TT_OpaqueOp<"elementwise_inline_asm"> {
  let summary = "PTX text, applied to every element";
  let description = [{
    `%r = tt.elementwise_inline_asm "cvt.rn.f16x2.e4m3x2 $0, $1;" {constraints = "=r,h", packed_element = 2 : i32,
     pure = true} %x : tensor<64xi8> -> tensor<64xf16>`

    The text is run once for each group of `packed_element` elements. Constraints are LLVM's, outputs first (`$0`, ...);
    elements narrower than 32 bits are packed into 32-bit registers, wider ones have a register each. Without operands
    the results are scalars.

    C1. tensors among operands and results have one shape;
    C2. packed_element is a power of two;
    C3. the constraints name as many registers as operands and results need;
    C4. there is a result.

    What the text may hold is checked where a kernel is read (frontend/text/InlinePtx.h).
  }];
  let arguments = (ins StrAttr:$asm_string, StrAttr:$constraints, BoolAttr:$pure, I32Attr:$packed_element,
                       Variadic<TT_Value>:$args);
  let results = (outs Variadic<TT_Value>:$result);
  let assemblyFormat = "$asm_string attr-dict ($args^ `:` type($args))? `->` type($result)";
  let hasVerifier = 1;
}

#endif
