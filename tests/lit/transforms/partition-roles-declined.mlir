// What cannot be split, or is not worth it, says why on the module and is left as it is.
// RUN: tawa-opt %s --tawa-partition-roles="consumer-groups=1" -split-input-file | FileCheck %s
// CHECK-NOT: tawa.roles
// CHECK-NOT: tawa.channel

// CHECK: tawa.declined = "no tile is loaded inside a loop, so there is nothing for a producer role to run ahead of"
// CHECK-LABEL: @no_loop
tt.func public @no_loop(%d: !tt.tensordesc<tensor<64x64xf16>>, %i: i32) {
  %c = arith.constant dense<0.0> : tensor<64x64xf16>
  tt.descriptor_store %d[%i, %i], %c : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
  tt.return
}

// -----

// A loop under a condition could run in one role and not in the other.
// CHECK: tawa.declined = "control flow other than scf.for is not split into roles"
// CHECK-LABEL: @condition
tt.func public @condition(%d: !tt.tensordesc<tensor<64x64xf16>>, %i: i32, %p: i1) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %k = %c0 to %i step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
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
// CHECK: tawa.declined = "a loaded tile is used by something other than the operands of tt.dot"
// CHECK-LABEL: @in_registers
tt.func public @in_registers(%d: !tt.tensordesc<tensor<64x64xf16>>, %i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %k = %c0 to %i step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
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

// A ticket for a tile can be taken once only, and what the tile holds may depend on it.
// CHECK: tawa.declined = "a tile load may read what the kernel writes, or waits for, before it, so no other role may load it earlier"
// CHECK-LABEL: @effect
tt.func public @effect(%d: !tt.tensordesc<tensor<64x64xf16>>, %p: !tt.ptr<i32>, %i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %one = arith.constant 1 : i32
  %row = tt.atomic_rmw add, acq_rel, gpu, %p, %one : (!tt.ptr<i32>, i32) -> i32
  %r = scf.for %k = %c0 to %i step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %a = tt.descriptor_load %d[%row, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    %x = tt.dot %a, %a, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %x : tensor<64x64xf32>
  }
  %h = arith.truncf %r : tensor<64x64xf32> to tensor<64x64xf16>
  tt.descriptor_store %d[%i, %i], %h : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
  tt.return
}

// -----

// The second operand is computed: the loop's tiles would come half by slots, half by addresses.
// CHECK: tawa.declined = "an operand of tt.dot is computed in registers instead of loaded as a tile"
// CHECK-LABEL: @computed
tt.func public @computed(%d: !tt.tensordesc<tensor<64x64xf16>>, %o: !tt.tensordesc<tensor<64x64xf16>>, %i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %k = %c0 to %i step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %a = tt.descriptor_load %d[%i, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    %p = arith.truncf %acc : tensor<64x64xf32> to tensor<64x64xf16>
    %x = tt.dot %p, %a, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %x : tensor<64x64xf32>
  }
  %h = arith.truncf %r : tensor<64x64xf32> to tensor<64x64xf16>
  tt.descriptor_store %o[%i, %i], %h : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
  tt.return
}

// -----

// 32 rows are too few for wgmma.
// CHECK: tawa.declined = "wgmma does not take a tt.dot of this shape, these element types or this precision"
// CHECK-LABEL: @few_rows
tt.func public @few_rows(%d: !tt.tensordesc<tensor<32x64xf16>>, %e: !tt.tensordesc<tensor<64x64xf16>>, %p: !tt.ptr<f32>, %i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<32x64xf32>
  %r = scf.for %k = %c0 to %i step %c1 iter_args(%acc = %zero) -> (tensor<32x64xf32>) : i32 {
    %a = tt.descriptor_load %d[%i, %k] : !tt.tensordesc<tensor<32x64xf16>> -> tensor<32x64xf16>
    %b = tt.descriptor_load %e[%k, %i] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    %x = tt.dot %a, %b, %acc : tensor<32x64xf16> * tensor<64x64xf16> -> tensor<32x64xf32>
    scf.yield %x : tensor<32x64xf32>
  }
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<32x64x!tt.ptr<f32>>
  tt.store %s, %r : tensor<32x64x!tt.ptr<f32>>
  tt.return
}

// -----

// A descriptor of each program's own tensor: no launch can make its map.
// CHECK: tawa.declined = "the descriptor of a tile load depends on what only the kernel knows, so that no launch can make its tensor map"
// CHECK-LABEL: @own_tensor
tt.func public @own_tensor(%p: !tt.ptr<f16>, %q: !tt.ptr<f32>, %i: i32, %ld: i64) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %pid = tt.get_program_id x : i32
  %base = tt.addptr %p, %pid : !tt.ptr<f16>, i32
  %d = tt.make_tensor_descriptor %base, [%i, %i], [%ld, %one] : <f16>, <tensor<64x64xf16>>
  %r = scf.for %k = %c0 to %i step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %a = tt.descriptor_load %d[%i, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    %x = tt.dot %a, %a, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %x : tensor<64x64xf32>
  }
  %s = tt.splat %q : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  tt.store %s, %r : tensor<64x64x!tt.ptr<f32>>
  tt.return
}
