// The verifier of layouts sees what breaks a rule that the lowering relies on.
// RUN: tawa-opt %s --tawa-verify-layouts -split-input-file -verify-diagnostics -o /dev/null

#a = #tawa.linear<[64], register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>
#b = #tawa.linear<[64], register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = []>
tt.func @mixed(%p: !tt.ptr<f32>) {
  tawa.warp_group main warps(1) registers(0) {
    %x = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #a>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #b>
    // expected-error @+1 {{layout rule broken: operands and results lie differently}}
    %q = tt.addptr %ps, %x : tensor<64x!tt.ptr<f32>, #b>, tensor<64xi32, #a>
  }
  tt.return
}

// -----

#a = #tawa.linear<[64], register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>
tt.func @warps(%p: !tt.ptr<f32>) {
  tawa.warp_group main warps(2) registers(0) {
    // expected-error @+1 {{layout rule broken: not 32 lanes on the warps of the role}}
    %x = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #a>
  }
  tt.return
}

// -----

#b = #tawa.linear<[64], register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = []>
tt.func @vector(%p: !tt.ptr<f32>) {
  tawa.warp_group main warps(1) registers(0) {
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #b>
    // expected-error @+1 {{layout rule broken: the registers of a vector are no neighbours}}
    %v = tt.load %ps {tawa.vector = 2 : i32} : tensor<64x!tt.ptr<f32>, #b>
  }
  tt.return
}

// -----

#b = #tawa.linear<[64], register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = []>
tt.func @missing() {
  tawa.warp_group main warps(1) registers(0) {
    // expected-error @+1 {{layout rule broken: a tensor has none}}
    %x = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  }
  tt.return
}

// -----

#m = #tawa.linear<[2, 64], register = [[1, 0], [0, 32]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = []>
#s = #tawa.linear<[64], register = [[0], [32]], lane = [[1], [2], [4], [8], [16]], warp = []>
tt.func @slice(%x: f32) {
  tawa.warp_group main warps(1) registers(0) {
    %t = tt.splat %x : f32 -> tensor<2x64xf32, #m>
    // expected-error @+1 {{layout rule broken: the result is not the slice of the operand}}
    %r = "tt.reduce"(%t) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<2x64xf32, #m>) -> tensor<64xf32, #s>
  }
  tt.return
}

// -----

// The operands of a product add up K in two orders: the left one has two neighbours in a lane, the right one sixteen.
#left = #tawa.linear<[16, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0], [0, 0]]>
#right = #tawa.linear<[64, 64], register = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 8]], lane = [[16, 0], [32, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 16], [0, 32]]>
#sum = #tawa.linear<[16, 64], register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 16], [0, 32]]>
tt.func @orders(%x: f16, %y: f32) {
  tawa.warp_group main warps(4) registers(0) {
    %a = tt.splat %x : f16 -> tensor<16x64xf16, #left>
    %b = tt.splat %x : f16 -> tensor<64x64xf16, #right>
    %c = tt.splat %y : f32 -> tensor<16x64xf32, #sum>
    // expected-error @+1 {{layout rule broken: operands are not the fragments of mma.sync, in one order of K and that of the columns}}
    %d = tt.dot %a, %b, %c : tensor<16x64xf16, #left> * tensor<64x64xf16, #right> -> tensor<16x64xf32, #sum>
  }
  tt.return
}

// -----

// Two slices of a product: the right operand has four neighbours of columns in a lane, the sums have the natural order.
#left = #tawa.linear<[2, 16, 32], register = [[0, 0, 1], [0, 8, 0], [0, 0, 8], [0, 0, 16]], lane = [[0, 0, 2], [0, 0, 4], [0, 1, 0], [0, 2, 0], [0, 4, 0]], warp = [[1, 0, 0]]>
#right = #tawa.linear<[2, 32, 32], register = [[0, 1, 0], [0, 8, 0], [0, 16, 0], [0, 0, 1], [0, 0, 2]], lane = [[0, 2, 0], [0, 4, 0], [0, 0, 4], [0, 0, 8], [0, 0, 16]], warp = [[1, 0, 0]]>
#sum = #tawa.linear<[2, 16, 32], register = [[0, 0, 1], [0, 8, 0], [0, 0, 8], [0, 0, 16]], lane = [[0, 0, 2], [0, 0, 4], [0, 1, 0], [0, 2, 0], [0, 4, 0]], warp = [[1, 0, 0]]>
tt.func @columns(%x: f16, %y: f32) {
  tawa.warp_group main warps(2) registers(0) {
    %a = tt.splat %x : f16 -> tensor<2x16x32xf16, #left>
    %b = tt.splat %x : f16 -> tensor<2x32x32xf16, #right>
    %c = tt.splat %y : f32 -> tensor<2x16x32xf32, #sum>
    // expected-error @+1 {{layout rule broken: operands are not the fragments of mma.sync, in one order of K and that of the columns}}
    %d = tt.dot %a, %b, %c : tensor<2x16x32xf16, #left> * tensor<2x32x32xf16, #right> -> tensor<2x16x32xf32, #sum>
  }
  tt.return
}

// -----

// With sums in the same order of columns it is right.
#left = #tawa.linear<[2, 16, 32], register = [[0, 0, 1], [0, 8, 0], [0, 0, 8], [0, 0, 16]], lane = [[0, 0, 2], [0, 0, 4], [0, 1, 0], [0, 2, 0], [0, 4, 0]], warp = [[1, 0, 0]]>
#right = #tawa.linear<[2, 32, 32], register = [[0, 1, 0], [0, 8, 0], [0, 16, 0], [0, 0, 1], [0, 0, 2]], lane = [[0, 2, 0], [0, 4, 0], [0, 0, 4], [0, 0, 8], [0, 0, 16]], warp = [[1, 0, 0]]>
#sum = #tawa.linear<[2, 16, 32], register = [[0, 0, 4], [0, 8, 0], [0, 0, 1], [0, 0, 2]], lane = [[0, 0, 8], [0, 0, 16], [0, 1, 0], [0, 2, 0], [0, 4, 0]], warp = [[1, 0, 0]]>
tt.func @columns_of_both(%x: f16, %y: f32) {
  tawa.warp_group main warps(2) registers(0) {
    %a = tt.splat %x : f16 -> tensor<2x16x32xf16, #left>
    %b = tt.splat %x : f16 -> tensor<2x32x32xf16, #right>
    %c = tt.splat %y : f32 -> tensor<2x16x32xf32, #sum>
    %d = tt.dot %a, %b, %c : tensor<2x16x32xf16, #left> * tensor<2x32x32xf16, #right> -> tensor<2x16x32xf32, #sum>
  }
  tt.return
}
