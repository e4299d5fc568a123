// A loop that does not advance is refused once its step is known, also where the caller gives it.
// RUN: tawa-opt %s --tawa-specialize-arguments -split-input-file -verify-diagnostics | FileCheck %s

tt.func public @given(%p: !tt.ptr<f32>, %step: i32 {tawa.constant = 0 : i32}) {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %one = arith.constant 1.0 : f32
  // expected-error @+1 {{the step of this loop is 0; it must be at least 1}}
  scf.for %i = %c0 to %c8 step %step : i32 {
    tt.store %p, %one : !tt.ptr<f32>
  }
  tt.return
}

// -----

tt.func public @backwards(%p: !tt.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %back = arith.constant -1 : i32
  %one = arith.constant 1.0 : f32
  // expected-error @+1 {{the step of this loop is -1; it must be at least 1}}
  scf.for %i = %c8 to %c0 step %back : i32 {
    tt.store %p, %one : !tt.ptr<f32>
  }
  tt.return
}

// -----

// CHECK-LABEL: tt.func public @unknown
// CHECK: scf.for
tt.func public @unknown(%p: !tt.ptr<f32>, %step: i32) {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %one = arith.constant 1.0 : f32
  scf.for %i = %c0 to %c8 step %step : i32 {
    tt.store %p, %one : !tt.ptr<f32>
  }
  tt.return
}
