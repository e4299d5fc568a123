// Facts about integers and addresses, rule by rule.
// RUN: tawa-opt %s --tawa-print-axis-info -split-input-file -verify-diagnostics -o /dev/null
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-print-axis-info -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-print-axis-info{{$}}
// COUNTS: {{^ *}}80 num-printed:

// Ranges count up, splats are equal, sums keep what both allow; hints on parameters count.
tt.func @address(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}, %odd: i32) {
  // expected-remark @+1 {{contiguity [64], divisibility [1099511627776], constancy [1]}}
  %r = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  // expected-remark @+1 {{contiguity [1], divisibility [1], constancy [1]}}
  %pid = tt.get_program_id x : i32
  // expected-remark @+1 {{contiguity [1], divisibility [64], constancy [1], value 64}}
  %c64 = arith.constant 64 : i32
  // expected-remark @+1 {{contiguity [1], divisibility [64], constancy [1]}}
  %first = arith.muli %pid, %c64 : i32
  // expected-remark @+1 {{contiguity [1], divisibility [64], constancy [64]}}
  %firsts = tt.splat %first : i32 -> tensor<64xi32>
  // expected-remark @+1 {{contiguity [64], divisibility [64], constancy [1]}}
  %at = arith.addi %firsts, %r : tensor<64xi32>
  // expected-remark @+1 {{contiguity [1], divisibility [16], constancy [64]}}
  %ps = tt.splat %p : !tt.ptr<f16> -> tensor<64x!tt.ptr<f16>>
  // Addresses count bytes: 64 elements of 2 bytes, but the base is a multiple of 16 only.
  // expected-remark @+1 {{contiguity [64], divisibility [16], constancy [1]}}
  %q = tt.addptr %ps, %at : tensor<64x!tt.ptr<f16>>, tensor<64xi32>
  // expected-remark @+1 {{contiguity [1], divisibility [16], constancy [64]}}
  %ns = tt.splat %n : i32 -> tensor<64xi32>
  // A bound that is a multiple of 16 cuts no group of 16 in two.
  // expected-remark @+1 {{contiguity [1], divisibility [1], constancy [16]}}
  %mask = arith.cmpi slt, %at, %ns : tensor<64xi32>
  // expected-remark @+1 {{contiguity [1], divisibility [1], constancy [1]}}
  %above = arith.cmpi sgt, %at, %ns : tensor<64xi32>
  // expected-remark @+1 {{contiguity [1], divisibility [1], constancy [64]}}
  %odds = tt.splat %odd : i32 -> tensor<64xi32>
  // expected-remark @+1 {{contiguity [1], divisibility [1], constancy [1]}}
  %ragged = arith.cmpi slt, %at, %odds : tensor<64xi32>
  // Groups that start anywhere still count up.
  // expected-remark @+1 {{contiguity [64], divisibility [1], constancy [1]}}
  %shifted = arith.addi %at, %odds : tensor<64xi32>
  tt.return
}

// -----

// Index arithmetic of flattened tensors: quotients are equal and remainders count within groups.
tt.func @flattened() {
  // expected-remark @+1 {{contiguity [256]}}
  %r = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32>
  // expected-remark @+1 {{value 48}}
  %c48 = arith.constant dense<48> : tensor<256xi32>
  // expected-remark @+1 {{contiguity [1], divisibility [1], constancy [16]}}
  %row = arith.divsi %r, %c48 : tensor<256xi32>
  // expected-remark @+1 {{contiguity [16], divisibility [16], constancy [1]}}
  %col = arith.remsi %r, %c48 : tensor<256xi32>
  // expected-remark @+1 {{value 32}}
  %c32 = arith.constant dense<32> : tensor<256xi32>
  // expected-remark @+1 {{contiguity [1], divisibility [1], constancy [32]}}
  %row32 = arith.divui %r, %c32 : tensor<256xi32>
  // expected-remark @+1 {{value 7}}
  %c7 = arith.constant dense<7> : tensor<256xi32>
  // expected-remark @+1 {{contiguity [8], divisibility [8], constancy [1]}}
  %low = arith.andi %r, %c7 : tensor<256xi32>
  // expected-remark @+1 {{value 5}}
  %c5 = arith.constant dense<5> : tensor<256xi32>
  // expected-remark @+1 {{contiguity [1], divisibility [1], constancy [32]}}
  %shr = arith.shrsi %r, %c5 : tensor<256xi32>
  // expected-remark @+1 {{contiguity [1], divisibility [32], constancy [1]}}
  %shl = arith.shli %r, %c5 : tensor<256xi32>
  // Quotients round towards zero: with negative numbers a group may be cut at zero, and remainders count down.
  // expected-remark @+1 {{contiguity [256], divisibility [32]}}
  %negative = arith.subi %r, %c32 : tensor<256xi32>
  // expected-remark @+1 {{contiguity [1], divisibility [1], constancy [1]}}
  %quotient = arith.divsi %negative, %c32 : tensor<256xi32>
  // expected-remark @+1 {{contiguity [1], divisibility [1], constancy [1]}}
  %rest = arith.remsi %negative, %c32 : tensor<256xi32>
  tt.return
}

// -----

// Tiles: each dimension for itself; broadcast dimensions are equal.
tt.func @tiles(%stride: i32 {tt.divisibility = 16 : i32}) {
  // expected-remark @+1 {{contiguity [16]}}
  %i = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  // expected-remark @+1 {{contiguity [32]}}
  %j = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
  // expected-remark @+1 {{contiguity [16, 1], divisibility [1099511627776, 1], constancy [1, 1]}}
  %rows = tt.expand_dims %i {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  // expected-remark @+1 {{divisibility [16, 16], constancy [16, 1]}}
  %strides = tt.splat %stride : i32 -> tensor<16x1xi32>
  // expected-remark @+1 {{contiguity [1, 1], divisibility [16, 16], constancy [1, 1]}}
  %offsets = arith.muli %rows, %strides : tensor<16x1xi32>
  // expected-remark @+1 {{contiguity [1, 1], divisibility [16, 16], constancy [1, 32]}}
  %wide = tt.broadcast %offsets : tensor<16x1xi32> -> tensor<16x32xi32>
  // expected-remark @+1 {{contiguity [1, 32], divisibility [1, 1099511627776], constancy [1, 1]}}
  %cols = tt.expand_dims %j {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  // expected-remark @+1 {{contiguity [1, 32], divisibility [1, 1099511627776], constancy [16, 1]}}
  %tall = tt.broadcast %cols : tensor<1x32xi32> -> tensor<16x32xi32>
  // expected-remark @+1 {{contiguity [1, 32], divisibility [1, 16], constancy [1, 1]}}
  %at = arith.addi %wide, %tall : tensor<16x32xi32>
  // expected-remark @+1 {{contiguity [32, 1], divisibility [16, 1], constancy [1, 1]}}
  %transposed = tt.trans %at {order = array<i32: 1, 0>} : tensor<16x32xi32> -> tensor<32x16xi32>
  // expected-remark @+1 {{contiguity [1, 1, 8], divisibility [1, 1, 8], constancy [1, 1, 1]}}
  %cut = tt.reshape %at : tensor<16x32xi32> -> tensor<16x4x8xi32>
  // expected-remark @+1 {{contiguity [32], divisibility [16], constancy [1]}}
  %flat = tt.reshape %at : tensor<16x32xi32> -> tensor<512xi32>
  tt.return
}

// -----

// Loops: what the first value has and every step keeps. Hints stand on the loop, by argument of its body.
tt.func @loop(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32, %any: i32) {
  // expected-remark @+1 {{value 0}}
  %c0 = arith.constant 0 : i32
  // expected-remark @+1 {{value 32}}
  %c32 = arith.constant 32 : i32
  // expected-remark @+1 {{contiguity [64]}}
  %r = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  // expected-remark @+1 {{constancy [64]}}
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  // expected-remark @+1 {{contiguity [64], divisibility [16], constancy [1]}}
  %q = tt.addptr %ps, %r : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  // expected-remark @+1 {{value 8}}
  %step = arith.constant dense<8> : tensor<64xi32>
  // The counter moves by one element at a time, the pointers by 8, and `%hinted` by what the hint says.
  // expected-remark @+3 {{contiguity [64], divisibility [16], constancy [1]}}
  // expected-remark @+2 {{contiguity [1], divisibility [1], constancy [1]}}
  // expected-remark @+1 {{contiguity [1], divisibility [128], constancy [1]}}
  %o:3 = scf.for %i = %c0 to %n step %c32 iter_args(%a = %q, %count = %c0, %hinted = %c0) -> (tensor<64x!tt.ptr<f32>>, i32, i32) : i32 {
    // expected-remark @+1 {{contiguity [1], divisibility [32], constancy [64]}}
    %is = tt.splat %i : i32 -> tensor<64xi32>
    // expected-remark @+1 {{contiguity [64], divisibility [16], constancy [1]}}
    %b = tt.addptr %a, %step : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    // expected-remark @+1 {{value 1}}
    %c1 = arith.constant 1 : i32
    // expected-remark @+1 {{contiguity [1], divisibility [1], constancy [1]}}
    %more = arith.addi %count, %c1 : i32
    scf.yield %b, %more, %any : tensor<64x!tt.ptr<f32>>, i32, i32
  } {tt.divisibility_arg3 = dense<128> : tensor<1xi32>}
  tt.return
}

// -----

// Hints on operations raise what is known.
tt.func @hints(%p: !tt.ptr<i32>) {
  // expected-remark @+1 {{contiguity [64]}}
  %r = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  // expected-remark @+1 {{constancy [64]}}
  %ps = tt.splat %p : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  // expected-remark @+1 {{contiguity [64], divisibility [4], constancy [1]}}
  %q = tt.addptr %ps, %r : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
  // expected-remark @+1 {{contiguity [1], divisibility [1], constancy [1]}}
  %v = tt.load %q : tensor<64x!tt.ptr<i32>>
  // expected-remark @+1 {{contiguity [16], divisibility [8], constancy [1]}}
  %h = arith.addi %v, %r {tt.contiguity = dense<16> : tensor<1xi32>, tt.divisibility = dense<8> : tensor<1xi32>} : tensor<64xi32>
  // expected-remark @+1 {{contiguity [1], divisibility [1], constancy [4]}}
  %c = arith.addi %v, %v {tt.constancy = dense<4> : tensor<1xi32>} : tensor<64xi32>
  tt.return
}

// -----

// Both ways of a condition; a value that is chosen by a condition which changes inside a group does not count up.
tt.func @choices(%c: i1, %n: i32) {
  // expected-remark @+1 {{contiguity [64]}}
  %r = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  // expected-remark @+1 {{value 8}}
  %c8 = arith.constant dense<8> : tensor<64xi32>
  // expected-remark @+1 {{contiguity [64], divisibility [8], constancy [1]}}
  %s = arith.addi %r, %c8 : tensor<64xi32>
  // expected-remark @+1 {{contiguity [64], divisibility [8], constancy [1]}}
  %either = scf.if %c -> tensor<64xi32> {
    scf.yield %r : tensor<64xi32>
  } else {
    scf.yield %s : tensor<64xi32>
  }
  // expected-remark @+1 {{contiguity [64], divisibility [8], constancy [1]}}
  %whole = arith.select %c, %r, %s : tensor<64xi32>
  // expected-remark @+1 {{constancy [64]}}
  %ns = tt.splat %n : i32 -> tensor<64xi32>
  // expected-remark @+1 {{constancy [1]}}
  %m = arith.cmpi slt, %r, %ns : tensor<64xi32>
  // expected-remark @+1 {{contiguity [1], divisibility [1], constancy [1]}}
  %mixed = arith.select %m, %r, %s : tensor<64xi1>, tensor<64xi32>
  tt.return
}

// -----

// Neighbours that are equally far from each other: two apart along rows, 64 along columns; a part of a row that a remainder leaves; backwards.
tt.func @equal_distances(%p: !tt.ptr<f32>) {
  // expected-remark @+1 {{contiguity [8]}}
  %r = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32>
  // expected-remark @+1 {{contiguity [8, 1], divisibility [1099511627776, 1], constancy [1, 1]}}
  %rows = tt.expand_dims %r {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
  // expected-remark @+1 {{value 2}}
  %c2 = arith.constant dense<2> : tensor<8x1xi32>
  // expected-remark @+1 {{contiguity [1, 1], divisibility [2, 2], constancy [1, 1], strided [8, 1] by [2, 0]}}
  %apart = arith.muli %rows, %c2 : tensor<8x1xi32>
  // expected-remark @+1 {{constancy [1, 16], strided [8, 16] by [2, 0]}}
  %tile = tt.broadcast %apart : tensor<8x1xi32> -> tensor<8x16xi32>
  // expected-remark @+1 {{contiguity [16]}}
  %c = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  // expected-remark @+1 {{contiguity [1, 16]}}
  %columns = tt.expand_dims %c {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  // expected-remark @+1 {{value -64}}
  %c64 = arith.constant dense<-64> : tensor<1x16xi32>
  // expected-remark @+1 {{strided [1, 16] by [0, -64]}}
  %far = arith.muli %columns, %c64 : tensor<1x16xi32>
  // expected-remark @+1 {{strided [8, 16] by [0, -64]}}
  %fars = tt.broadcast %far : tensor<1x16xi32> -> tensor<8x16xi32>
  // expected-remark @+1 {{contiguity [1, 1], divisibility [2, 2], constancy [1, 1], strided [8, 16] by [2, -64]}}
  %at = arith.addi %tile, %fars : tensor<8x16xi32>
  // expected-remark @+1 {{constancy [8, 16]}}
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<8x16x!tt.ptr<f32>>
  // expected-remark @+1 {{strided [8, 16] by [2, -64]}}
  %q = tt.addptr %ps, %at : tensor<8x16x!tt.ptr<f32>>, tensor<8x16xi32>
  tt.return
}
