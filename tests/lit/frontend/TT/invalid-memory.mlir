// Errors of the verifiers of atomics, block pointers and descriptor operations; the numbers are those of the
// descriptions in compiler/frontend/TT.
// RUN: tawa-opt %s -split-input-file -verify-diagnostics

// !tt.ptr C1: nothing points at a block pointer.
// expected-error @+1 {{no pointer points at a block pointer, but this one's pointee is '!tt.ptr<tensor<64xf16>>'}}
tt.func private @ptr_to_block(%p: !tt.ptr<!tt.ptr<tensor<64xf16>>>) { tt.return }

// -----

// !tt.ptr C3: the rules for tensors hold for a block.
// expected-error @+1 {{every dimension of a tensor is a power of two or a multiple of 8, but one is 44}}
tt.func private @block_t1(%p: !tt.ptr<tensor<44xf16>>) { tt.return }

// -----

// A tensor holds no block pointers.
tt.func private @tensor_of_blocks(%p: !tt.ptr<tensor<64xf16>>) {
  // expected-error @+1 {{operand #0 must be scalar}}
  %0 = tt.splat %p : !tt.ptr<tensor<64xf16>> -> tensor<8x!tt.ptr<tensor<64xf16>>>
  tt.return
}

// -----

// tt.load C1: the same where such a type is written all the same.
tt.func private @load_tensor_of_blocks(%p: tensor<8x!tt.ptr<tensor<64xf16>>>) {
  // expected-error @+1 {{expected a pointer, a tensor of pointers or a block pointer}}
  %0 = tt.load %p : tensor<8x!tt.ptr<tensor<64xf16>>>
  tt.return
}

// -----

// tt.load C5: a mask has no place at a block pointer.
tt.func private @load_mask(%p: !tt.ptr<tensor<64xf16>>, %m: i1) {
  // expected-error @+1 {{has a mask, but goes through a block pointer; it takes boundaryCheck instead}}
  %0 = "tt.load"(%p, %m) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (!tt.ptr<tensor<64xf16>>, i1) -> tensor<64xf16>
  tt.return
}

// -----

// tt.load C5: which dimensions are checked.
tt.func private @load_boundary(%p: !tt.ptr<tensor<64x8xf16>>) {
  // expected-error @+1 {{boundaryCheck names dimension 2 twice, or it is none of the block's 2}}
  %0 = tt.load %p {boundaryCheck = array<i32: 0, 2>} : !tt.ptr<tensor<64x8xf16>>
  tt.return
}

// -----

// tt.load C5: padding.
tt.func @load_padding(%p: !tt.ptr<f16>) {
  // expected-error @+1 {{has padding, but only a block pointer pads; use a mask and a value for masked elements}}
  %0 = tt.load %p {padding = 1 : i32} : !tt.ptr<f16>
  tt.return
}

// -----

// tt.load C6: integers have no NaN.
tt.func private @load_nan(%p: !tt.ptr<tensor<64xi32>>) {
  // expected-error @+1 {{pads with NaN, but the block holds 'i32'}}
  %0 = tt.load %p {boundaryCheck = array<i32: 0>, padding = 2 : i32} : !tt.ptr<tensor<64xi32>>
  tt.return
}

// -----

// tt.store C1: what is stored is the block.
tt.func private @store_block(%p: !tt.ptr<tensor<64xi32>>, %v: tensor<32xi32>) {
  // expected-error @+1 {{value is 'tensor<32xi32>', but must have shape [64] and element type 'i32'}}
  "tt.store"(%p, %v) : (!tt.ptr<tensor<64xi32>>, tensor<32xi32>) -> ()
  tt.return
}

// -----

// tt.make_tensor_ptr C1: ranks.
tt.func @make_c1(%p: !tt.ptr<f16>, %n: i64, %i: i32) {
  // expected-error @+1 {{points at blocks of rank 2, so it takes as many sizes, strides and offsets, but there are 1, 1 and 1}}
  %0 = tt.make_tensor_ptr %p, [%n], [%n], [%i] {order = array<i32: 1, 0>} : <tensor<16x64xf16>>
  tt.return
}

// -----

// tt.make_tensor_ptr C1: the result points at a block.
tt.func @make_type(%p: !tt.ptr<f16>, %n: i64, %i: i32) {
  // expected-error @+1 {{expected a block pointer, whose pointee is a tensor, but got '!tt.ptr<f16>'}}
  %0 = tt.make_tensor_ptr %p, [%n], [%n], [%i] {order = array<i32: 0>} : <f16>
  tt.return
}

// -----

// tt.make_tensor_ptr C2: order.
tt.func @make_c2(%p: !tt.ptr<f16>, %n: i64, %i: i32) {
  // expected-error @+1 {{order [1, 1] is not a permutation of the block's 2 dimensions}}
  %0 = tt.make_tensor_ptr %p, [%n, %n], [%n, %n], [%i, %i] {order = array<i32: 1, 1>} : <tensor<16x64xf16>>
  tt.return
}

// -----

// tt.make_tensor_ptr C3: the base.
tt.func @make_c3(%p: !tt.ptr<f32>, %n: i64, %i: i32) {
  // expected-error @+1 {{base is '!tt.ptr<f32>', but the block holds 'f16'}}
  %0 = "tt.make_tensor_ptr"(%p, %n, %n, %i) : (!tt.ptr<f32>, i64, i64, i32) -> !tt.ptr<tensor<64xf16>>
  tt.return
}

// -----

// tt.advance C1: ranks.
tt.func private @advance_c1(%p: !tt.ptr<tensor<64xf16>>, %i: i32) {
  // expected-error @+1 {{has 2 offsets into blocks of rank 1}}
  %0 = tt.advance %p, [%i, %i] : <tensor<64xf16>>
  tt.return
}

// -----

// tt.atomic_rmw C1: value.
tt.func @rmw_c1(%p: !tt.ptr<f32>, %v: f16) {
  // expected-error @+1 {{value is 'f16', but must have element type 'f32'}}
  %0 = tt.atomic_rmw fadd, acq_rel, gpu, %p, %v : (!tt.ptr<f32>, f16) -> f16
  tt.return
}

// -----

// tt.atomic_rmw C2: mask.
tt.func @rmw_c2(%p: !tt.ptr<f32>, %v: f32) {
  %m = arith.constant dense<true> : tensor<64xi1>
  // expected-error @+1 {{mask is 'tensor<64xi1>', but must have shape [] and element type 'i1'}}
  %0 = tt.atomic_rmw fadd, acq_rel, gpu, %p, %v, %m : (!tt.ptr<f32>, f32, tensor<64xi1>) -> f32
  tt.return
}

// -----

// tt.atomic_rmw C3: no maximum of floats.
tt.func @rmw_c3(%p: !tt.ptr<f32>, %v: f32) {
  // expected-error @+1 {{no atomic max of 'f32' exists; floats take fadd and exch}}
  %0 = tt.atomic_rmw max, acq_rel, gpu, %p, %v : (!tt.ptr<f32>, f32) -> f32
  tt.return
}

// -----

// tt.atomic_rmw C3: no sum of bytes.
tt.func @rmw_c3_width(%p: !tt.ptr<i8>, %v: i8) {
  // expected-error @+1 {{no atomic add of 'i8' exists; integers take 32 or 64 bits}}
  %0 = tt.atomic_rmw add, acq_rel, gpu, %p, %v : (!tt.ptr<i8>, i8) -> i8
  tt.return
}

// -----

// tt.atomic_rmw: keywords.
tt.func @rmw_keyword(%p: !tt.ptr<i32>, %v: i32) {
  // expected-error @+1 {{'seq_cst' is not one of: relaxed, acquire, release, acq_rel}}
  %0 = tt.atomic_rmw add, seq_cst, gpu, %p, %v : (!tt.ptr<i32>, i32) -> i32
  tt.return
}

// -----

// tt.atomic_cas C2: width.
tt.func @cas_c2(%p: !tt.ptr<i8>, %v: i8) {
  // expected-error @+1 {{compares 8 bits, but only 16, 32 and 64 can be swapped}}
  %0 = tt.atomic_cas acq_rel, gpu, %p, %v, %v : (!tt.ptr<i8>, i8, i8) -> i8
  tt.return
}

// -----

// tt.int_to_ptr C1, which is T3.
tt.func @int_to_ptr(%x: i64) {
  // expected-error @+1 {{has scalars on one side and 'tensor<64x!tt.ptr<f16>>' on the other; tt.splat makes a tensor of a scalar}}
  %0 = tt.int_to_ptr %x : i64 -> tensor<64x!tt.ptr<f16>>
  tt.return
}

// -----

// tt.descriptor_store C3: the fork's reduction.
tt.func @store_reduce(%d: !tt.tensordesc<tensor<64xf32>>, %i: i32, %v: f32) {
  %t = tt.splat %v : f32 -> tensor<64xf32>
  // expected-error @+1 {{has a reduce_kind; write tt.descriptor_reduce, which upstream Triton prints}}
  tt.descriptor_store %d[%i], %t {reduce_kind = 1 : i32} : !tt.tensordesc<tensor<64xf32>>, tensor<64xf32>
  tt.return
}

// -----

// tt.descriptor_reduce C3: what memory can do.
tt.func @reduce_c3(%d: !tt.tensordesc<tensor<64xf32>>, %i: i32, %v: f32) {
  %t = tt.splat %v : f32 -> tensor<64xf32>
  // expected-error @+1 {{no atomic min of 'f32' exists; store partial results and reduce them}}
  tt.descriptor_reduce min, %d[%i], %t : !tt.tensordesc<tensor<64xf32>>, tensor<64xf32>
  tt.return
}

// -----

// tt.descriptor_gather C1: rows.
tt.func @gather_c1(%d: !tt.tensordesc<tensor<2x64xf16>>, %i: i32) {
  %rows = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  // expected-error @+1 {{moves single rows, so the descriptor's block must be 1xK, but it is 'tensor<2x64xf16>'}}
  %0 = tt.descriptor_gather %d[%rows, %i] : (!tt.tensordesc<tensor<2x64xf16>>, tensor<8xi32>, i32) -> tensor<8x64xf16>
  tt.return
}

// -----

// tt.descriptor_scatter C3: the value.
tt.func @scatter_c3(%d: !tt.tensordesc<tensor<1x64xf16>>, %i: i32, %v: f16) {
  %rows = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %t = tt.splat %v : f16 -> tensor<16x64xf16>
  // expected-error @+1 {{value is 'tensor<16x64xf16>', but must have shape [8, 64] and element type 'f16'}}
  tt.descriptor_scatter %d[%rows, %i], %t : !tt.tensordesc<tensor<1x64xf16>>, tensor<8xi32>, i32, tensor<16x64xf16>
  tt.return
}
