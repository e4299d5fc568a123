// Approximate functions and the conversions that arith does not have.
#ifndef TAWA_DIALECT_SM90_OPSMATH_TD
#define TAWA_DIALECT_SM90_OPSMATH_TD

include "compiler/target/hopper/SM90/OpBase.td"

def SM90_ApproxOp : SM90_Op<"approx", [Pure]> {
  let summary = "a function as the special function unit computes it";
  let description = [{
    ex2.approx.f32 and its like; with `ftz` subnormal operands and results are zero. The host gives the value of the
    mathematical function rounded to f32: the two agree within the error the PTX ISA states, never to the bit. tanh has no
    ftz form and takes subnormals as they are; sin and cos are meant for arguments of small magnitude.

    ```mlir
    %y = sm90.approx ex2 %x {ftz} : f32
    ```
  }];
  let arguments = (ins SM90_ApproxKindAttr:$kind, F32:$value, UnitAttr:$ftz);
  let results = (outs F32:$result);
  let assemblyFormat = "$kind $value attr-dict `:` type($result)";
}

def SM90_CvtPackOp : SM90_Op<"cvt_pack", [Pure]> {
  let summary = "round two f32 to 16 bits and pack them";
  let description = [{
    cvt.rn.f16x2.f32 or cvt.rn.bf16x2.f32, or .rz: round to nearest even or towards zero; `lo` goes to the low half.

    Constraints:
    C1: the type is f16 or bf16.

    ```mlir
    %r = sm90.cvt_pack %lo, %hi {type = f16} : (f32, f32) -> i32
    ```
  }];
  let arguments = (ins F32:$lo, F32:$hi, TypeAttr:$type, DefaultValuedAttr<SM90_RoundingAttr, "::tawa::sm90::Rounding::RN">:$rounding);
  let results = (outs I32:$result);
  let builders = [OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$lo, "::mlir::Value":$hi,
                                 "::mlir::TypeAttr":$type), [{
    build($_builder, $_state, result, lo, hi, type.getValue(), Rounding::RN);
  }]>];
  let assemblyFormat = [{
    $lo `,` $hi (`rounding` $rounding^)? attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def SM90_CvtRoundOp : SM90_Op<"cvt_round", [Pure]> {
  let summary = "round one f32 to f16, bf16 or tf32";
  let description = [{
    cvt.rn or cvt.rz to f16 and bf16. tf32 (`type = tf32`) is cvt.rna.tf32.f32, to nearest with ties away from zero; its
    result is an f32 whose low 13 bits are zero, and `rounding` is left at rn.

    Constraints:
    C1: the type is f16, bf16 or tf32; the result is of that type, or f32 for tf32.
    C2: tf32 does not round to zero.

    ```mlir
    %h = sm90.cvt_round %x rounding rz {type = bf16} : bf16
    ```
  }];
  let arguments = (ins F32:$value, TypeAttr:$type, DefaultValuedAttr<SM90_RoundingAttr, "::tawa::sm90::Rounding::RN">:$rounding);
  let results = (outs AnyTypeOf<[F16, BF16, F32]>:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$value, "::mlir::Type":$type,
                                 CArg<"Rounding", "Rounding::RN">:$rounding), [{
    build($_builder, $_state, type.isTF32() ? value.getType() : type, value, type, rounding);
  }]>];
  let assemblyFormat = "$value (`rounding` $rounding^)? attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def SM90_CvtFp8PackOp : SM90_Op<"cvt_fp8_pack", [Pure]> {
  let summary = "round two floats to 8 bits and pack them";
  let description = [{
    cvt.rn.satfinite.e4m3x2 or .e5m2x2: round to nearest even; beyond the largest finite value, infinities included, that
    value with the sign of the operand; NaN stays NaN. `lo` goes to the low byte.

    Constraints:
    C1: the type is f8E4M3FN or f8E5M2.

    ```mlir
    %r = sm90.cvt_fp8_pack %lo, %hi {type = f8E4M3FN} : f32
    ```
  }];
  let arguments = (ins F32:$lo, F32:$hi, TypeAttr:$type);
  let results = (outs I16:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$lo, "::mlir::Value":$hi, "::mlir::Type":$type), [{
    build($_builder, $_state, $_builder.getI16Type(), lo, hi, type);
  }]>];
  let assemblyFormat = "$lo `,` $hi attr-dict `:` type($lo)";
  let hasVerifier = 1;
}

def SM90_BytePermuteOp : SM90_Op<"byte_permute", [Pure]> {
  let summary = "a word of four bytes of two words";
  let description = [{
    prmt.b32 without a mode: the bytes of `a` have the numbers 0 to 3, those of `b` 4 to 7, and byte i of the result is the one
    that `bytes[i]` names.

    Constraints:
    C1: there are four numbers below 8.

    ```mlir
    %r = sm90.byte_permute %a, %b [0, 4, 1, 5]
    ```
  }];
  let arguments = (ins I32:$a, I32:$b, DenseI32ArrayAttr:$bytes);
  let results = (outs I32:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$a, "::mlir::Value":$b, "::llvm::ArrayRef<int32_t>":$bytes), [{
    build($_builder, $_state, $_builder.getI32Type(), a, b, bytes);
  }]>];
  let extraClassDeclaration = [{
    /// The numbers as the instruction wants them: four bits for each byte, the lowest first.
    uint32_t selector();
  }];
  let assemblyFormat = "$a `,` $b $bytes attr-dict";
  let hasVerifier = 1;
}

def SM90_BytePermuteByOp : SM90_Op<"byte_permute_by", [Pure]> {
  let summary = "a word of four bytes of two words, which a register names";
  let description = [{
    `byte_permute` with its numbers in a register, four bits for each byte, the lowest first. The highest of the four bits is
    zero: with it set the instruction would give copies of the byte's sign.

    ```mlir
    %r = sm90.byte_permute_by %a, %b, %selector
    ```
  }];
  let arguments = (ins I32:$a, I32:$b, I32:$selector);
  let results = (outs I32:$result);
  let assemblyFormat = "$a `,` $b `,` $selector attr-dict";
}

def SM90_CvtFp8UnpackOp : SM90_Op<"cvt_fp8_unpack", [Pure]> {
  let summary = "two 8-bit floats as f16";
  let description = [{
    cvt.rn.f16x2.e4m3x2 or .e5m2x2, which is exact. The first result is the low byte's.

    Constraint C1 of `cvt_fp8_pack` holds.

    ```mlir
    %lo, %hi = sm90.cvt_fp8_unpack %bytes {type = f8E5M2} : f16
    ```
  }];
  let arguments = (ins I16:$bytes, TypeAttr:$type);
  let results = (outs F16:$lo, F16:$hi);
  let builders = [OpBuilder<(ins "::mlir::Value":$bytes, "::mlir::Type":$type), [{
    build($_builder, $_state, $_builder.getF16Type(), $_builder.getF16Type(), bytes, type);
  }]>];
  let assemblyFormat = "$bytes attr-dict `:` type($lo)";
  let hasVerifier = 1;
}

#endif // TAWA_DIALECT_SM90_OPSMATH_TD
