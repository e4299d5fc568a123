// What cannot be lowered ends in an error that says why, and what helps.
// RUN: tawa-opt %s --tawa-specialize-arguments --tawa-lower-aref -split-input-file -verify-diagnostics

#both = #tawa.linear<[8, 8], register = [[0, 1]], lane = [[1, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
#rows = #tawa.linear<[8], register = [], lane = [[1], [0], [1], [2], [4]], warp = []>

tt.func public @reduce(%x: !tt.ptr<f32>) {
  tawa.warp_group main warps(1) registers(0) {
    %v = arith.constant dense<1.0> : tensor<8x8xf32, #both>
    // expected-error @+1 {{lanes, warps or registers run along the axis and another dimension at once}}
    %s = "tt.reduce"(%v) <{axis = 1 : i32}> ({
    ^bb0(%a : f32, %b : f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<8x8xf32, #both>) -> tensor<8xf32, #rows>
  }
  tt.return
}

// -----

#both = #tawa.linear<[8, 8], register = [[0, 1]], lane = [[1, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>

tt.func public @scan() {
  tawa.warp_group main warps(1) registers(0) {
    %v = arith.constant dense<1.0> : tensor<8x8xf32, #both>
    // expected-error @+1 {{bit 0 of the lane does not run along the axis alone}}
    %s = "tt.scan"(%v) <{axis = 1 : i32, reverse = false}> ({
    ^bb0(%a : f32, %b : f32):
      %c = arith.addf %a, %b : f32
      tt.scan.return %c : f32
    }) : (tensor<8x8xf32, #both>) -> tensor<8x8xf32, #both>
  }
  tt.return
}

// -----

#source = #tawa.linear<[65536], register = [[1], [2], [4], [8], [16], [32], [64], [128], [256], [512], [1024]], lane = [[2048], [4096], [8192], [16384], [32768]], warp = []>

// expected-error @+1 {{needs 262144 bytes of shared memory, 262144 of them to move tensors between threads; a CTA has 232448}}
tt.func public @gather() {
  tawa.warp_group main warps(1) registers(0) {
    %v = tt.make_range {end = 65536 : i32, start = 0 : i32} : tensor<65536xi32, #source>
    %w = tt.gather %v[%v]{axis = 0 : i32} : (tensor<65536xi32, #source>, tensor<65536xi32, #source>) -> tensor<65536xi32, #source>
  }
  tt.return
}

// -----

#million = #tawa.linear<[1048576], register = [[32], [64], [128], [256], [512], [1024], [2048], [4096], [8192], [16384], [32768], [65536], [131072], [262144], [524288]], lane = [[1], [2], [4], [8], [16]], warp = []>

tt.func public @code() {
  tawa.warp_group main warps(1) registers(0) {
    // expected-error @+1 {{this kernel makes 131072 elements in each thread, and more than 100000 are not assembled in reasonable time; its largest tile, 'tensor<1048576xi32>', has 32768 elements in a thread: take smaller tiles or more warps}}
    %a = tt.make_range {end = 1048576 : i32, start = 0 : i32} : tensor<1048576xi32, #million>
    %b = arith.addi %a, %a : tensor<1048576xi32, #million>
    %c = arith.muli %b, %a : tensor<1048576xi32, #million>
    %d = arith.addi %b, %c : tensor<1048576xi32, #million>
  }
  tt.return
}
