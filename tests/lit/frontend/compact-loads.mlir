// In loops with products: what neighbours share is loaded once.
// RUN: tawa-opt %s --split-input-file --tawa-compact-loads --canonicalize --cse | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --split-input-file --tawa-compact-loads -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-compact-loads{{$}}
// COUNTS-DAG: {{^ *}}2 num-compacted:
// COUNTS-DAG: {{^ *}}2 num-kept:

// Words of eight numbers along K: eight rows, each of which is repeated eight times.
// CHECK-LABEL: tt.func public @words
tt.func public @words(%words: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}, %steps: i32, %out: !tt.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %none = arith.constant dense<0.0> : tensor<16x64xf32>
  %a = arith.constant dense<1.0> : tensor<16x64xf16>
  %eight = arith.constant dense<8> : tensor<64xi32>
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %ns = tt.splat %n : i32 -> tensor<64x1xi32>
  %ws = tt.splat %words : !tt.ptr<i32> -> tensor<64x1x!tt.ptr<i32>>
  %columns = tt.expand_dims %range {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %sum = scf.for %first = %c0 to %steps step %c64 iter_args(%part = %none) -> (tensor<16x64xf32>) : i32 {
    %firsts = tt.splat %first : i32 -> tensor<64xi32>
    %k = arith.addi %firsts, %range : tensor<64xi32>
    %word = arith.divsi %k, %eight : tensor<64xi32>
    %row = tt.expand_dims %word {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %offset = arith.muli %row, %ns : tensor<64x1xi32>
    %rows = tt.addptr %ws, %offset : tensor<64x1x!tt.ptr<i32>>, tensor<64x1xi32>
    %at = tt.broadcast %rows : tensor<64x1x!tt.ptr<i32>> -> tensor<64x64x!tt.ptr<i32>>
    %cs = tt.broadcast %columns : tensor<1x64xi32> -> tensor<64x64xi32>
    %p = tt.addptr %at, %cs : tensor<64x64x!tt.ptr<i32>>, tensor<64x64xi32>
    // CHECK: %[[EACH:.*]] = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    // CHECK: %[[K:.*]] = arith.muli %[[EACH]], %{{.*}} : tensor<8xi32>
    // CHECK: %[[U:.*]] = tt.load %{{.*}} : tensor<8x64x!tt.ptr<i32>>
    // CHECK: %[[V:.*]] = tt.expand_dims %[[U]] {axis = 1 : i32} : tensor<8x64xi32> -> tensor<8x1x64xi32>
    // CHECK: %[[B:.*]] = tt.broadcast %[[V]] : tensor<8x1x64xi32> -> tensor<8x8x64xi32>
    // CHECK: tt.reshape %[[B]] : tensor<8x8x64xi32> -> tensor<64x64xi32>
    %w = tt.load %p : tensor<64x64x!tt.ptr<i32>>
    %x = arith.sitofp %w : tensor<64x64xi32> to tensor<64x64xf16>
    %next = tt.dot %a, %x, %part : tensor<16x64xf16> * tensor<64x64xf16> -> tensor<16x64xf32>
    scf.yield %next : tensor<16x64xf32>
  }
  %outs = tt.splat %out : !tt.ptr<f32> -> tensor<16x64x!tt.ptr<f32>>
  tt.store %outs, %sum : tensor<16x64x!tt.ptr<f32>>
  tt.return
}

// -----

// Scales of 32 rows and 16 columns, under a mask of groups of both; the number for what is masked is repeated, too.
// CHECK-LABEL: tt.func public @scales
// CHECK: tt.load %{{.*}}, %{{.*}}, %{{.*}} : tensor<2x4x!tt.ptr<f16>>
// CHECK: tt.broadcast %{{.*}} : tensor<2x1x4xf16> -> tensor<2x32x4xf16>
// CHECK: tt.reshape %{{.*}} : tensor<2x32x4xf16> -> tensor<64x4xf16>
// CHECK: tt.broadcast %{{.*}} : tensor<64x4x1xf16> -> tensor<64x4x16xf16>
// CHECK: tt.reshape %{{.*}} : tensor<64x4x16xf16> -> tensor<64x64xf16>
tt.func public @scales(%s: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %steps: i32, %out: !tt.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : tensor<16x64xf32>
  %a = arith.constant dense<1.0> : tensor<16x64xf16>
  %other = arith.constant dense<1.0> : tensor<64x64xf16>
  %by_row = arith.constant dense<32> : tensor<64xi32>
  %by_column = arith.constant dense<16> : tensor<64xi32>
  %limit = arith.constant dense<1> : tensor<64x64xi32>
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %r = arith.divsi %range, %by_row : tensor<64xi32>
  %c = arith.divsi %range, %by_column : tensor<64xi32>
  %rows = tt.expand_dims %r {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %columns = tt.expand_dims %c {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %rb = tt.broadcast %rows : tensor<64x1xi32> -> tensor<64x64xi32>
  %cb = tt.broadcast %columns : tensor<1x64xi32> -> tensor<64x64xi32>
  %offset = arith.addi %rb, %cb : tensor<64x64xi32>
  %in = arith.cmpi sle, %rb, %limit : tensor<64x64xi32>
  %sum = scf.for %i = %c0 to %steps step %c1 iter_args(%part = %none) -> (tensor<16x64xf32>) : i32 {
    %here = tt.addptr %s, %i : !tt.ptr<f16>, i32
    %ss = tt.splat %here : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
    %p = tt.addptr %ss, %offset : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
    %x = tt.load %p, %in, %other : tensor<64x64x!tt.ptr<f16>>
    %next = tt.dot %a, %x, %part : tensor<16x64xf16> * tensor<64x64xf16> -> tensor<16x64xf32>
    scf.yield %next : tensor<16x64xf32>
  }
  %outs = tt.splat %out : !tt.ptr<f32> -> tensor<16x64x!tt.ptr<f32>>
  tt.store %outs, %sum : tensor<16x64x!tt.ptr<f32>>
  tt.return
}

// -----

// A table says which row it is, the same for all columns: computing the first of each group would load the table again.
// CHECK-LABEL: tt.func public @table
// CHECK: tt.load %{{.*}} : tensor<64x64x!tt.ptr<f16>>
tt.func public @table(%s: !tt.ptr<f16>, %table: !tt.ptr<i32>, %steps: i32, %out: !tt.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : tensor<16x64xf32>
  %a = arith.constant dense<1.0> : tensor<16x64xf16>
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %ts = tt.splat %table : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %tp = tt.addptr %ts, %range : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
  %ss = tt.splat %s : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
  %sum = scf.for %i = %c0 to %steps step %c1 iter_args(%part = %none) -> (tensor<16x64xf32>) : i32 {
    %row = tt.load %tp : tensor<64x!tt.ptr<i32>>
    %rows = tt.expand_dims %row {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %at = tt.addptr %ss, %rows : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
    %p = tt.broadcast %at : tensor<64x1x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
    %x = tt.load %p : tensor<64x64x!tt.ptr<f16>>
    %next = tt.dot %a, %x, %part : tensor<16x64xf16> * tensor<64x64xf16> -> tensor<16x64xf32>
    scf.yield %next : tensor<16x64xf32>
  }
  %outs = tt.splat %out : !tt.ptr<f32> -> tensor<16x64x!tt.ptr<f32>>
  tt.store %outs, %sum : tensor<16x64x!tt.ptr<f32>>
  tt.return
}

// -----

// What stands for masked elements differs within a group.
// CHECK-LABEL: tt.func public @others
// CHECK: tt.load %{{.*}}, %{{.*}}, %{{.*}} : tensor<64x64x!tt.ptr<i32>>
tt.func public @others(%s: !tt.ptr<i32>, %steps: i32, %out: !tt.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : tensor<16x64xf32>
  %a = arith.constant dense<1.0> : tensor<16x64xf16>
  %eight = arith.constant dense<8> : tensor<64xi32>
  %limit = arith.constant dense<4> : tensor<64x64xi32>
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %r = arith.divsi %range, %eight : tensor<64xi32>
  %rows = tt.expand_dims %r {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %rb = tt.broadcast %rows : tensor<64x1xi32> -> tensor<64x64xi32>
  %own = tt.expand_dims %range {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %other = tt.broadcast %own : tensor<64x1xi32> -> tensor<64x64xi32>
  %in = arith.cmpi slt, %rb, %limit : tensor<64x64xi32>
  %sum = scf.for %i = %c0 to %steps step %c1 iter_args(%part = %none) -> (tensor<16x64xf32>) : i32 {
    %here = tt.addptr %s, %i : !tt.ptr<i32>, i32
    %ss = tt.splat %here : !tt.ptr<i32> -> tensor<64x64x!tt.ptr<i32>>
    %p = tt.addptr %ss, %rb : tensor<64x64x!tt.ptr<i32>>, tensor<64x64xi32>
    %w = tt.load %p, %in, %other : tensor<64x64x!tt.ptr<i32>>
    %x = arith.sitofp %w : tensor<64x64xi32> to tensor<64x64xf16>
    %next = tt.dot %a, %x, %part : tensor<16x64xf16> * tensor<64x64xf16> -> tensor<16x64xf32>
    scf.yield %next : tensor<16x64xf32>
  }
  %outs = tt.splat %out : !tt.ptr<f32> -> tensor<16x64x!tt.ptr<f32>>
  tt.store %outs, %sum : tensor<16x64x!tt.ptr<f32>>
  tt.return
}
