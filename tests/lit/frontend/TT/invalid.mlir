// Errors of the verifiers; the numbers are those of the descriptions in compiler/frontend/TT.
// RUN: tawa-opt %s -split-input-file -verify-diagnostics

// T1: dimensions are powers of two or multiples of 8.
tt.func @t1(%s: f32) {
  // expected-error @+1 {{every dimension of a tensor is a power of two or a multiple of 8, but one is 92}}
  %0 = tt.splat %s : f32 -> tensor<92xf32>
  tt.return
}

// -----

// T1: a dimension of size zero is none.
tt.func @t1_zero(%s: f32) {
  // expected-error @+1 {{every dimension of a tensor is a power of two or a multiple of 8, but one is 0}}
  %0 = tt.splat %s : f32 -> tensor<0xf32>
  tt.return
}

// -----

// T1: sizes are static.
tt.func @t1_dynamic(%s: f32) {
  // expected-error @+1 {{tensors have static shapes, but a dimension is '?'}}
  %0 = tt.splat %s : f32 -> tensor<?xf32>
  tt.return
}

// -----

// T2: at most 1048576 elements.
tt.func @t2(%s: f32) {
  // expected-error @+1 {{a tensor has at most 1048576 elements}}
  %0 = tt.splat %s : f32 -> tensor<1024x2048xf32>
  tt.return
}

// -----

// T2: the product of the sizes does not wrap.
tt.func @t2_wrap(%s: f32) {
  // expected-error @+1 {{a tensor has at most 1048576 elements}}
  %0 = tt.splat %s : f32 -> tensor<4294967296x4294967296xf32>
  tt.return
}

// -----

// tt.func C2: a block pointer is made in the kernel.
// expected-error @+1 {{argument 0 has type '!tt.ptr<tensor<64xf16>>'; kernels take integers, floats, pointers to these and tensor descriptors}}
tt.func @ptr_block(%p: !tt.ptr<tensor<64xf16>>) {
  tt.return
}

// -----

// !tt.ptr C1: the pointee.
// expected-error @+1 {{a pointer points at an integer, a float, a pointer or a tensor of integers or floats, but its pointee is 'index'}}
tt.func @ptr_c1(%p: !tt.ptr<index>) {
  tt.return
}

// -----

// !tt.ptr C2: the address space.
// expected-error @+1 {{an address space is not negative, but this one is -1}}
tt.func @ptr_c2(%p: !tt.ptr<f16, -1>) {
  tt.return
}

// -----

// !tt.tensordesc C1: rank 1 to 5.
// expected-error @+1 {{a tensor descriptor has 1 to 5 dimensions, but this one has 6}}
tt.func @desc_c1(%d: !tt.tensordesc<tensor<1x1x1x1x8x16xf16>>) {
  tt.return
}

// -----

// !tt.tensordesc C2: elements are numbers.
// expected-error @+1 {{a tensor descriptor describes integers or floats, not '!tt.ptr<f16>'}}
tt.func @desc_c2(%d: !tt.tensordesc<tensor<16x!tt.ptr<f16>>>) {
  tt.return
}

// -----

// !tt.tensordesc C3: T1 and T2 hold for the block.
// expected-error @+1 {{every dimension of a tensor is a power of two or a multiple of 8, but one is 44}}
tt.func @desc_c3(%d: !tt.tensordesc<16x44xf16>) {
  tt.return
}

// -----

// !tt.tensordesc: what it describes.
// expected-error @+1 {{a tensor descriptor describes a ranked tensor, not 'f16'}}
tt.func @desc_type(%d: !tt.tensordesc<f16>) {
  tt.return
}

// -----

// tt.func C1: a kernel returns nothing.
// expected-error @+1 {{is a kernel, so it returns nothing}}
tt.func public @func_c1() -> i32 {
  %0 = arith.constant 0 : i32
  tt.return %0 : i32
}

// -----

// tt.func C1: a kernel has a body.
// expected-error @+1 {{is a kernel without a body}}
tt.func @func_c1_body()

// -----

// tt.func C2: argument types.
// expected-error @+1 {{argument 1 has type 'tensor<64xf32>'; kernels take integers, floats, pointers to these and tensor descriptors}}
tt.func @func_c2(%a: i32, %b: tensor<64xf32>) {
  tt.return
}

// -----

// tt.return C1: types of the results.
tt.func private @return_c1(%x: f32) -> i32 {
  // expected-error @+1 {{returns ('f32'), but @return_c1 has results ('i32')}}
  tt.return %x : f32
}

// -----

// tt.get_program_id: the dimension.
tt.func @program_id() {
  // expected-error @+1 {{'w' is not one of: x, y, z}}
  %0 = tt.get_program_id w : i32
  tt.return
}

// -----

// tt.make_range C1: the range is not empty.
tt.func @make_range_c1() {
  // expected-error @+1 {{end 0 must be greater than start 64}}
  %0 = tt.make_range {end = 0 : i32, start = 64 : i32} : tensor<64xi32>
  tt.return
}

// -----

// tt.make_range C2: the shape.
tt.func @make_range_c2() {
  // expected-error @+1 {{result is 'tensor<32xi32>', but 0 to 64 are 64 elements of one dimension}}
  %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<32xi32>
  tt.return
}

// -----

// tt.make_range C2: the whole range of i32 does not wrap.
tt.func @make_range_wrap() {
  // expected-error @+1 {{-2147483648 to 2147483647 are 4294967295 elements of one dimension}}
  %0 = tt.make_range {end = 2147483647 : i32, start = -2147483648 : i32} : tensor<1xi32>
  tt.return
}

// -----

// tt.splat C1: the element type.
tt.func @splat_c1(%s: f32) {
  // expected-error @+1 {{result is 'tensor<64xf16>', but must have shape [64] and element type 'f32'}}
  %0 = tt.splat %s : f32 -> tensor<64xf16>
  tt.return
}

// -----

// tt.expand_dims C1: the axis.
tt.func @expand_dims_c1(%s: f32) {
  %0 = tt.splat %s : f32 -> tensor<64xf32>
  // expected-error @+1 {{axis 2 is not between 0 and the operand's rank 1}}
  %1 = tt.expand_dims %0 {axis = 2 : i32} : tensor<64xf32> -> tensor<64x1xf32>
  tt.return
}

// -----

// tt.expand_dims C2: the shape.
tt.func @expand_dims_c2(%s: f32) {
  %0 = tt.splat %s : f32 -> tensor<64xf32>
  // expected-error @+1 {{result is 'tensor<1x64xf32>', but must have shape [64, 1] and element type 'f32'}}
  %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<64xf32> -> tensor<1x64xf32>
  tt.return
}

// -----

// tt.broadcast C1: the rank.
tt.func @broadcast_c1(%s: f32) {
  %0 = tt.splat %s : f32 -> tensor<64xf32>
  // expected-error @+1 {{operand has rank 1 and result rank 2; tt.expand_dims adds dimensions}}
  %1 = tt.broadcast %0 : tensor<64xf32> -> tensor<64x64xf32>
  tt.return
}

// -----

// tt.broadcast C1: the element type.
tt.func @broadcast_c1_type(%s: f32) {
  %0 = tt.splat %s : f32 -> tensor<1xf32>
  // expected-error @+1 {{result is 'tensor<64xf16>', but must have shape [64] and element type 'f32'}}
  %1 = tt.broadcast %0 : tensor<1xf32> -> tensor<64xf16>
  tt.return
}

// -----

// tt.broadcast C2: only size 1 is repeated.
tt.func @broadcast_c2(%s: f32) {
  %0 = tt.splat %s : f32 -> tensor<64x2xf32>
  // expected-error @+1 {{dimension 1 of size 2 cannot become 4; only size 1 is repeated}}
  %1 = tt.broadcast %0 : tensor<64x2xf32> -> tensor<64x4xf32>
  tt.return
}

// -----

// tt.reshape C1: the number of elements.
tt.func @reshape_c1(%s: f32) {
  %0 = tt.splat %s : f32 -> tensor<64x2xf32>
  // expected-error @+1 {{must have the same element type and number of elements}}
  %1 = tt.reshape %0 : tensor<64x2xf32> -> tensor<64xf32>
  tt.return
}

// -----

// tt.trans C1: a permutation names each dimension once.
tt.func @trans_c1(%s: f32) {
  %0 = tt.splat %s : f32 -> tensor<64x2xf32>
  // expected-error @+1 {{order [1, 1] is not a permutation of the operand's 2 dimensions}}
  %1 = tt.trans %0 {order = array<i32: 1, 1>} : tensor<64x2xf32> -> tensor<2x64xf32>
  tt.return
}

// -----

// tt.trans C1: a permutation has the operand's rank.
tt.func @trans_c1_rank(%s: f32) {
  %0 = tt.splat %s : f32 -> tensor<64x2xf32>
  // expected-error @+1 {{order [0, 1, 2] is not a permutation of the operand's 2 dimensions}}
  %1 = tt.trans %0 {order = array<i32: 0, 1, 2>} : tensor<64x2xf32> -> tensor<64x2xf32>
  tt.return
}

// -----

// tt.trans C2: the shape.
tt.func @trans_c2(%s: f32) {
  %0 = tt.splat %s : f32 -> tensor<64x2xf32>
  // expected-error @+1 {{result is 'tensor<64x2xf32>', but must have shape [2, 64] and element type 'f32'}}
  %1 = tt.trans %0 {order = array<i32: 1, 0>} : tensor<64x2xf32> -> tensor<64x2xf32>
  tt.return
}

// -----

// tt.join C1: the shape.
tt.func @join_c1(%s: f32) {
  %0 = tt.splat %s : f32 -> tensor<64xf32>
  // expected-error @+1 {{result is 'tensor<2x64xf32>', but must have shape [64, 2] and element type 'f32'}}
  %1 = tt.join %0, %0 : tensor<64xf32> -> tensor<2x64xf32>
  tt.return
}

// -----

// tt.split C1: the last dimension.
tt.func @split_c1(%s: f32) {
  %0 = tt.splat %s : f32 -> tensor<64x4xf32>
  // expected-error @+1 {{operand is 'tensor<64x4xf32>', but its last dimension must be 2}}
  %1, %2 = tt.split %0 : tensor<64x4xf32> -> tensor<64x2xf32>
  tt.return
}

// -----

// tt.split C2: the shape.
tt.func @split_c2(%s: f32) {
  %0 = tt.splat %s : f32 -> tensor<64x2xf32>
  // expected-error @+1 {{first result is 'tensor<64x1xf32>', but must have shape [64] and element type 'f32'}}
  %1, %2 = tt.split %0 : tensor<64x2xf32> -> tensor<64x1xf32>
  tt.return
}

// -----

// tt.addptr C1: the shapes.
tt.func @addptr_c1(%p: !tt.ptr<f16>) {
  %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  // expected-error @+1 {{works element by element, but has scalars on one side and 'tensor<64xi32>' on the other; tt.splat makes a tensor of a scalar}}
  %1 = tt.addptr %p, %0 : !tt.ptr<f16>, tensor<64xi32>
  tt.return
}

// -----

// tt.addptr C2: the result, which only the generic form spells.
tt.func @addptr_c2(%p: !tt.ptr<f16>, %i: i32) {
  // expected-error @+1 {{result is '!tt.ptr<f32>', but the pointer is '!tt.ptr<f16>'}}
  %0 = "tt.addptr"(%p, %i) : (!tt.ptr<f16>, i32) -> !tt.ptr<f32>
  tt.return
}

// -----

// tt.load: what it reads through.
tt.func @load_pointer(%x: f32) {
  // expected-error @+1 {{expected a pointer, a tensor of pointers or a block pointer, but got 'f32'}}
  %0 = tt.load %x : f32
  tt.return
}

// -----

// tt.load C1: the result, which only the generic form spells.
tt.func @load_c1(%p: !tt.ptr<f16>) {
  // expected-error @+1 {{result is 'f32', but must have element type 'f16'}}
  %0 = "tt.load"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!tt.ptr<f16>) -> f32
  tt.return
}

// -----

// tt.load C2: the mask.
tt.func @load_c2(%p: !tt.ptr<f16>) {
  %ps = tt.splat %p : !tt.ptr<f16> -> tensor<64x!tt.ptr<f16>>
  // expected-note @+1 {{prior use here}}
  %m = arith.constant true
  // expected-error @+1 {{use of value '%m' expects different type than prior uses: 'tensor<64xi1>' vs 'i1'}}
  %0 = tt.load %ps, %m : tensor<64x!tt.ptr<f16>>
  tt.return
}

// -----

// tt.load C2, in the generic form.
tt.func @load_c2_generic(%p: !tt.ptr<f16>) {
  %ps = tt.splat %p : !tt.ptr<f16> -> tensor<64x!tt.ptr<f16>>
  %m = arith.constant dense<true> : tensor<32xi1>
  // expected-error @+1 {{mask is 'tensor<32xi1>', but must have shape [64] and element type 'i1'}}
  %0 = "tt.load"(%ps, %m) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<64x!tt.ptr<f16>>, tensor<32xi1>) -> tensor<64xf16>
  tt.return
}

// -----

// tt.load C3: a value for masked elements needs a mask.
tt.func @load_c3(%p: !tt.ptr<f16>, %v: f16) {
  // expected-error @+1 {{has a value for masked elements but no mask}}
  %0 = "tt.load"(%p, %v) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (!tt.ptr<f16>, f16) -> f16
  tt.return
}

// -----

// tt.load C4: cache modifiers of stores.
tt.func @load_c4(%p: !tt.ptr<f16>) {
  // expected-error @+1 {{cacheModifier = wb does not exist for it}}
  %0 = tt.load %p cacheModifier = wb : !tt.ptr<f16>
  tt.return
}

// -----

// tt.load: an unknown cache modifier.
tt.func @load_cache(%p: !tt.ptr<f16>) {
  // expected-error @+1 {{'xx' is not one of: none, ca, cg, wb, cs, wt, cv}}
  %0 = tt.load %p cacheModifier = xx : !tt.ptr<f16>
  tt.return
}

// -----

// tt.load: a clause given twice.
tt.func @load_twice(%p: !tt.ptr<f16>) {
  // expected-error @+1 {{evictionPolicy is given twice}}
  %0 = tt.load %p evictionPolicy = evict_last evictionPolicy = evict_first : !tt.ptr<f16>
  tt.return
}

// -----

// tt.load C5: block pointers.
tt.func @load_c5(%p: !tt.ptr<f16>) {
  // expected-error @+1 {{checks boundaries, but only a block pointer knows them; use a mask}}
  %0 = tt.load %p {boundaryCheck = array<i32: 0>, padding = 1 : i32} : !tt.ptr<f16>
  tt.return
}

// -----

// tt.store C1: the value, which only the generic form spells.
tt.func @store_c1(%p: !tt.ptr<f16>, %v: f32) {
  // expected-error @+1 {{value is 'f32', but must have element type 'f16'}}
  "tt.store"(%p, %v) : (!tt.ptr<f16>, f32) -> ()
  tt.return
}

// -----

// tt.store C2: the mask.
tt.func @store_c2(%p: !tt.ptr<f16>, %v: f16) {
  %m = arith.constant dense<true> : tensor<32xi1>
  // expected-error @+1 {{mask is 'tensor<32xi1>', but must have}}
  "tt.store"(%p, %v, %m) : (!tt.ptr<f16>, f16, tensor<32xi1>) -> ()
  tt.return
}

// -----

// tt.store C3: cache modifiers of loads.
tt.func @store_c3(%p: !tt.ptr<f16>, %v: f16) {
  // expected-error @+1 {{cacheModifier = cv does not exist for it}}
  tt.store %p, %v cacheModifier = cv : !tt.ptr<f16>
  tt.return
}

// -----

// tt.store C4: block pointers.
tt.func @store_c4(%p: !tt.ptr<f16>, %v: f16) {
  // expected-error @+1 {{checks boundaries, but only a block pointer knows them; use a mask}}
  tt.store %p, %v {boundaryCheck = array<i32: 0>} : !tt.ptr<f16>
  tt.return
}

// -----

// tt.make_tensor_descriptor C1: sizes and strides.
tt.func @make_desc_c1(%p: !tt.ptr<f16>, %m: i32, %s: i64) {
  // expected-error @+1 {{describes blocks of rank 2, so it takes 2 sizes and 2 strides, but there are 2 in all}}
  %0 = tt.make_tensor_descriptor %p, [%m], [%s] : <f16>, <tensor<64x64xf16>>
  tt.return
}

// -----

// tt.make_tensor_descriptor C2: the base.
tt.func @make_desc_c2(%p: !tt.ptr<f32>, %m: i32, %s: i64) {
  // expected-error @+1 {{base is '!tt.ptr<f32>', but the block holds 'f16'}}
  %0 = tt.make_tensor_descriptor %p, [%m], [%s] : <f32>, <tensor<64xf16>>
  tt.return
}

// -----

// tt.make_tensor_descriptor C3: NaN among integers.
tt.func @make_desc_c3(%p: !tt.ptr<i8>, %m: i32, %s: i64) {
  // expected-error @+1 {{pads with NaN, but the block holds 'si8'}}
  %0 = tt.make_tensor_descriptor %p, [%m], [%s] {padding = 2 : i32} : <i8>, <tensor<64xsi8>>
  tt.return
}

// -----

// tt.descriptor_load C1: indices.
tt.func @desc_load_c1(%d: !tt.tensordesc<tensor<64x64xf16>>, %i: i32) {
  // expected-error @+1 {{has 1 indices into blocks of rank 2}}
  %0 = tt.descriptor_load %d[%i] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
  tt.return
}

// -----

// tt.descriptor_load C2: the element count.
tt.func @desc_load_c2(%d: !tt.tensordesc<tensor<64x64xf16>>, %i: i32) {
  // expected-error @+1 {{result is 'tensor<64x32xf16>', but the descriptor's block is 'tensor<64x64xf16>'}}
  %0 = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x32xf16>
  tt.return
}

// -----

// tt.descriptor_load C2: the same count in another shape is not the block.
tt.func @desc_load_c2_shape(%d: !tt.tensordesc<tensor<64x32xf16>>, %i: i32) {
  // expected-error @+1 {{result is 'tensor<32x64xf16>', but the descriptor's block is 'tensor<64x32xf16>'}}
  %0 = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<32x64xf16>
  tt.return
}

// -----

// tt.descriptor_load C2: the element type.
tt.func @desc_load_c2_type(%d: !tt.tensordesc<tensor<64x64xsi8>>, %i: i32) {
  // expected-error @+1 {{result is 'tensor<64x64xi16>', but the descriptor's block is 'tensor<64x64xsi8>'}}
  %0 = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<tensor<64x64xsi8>> -> tensor<64x64xi16>
  tt.return
}

// -----

// tt.descriptor_load C3: the cache modifier.
tt.func @desc_load_c3(%d: !tt.tensordesc<tensor<64xf16>>, %i: i32) {
  // expected-error @+1 {{cacheModifier = wt does not exist for it}}
  %0 = tt.descriptor_load %d[%i] cacheModifier = wt : !tt.tensordesc<tensor<64xf16>> -> tensor<64xf16>
  tt.return
}

// -----

// tt.descriptor_store C1: indices.
tt.func @desc_store_c1(%d: !tt.tensordesc<tensor<64xf16>>, %i: i32, %x: f16) {
  %t = tt.splat %x : f16 -> tensor<64xf16>
  // expected-error @+1 {{has 2 indices into blocks of rank 1}}
  tt.descriptor_store %d[%i, %i], %t : !tt.tensordesc<tensor<64xf16>>, tensor<64xf16>
  tt.return
}

// -----

// tt.descriptor_store C2: the block.
tt.func @desc_store_c2(%d: !tt.tensordesc<tensor<64xf16>>, %i: i32, %x: f16) {
  %t = tt.splat %x : f16 -> tensor<32xf16>
  // expected-error @+1 {{value is 'tensor<32xf16>', but the descriptor's block is 'tensor<64xf16>'}}
  tt.descriptor_store %d[%i], %t : !tt.tensordesc<tensor<64xf16>>, tensor<32xf16>
  tt.return
}

// -----

// tt.dot C1: ranks.
tt.func @dot_c1(%a: f16, %c: f32) {
  %0 = tt.splat %a : f16 -> tensor<64x64xf16>
  %1 = tt.splat %a : f16 -> tensor<2x64x64xf16>
  %2 = tt.splat %c : f32 -> tensor<64x64xf32>
  // expected-error @+1 {{operands have ranks 2, 3 and 2, but must all have 2 or all have 3}}
  %3 = tt.dot %0, %1, %2 : tensor<64x64xf16> * tensor<2x64x64xf16> -> tensor<64x64xf32>
  tt.return
}

// -----

// tt.dot C1: batch sizes.
tt.func @dot_c1_batch(%a: f32) {
  %0 = tt.splat %a : f32 -> tensor<2x16x16xf32>
  %1 = tt.splat %a : f32 -> tensor<4x16x16xf32>
  // expected-error @+1 {{batch sizes 2, 4 and 2 differ}}
  %2 = tt.dot %0, %1, %0 : tensor<2x16x16xf32> * tensor<4x16x16xf32> -> tensor<2x16x16xf32>
  tt.return
}

// -----

// tt.dot C2: K agrees.
tt.func @dot_c2_k(%a: f16, %c: f32) {
  %0 = tt.splat %a : f16 -> tensor<128x64xf16>
  %1 = tt.splat %a : f16 -> tensor<32x256xf16>
  %2 = tt.splat %c : f32 -> tensor<128x256xf32>
  // expected-error @+1 {{K is 64 in a but 32 in b}}
  %3 = tt.dot %0, %1, %2 : tensor<128x64xf16> * tensor<32x256xf16> -> tensor<128x256xf32>
  tt.return
}

// -----

// tt.dot C2: the accumulator's shape.
tt.func @dot_c2(%a: f16, %c: f32) {
  %0 = tt.splat %a : f16 -> tensor<128x64xf16>
  %1 = tt.splat %a : f16 -> tensor<64x256xf16>
  %2 = tt.splat %c : f32 -> tensor<256x128xf32>
  // expected-error @+1 {{accumulator is 'tensor<256x128xf32>', but the product is 128x256}}
  %3 = tt.dot %0, %1, %2 : tensor<128x64xf16> * tensor<64x256xf16> -> tensor<256x128xf32>
  tt.return
}

// -----

// tt.dot C3: the operands' types.
tt.func @dot_c3(%a: f16, %b: bf16, %c: f32) {
  %0 = tt.splat %a : f16 -> tensor<64x64xf16>
  %1 = tt.splat %b : bf16 -> tensor<64x64xbf16>
  %2 = tt.splat %c : f32 -> tensor<64x64xf32>
  // expected-error @+1 {{multiplies 'f16' by 'bf16'; only FP8 types may be mixed with each other}}
  %3 = tt.dot %0, %1, %2 : tensor<64x64xf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
  tt.return
}

// -----

// tt.dot C4: the accumulator's type.
tt.func @dot_c4(%a: f16, %c: bf16) {
  %0 = tt.splat %a : f16 -> tensor<64x64xf16>
  %1 = tt.splat %c : bf16 -> tensor<64x64xbf16>
  // expected-error @+1 {{cannot accumulate products of 'f16' in 'bf16'}}
  %2 = tt.dot %0, %0, %1 : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xbf16>
  tt.return
}

// -----

// tt.dot C5: the result, which only the generic form spells.
tt.func @dot_c5(%a: f16, %c: f32) {
  %0 = tt.splat %a : f16 -> tensor<64x64xf16>
  %1 = tt.splat %c : f32 -> tensor<64x64xf32>
  // expected-error @+1 {{result is 'tensor<64x64xf16>', but the accumulator is 'tensor<64x64xf32>'}}
  %2 = "tt.dot"(%0, %0, %1) : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf16>
  tt.return
}

// -----

// tt.reduce C1: an operand.
tt.func @reduce_c1() {
  // expected-error @+1 {{needs an operand}}
  "tt.reduce"() <{axis = 0 : i32}> ({
    %0 = arith.constant 0 : i32
    tt.reduce.return %0 : i32
  }) : () -> ()
  tt.return
}

// -----

// tt.reduce C1: equal shapes.
tt.func @reduce_c1_shapes(%x: f32) {
  %0 = tt.splat %x : f32 -> tensor<64xf32>
  %1 = tt.splat %x : f32 -> tensor<32xf32>
  // expected-error @+1 {{operands 'tensor<64xf32>' and 'tensor<32xf32>' must have the same shape}}
  %2:2 = "tt.reduce"(%0, %1) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    tt.reduce.return %a, %b : f32, f32
  }) : (tensor<64xf32>, tensor<32xf32>) -> (f32, f32)
  tt.return
}

// -----

// tt.reduce C2: the axis.
tt.func @reduce_c2(%x: f32) {
  %0 = tt.splat %x : f32 -> tensor<64xf32>
  // expected-error @+1 {{axis 1 is not one of the operand's 1 dimensions}}
  %1 = "tt.reduce"(%0) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    tt.reduce.return %a : f32
  }) : (tensor<64xf32>) -> f32
  tt.return
}

// -----

// tt.reduce C3: the number of results.
tt.func @reduce_c3(%x: f32) {
  %0 = tt.splat %x : f32 -> tensor<64xf32>
  // expected-error @+1 {{has 2 results for 1 operands}}
  %1:2 = "tt.reduce"(%0) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    tt.reduce.return %a : f32
  }) : (tensor<64xf32>) -> (f32, f32)
  tt.return
}

// -----

// tt.reduce C3: the shape of a result.
tt.func @reduce_c3_shape(%x: f32) {
  %0 = tt.splat %x : f32 -> tensor<64x32xf32>
  // expected-error @+1 {{result is 'tensor<64xf32>', but must have shape [32] and element type 'f32'}}
  %1 = "tt.reduce"(%0) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    tt.reduce.return %a : f32
  }) : (tensor<64x32xf32>) -> tensor<64xf32>
  tt.return
}

// -----

// tt.reduce C4: the number of the region's arguments.
tt.func @reduce_c4(%x: f32) {
  %0 = tt.splat %x : f32 -> tensor<64xf32>
  // expected-error @+1 {{has a region of 1 arguments, but combines 1 values with 1 others}}
  %1 = "tt.reduce"(%0) <{axis = 0 : i32}> ({
  ^bb0(%a: f32):
    tt.reduce.return %a : f32
  }) : (tensor<64xf32>) -> f32
  tt.return
}

// -----

// tt.reduce C4: their types.
tt.func @reduce_c4_type(%x: f32) {
  %0 = tt.splat %x : f32 -> tensor<64xf32>
  // expected-error @+1 {{argument 1 of its region is 'f16', but must be 'f32'}}
  %1 = "tt.reduce"(%0) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f16):
    tt.reduce.return %a : f32
  }) : (tensor<64xf32>) -> f32
  tt.return
}

// -----

// tt.reduce C5: the terminator.
tt.func @reduce_c5(%x: f32) {
  %0 = tt.splat %x : f32 -> tensor<64xf32>
  // expected-error @+1 {{has a region that does not end in tt.reduce.return}}
  %1 = "tt.reduce"(%0) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    llvm.unreachable
  }) : (tensor<64xf32>) -> f32
  tt.return
}

// -----

// tt.reduce C5: the number of values.
tt.func @reduce_c5_count(%x: f32) {
  %0 = tt.splat %x : f32 -> tensor<64xf32>
  %1 = "tt.reduce"(%0) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    // expected-error @+1 {{returns 2 values for 1 operands of tt.reduce}}
    tt.reduce.return %a, %b : f32, f32
  }) : (tensor<64xf32>) -> f32
  tt.return
}

// -----

// tt.reduce C5: their types.
tt.func @reduce_c5_type(%x: f32) {
  %0 = tt.splat %x : f32 -> tensor<64xf32>
  %1 = "tt.reduce"(%0) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.truncf %a : f32 to f16
    // expected-error @+1 {{returns 'f16', but tt.reduce combines 'f32'}}
    tt.reduce.return %c : f16
  }) : (tensor<64xf32>) -> f32
  tt.return
}

// -----

// tt.bitcast C1: the shape.
tt.func @bitcast_c1(%x: f32) {
  %0 = tt.splat %x : f32 -> tensor<64xf32>
  // expected-error @+1 {{works element by element, but 'tensor<64xf32>' and 'tensor<32xf32>' have not the same shape}}
  %1 = tt.bitcast %0 : tensor<64xf32> -> tensor<32xf32>
  tt.return
}

// -----

// tt.bitcast C2: the width.
tt.func @bitcast_c2(%x: f32) {
  // expected-error @+1 {{casts 'f32' to 'i16'; elements must have the same width}}
  %0 = tt.bitcast %x : f32 -> i16
  tt.return
}

// -----

// tt.bitcast C2: pointers stay in their address space, and are no integers.
tt.func @bitcast_c2_ptr(%p: !tt.ptr<f16>) {
  // expected-error @+1 {{casts '!tt.ptr<f16>' to 'i64'}}
  %0 = tt.bitcast %p : !tt.ptr<f16> -> i64
  tt.return
}

// -----

// tt.fp_to_fp C1: the shape.
tt.func @fp_to_fp_c1(%x: f32) {
  // expected-error @+1 {{has scalars on one side and 'tensor<64xf32>' on the other}}
  %0 = tt.fp_to_fp %x : f32 -> tensor<64xf32>
  tt.return
}

// -----

// tt.fp_to_fp C2: rounding.
tt.func @fp_to_fp_c2(%x: f32) {
  // expected-error @+1 {{narrows 'f32' to 'f8E5M2' without saying how it rounds; add `, rounding = rtne`}}
  %0 = tt.fp_to_fp %x : f32 -> f8E5M2
  tt.return
}
