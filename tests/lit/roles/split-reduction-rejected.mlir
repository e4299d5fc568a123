// Why the CTAs of a program do not share its loop.
// RUN: tawa-opt %s --tawa-split-reduction="split=2" -split-input-file | FileCheck %s --implicit-check-not=tawa.cluster --implicit-check-not=tawa.split
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-split-reduction="split=2" -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-split-reduction{{$}}
// COUNTS: {{^ *}}7 num-kept:
// COUNTS-NEXT: 2 before its sum the kernel writes, waits or reads memory that may change, which every CTA that shares the sum would repeat
// COUNTS-NEXT: 4 no loop sums, from zero, values that its iterations compute independently, so there is no sum to share
// COUNTS-NEXT: 1 the summing loop is inside another loop or a condition, so its sum is not computed exactly once

// A maximum is no sum.
// CHECK: tawa.not_applied = {split = "no loop sums, from zero, values that its iterations compute independently, so there is no sum to share"}
tt.func public @maximum(%x0: f32, %p0: !tt.ptr<f32>, %n: i32) {
  %x = tt.splat %x0 : f32 -> tensor<64xf32>
  %p = tt.splat %p0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64xf32>) : i32 {
    %m = arith.maximumf %x, %acc : tensor<64xf32>
    scf.yield %m : tensor<64xf32>
  }
  tt.store %p, %r : tensor<64x!tt.ptr<f32>>
  tt.return
}

// -----

// The partial sum is looked at.
// CHECK: tawa.not_applied = {split = "no loop sums, from zero
tt.func public @looked_at(%x0: f32, %p0: !tt.ptr<f32>, %n: i32) {
  %x = tt.splat %x0 : f32 -> tensor<64xf32>
  %p = tt.splat %p0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64xf32>) : i32 {
    %twice = arith.addf %acc, %acc : tensor<64xf32>
    scf.yield %twice : tensor<64xf32>
  }
  tt.store %p, %r : tensor<64x!tt.ptr<f32>>
  tt.return
}

// -----

// It starts from something else than zero.
// CHECK: tawa.not_applied = {split = "no loop sums, from zero
tt.func public @from_one(%x0: f32, %p0: !tt.ptr<f32>, %n: i32) {
  %x = tt.splat %x0 : f32 -> tensor<64xf32>
  %p = tt.splat %p0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %one = arith.constant dense<1.0> : tensor<64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %one) -> (tensor<64xf32>) : i32 {
    %m = arith.addf %x, %acc : tensor<64xf32>
    scf.yield %m : tensor<64xf32>
  }
  tt.store %p, %r : tensor<64x!tt.ptr<f32>>
  tt.return
}

// -----

// A counter is asked for after the loop.
// CHECK: tawa.not_applied = {split = "no loop sums, from zero
tt.func public @counted(%x0: f32, %p0: !tt.ptr<f32>, %q: !tt.ptr<i32>, %n: i32) {
  %x = tt.splat %x0 : f32 -> tensor<64xf32>
  %p = tt.splat %p0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %count = %c0) -> (tensor<64xf32>, i32) : i32 {
    %m = arith.addf %x, %acc : tensor<64xf32>
    %next = arith.addi %count, %c1 : i32
    scf.yield %m, %next : tensor<64xf32>, i32
  }
  tt.store %p, %r#0 : tensor<64x!tt.ptr<f32>>
  tt.store %q, %r#1 : !tt.ptr<i32>
  tt.return
}

// -----

// A loop over tiles around it.
// CHECK: tawa.not_applied = {split = "the summing loop is inside another loop or a condition, so its sum is not computed exactly once"}
tt.func public @tiles(%x0: f32, %p0: !tt.ptr<f32>, %n: i32) {
  %x = tt.splat %x0 : f32 -> tensor<64xf32>
  %p = tt.splat %p0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %t = %c0 to %n step %c1 : i32 {
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64xf32>) : i32 {
      %m = arith.addf %x, %acc : tensor<64xf32>
      scf.yield %m : tensor<64xf32>
    }
    tt.store %p, %r : tensor<64x!tt.ptr<f32>>
  }
  tt.return
}

// -----

// A store in the loop.
// CHECK: tawa.not_applied = {split = "before its sum the kernel writes, waits or reads memory that may change, which every CTA that shares the sum would repeat"}
tt.func public @stores(%x0: f32, %p0: !tt.ptr<f32>, %q: !tt.ptr<i32>, %n: i32) {
  %x = tt.splat %x0 : f32 -> tensor<64xf32>
  %p = tt.splat %p0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64xf32>) : i32 {
    tt.store %q, %i : !tt.ptr<i32>
    %m = arith.addf %x, %acc : tensor<64xf32>
    scf.yield %m : tensor<64xf32>
  }
  tt.store %p, %r : tensor<64x!tt.ptr<f32>>
  tt.return
}

// -----

// A volatile load before it.
// CHECK: tawa.not_applied = {split = "before its sum the kernel writes
tt.func public @volatile(%x0: f32, %p0: !tt.ptr<f32>, %q: !tt.ptr<i32>) {
  %x = tt.splat %x0 : f32 -> tensor<64xf32>
  %p = tt.splat %p0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %n = tt.load %q {isVolatile = true} : !tt.ptr<i32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64xf32>) : i32 {
    %m = arith.addf %x, %acc : tensor<64xf32>
    scf.yield %m : tensor<64xf32>
  }
  tt.store %p, %r : tensor<64x!tt.ptr<f32>>
  tt.return
}
