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

// A tile that begins where TMA cannot: at a column that is no multiple of 16 bytes.
// CHECK: tawa.declined = "a loaded tile begins at a column that is no multiple of 16 bytes, as TMA needs"
// CHECK-LABEL: @column
tt.func public @column(%d: !tt.tensordesc<tensor<64x64xf16>>, %o : !tt.tensordesc<tensor<64x64xf16>>, %i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %k = %c0 to %i step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %a = tt.descriptor_load %d[%k, %c4] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    %x = tt.dot %a, %a, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %x : tensor<64x64xf32>
  }
  %h = arith.truncf %r : tensor<64x64xf32> to tensor<64x64xf16>
  tt.descriptor_store %o[%c0, %c0], %h : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
  tt.return
}

// -----

// A loop that ends on what a product gives: the producer does not know how often it comes.
// CHECK: tawa.declined = "the address of this load depends on data of another tile"
// CHECK-LABEL: @condition
tt.func public @condition(%d: !tt.tensordesc<tensor<64x64xf16>>, %o : !tt.tensordesc<tensor<64x64xf16>>, %i: i32) {
  %c0 = arith.constant 0 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %limit = arith.constant 1.0 : f32
  %w = scf.while (%acc = %zero) : (tensor<64x64xf32>) -> tensor<64x64xf32> {
    %f = tt.reshape %acc : tensor<64x64xf32> -> tensor<4096xf32>
    %m = "tt.reduce"(%f) <{axis = 0 : i32}> ({
    ^bb0(%x: f32, %y: f32):
      %z = arith.maximumf %x, %y : f32
      tt.reduce.return %z : f32
    }) : (tensor<4096xf32>) -> f32
    %go = arith.cmpf olt, %m, %limit : f32
    scf.condition(%go) %acc : tensor<64x64xf32>
  } do {
  ^bb0(%acc: tensor<64x64xf32>):
    %a = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    %x = tt.dot %a, %a, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %x : tensor<64x64xf32>
  }
  %h = arith.truncf %w : tensor<64x64xf32> to tensor<64x64xf16>
  tt.descriptor_store %o[%c0, %i], %h : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
  tt.return
}

// -----

// Tiles are handed out by a counter in memory: only one role may advance it, and it may say that others have written.
// CHECK: tawa.declined = "a tile load may read what the kernel writes, or waits for, before it, so no other role may load it earlier"
// CHECK-LABEL: @counter
tt.func public @counter(%d: !tt.tensordesc<tensor<64x64xf16>>, %o : !tt.tensordesc<tensor<64x64xf16>>, %p: !tt.ptr<i32>, %i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %true = arith.constant true
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %w = scf.while (%s = %c0) : (i32) -> i32 {
    %t = tt.atomic_rmw add, acq_rel, gpu, %p, %c1, %true : (!tt.ptr<i32>, i32, i1) -> i32
    %go = arith.cmpi slt, %t, %i : i32
    scf.condition(%go) %t : i32
  } do {
  ^bb0(%t: i32):
    %r = scf.for %k = %c0 to %i step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
      %a = tt.descriptor_load %d[%t, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      %x = tt.dot %a, %a, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %x : tensor<64x64xf32>
    }
    %h = arith.truncf %r : tensor<64x64xf32> to tensor<64x64xf16>
    tt.descriptor_store %o[%t, %i], %h : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
    scf.yield %t : i32
  }
  tt.return
}

// -----

// A tile that the condition of a loop loads, once more than the body comes, stays with the consumer.
// CHECK: tawa.declined = "no tile is loaded inside a loop, so there is nothing for a producer role to run ahead of"
// CHECK-LABEL: @in_condition
tt.func public @in_condition(%d: !tt.tensordesc<tensor<64x64xf16>>, %o : !tt.tensordesc<tensor<64x64xf16>>, %p: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %w:3 = scf.while (%i = %c0, %acc = %zero) : (i32, tensor<64x64xf32>) -> (i32, tensor<64x64xf16>, tensor<64x64xf32>) {
    %a = tt.descriptor_load %d[%i, %c0] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    %go = arith.cmpi sge, %i, %c0 : i32
    scf.condition(%go) %i, %a, %acc : i32, tensor<64x64xf16>, tensor<64x64xf32>
  } do {
  ^bb0(%i: i32, %a: tensor<64x64xf16>, %acc: tensor<64x64xf32>):
    %x = tt.dot %a, %a, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    %at = tt.addptr %p, %i : !tt.ptr<i32>, i32
    %next = tt.load %at : !tt.ptr<i32>
    scf.yield %next, %x : i32, tensor<64x64xf32>
  }
  %h = arith.truncf %w#2 : tensor<64x64xf32> to tensor<64x64xf16>
  tt.descriptor_store %o[%c0, %c0], %h : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
  tt.return
}

// -----

// A tile that is loaded only where another one says so.
// CHECK: tawa.declined = "the address of this load depends on data of another tile"
// CHECK-LABEL: @data_dependent
tt.func public @data_dependent(%d : !tt.tensordesc<tensor<64x64xf16>>, %o: !tt.tensordesc<tensor<64x64xf16>>, %i : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %k = %c0 to %i step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %q = tt.descriptor_load %d[%k, %i] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    %f = tt.reshape %q : tensor<64x64xf16> -> tensor<4096xf16>
    %m = "tt.reduce"(%f) <{axis = 0 : i32}> ({
    ^bb0(%x: f16, %y: f16):
      %z = arith.maximumf %x, %y : f16
      tt.reduce.return %z : f16
    }) : (tensor<4096xf16>) -> f16
    %p = arith.cmpf une, %m, %m : f16
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
  tt.descriptor_store %o[%i, %i], %h : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
  tt.return
}

// -----

// A tile of the outer loop that is needed in registers.
// CHECK: tawa.declined = "a loaded tile is needed in registers and is outside of the innermost loops, so nothing is gained by fetching it ahead"
// CHECK-LABEL: @in_registers
tt.func public @in_registers(%d: !tt.tensordesc<tensor<64x64xf16>>, %o : !tt.tensordesc<tensor<64x64xf16>>, %i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %k = %c0 to %i step %c1 : i32 {
    %a = tt.descriptor_load %d[%i, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    %r = scf.for %l = %c0 to %i step %c1 iter_args(%acc = %a) -> (tensor<64x64xf16>) : i32 {
      %t = arith.addf %acc, %a : tensor<64x64xf16>
      scf.yield %t : tensor<64x64xf16>
    }
    tt.descriptor_store %o[%i, %k], %r : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
  }
  tt.return
}

// -----

// Rows of 8 bytes.
// CHECK: tawa.declined = "a loaded tile does not have the two dimensions, or the 16 bytes in a row, that a slot filled by TMA has"
// CHECK-LABEL: @narrow
tt.func public @narrow(%d : !tt.tensordesc<tensor<64x4xf16>>, %o : !tt.tensordesc<tensor<64x4xf16>>, %i : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %k = %c0 to %i step %c1 : i32 {
    %a = tt.descriptor_load %d[%i, %k] : !tt.tensordesc<tensor<64x4xf16>> -> tensor<64x4xf16>
    tt.descriptor_store %o[%i, %k], %a : !tt.tensordesc<tensor<64x4xf16>>, tensor<64x4xf16>
  }
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

// A descriptor that the loop carries on has no place where its map would be made.
// CHECK: tawa.declined = "the descriptor of a tile load is carried by a loop or chosen by a condition, so it is unknown where its tensor map would be made"
// CHECK-LABEL: @carried_descriptor
tt.func public @carried_descriptor(%p: !tt.ptr<f16>, %q: !tt.ptr<f32>, %i: i32, %ld: i64) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = tt.make_tensor_descriptor %p, [%i, %i], [%ld, %one] : <f16>, <tensor<64x64xf16>>
  %r:2 = scf.for %k = %c0 to %i step %c1 iter_args(%acc = %zero, %e = %d) -> (tensor<64x64xf32>, !tt.tensordesc<tensor<64x64xf16>>) : i32 {
    %a = tt.descriptor_load %e[%i, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    %x = tt.dot %a, %a, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    %f = tt.make_tensor_descriptor %p, [%k, %i], [%ld, %one] : <f16>, <tensor<64x64xf16>>
    scf.yield %x, %f : tensor<64x64xf32>, !tt.tensordesc<tensor<64x64xf16>>
  }
  %s = tt.splat %q : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  tt.store %s, %r#0 : tensor<64x64x!tt.ptr<f32>>
  tt.return
}

// -----

// Already declined.
// CHECK: module attributes {tawa.declined = "one role was asked for"}
// CHECK-LABEL: @asked
module attributes {tawa.declined = "one role was asked for"} {
  tt.func public @asked(%a: !tt.tensordesc<tensor<64x64xf16>>, %o: !tt.tensordesc<tensor<64x64xf32>>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
      %at = tt.descriptor_load %a[%c0, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      %next = tt.dot %at, %at, %acc, inputPrecision = tf32 : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %next : tensor<64x64xf32>
    }
    tt.descriptor_store %o[%c0, %c0], %sum : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
    tt.return
  }
}
