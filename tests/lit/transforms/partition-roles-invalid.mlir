// What cannot be split says why.
// RUN: tawa-opt %s --tawa-partition-roles -split-input-file -verify-diagnostics

// expected-error @+1 {{no tile is loaded inside a loop}}
tt.func public @no_loop(%d: !tt.tensordesc<tensor<64x64xf16>>, %i: i32) {
  %c = arith.constant dense<0.0> : tensor<64x64xf16>
  tt.descriptor_store %d[%i, %i], %c : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
  tt.return
}

// -----

// A loop under a condition could run in one role and not in the other.
tt.func public @condition(%d: !tt.tensordesc<tensor<64x64xf16>>, %i: i32, %p: i1) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %k = %c0 to %i step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    // expected-error @+1 {{control flow other than scf.for is not split into roles}}
    %n = scf.if %p -> (tensor<64x64xf32>) {
      %a = tt.descriptor_load %d[%i, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      %x = tt.dot %a, %a, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %x : tensor<64x64xf32>
    } else {
      scf.yield %acc : tensor<64x64xf32>
    }
    scf.yield %n : tensor<64x64xf32>
  }
  %h = arith.truncf %r : tensor<64x64xf32> to tensor<64x64xf16>
  tt.descriptor_store %d[%i, %i], %h : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
  tt.return
}

// -----

// A tile that is added before the dot would have to be read back into registers.
tt.func public @in_registers(%d: !tt.tensordesc<tensor<64x64xf16>>, %i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %k = %c0 to %i step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    // expected-error @+1 {{a loaded tile is used by something other than the operands of tt.dot}}
    %a = tt.descriptor_load %d[%i, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    %t = arith.addf %a, %a : tensor<64x64xf16>
    %x = tt.dot %t, %a, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %x : tensor<64x64xf32>
  }
  %h = arith.truncf %r : tensor<64x64xf32> to tensor<64x64xf16>
  tt.descriptor_store %d[%i, %i], %h : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
  tt.return
}

// -----

// Reading memory for an address could see what another role is about to write.
tt.func public @effect(%d: !tt.tensordesc<tensor<64x64xf16>>, %p: !tt.ptr<i32>, %i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  // expected-error @+1 {{the address of a tile load needs an operation with side effects}}
  %row = tt.load %p : !tt.ptr<i32>
  %r = scf.for %k = %c0 to %i step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %a = tt.descriptor_load %d[%row, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    %x = tt.dot %a, %a, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %x : tensor<64x64xf32>
  }
  %h = arith.truncf %r : tensor<64x64xf32> to tensor<64x64xf16>
  tt.descriptor_store %d[%i, %i], %h : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
  tt.return
}
