//===- OpsDescriptor.td - tensor descriptors and the accesses through them ----------------------------------------===//
#ifndef TAWA_TT_OPS_DESCRIPTOR_TD
#define TAWA_TT_OPS_DESCRIPTOR_TD

include "compiler/frontend/TT/OpsMemory.td"

def TT_MakeTensorDescOp : TT_Op<"make_tensor_descriptor", [Pure, SameVariadicOperandSize]> {
  let summary = "describe a tensor in global memory";
  let description = [{
    `%d = tt.make_tensor_descriptor %base, [%m, %k], [%ld, %c1] {padding = 2 : i32} : <f16>, <tensor<128x64xf16>>`

    Shape (i32) and strides (i64) count elements, outermost dimension first; the last stride is taken to be 1. Padding
    says what reads outside of the shape give: zero or NaN. The types after the colon may be printed in full too.

    C1. there are as many shape operands and as many stride operands as the block has dimensions;
    C2. the base points at elements of the block, whatever their sign;
    C3. NaN padding needs floats.
  }];
  let arguments = (ins TT_PointerType:$base, Variadic<I32>:$shape, Variadic<I64>:$strides,
                       TT_DefaultEnum<TT_PaddingOption, "Zero">:$padding);
  let results = (outs TT_TensorDescType:$result);
  let assemblyFormat = "$base `,` `[` $shape `]` `,` `[` $strides `]` attr-dict `:` type($base) `,` type($result)";
  let hasVerifier = 1;
}

def TT_DescriptorLoadOp : TT_Op<"descriptor_load"> {
  let summary = "read one block of a described tensor";
  let description = [{
    `%t = tt.descriptor_load %d[%i, %k] cacheModifier = cg
     : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16>`

    The indices are the element offsets of the block's first corner; they may be negative or past the end, and what
    lies outside of the tensor reads as the descriptor's padding.

    C1. there is one index for each dimension of the block;
    C2. block and result agree but for leading dimensions of size 1, so that their element counts agree, and have the
        same element type but for the sign;
    C3. the cache modifier is one that PTX has for loads.
  }];
  let arguments = (ins Arg<TT_TensorDescType, "", [MemRead<TT_GlobalMemory>]>:$desc, Variadic<I32>:$indices,
                       TT_DefaultEnum<TT_CacheModifier, "None">:$cache,
                       TT_DefaultEnum<TT_EvictionPolicy, "Normal">:$evict);
  let results = (outs TT_NumberTensor:$result);
  let assemblyFormat = [{
    $desc `[` $indices `]` `` custom<CachePolicy>($cache, $evict) attr-dict `:`
    qualified(type($desc)) `->` type($result)
  }];
  let hasVerifier = 1;
}

def TT_DescriptorStoreOp : TT_Op<"descriptor_store"> {
  let summary = "write one block of a described tensor";
  let description = [{
    `tt.descriptor_store %d[%i, %k], %t : !tt.tensordesc<tensor<128x64xf16>>, tensor<128x64xf16>`

    What lies outside of the tensor is not written.

    C1. there is one index for each dimension of the block;
    C2. block and value agree but for leading dimensions of size 1, and have the same element type but for the sign;
    C3. it carries no `reduce_kind`, by which a fork of Triton makes it another operation.
  }];
  let arguments = (ins Arg<TT_TensorDescType, "", [MemWrite<TT_GlobalMemory>]>:$desc, TT_NumberTensor:$src,
                       Variadic<I32>:$indices);
  let assemblyFormat = "$desc `[` $indices `]` `,` $src attr-dict `:` qualified(type($desc)) `,` type($src)";
  let hasVerifier = 1;
}

def TT_DescriptorReduceOp : TT_Op<"descriptor_reduce"> {
  let summary = "combine one block with a described tensor";
  let description = [{
    `tt.descriptor_reduce add, %d[%i, %k], %t : !tt.tensordesc<tensor<128x64xf32>>, tensor<128x64xf32>`

    Every element in memory becomes its combination with the block's, atomically by element; what lies outside of the
    tensor is not touched. The descriptor's sign decides between signed and unsigned minimum and maximum (signless is
    signed). `inc` and `dec` are those of PTX's `red`.

    C1. there is one index for each dimension of the block;
    C2. block and value agree but for leading dimensions of size 1, and have the same element type but for the sign;
    C3. the kind exists for the elements: add for integers of 32 and 64 bits, f16, bf16 and f32; min and max for
        integers of 32 and 64 bits, f16 and bf16; inc and dec for 32 bits; and, or, xor for 32 and 64 bits.
  }];
  let arguments = (ins TT_DescriptorReduceKind:$kind,
                       Arg<TT_TensorDescType, "", [MemRead<TT_GlobalMemory>, MemWrite<TT_GlobalMemory>]>:$desc,
                       TT_NumberTensor:$src, Variadic<I32>:$indices);
  let assemblyFormat = [{
    custom<EnumValue>($kind) `,` $desc `[` $indices `]` `,` $src attr-dict `:` qualified(type($desc)) `,` type($src)
  }];
  let hasVerifier = 1;
}

def TT_DescriptorGatherOp : TT_Op<"descriptor_gather"> {
  let summary = "read rows of a described tensor";
  let description = [{
    `%t = tt.descriptor_gather %d[%rows, %col]
     : (!tt.tensordesc<tensor<1x64xf16>>, tensor<32xi32>, i32) -> tensor<32x64xf16>`

    Row i of the result is row rows[i] of the tensor, from column `col` on. What lies outside reads as the padding.

    C1. the block is 1xK;
    C2. the row numbers are a tensor of one dimension, of N integers of 16 or 32 bits;
    C3. the result is NxK with the block's elements but for their sign.
  }];
  let arguments = (ins Arg<TT_TensorDescType, "", [MemRead<TT_GlobalMemory>]>:$desc,
                       RankedTensorOf<[I16, I32]>:$x_offsets, I32:$y_offset);
  let results = (outs TT_NumberTensor:$result);
  let assemblyFormat = "$desc `[` $x_offsets `,` $y_offset `]` attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def TT_DescriptorScatterOp : TT_Op<"descriptor_scatter"> {
  let summary = "write rows of a described tensor";
  let description = [{
    `tt.descriptor_scatter %d[%rows, %col], %t
     : !tt.tensordesc<tensor<1x64xf16>>, tensor<32xi32>, i32, tensor<32x64xf16>`

    Row i of the value becomes row rows[i] of the tensor, from column `col` on. What lies outside is not written.

    C1. the block is 1xK;
    C2. the row numbers are a tensor of one dimension, of N integers of 16 or 32 bits;
    C3. the value is NxK with the block's elements but for their sign.
  }];
  let arguments = (ins Arg<TT_TensorDescType, "", [MemWrite<TT_GlobalMemory>]>:$desc,
                       RankedTensorOf<[I16, I32]>:$x_offsets, I32:$y_offset, TT_NumberTensor:$src);
  let assemblyFormat = "$desc `[` $x_offsets `,` $y_offset `]` `,` $src attr-dict `:` type(operands)";
  let hasVerifier = 1;
}

#endif
