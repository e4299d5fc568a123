//===- OpsShape.td - making tiles and changing their shape --------------------------------------------------------===//
//
// All of these are pure data movement without arithmetic.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TAWA_TT_OPS_SHAPE_TD
#define TAWA_TT_OPS_SHAPE_TD

include "compiler/frontend/TT/Types.td"

def TT_MakeRangeOp : TT_Op<"make_range", [Pure]> {
  let summary = "consecutive integers";
  let description = [{
    `%r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>` holds start, start + 1,
    ..., end - 1 (signed).

    C1. end is greater than start;
    C2. the result has one dimension of end - start elements.
  }];
  let arguments = (ins I32Attr:$start, I32Attr:$end);
  let results = (outs RankedTensorOf<[I32]>:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TT_SplatOp : TT_Op<"splat", [Pure]> {
  let summary = "a tile of one value";
  let description = [{
    `%t = tt.splat %s : f32 -> tensor<64xf32>`: every element is the scalar or pointer.

    C1. the element type of the result is the type of the operand.
  }];
  let arguments = (ins TT_Scalar:$src);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` qualified(type($src)) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TT_ExpandDimsOp : TT_Op<"expand_dims", [Pure]> {
  let summary = "insert a dimension of size 1";
  let description = [{
    `%e = tt.expand_dims %t {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>`

    C1. axis is between 0 and the rank of the operand, both included;
    C2. the result has the shape of the operand with a 1 inserted at axis, and its element type.
  }];
  let arguments = (ins TT_Tensor:$src, I32Attr:$axis);
  let results = (outs TT_Tensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$src, "int32_t":$axis)>];
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def TT_BroadcastOp : TT_Op<"broadcast", [Pure]> {
  let summary = "repeat along dimensions of size 1";
  let description = [{
    `%b = tt.broadcast %t : tensor<64x1xi32> -> tensor<64x128xi32>`

    C1. operand and result have the same rank and element type;
    C2. every dimension is kept, or is 1 in the operand.
  }];
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def TT_ReshapeOp : TT_Op<"reshape", [Pure]> {
  let summary = "the same elements, row major, in another shape";
  let description = [{
    `%r = tt.reshape %t allow_reorder : tensor<64x2xf32> -> tensor<128xf32>`. With `allow_reorder` the compiler may
    permute the elements; `efficient_layout` asks it to choose a cheap layout. Triton 3.0 and 3.1 print
    `{allow_reorder = bool}` in the dictionary, which is read too.

    C1. operand and result have the same element type and number of elements.
  }];
  let arguments = (ins TT_Tensor:$src, UnitAttr:$allow_reorder, UnitAttr:$efficient_layout);
  let results = (outs TT_Tensor:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TT_TransOp : TT_Op<"trans", [Pure]> {
  let summary = "permute the dimensions";
  let description = [{
    `%t = tt.trans %a {order = array<i32: 1, 0>} : tensor<256x64xf16> -> tensor<64x256xf16>`: dimension i of the
    result is dimension order[i] of the operand.

    C1. order is a permutation of 0 .. rank - 1;
    C2. the result has the permuted shape and the operand's element type.
  }];
  let arguments = (ins TT_Tensor:$src, DenseI32ArrayAttr:$order);
  let results = (outs TT_Tensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$src, "::llvm::ArrayRef<int32_t>":$order)>];
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TT_JoinOp : TT_Op<"join", [Pure]> {
  let summary = "two tiles side by side in a new last dimension";
  let description = [{
    `%j = tt.join %a, %b : tensor<64xf32> -> tensor<64x2xf32>`: element (i, 0) comes from the first operand, (i, 1) from
    the second.

    C1. the result has the operands' shape with a 2 appended, and their element type.
  }];
  let arguments = (ins TT_Tensor:$lhs, TT_Tensor:$rhs);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` custom<PairTypes>(type($lhs), type($rhs)) `->` type($result)";
  let hasVerifier = 1;
}

def TT_SplitOp : TT_Op<"split", [Pure]> {
  let summary = "the two halves of a last dimension of size 2";
  let description = [{
    `%x, %y = tt.split %t : tensor<64x2xf32> -> tensor<64xf32>`: the inverse of `tt.join`. The arrow shows one
    type, that of both results.

    C1. the operand's last dimension is 2;
    C2. both results have the operand's shape without it, and its element type.
  }];
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Tensor:$outLHS, TT_Tensor:$outRHS);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` custom<PairTypes>(type($outLHS), type($outRHS))";
  let hasVerifier = 1;
}

def TT_CatOp : TT_Op<"cat", [Pure]> {
  let summary = "two tiles of one dimension, one after the other";
  let description = [{
    `%c = tt.cat %a, %b : tensor<64xf32> -> tensor<128xf32>`. The order of the elements is up to the compiler; Tawa
    keeps them in order, those of the first operand before those of the second.

    C1. the operands have one type and one dimension;
    C2. the result has one dimension of twice the size, and their element type.
  }];
  let arguments = (ins TT_Tensor:$lhs, TT_Tensor:$rhs);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` custom<PairTypes>(type($lhs), type($rhs)) `->` type($result)";
  let hasVerifier = 1;
}

def TT_UnsplatOp : TT_Op<"unsplat", [Pure]> {
  let summary = "the only element of a tile";
  let description = [{
    `%s = tt.unsplat %t : tensor<1x1xf32>`: a scalar of the element type, which is not printed.

    C1. the operand has one element;
    C2. the result has the operand's element type.
  }];
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Scalar:$result);
  let assemblyFormat = "$src attr-dict `:` custom<UnsplatTypes>(type($src), type($result))";
  let hasVerifier = 1;
  let hasFolder = 1;
}

#endif
