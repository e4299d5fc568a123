// Calls, messages and barriers: printed as Triton prints them (but for the barrier), and read back as themselves.
// RUN: tawa-opt %s | FileCheck %s
// RUN: tawa-opt %s | tawa-opt | FileCheck %s
// RUN: tawa-opt %s -mlir-print-op-generic | tawa-opt | FileCheck %s
// RUN: tawa-opt %s --inline | FileCheck %s --check-prefix=INLINED

// CHECK: tt.func private @helper(%{{.*}}: tensor<64xf32>, %{{.*}}: i32) -> (tensor<64xf32>, i32) attributes {noinline = false}
tt.func private @helper(%x: tensor<64xf32>, %n: i32) -> (tensor<64xf32>, i32) attributes {noinline = false} {
  %y = arith.addf %x, %x : tensor<64xf32>
  tt.return %y, %n : tensor<64xf32>, i32
}

tt.func private @"library.nothing__(1,)cconstexpr_2_"() {
  tt.return
}

// MLIR's inliner takes the bodies in.
// INLINED-LABEL: tt.func public @calls
// INLINED-NOT: tt.call
// INLINED: arith.addf
// INLINED-NOT: tt.call
// CHECK-LABEL: tt.func public @calls
tt.func public @calls(%p: !tt.ptr<f32>, %i: i32, %c: i1) {
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %v = tt.load %ps : tensor<64x!tt.ptr<f32>>
  // CHECK: %{{.*}}:2 = tt.call @helper(%{{.*}}, %{{.*}}) : (tensor<64xf32>, i32) -> (tensor<64xf32>, i32)
  %0:2 = tt.call @helper(%v, %i) : (tensor<64xf32>, i32) -> (tensor<64xf32>, i32)
  // CHECK: tt.call @"library.nothing__(1,)cconstexpr_2_"() : () -> ()
  tt.call @"library.nothing__(1,)cconstexpr_2_"() : () -> ()
  tt.store %ps, %0#0 : tensor<64x!tt.ptr<f32>>
  // CHECK: tt.print " x: " {hex = true, isSigned = array<i32: 1, 0>} : %{{.*}}, %{{.*}} : tensor<64xf32>, i32
  tt.print " x: " {hex = true, isSigned = array<i32: 1, 0>} : %v, %i : tensor<64xf32>, i32
  // CHECK: tt.print "here"
  tt.print "here" {hex = false, isSigned = array<i32>}
  // CHECK: tt.print "old" : %{{.*}} : i32
  tt.print "old" {hex = false} : %i : i32
  %cs = tt.splat %c : i1 -> tensor<64xi1>
  // CHECK: tt.assert %{{.*}}, "too large" : tensor<64xi1>
  tt.assert %cs, "too large" : tensor<64xi1>
  // CHECK: tt.assert %{{.*}}, "scalar" {note} : i1
  tt.assert %c, "scalar" {note} : i1
  // Triton 3.0 and 3.1 say where it stands.
  // CHECK: tt.assert %{{.*}}, "f.py:12: kernel: too large" : tensor<64xi1>
  tt.assert %cs, "too large", "f.py", "kernel", 12 : tensor<64xi1>
  // CHECK-COUNT-2: tt.debug_barrier
  gpu.barrier
  tt.debug_barrier
  tt.return
}
