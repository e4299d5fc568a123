// Which tile sizes of a product can be changed; where one cannot, the remark stands at the operation in the way.
// RUN: tawa-opt %s --split-input-file --verify-diagnostics --mlir-print-op-on-diagnostic=false --tawa-specialize-arguments --tawa-fold-carried-counters --canonicalize --tawa-unshare-tiles --tawa-print-tiling -o /dev/null
// RUN: tawa-opt --mlir-pass-statistics %s --split-input-file --mlir-print-op-on-diagnostic=false --tawa-specialize-arguments --tawa-unshare-tiles --tawa-print-tiling -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-print-tiling{{$}}
// COUNTS: {{^ *}}66 num-printed:

// Programs number rows and columns, a loop the parts of the sums.
// expected-remark @below {{BLOCK_M=64 can be changed: tiles are numbered by programs along axis 0}}
// expected-remark @below {{BLOCK_N=128 can be changed: tiles are numbered by programs along axis 1}}
// expected-remark @below {{BLOCK_K=32 can be changed: tiles are numbered by a loop of sums}}
tt.func public @product(%a: !tt.tensordesc<tensor<64x32xf16>>, %a0: i32, %a1: i32, %a2: i64, %a3: i64,
                        %b: !tt.tensordesc<tensor<32x128xf16>>, %b0: i32, %b1: i32, %b2: i64, %b3: i64,
                        %c: !tt.tensordesc<tensor<64x128xf32>>, %c0: i32, %c1: i32, %c2: i64, %c3: i64,
                        %m: i32, %depth: i32, %p: !tt.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  %c63 = arith.constant 63 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %none = arith.constant dense<0.0> : tensor<64x128xf32>
  %twice = arith.constant dense<2.0> : tensor<64x128xf32>
  %pm = tt.get_program_id x : i32
  %pn = tt.get_program_id y : i32
  %row = arith.muli %pm, %c64 : i32
  %column = arith.muli %pn, %c128 : i32
  %sum = scf.for %k = %zero to %depth step %c32 iter_args(%part = %none) -> (tensor<64x128xf32>) : i32 {
    %x = tt.descriptor_load %a[%row, %k] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
    %y = tt.descriptor_load %b[%k, %column] : !tt.tensordesc<tensor<32x128xf16>> -> tensor<32x128xf16>
    %next = tt.dot %x, %y, %part, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x128xf16> -> tensor<64x128xf32>
    scf.yield %next : tensor<64x128xf32>
  }
  tt.descriptor_store %c[%row, %column], %sum : !tt.tensordesc<tensor<64x128xf32>>, tensor<64x128xf32>
  tt.return
}

// -----

// One number for both, taken apart by the number of tiles along one of them.
// expected-remark @below {{BLOCK_M=64 can be changed: tiles are numbered by programs along axis 0}}
// expected-remark @below {{BLOCK_N=128 can be changed: tiles are numbered by programs along axis 0}}
// expected-remark @below {{BLOCK_K=32 can be changed: tiles are numbered by a loop of sums}}
tt.func public @product(%a: !tt.tensordesc<tensor<64x32xf16>>, %a0: i32, %a1: i32, %a2: i64, %a3: i64,
                        %b: !tt.tensordesc<tensor<32x128xf16>>, %b0: i32, %b1: i32, %b2: i64, %b3: i64,
                        %c: !tt.tensordesc<tensor<64x128xf32>>, %c0: i32, %c1: i32, %c2: i64, %c3: i64,
                        %m: i32, %depth: i32, %p: !tt.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  %c63 = arith.constant 63 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %none = arith.constant dense<0.0> : tensor<64x128xf32>
  %twice = arith.constant dense<2.0> : tensor<64x128xf32>
  %m_padded = arith.addi %m, %c63 : i32
  %m_tiles = arith.divsi %m_padded, %c64 : i32
  %program = tt.get_program_id x : i32
  %pm = arith.remsi %program, %m_tiles : i32
  %pn = tt.get_program_id y : i32
  %row = arith.muli %pm, %c64 : i32
  %n_tile = arith.divsi %program, %m_tiles : i32
  %column = arith.muli %n_tile, %c128 : i32
  %sum = scf.for %k = %zero to %depth step %c32 iter_args(%part = %none) -> (tensor<64x128xf32>) : i32 {
    %x = tt.descriptor_load %a[%row, %k] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
    %y = tt.descriptor_load %b[%k, %column] : !tt.tensordesc<tensor<32x128xf16>> -> tensor<32x128xf16>
    %next = tt.dot %x, %y, %part, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x128xf16> -> tensor<64x128xf32>
    scf.yield %next : tensor<64x128xf32>
  }
  tt.descriptor_store %c[%row, %column], %sum : !tt.tensordesc<tensor<64x128xf32>>, tensor<64x128xf32>
  tt.return
}

// -----

// Sums over columns in the epilogue.
// expected-remark @below {{BLOCK_M=64 can be changed: tiles are numbered by programs along axis 0}}
// expected-remark @below {{BLOCK_K=32 can be changed: tiles are numbered by a loop of sums}}
tt.func public @product(%a: !tt.tensordesc<tensor<64x32xf16>>, %a0: i32, %a1: i32, %a2: i64, %a3: i64,
                        %b: !tt.tensordesc<tensor<32x128xf16>>, %b0: i32, %b1: i32, %b2: i64, %b3: i64,
                        %c: !tt.tensordesc<tensor<64x128xf32>>, %c0: i32, %c1: i32, %c2: i64, %c3: i64,
                        %m: i32, %depth: i32, %p: !tt.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  %c63 = arith.constant 63 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %none = arith.constant dense<0.0> : tensor<64x128xf32>
  %twice = arith.constant dense<2.0> : tensor<64x128xf32>
  %pm = tt.get_program_id x : i32
  %pn = tt.get_program_id y : i32
  %row = arith.muli %pm, %c64 : i32
  %column = arith.muli %pn, %c128 : i32
  %sum = scf.for %k = %zero to %depth step %c32 iter_args(%part = %none) -> (tensor<64x128xf32>) : i32 {
    %x = tt.descriptor_load %a[%row, %k] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
    %y = tt.descriptor_load %b[%k, %column] : !tt.tensordesc<tensor<32x128xf16>> -> tensor<32x128xf16>
    %next = tt.dot %x, %y, %part, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x128xf16> -> tensor<64x128xf32>
    scf.yield %next : tensor<64x128xf32>
  }
  // expected-remark @below {{BLOCK_N=128 cannot be changed: an operation computes across the dimension, or takes it apart}}
  %total = "tt.reduce"(%sum) <{axis = 1 : i32}> ({
  ^bb0(%l: f32, %r: f32):
    %s = arith.addf %l, %r : f32
    tt.reduce.return %s : f32
  }) : (tensor<64x128xf32>) -> tensor<64xf32>
  %e = tt.expand_dims %total {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
  %w = tt.broadcast %e : tensor<64x1xf32> -> tensor<64x128xf32>
  tt.descriptor_store %c[%row, %column], %w : !tt.tensordesc<tensor<64x128xf32>>, tensor<64x128xf32>
  tt.descriptor_store %c[%row, %column], %sum : !tt.tensordesc<tensor<64x128xf32>>, tensor<64x128xf32>
  tt.return
}

// -----

// One tile is as wide as the matrix.
// expected-remark @below {{BLOCK_M=64 can be changed: tiles are numbered by programs along axis 0}}
// expected-remark @below {{BLOCK_K=32 can be changed: tiles are numbered by a loop of sums}}
tt.func public @product(%a: !tt.tensordesc<tensor<64x32xf16>>, %a0: i32, %a1: i32, %a2: i64, %a3: i64,
                        %b: !tt.tensordesc<tensor<32x128xf16>>, %b0: i32, %b1: i32, %b2: i64, %b3: i64,
                        %c: !tt.tensordesc<tensor<64x128xf32>>, %c0: i32, %c1: i32, %c2: i64, %c3: i64,
                        %m: i32, %depth: i32, %p: !tt.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  %c63 = arith.constant 63 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %none = arith.constant dense<0.0> : tensor<64x128xf32>
  %twice = arith.constant dense<2.0> : tensor<64x128xf32>
  %pm = tt.get_program_id x : i32
  %pn = tt.get_program_id y : i32
  %row = arith.muli %pm, %c64 : i32
  %column = arith.constant 0 : i32
  %sum = scf.for %k = %zero to %depth step %c32 iter_args(%part = %none) -> (tensor<64x128xf32>) : i32 {
    %x = tt.descriptor_load %a[%row, %k] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
  // expected-remark @below {{BLOCK_N=128 cannot be changed: an operation depends on the index within the tile alone, and not on the number of the tile times its size}}
    %y = tt.descriptor_load %b[%k, %column] : !tt.tensordesc<tensor<32x128xf16>> -> tensor<32x128xf16>
    %next = tt.dot %x, %y, %part, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x128xf16> -> tensor<64x128xf32>
    scf.yield %next : tensor<64x128xf32>
  }
  tt.descriptor_store %c[%row, %column], %sum : !tt.tensordesc<tensor<64x128xf32>>, tensor<64x128xf32>
  tt.return
}

// -----

// The number of the tile is stored.
// expected-remark @below {{BLOCK_N=128 can be changed: tiles are numbered by programs along axis 1}}
// expected-remark @below {{BLOCK_K=32 can be changed: tiles are numbered by a loop of sums}}
tt.func public @product(%a: !tt.tensordesc<tensor<64x32xf16>>, %a0: i32, %a1: i32, %a2: i64, %a3: i64,
                        %b: !tt.tensordesc<tensor<32x128xf16>>, %b0: i32, %b1: i32, %b2: i64, %b3: i64,
                        %c: !tt.tensordesc<tensor<64x128xf32>>, %c0: i32, %c1: i32, %c2: i64, %c3: i64,
                        %m: i32, %depth: i32, %p: !tt.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  %c63 = arith.constant 63 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %none = arith.constant dense<0.0> : tensor<64x128xf32>
  %twice = arith.constant dense<2.0> : tensor<64x128xf32>
  %pm = tt.get_program_id x : i32
  %pn = tt.get_program_id y : i32
  %row = arith.muli %pm, %c64 : i32
  %column = arith.muli %pn, %c128 : i32
  %sum = scf.for %k = %zero to %depth step %c32 iter_args(%part = %none) -> (tensor<64x128xf32>) : i32 {
    %x = tt.descriptor_load %a[%row, %k] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
    %y = tt.descriptor_load %b[%k, %column] : !tt.tensordesc<tensor<32x128xf16>> -> tensor<32x128xf16>
    %next = tt.dot %x, %y, %part, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x128xf16> -> tensor<64x128xf32>
    scf.yield %next : tensor<64x128xf32>
  }
  // expected-remark @below {{BLOCK_M=64 cannot be changed: the number of the tile is used for more than to find its elements}}
  tt.store %p, %pm : !tt.ptr<i32>
  tt.descriptor_store %c[%row, %column], %sum : !tt.tensordesc<tensor<64x128xf32>>, tensor<64x128xf32>
  tt.return
}

// -----

// Some programs do something else.
// expected-remark @below {{BLOCK_N=128 can be changed: tiles are numbered by programs along axis 1}}
// expected-remark @below {{BLOCK_K=32 can be changed: tiles are numbered by a loop of sums}}
tt.func public @product(%a: !tt.tensordesc<tensor<64x32xf16>>, %a0: i32, %a1: i32, %a2: i64, %a3: i64,
                        %b: !tt.tensordesc<tensor<32x128xf16>>, %b0: i32, %b1: i32, %b2: i64, %b3: i64,
                        %c: !tt.tensordesc<tensor<64x128xf32>>, %c0: i32, %c1: i32, %c2: i64, %c3: i64,
                        %m: i32, %depth: i32, %p: !tt.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  %c63 = arith.constant 63 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %none = arith.constant dense<0.0> : tensor<64x128xf32>
  %twice = arith.constant dense<2.0> : tensor<64x128xf32>
  // expected-remark @below {{BLOCK_M=64 cannot be changed: for other numbers of tiles, programs would not take each tile once}}
  %pm = tt.get_program_id x : i32
  %pn = tt.get_program_id y : i32
  %row = arith.muli %pm, %c64 : i32
  %column = arith.muli %pn, %c128 : i32
  %sum = scf.for %k = %zero to %depth step %c32 iter_args(%part = %none) -> (tensor<64x128xf32>) : i32 {
    %x = tt.descriptor_load %a[%row, %k] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
    %y = tt.descriptor_load %b[%k, %column] : !tt.tensordesc<tensor<32x128xf16>> -> tensor<32x128xf16>
    %next = tt.dot %x, %y, %part, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x128xf16> -> tensor<64x128xf32>
    scf.yield %next : tensor<64x128xf32>
  }
  %first = arith.cmpi slt, %pm, %three : i32
  scf.if %first {
    tt.store %p, %one : !tt.ptr<i32>
  }
  tt.descriptor_store %c[%row, %column], %sum : !tt.tensordesc<tensor<64x128xf32>>, tensor<64x128xf32>
  tt.return
}

// -----

// A table says which rows a program takes.
// expected-remark @below {{BLOCK_M=64 cannot be changed: which tile a program takes depends on more than the numbers of programs and tiles}}
// expected-remark @below {{BLOCK_N=128 can be changed: tiles are numbered by programs along axis 1}}
// expected-remark @below {{BLOCK_K=32 can be changed: tiles are numbered by a loop of sums}}
tt.func public @product(%a: !tt.tensordesc<tensor<64x32xf16>>, %a0: i32, %a1: i32, %a2: i64, %a3: i64,
                        %b: !tt.tensordesc<tensor<32x128xf16>>, %b0: i32, %b1: i32, %b2: i64, %b3: i64,
                        %c: !tt.tensordesc<tensor<64x128xf32>>, %c0: i32, %c1: i32, %c2: i64, %c3: i64,
                        %m: i32, %depth: i32, %p: !tt.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  %c63 = arith.constant 63 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %none = arith.constant dense<0.0> : tensor<64x128xf32>
  %twice = arith.constant dense<2.0> : tensor<64x128xf32>
  %program = tt.get_program_id x : i32
  %at = tt.addptr %p, %program : !tt.ptr<i32>, i32
  %pm = tt.load %at : !tt.ptr<i32>
  %pn = tt.get_program_id y : i32
  %row = arith.muli %pm, %c64 : i32
  %column = arith.muli %pn, %c128 : i32
  %sum = scf.for %k = %zero to %depth step %c32 iter_args(%part = %none) -> (tensor<64x128xf32>) : i32 {
    %x = tt.descriptor_load %a[%row, %k] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
    %y = tt.descriptor_load %b[%k, %column] : !tt.tensordesc<tensor<32x128xf16>> -> tensor<32x128xf16>
    %next = tt.dot %x, %y, %part, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x128xf16> -> tensor<64x128xf32>
    scf.yield %next : tensor<64x128xf32>
  }
  tt.descriptor_store %c[%row, %column], %sum : !tt.tensordesc<tensor<64x128xf32>>, tensor<64x128xf32>
  tt.return
}

// -----

// And so of a factor of the result, which has nothing to do with columns.
// expected-remark @below {{BLOCK_N=128 can be changed: tiles are numbered by programs along axis 1}}
// expected-remark @below {{BLOCK_K=32 can be changed: tiles are numbered by a loop of sums}}
tt.func public @product(%a: !tt.tensordesc<tensor<64x32xf16>>, %a0: i32, %a1: i32, %a2: i64, %a3: i64,
                        %b: !tt.tensordesc<tensor<32x128xf16>>, %b0: i32, %b1: i32, %b2: i64, %b3: i64,
                        %c: !tt.tensordesc<tensor<64x128xf32>>, %c0: i32, %c1: i32, %c2: i64, %c3: i64,
                        %m: i32, %depth: i32, %p: !tt.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  %c63 = arith.constant 63 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %none = arith.constant dense<0.0> : tensor<64x128xf32>
  %twice = arith.constant dense<2.0> : tensor<64x128xf32>
  // expected-remark @below {{BLOCK_M=64 cannot be changed: which tile a program takes depends on more than the numbers of programs and tiles}}
  %pm = tt.get_program_id x : i32
  %pn = tt.get_program_id y : i32
  %row = arith.muli %pm, %c64 : i32
  %column = arith.muli %pn, %c128 : i32
  %sum = scf.for %k = %zero to %depth step %c32 iter_args(%part = %none) -> (tensor<64x128xf32>) : i32 {
    %x = tt.descriptor_load %a[%row, %k] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
    %y = tt.descriptor_load %b[%k, %column] : !tt.tensordesc<tensor<32x128xf16>> -> tensor<32x128xf16>
    %next = tt.dot %x, %y, %part, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x128xf16> -> tensor<64x128xf32>
    scf.yield %next : tensor<64x128xf32>
  }
  %at = tt.addptr %p, %pm : !tt.ptr<i32>, i32
  %number = tt.load %at : !tt.ptr<i32>
  %f = arith.sitofp %number : i32 to f32
  %fs = tt.splat %f : f32 -> tensor<64x128xf32>
  %w = arith.mulf %sum, %fs : tensor<64x128xf32>
  tt.descriptor_store %c[%row, %column], %w : !tt.tensordesc<tensor<64x128xf32>>, tensor<64x128xf32>
  tt.descriptor_store %c[%row, %column], %sum : !tt.tensordesc<tensor<64x128xf32>>, tensor<64x128xf32>
  tt.return
}

// -----

// Earlier terms are multiplied again.
// expected-remark @below {{BLOCK_M=64 can be changed: tiles are numbered by programs along axis 0}}
// expected-remark @below {{BLOCK_N=128 can be changed: tiles are numbered by programs along axis 1}}
tt.func public @product(%a: !tt.tensordesc<tensor<64x32xf16>>, %a0: i32, %a1: i32, %a2: i64, %a3: i64,
                        %b: !tt.tensordesc<tensor<32x128xf16>>, %b0: i32, %b1: i32, %b2: i64, %b3: i64,
                        %c: !tt.tensordesc<tensor<64x128xf32>>, %c0: i32, %c1: i32, %c2: i64, %c3: i64,
                        %m: i32, %depth: i32, %p: !tt.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  %c63 = arith.constant 63 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %none = arith.constant dense<0.0> : tensor<64x128xf32>
  %twice = arith.constant dense<2.0> : tensor<64x128xf32>
  %pm = tt.get_program_id x : i32
  %pn = tt.get_program_id y : i32
  %row = arith.muli %pm, %c64 : i32
  %column = arith.muli %pn, %c128 : i32
  // expected-remark @below {{BLOCK_K=32 cannot be changed: the loop along the dimension carries something else than sums over it}}
  %sum = scf.for %k = %zero to %depth step %c32 iter_args(%part = %none) -> (tensor<64x128xf32>) : i32 {
    %x = tt.descriptor_load %a[%row, %k] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
    %y = tt.descriptor_load %b[%k, %column] : !tt.tensordesc<tensor<32x128xf16>> -> tensor<32x128xf16>
    %next = tt.dot %x, %y, %part, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x128xf16> -> tensor<64x128xf32>
    %more = arith.mulf %next, %twice : tensor<64x128xf32>
    scf.yield %more : tensor<64x128xf32>
  }
  tt.descriptor_store %c[%row, %column], %sum : !tt.tensordesc<tensor<64x128xf32>>, tensor<64x128xf32>
  tt.return
}

// -----

// Parts of the sums are stored.
// expected-remark @below {{BLOCK_M=64 can be changed: tiles are numbered by programs along axis 0}}
// expected-remark @below {{BLOCK_N=128 can be changed: tiles are numbered by programs along axis 1}}
tt.func public @product(%a: !tt.tensordesc<tensor<64x32xf16>>, %a0: i32, %a1: i32, %a2: i64, %a3: i64,
                        %b: !tt.tensordesc<tensor<32x128xf16>>, %b0: i32, %b1: i32, %b2: i64, %b3: i64,
                        %c: !tt.tensordesc<tensor<64x128xf32>>, %c0: i32, %c1: i32, %c2: i64, %c3: i64,
                        %m: i32, %depth: i32, %p: !tt.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  %c63 = arith.constant 63 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %none = arith.constant dense<0.0> : tensor<64x128xf32>
  %twice = arith.constant dense<2.0> : tensor<64x128xf32>
  %pm = tt.get_program_id x : i32
  %pn = tt.get_program_id y : i32
  %row = arith.muli %pm, %c64 : i32
  %column = arith.muli %pn, %c128 : i32
  // expected-remark @below {{BLOCK_K=32 cannot be changed: the loop along the dimension writes to memory}}
  %sum = scf.for %k = %zero to %depth step %c32 iter_args(%part = %none) -> (tensor<64x128xf32>) : i32 {
    %x = tt.descriptor_load %a[%row, %k] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
    %y = tt.descriptor_load %b[%k, %column] : !tt.tensordesc<tensor<32x128xf16>> -> tensor<32x128xf16>
    %next = tt.dot %x, %y, %part, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x128xf16> -> tensor<64x128xf32>
    tt.descriptor_store %c[%row, %column], %none : !tt.tensordesc<tensor<64x128xf32>>, tensor<64x128xf32>
    scf.yield %next : tensor<64x128xf32>
  }
  tt.descriptor_store %c[%row, %column], %sum : !tt.tensordesc<tensor<64x128xf32>>, tensor<64x128xf32>
  tt.return
}

// -----

// A loop that runs as often as an argument says.
// expected-remark @below {{BLOCK_M=64 can be changed: tiles are numbered by programs along axis 0}}
// expected-remark @below {{BLOCK_N=128 can be changed: tiles are numbered by programs along axis 1}}
tt.func public @product(%a: !tt.tensordesc<tensor<64x32xf16>>, %a0: i32, %a1: i32, %a2: i64, %a3: i64,
                        %b: !tt.tensordesc<tensor<32x128xf16>>, %b0: i32, %b1: i32, %b2: i64, %b3: i64,
                        %c: !tt.tensordesc<tensor<64x128xf32>>, %c0: i32, %c1: i32, %c2: i64, %c3: i64,
                        %m: i32, %depth: i32, %p: !tt.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  %c63 = arith.constant 63 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %none = arith.constant dense<0.0> : tensor<64x128xf32>
  %twice = arith.constant dense<2.0> : tensor<64x128xf32>
  %pm = tt.get_program_id x : i32
  %pn = tt.get_program_id y : i32
  %row = arith.muli %pm, %c64 : i32
  %column = arith.muli %pn, %c128 : i32
  // expected-remark @below {{BLOCK_K=32 cannot be changed: how often the loop along the dimension runs is not a number of tiles}}
  %sum = scf.for %k = %zero to %depth step %one iter_args(%part = %none) -> (tensor<64x128xf32>) : i32 {
    %at = arith.muli %k, %c32 : i32
    %x = tt.descriptor_load %a[%row, %at] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
    %y = tt.descriptor_load %b[%at, %column] : !tt.tensordesc<tensor<32x128xf16>> -> tensor<32x128xf16>
    %next = tt.dot %x, %y, %part, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x128xf16> -> tensor<64x128xf32>
    scf.yield %next : tensor<64x128xf32>
  }
  tt.descriptor_store %c[%row, %column], %sum : !tt.tensordesc<tensor<64x128xf32>>, tensor<64x128xf32>
  tt.return
}

// -----

// The result is multiplied once more, over its columns.
// expected-remark @below {{BLOCK_M=64 can be changed: tiles are numbered by programs along axis 0}}
// expected-remark @below {{BLOCK_K=32 can be changed: tiles are numbered by a loop of sums}}
tt.func public @product(%a: !tt.tensordesc<tensor<64x32xf16>>, %a0: i32, %a1: i32, %a2: i64, %a3: i64,
                        %b: !tt.tensordesc<tensor<32x128xf16>>, %b0: i32, %b1: i32, %b2: i64, %b3: i64,
                        %c: !tt.tensordesc<tensor<64x128xf32>>, %c0: i32, %c1: i32, %c2: i64, %c3: i64,
                        %m: i32, %depth: i32, %p: !tt.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  %c63 = arith.constant 63 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %none = arith.constant dense<0.0> : tensor<64x128xf32>
  %twice = arith.constant dense<2.0> : tensor<64x128xf32>
  %pm = tt.get_program_id x : i32
  %pn = tt.get_program_id y : i32
  %row = arith.muli %pm, %c64 : i32
  %column = arith.muli %pn, %c128 : i32
  %sum = scf.for %k = %zero to %depth step %c32 iter_args(%part = %none) -> (tensor<64x128xf32>) : i32 {
    %x = tt.descriptor_load %a[%row, %k] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
    %y = tt.descriptor_load %b[%k, %column] : !tt.tensordesc<tensor<32x128xf16>> -> tensor<32x128xf16>
    %next = tt.dot %x, %y, %part, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x128xf16> -> tensor<64x128xf32>
    scf.yield %next : tensor<64x128xf32>
  }
  %h = arith.truncf %sum : tensor<64x128xf32> to tensor<64x128xf16>
  %t = tt.trans %h {order = array<i32: 1, 0>} : tensor<64x128xf16> -> tensor<128x64xf16>
  %z = arith.constant dense<0.0> : tensor<64x16xf32>
  %weights = arith.constant dense<1.0> : tensor<128x16xf16>
  // expected-remark @below {{BLOCK_N=128 cannot be changed: the dimension is summed over within a tile, but not by a loop along it}}
  %again = tt.dot %h, %weights, %z, inputPrecision = tf32 : tensor<64x128xf16> * tensor<128x16xf16> -> tensor<64x16xf32>
  %bits = arith.bitcast %again : tensor<64x16xf32> to tensor<64x16xi32>
  %ps = tt.splat %p : !tt.ptr<i32> -> tensor<64x16x!tt.ptr<i32>>
  tt.store %ps, %bits : tensor<64x16x!tt.ptr<i32>>
  tt.descriptor_store %c[%row, %column], %sum : !tt.tensordesc<tensor<64x128xf32>>, tensor<64x128xf32>
  tt.return
}

// -----

// Each program counts itself.
// expected-remark @below {{BLOCK_K=32 can be changed: tiles are numbered by a loop of sums}}
tt.func public @product(%a: !tt.tensordesc<tensor<64x32xf16>>, %a0: i32, %a1: i32, %a2: i64, %a3: i64,
                        %b: !tt.tensordesc<tensor<32x128xf16>>, %b0: i32, %b1: i32, %b2: i64, %b3: i64,
                        %c: !tt.tensordesc<tensor<64x128xf32>>, %c0: i32, %c1: i32, %c2: i64, %c3: i64,
                        %m: i32, %depth: i32, %p: !tt.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  %c63 = arith.constant 63 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %none = arith.constant dense<0.0> : tensor<64x128xf32>
  %twice = arith.constant dense<2.0> : tensor<64x128xf32>
  %pm = tt.get_program_id x : i32
  %pn = tt.get_program_id y : i32
  %row = arith.muli %pm, %c64 : i32
  %column = arith.muli %pn, %c128 : i32
  %sum = scf.for %k = %zero to %depth step %c32 iter_args(%part = %none) -> (tensor<64x128xf32>) : i32 {
    %x = tt.descriptor_load %a[%row, %k] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
    %y = tt.descriptor_load %b[%k, %column] : !tt.tensordesc<tensor<32x128xf16>> -> tensor<32x128xf16>
    %next = tt.dot %x, %y, %part, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x128xf16> -> tensor<64x128xf32>
    scf.yield %next : tensor<64x128xf32>
  }
  %true = arith.constant true
  // expected-remark @below {{BLOCK_M=64 cannot be changed: an atomic operation is executed once for each tile along the dimension}}
  // expected-remark @below {{BLOCK_N=128 cannot be changed: an atomic operation is executed once for each tile along the dimension}}
  %old = tt.atomic_rmw add, relaxed, gpu, %p, %one, %true : (!tt.ptr<i32>, i32, i1) -> i32
  tt.descriptor_store %c[%row, %column], %sum : !tt.tensordesc<tensor<64x128xf32>>, tensor<64x128xf32>
  tt.return
}

// -----

// Rows and columns begin at the same number.
// expected-remark @below {{BLOCK_K=32 can be changed: tiles are numbered by a loop of sums}}
tt.func public @product(%a: !tt.tensordesc<tensor<64x32xf16>>, %a0: i32, %a1: i32, %a2: i64, %a3: i64,
                        %b: !tt.tensordesc<tensor<32x64xf16>>, %b0: i32, %b1: i32, %b2: i64, %b3: i64,
                        %c: !tt.tensordesc<tensor<64x64xf32>>, %c0: i32, %c1: i32, %c2: i64, %c3: i64,
                        %m: i32, %depth: i32, %p: !tt.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  %c63 = arith.constant 63 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %twice = arith.constant dense<2.0> : tensor<64x64xf32>
  %pm = tt.get_program_id x : i32
  %pn = tt.get_program_id y : i32
  %row = arith.muli %pm, %c64 : i32
  %column = arith.addi %row, %zero : i32
  %sum = scf.for %k = %zero to %depth step %c32 iter_args(%part = %none) -> (tensor<64x64xf32>) : i32 {
    %x = tt.descriptor_load %a[%row, %k] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
  // expected-remark @below {{BLOCK_M=64 cannot be changed: the number of the tile is used for more than to find its elements}}
  // expected-remark @below {{BLOCK_N=64 cannot be changed: one constant stands for the size and for something else}}
    %y = tt.descriptor_load %b[%k, %column] : !tt.tensordesc<tensor<32x64xf16>> -> tensor<32x64xf16>
    %next = tt.dot %x, %y, %part, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  tt.descriptor_store %c[%row, %column], %sum : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  tt.return
}

// -----

// The number of tiles is read from memory.
// expected-remark @below {{BLOCK_K=32 can be changed: tiles are numbered by a loop of sums}}
tt.func public @product(%a: !tt.tensordesc<tensor<64x32xf16>>, %a0: i32, %a1: i32, %a2: i64, %a3: i64,
                        %b: !tt.tensordesc<tensor<32x128xf16>>, %b0: i32, %b1: i32, %b2: i64, %b3: i64,
                        %c: !tt.tensordesc<tensor<64x128xf32>>, %c0: i32, %c1: i32, %c2: i64, %c3: i64,
                        %m: i32, %depth: i32, %p: !tt.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  %c63 = arith.constant 63 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %none = arith.constant dense<0.0> : tensor<64x128xf32>
  %twice = arith.constant dense<2.0> : tensor<64x128xf32>
  %rows = tt.load %p : !tt.ptr<i32>
  %m_padded = arith.addi %rows, %c63 : i32
  %m_tiles = arith.divsi %m_padded, %c64 : i32
  // expected-remark @below {{BLOCK_M=64 cannot be changed: the number of tiles is not known to the launch}}
  // expected-remark @below {{BLOCK_N=128 cannot be changed: the number of tiles is not known to the launch}}
  %program = tt.get_program_id x : i32
  %pm = arith.remsi %program, %m_tiles : i32
  %pn = tt.get_program_id y : i32
  %row = arith.muli %pm, %c64 : i32
  %n_tile = arith.divsi %program, %m_tiles : i32
  %column = arith.muli %n_tile, %c128 : i32
  %sum = scf.for %k = %zero to %depth step %c32 iter_args(%part = %none) -> (tensor<64x128xf32>) : i32 {
    %x = tt.descriptor_load %a[%row, %k] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
    %y = tt.descriptor_load %b[%k, %column] : !tt.tensordesc<tensor<32x128xf16>> -> tensor<32x128xf16>
    %next = tt.dot %x, %y, %part, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x128xf16> -> tensor<64x128xf32>
    scf.yield %next : tensor<64x128xf32>
  }
  tt.descriptor_store %c[%row, %column], %sum : !tt.tensordesc<tensor<64x128xf32>>, tensor<64x128xf32>
  tt.return
}

// -----

// A tile multiplied by itself.
tt.func public @square(%a: !tt.tensordesc<tensor<64x32xf16>>, %a0: i32, %a1: i32, %a2: i64, %a3: i64,
                       %c: !tt.tensordesc<tensor<64x64xf32>>, %c0: i32, %c1: i32, %c2: i64, %c3: i64) {
  %zero = arith.constant 0 : i32
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  // expected-remark @below {{BLOCK_K=32 cannot be changed: an operation depends on the index within the tile alone, and not on the number of the tile times its size}}
  %x = tt.descriptor_load %a[%zero, %zero] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
  %y = tt.trans %x {order = array<i32: 1, 0>} : tensor<64x32xf16> -> tensor<32x64xf16>
  // expected-remark @below {{BLOCK_M=64 cannot be changed: two of the product's rows, columns and sums are the same dimension}}
  // expected-remark @below {{BLOCK_N=64 cannot be changed: two of the product's rows, columns and sums are the same dimension}}
  %s = tt.dot %x, %y, %none, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
  tt.descriptor_store %c[%zero, %zero], %s : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  tt.return
}

// -----

// A loop over tiles that carries a sum of tiles.
// expected-remark @below {{BLOCK_M=64 cannot be changed: the loop over tiles carries something from one tile to the next}}
tt.func public @carried(%a: !tt.tensordesc<tensor<64x32xf16>>, %a0: i32, %a1: i32, %a2: i64, %a3: i64,
                        %c: !tt.tensordesc<tensor<64x64xf32>>, %c0: i32, %c1: i32, %c2: i64, %c3: i64, %m: i32) {
  %zero = arith.constant 0 : i32
  %c63 = arith.constant 63 : i32
  %c64 = arith.constant 64 : i32
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %weights = arith.constant dense<1.0> : tensor<32x64xf16>
  %first = tt.get_program_id x : i32
  %programs = tt.get_num_programs x : i32
  %padded = arith.addi %m, %c63 : i32
  %tiles = arith.divsi %padded, %c64 : i32
  %all = scf.for %t = %first to %tiles step %programs iter_args(%before = %none) -> (tensor<64x64xf32>) : i32 {
    %row = arith.muli %t, %c64 : i32
    // expected-remark @below {{BLOCK_K=32 cannot be changed: an operation depends on the index within the tile alone, and not on the number of the tile times its size}}
    %x = tt.descriptor_load %a[%row, %zero] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
    %s = tt.dot %x, %weights, %before, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
    // expected-remark @below {{BLOCK_N=64 cannot be changed: an operation depends on the index within the tile alone, and not on the number of the tile times its size}}
    tt.descriptor_store %c[%row, %zero], %s : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
    scf.yield %s : tensor<64x64xf32>
  }
  tt.return
}

// -----

// Scales of groups of 128 along the sums: the group of a tile's first element is that of all, if its size divides 128. Pairs
// that are unpacked side by side leave the rows alone.
// expected-remark @below {{BLOCK_M=16 can be changed: tiles are numbered by programs along axis 0}}
// expected-remark @below {{BLOCK_K=64 can be changed to what divides 128: tiles are numbered by a loop of sums}}
tt.func public @groups(%a: !tt.ptr<f16>, %w: !tt.ptr<i32>, %s: !tt.ptr<f16>, %c: !tt.ptr<f32>, %m: i32, %depth: i32) {
  %zero = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c64 = arith.constant 64 : i32
  %group = arith.constant 128 : i32
  %none = arith.constant dense<0.0> : tensor<16x16xf32>
  %no = arith.constant dense<0.0> : tensor<16x64xf16>
  %im = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %ik = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %i8 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %program = tt.get_program_id x : i32
  %row0 = arith.muli %program, %c16 : i32
  %row0s = tt.splat %row0 : i32 -> tensor<16xi32>
  %row = arith.addi %row0s, %im : tensor<16xi32>
  %rows = tt.expand_dims %row {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %ms = tt.splat %m : i32 -> tensor<16x1xi32>
  %in = arith.cmpi slt, %rows, %ms : tensor<16x1xi32>
  %ins = tt.broadcast %in : tensor<16x1xi1> -> tensor<16x64xi1>
  %depths = tt.splat %depth : i32 -> tensor<16x1xi32>
  %line = arith.muli %rows, %depths : tensor<16x1xi32>
  %as = tt.splat %a : !tt.ptr<f16> -> tensor<16x1x!tt.ptr<f16>>
  %al = tt.addptr %as, %line : tensor<16x1x!tt.ptr<f16>>, tensor<16x1xi32>
  %alb = tt.broadcast %al : tensor<16x1x!tt.ptr<f16>> -> tensor<16x64x!tt.ptr<f16>>
  %ws = tt.splat %w : !tt.ptr<i32> -> tensor<64x8x!tt.ptr<i32>>
  %eight = tt.expand_dims %i8 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
  %words = tt.broadcast %eight : tensor<1x8xi32> -> tensor<64x8xi32>
  %sum = scf.for %first = %zero to %depth step %c64 iter_args(%part = %none) -> (tensor<16x16xf32>) : i32 {
    %firsts = tt.splat %first : i32 -> tensor<64xi32>
    %k = arith.addi %firsts, %ik : tensor<64xi32>
    %kc = tt.expand_dims %k {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %kcb = tt.broadcast %kc : tensor<1x64xi32> -> tensor<16x64xi32>
    %pa = tt.addptr %alb, %kcb : tensor<16x64x!tt.ptr<f16>>, tensor<16x64xi32>
    %x = tt.load %pa, %ins, %no : tensor<16x64x!tt.ptr<f16>>
    %kr = tt.expand_dims %k {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %krb = tt.broadcast %kr : tensor<64x1xi32> -> tensor<64x8xi32>
    %at = arith.addi %krb, %words : tensor<64x8xi32>
    %pw = tt.addptr %ws, %at : tensor<64x8x!tt.ptr<i32>>, tensor<64x8xi32>
    %u = tt.load %pw : tensor<64x8x!tt.ptr<i32>>
    %both = tt.join %u, %u : tensor<64x8xi32> -> tensor<64x8x2xi32>
    // expected-remark @below {{BLOCK_N=16 cannot be changed: an operation computes across the dimension, or takes it apart}}
    %y = tt.reshape %both : tensor<64x8x2xi32> -> tensor<64x16xi32>
    %g = arith.divsi %first, %group : i32
    %ps = tt.addptr %s, %g : !tt.ptr<f16>, i32
    %scale = tt.load %ps : !tt.ptr<f16>
    %scales = tt.splat %scale : f16 -> tensor<64x16xf16>
    %z = arith.sitofp %y : tensor<64x16xi32> to tensor<64x16xf16>
    %b = arith.mulf %z, %scales : tensor<64x16xf16>
    %next = tt.dot %x, %b, %part, inputPrecision = tf32 : tensor<16x64xf16> * tensor<64x16xf16> -> tensor<16x16xf32>
    scf.yield %next : tensor<16x16xf32>
  }
  %cs = tt.splat %c : !tt.ptr<f32> -> tensor<16x1x!tt.ptr<f32>>
  %pc = tt.addptr %cs, %rows : tensor<16x1x!tt.ptr<f32>>, tensor<16x1xi32>
  %pcb = tt.broadcast %pc : tensor<16x1x!tt.ptr<f32>> -> tensor<16x16x!tt.ptr<f32>>
  %inc = tt.broadcast %in : tensor<16x1xi1> -> tensor<16x16xi1>
  tt.store %pcb, %sum, %inc : tensor<16x16x!tt.ptr<f32>>
  tt.return
}

// -----

// Groups that begin in the middle of a tile.
// expected-remark @below {{BLOCK_M=16 can be changed: tiles are numbered by programs along axis 0}}
tt.func public @other_groups(%a: !tt.ptr<f16>, %w: !tt.ptr<i32>, %s: !tt.ptr<f16>, %c: !tt.ptr<f32>, %m: i32, %depth: i32) {
  %zero = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c64 = arith.constant 64 : i32
  %group = arith.constant 128 : i32
  %none = arith.constant dense<0.0> : tensor<16x16xf32>
  %no = arith.constant dense<0.0> : tensor<16x64xf16>
  %im = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %ik = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %i8 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %program = tt.get_program_id x : i32
  %row0 = arith.muli %program, %c16 : i32
  %row0s = tt.splat %row0 : i32 -> tensor<16xi32>
  %row = arith.addi %row0s, %im : tensor<16xi32>
  %rows = tt.expand_dims %row {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %ms = tt.splat %m : i32 -> tensor<16x1xi32>
  %in = arith.cmpi slt, %rows, %ms : tensor<16x1xi32>
  %ins = tt.broadcast %in : tensor<16x1xi1> -> tensor<16x64xi1>
  %depths = tt.splat %depth : i32 -> tensor<16x1xi32>
  %line = arith.muli %rows, %depths : tensor<16x1xi32>
  %as = tt.splat %a : !tt.ptr<f16> -> tensor<16x1x!tt.ptr<f16>>
  %al = tt.addptr %as, %line : tensor<16x1x!tt.ptr<f16>>, tensor<16x1xi32>
  %alb = tt.broadcast %al : tensor<16x1x!tt.ptr<f16>> -> tensor<16x64x!tt.ptr<f16>>
  %ws = tt.splat %w : !tt.ptr<i32> -> tensor<64x8x!tt.ptr<i32>>
  %eight = tt.expand_dims %i8 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
  %words = tt.broadcast %eight : tensor<1x8xi32> -> tensor<64x8xi32>
  %sum = scf.for %first = %zero to %depth step %c64 iter_args(%part = %none) -> (tensor<16x16xf32>) : i32 {
    %firsts = tt.splat %first : i32 -> tensor<64xi32>
    %k = arith.addi %firsts, %ik : tensor<64xi32>
    %kc = tt.expand_dims %k {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %kcb = tt.broadcast %kc : tensor<1x64xi32> -> tensor<16x64xi32>
    %pa = tt.addptr %alb, %kcb : tensor<16x64x!tt.ptr<f16>>, tensor<16x64xi32>
    %x = tt.load %pa, %ins, %no : tensor<16x64x!tt.ptr<f16>>
    %kr = tt.expand_dims %k {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %krb = tt.broadcast %kr : tensor<64x1xi32> -> tensor<64x8xi32>
    %at = arith.addi %krb, %words : tensor<64x8xi32>
    %pw = tt.addptr %ws, %at : tensor<64x8x!tt.ptr<i32>>, tensor<64x8xi32>
    %u = tt.load %pw : tensor<64x8x!tt.ptr<i32>>
    %both = tt.join %u, %u : tensor<64x8xi32> -> tensor<64x8x2xi32>
    // expected-remark @below {{BLOCK_N=16 cannot be changed: an operation computes across the dimension, or takes it apart}}
    %y = tt.reshape %both : tensor<64x8x2xi32> -> tensor<64x16xi32>
    %later = arith.addi %first, %c16 : i32
    %g = arith.divsi %later, %group : i32
    %ps = tt.addptr %s, %g : !tt.ptr<f16>, i32
    %scale = tt.load %ps : !tt.ptr<f16>
    // expected-remark @below {{BLOCK_K=64 cannot be changed: the number of the tile is used for more than to find its elements}}
    %scales = tt.splat %scale : f16 -> tensor<64x16xf16>
    %z = arith.sitofp %y : tensor<64x16xi32> to tensor<64x16xf16>
    %b = arith.mulf %z, %scales : tensor<64x16xf16>
    %next = tt.dot %x, %b, %part, inputPrecision = tf32 : tensor<16x64xf16> * tensor<64x16xf16> -> tensor<16x16xf32>
    scf.yield %next : tensor<16x16xf32>
  }
  %cs = tt.splat %c : !tt.ptr<f32> -> tensor<16x1x!tt.ptr<f32>>
  %pc = tt.addptr %cs, %rows : tensor<16x1x!tt.ptr<f32>>, tensor<16x1xi32>
  %pcb = tt.broadcast %pc : tensor<16x1x!tt.ptr<f32>> -> tensor<16x16x!tt.ptr<f32>>
  %inc = tt.broadcast %in : tensor<16x1xi1> -> tensor<16x16xi1>
  tt.store %pcb, %sum, %inc : tensor<16x16x!tt.ptr<f32>>
  tt.return
}

// -----

// expected-remark @below {{the kernel has no product}}
tt.func public @copy(%p: !tt.ptr<i32>, %x: i32) {
  tt.store %p, %x : !tt.ptr<i32>
  tt.return
}

// -----

// Block pointers: where a tile begins, and the index within it, are multiplied by the stride separately. The stride is a constant that the
// tile sizes divide.
// expected-remark @below {{BLOCK_M=64 can be changed: tiles are numbered by programs along axis 0}}
// expected-remark @below {{BLOCK_N=128 can be changed: tiles are numbered by programs along axis 1}}
// expected-remark @below {{BLOCK_K=32 can be changed: tiles are numbered by a loop of sums}}
tt.func public @strides(%a: !tt.ptr<f16>, %b: !tt.ptr<f16>, %c: !tt.ptr<f32>) {
  %zero = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %c256 = arith.constant 256 : i32
  %c512 = arith.constant 512 : i64
  %width = arith.constant 256 : i64
  %widthOfRows = arith.constant dense<256> : tensor<64xi64>
  %widthOfSums = arith.constant dense<512> : tensor<32xi64>
  %widthOfResult = arith.constant dense<512> : tensor<64xi64>
  %none = arith.constant dense<0.0> : tensor<64x128xf32>
  %pm = tt.get_program_id x : i32
  %pn = tt.get_program_id y : i32
  %row = arith.muli %pm, %c64 : i32
  %column = arith.muli %pn, %c128 : i32
  %firstRow = arith.extsi %row : i32 to i64
  %firstColumn = arith.extsi %column : i32 to i64
  %rows = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %columns = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
  %depths = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %wideRows = arith.extsi %rows : tensor<64xi32> to tensor<64xi64>
  %wideDepths = arith.extsi %depths : tensor<32xi32> to tensor<32xi64>
  %beginOfRows = arith.muli %firstRow, %width : i64
  %aRow = tt.addptr %a, %beginOfRows : !tt.ptr<f16>, i64
  %aRows = arith.muli %wideRows, %widthOfRows : tensor<64xi64>
  %aDown = tt.expand_dims %aRows {axis = 1 : i32} : tensor<64xi64> -> tensor<64x1xi64>
  %aDownAll = tt.broadcast %aDown : tensor<64x1xi64> -> tensor<64x32xi64>
  %aAlong = tt.expand_dims %depths {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %aAlongAll = tt.broadcast %aAlong : tensor<1x32xi32> -> tensor<64x32xi32>
  %bDepths = arith.muli %wideDepths, %widthOfSums : tensor<32xi64>
  %bDown = tt.expand_dims %bDepths {axis = 1 : i32} : tensor<32xi64> -> tensor<32x1xi64>
  %bDownAll = tt.broadcast %bDown : tensor<32x1xi64> -> tensor<32x128xi64>
  %bAlong = tt.expand_dims %columns {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
  %bAlongAll = tt.broadcast %bAlong : tensor<1x128xi32> -> tensor<32x128xi32>
  %sum = scf.for %k = %zero to %c256 step %c32 iter_args(%part = %none) -> (tensor<64x128xf32>) : i32 {
    %aPlace = tt.addptr %aRow, %k : !tt.ptr<f16>, i32
    %aOne = tt.splat %aPlace : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>>
    %aDowns = tt.addptr %aOne, %aDownAll : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi64>
    %aAll = tt.addptr %aDowns, %aAlongAll : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
    %x = tt.load %aAll : tensor<64x32x!tt.ptr<f16>>
    %firstDepth = arith.extsi %k : i32 to i64
    %beginOfDepths = arith.muli %firstDepth, %c512 : i64
    %bDepth = tt.addptr %b, %beginOfDepths : !tt.ptr<f16>, i64
    %bPlace = tt.addptr %bDepth, %firstColumn : !tt.ptr<f16>, i64
    %bOne = tt.splat %bPlace : !tt.ptr<f16> -> tensor<32x128x!tt.ptr<f16>>
    %bDowns = tt.addptr %bOne, %bDownAll : tensor<32x128x!tt.ptr<f16>>, tensor<32x128xi64>
    %bAll = tt.addptr %bDowns, %bAlongAll : tensor<32x128x!tt.ptr<f16>>, tensor<32x128xi32>
    %y = tt.load %bAll : tensor<32x128x!tt.ptr<f16>>
    %next = tt.dot %x, %y, %part, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x128xf16> -> tensor<64x128xf32>
    scf.yield %next : tensor<64x128xf32>
  }
  %beginOfResult = arith.muli %firstRow, %c512 : i64
  %cRow = tt.addptr %c, %beginOfResult : !tt.ptr<f32>, i64
  %cPlace = tt.addptr %cRow, %firstColumn : !tt.ptr<f32>, i64
  %cRows = arith.muli %wideRows, %widthOfResult : tensor<64xi64>
  %cDown = tt.expand_dims %cRows {axis = 1 : i32} : tensor<64xi64> -> tensor<64x1xi64>
  %cDownAll = tt.broadcast %cDown : tensor<64x1xi64> -> tensor<64x128xi64>
  %cAlong = tt.expand_dims %columns {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
  %cAlongAll = tt.broadcast %cAlong : tensor<1x128xi32> -> tensor<64x128xi32>
  %cOne = tt.splat %cPlace : !tt.ptr<f32> -> tensor<64x128x!tt.ptr<f32>>
  %cDowns = tt.addptr %cOne, %cDownAll : tensor<64x128x!tt.ptr<f32>>, tensor<64x128xi64>
  %cAll = tt.addptr %cDowns, %cAlongAll : tensor<64x128x!tt.ptr<f32>>, tensor<64x128xi32>
  tt.store %cAll, %sum : tensor<64x128x!tt.ptr<f32>>
  tt.return
}

// -----

// Numbers of tiles that are constants: 16 rows, and 12 columns times the 4 rows of a group.
// expected-remark @below {{BLOCK_M=64 can be changed: tiles are numbered by programs along axis 0}}
// expected-remark @below {{BLOCK_N=128 can be changed: tiles are numbered by programs along axis 0}}
// expected-remark @below {{BLOCK_K=32 can be changed: tiles are numbered by a loop of sums}}
tt.func public @counted(%a: !tt.tensordesc<tensor<64x32xf16>>, %a0: i32, %a1: i32, %a2: i64, %a3: i64,
                        %b: !tt.tensordesc<tensor<32x128xf16>>, %b0: i32, %b1: i32, %b2: i64, %b3: i64,
                        %c: !tt.tensordesc<tensor<64x128xf32>>, %c0: i32, %c1: i32, %c2: i64, %c3: i64, %depth: i32) {
  %zero = arith.constant 0 : i32
  %group = arith.constant 4 : i32
  %rows = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %width = arith.constant 48 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %none = arith.constant dense<0.0> : tensor<64x128xf32>
  %program = tt.get_program_id x : i32
  %number = arith.divsi %program, %width : i32
  %first = arith.muli %number, %group : i32
  %left = arith.subi %rows, %first : i32
  %height = arith.minsi %left, %group : i32
  %inside = arith.remsi %program, %width : i32
  %below = arith.remsi %inside, %height : i32
  %pm = arith.addi %first, %below : i32
  %pn = arith.divsi %inside, %height : i32
  %row = arith.muli %pm, %c64 : i32
  %column = arith.muli %pn, %c128 : i32
  %sum = scf.for %k = %zero to %depth step %c32 iter_args(%part = %none) -> (tensor<64x128xf32>) : i32 {
    %x = tt.descriptor_load %a[%row, %k] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
    %y = tt.descriptor_load %b[%k, %column] : !tt.tensordesc<tensor<32x128xf16>> -> tensor<32x128xf16>
    %next = tt.dot %x, %y, %part, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x128xf16> -> tensor<64x128xf32>
    scf.yield %next : tensor<64x128xf32>
  }
  tt.descriptor_store %c[%row, %column], %sum : !tt.tensordesc<tensor<64x128xf32>>, tensor<64x128xf32>
  tt.return
}

// -----

// No reading of the constants gives each tile to one program: 50 is no multiple of the group.
// expected-remark @below {{BLOCK_K=32 can be changed: tiles are numbered by a loop of sums}}
tt.func public @miscounted(%a: !tt.tensordesc<tensor<64x32xf16>>, %a0: i32, %a1: i32, %a2: i64, %a3: i64,
                        %b: !tt.tensordesc<tensor<32x128xf16>>, %b0: i32, %b1: i32, %b2: i64, %b3: i64,
                        %c: !tt.tensordesc<tensor<64x128xf32>>, %c0: i32, %c1: i32, %c2: i64, %c3: i64, %depth: i32) {
  %zero = arith.constant 0 : i32
  %group = arith.constant 4 : i32
  %rows = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %width = arith.constant 50 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %none = arith.constant dense<0.0> : tensor<64x128xf32>
  // expected-remark @below {{BLOCK_M=64 cannot be changed: for other numbers of tiles, programs would not take each tile once}}
  // expected-remark @below {{BLOCK_N=128 cannot be changed: for other numbers of tiles, programs would not take each tile once}}
  %program = tt.get_program_id x : i32
  %number = arith.divsi %program, %width : i32
  %first = arith.muli %number, %group : i32
  %left = arith.subi %rows, %first : i32
  %height = arith.minsi %left, %group : i32
  %inside = arith.remsi %program, %width : i32
  %below = arith.remsi %inside, %height : i32
  %pm = arith.addi %first, %below : i32
  %pn = arith.divsi %inside, %height : i32
  %row = arith.muli %pm, %c64 : i32
  %column = arith.muli %pn, %c128 : i32
  %sum = scf.for %k = %zero to %depth step %c32 iter_args(%part = %none) -> (tensor<64x128xf32>) : i32 {
    %x = tt.descriptor_load %a[%row, %k] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
    %y = tt.descriptor_load %b[%k, %column] : !tt.tensordesc<tensor<32x128xf16>> -> tensor<32x128xf16>
    %next = tt.dot %x, %y, %part, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x128xf16> -> tensor<64x128xf32>
    scf.yield %next : tensor<64x128xf32>
  }
  tt.descriptor_store %c[%row, %column], %sum : !tt.tensordesc<tensor<64x128xf32>>, tensor<64x128xf32>
  tt.return
}
