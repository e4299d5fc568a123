// Loads that feed one dot share a ring; a load before the loop has a ring of its own with one slot, released after the
// loop. Counters of the ring are carried through the loop in both roles.
// RUN: tawa-opt %s --tawa-partition-roles --tawa-distribute-roles="ring-depth=3 consumer-groups=1" --canonicalize --cse -split-input-file | FileCheck %s

// CHECK-LABEL: tt.func public @two_rings
tt.func public @two_rings(%dq: !tt.tensordesc<tensor<64x32xf16>>, %db: !tt.tensordesc<tensor<32x64xf16>>,
                          %dc: !tt.tensordesc<tensor<64x64xf16>>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  // CHECK-DAG: [[ZERO:%.*]] = arith.constant 0 : i32
  // CHECK-DAG: [[ONE:%.*]] = arith.constant 1 : i32
  // CHECK: [[Q:%.*]] = tawa.create_aref : <1, [tensor<64x32xf16>]>
  // CHECK: [[B:%.*]] = tawa.create_aref : <3, [tensor<32x64xf16>]>
  // CHECK: tawa.warp_group producer warps(4) registers(0)
  // CHECK:   [[QT:%.*]] = tt.descriptor_load
  // CHECK:   tawa.put [[Q]]{{\[}}[[ZERO]]], [[QT]]
  // CHECK:   scf.for {{.*}} iter_args([[N:%.*]] = [[ZERO]]) -> (i32)
  // CHECK:     [[BT:%.*]] = tt.descriptor_load
  // CHECK:     tawa.put [[B]]{{\[}}[[N]]], [[BT]]
  // CHECK:     [[NEXT:%.*]] = arith.addi [[N]], [[ONE]]
  // CHECK:     scf.yield [[NEXT]]
  // CHECK: tawa.warp_group consumer warps(4) registers(0)
  // CHECK:   [[QG:%.*]] = tawa.get [[Q]]{{\[}}[[ZERO]]]
  // CHECK:   scf.for {{.*}} iter_args([[ACC:%.*]] = {{.*}}, [[N:%.*]] = [[ZERO]])
  // CHECK:     [[BG:%.*]] = tawa.get [[B]]{{\[}}[[N]]]
  // CHECK:     [[D:%.*]] = tt.dot [[QG]], [[BG]], [[ACC]]
  // CHECK:     tawa.consumed [[B]]{{\[}}[[N]]]
  // CHECK:     scf.yield [[D]], {{.*}}
  // CHECK:   }
  // CHECK:   tawa.consumed [[Q]]{{\[}}[[ZERO]]]
  // CHECK:   tt.descriptor_store
  %q = tt.descriptor_load %dq[%n, %c0] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %b = tt.descriptor_load %db[%i, %c0] : !tt.tensordesc<tensor<32x64xf16>> -> tensor<32x64xf16>
    %d = tt.dot %q, %b, %acc : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %h = arith.truncf %r : tensor<64x64xf32> to tensor<64x64xf16>
  tt.descriptor_store %dc[%n, %n], %h : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
  tt.return
}

// With two consumer groups the register pool is shared out: 3 groups of 168 at entry, 40 + 2 * 232 after.
// RUN: tawa-opt %s --tawa-partition-roles --tawa-distribute-roles="consumer-groups=2" -split-input-file | FileCheck %s --check-prefix=COOP
// COOP: tawa.create_aref : <4,
// COOP: tawa.warp_group producer warps(4) registers(40)
// COOP: tawa.warp_group consumer warps(8) registers(232)

// -----

// An outer loop restarts the inner one but not the ring: its counters run through both.
// CHECK-LABEL: tt.func public @nested
// CHECK: tawa.warp_group producer
// CHECK:   scf.for {{.*}} iter_args([[N:%.*]] = {{.*}}) -> (i32)
// CHECK:     [[INNER:%.*]] = scf.for {{.*}} iter_args([[M:%.*]] = [[N]]) -> (i32)
// CHECK:       tawa.put {{.*}}{{\[}}[[M]]]
// CHECK:     scf.yield [[INNER]]
// CHECK: tawa.warp_group consumer
// CHECK:   scf.for {{.*}} iter_args([[N:%.*]] = {{.*}}) -> (i32)
// CHECK:     [[INNER:%.*]]:2 = scf.for {{.*}} iter_args({{.*}}, [[M:%.*]] = [[N]])
// CHECK:       tawa.get {{.*}}{{\[}}[[M]]]
// CHECK:     tt.descriptor_store
// CHECK:     scf.yield [[INNER]]#1
tt.func public @nested(%d: !tt.tensordesc<tensor<64x64xf16>>, %o: !tt.tensordesc<tensor<64x64xf16>>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  scf.for %t = %c0 to %n step %c1 : i32 {
    %r = scf.for %i = %c0 to %t step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
      %b = tt.descriptor_load %d[%i, %c0] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      %x = tt.dot %b, %b, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %x : tensor<64x64xf32>
    }
    %h = arith.truncf %r : tensor<64x64xf32> to tensor<64x64xf16>
    tt.descriptor_store %o[%t, %n], %h : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
  }
  tt.return
}

// -----

// Loops that follow each other load through one ring, and so does what follows them; the counter goes on. A tile that
// lives all the time keeps its own. The first operand of the second dot is computed: it stays in registers.
// CHECK-LABEL: tt.func public @in_turn
// CHECK: [[Q:%.*]] = tawa.create_aref : <1, [tensor<64x64xf16>]>
// CHECK: [[K:%.*]] = tawa.create_aref : <3, [tensor<64x64xf16>]>
// CHECK-NOT: tawa.create_aref
// CHECK: tawa.warp_group producer
// CHECK:   tawa.put [[Q]]
// CHECK:   [[N1:%.*]] = scf.for {{.*}} iter_args([[I:%.*]] = {{.*}}) -> (i32)
// CHECK:     tawa.put [[K]]{{\[}}[[I]]]
// CHECK:   [[N2:%.*]] = scf.for {{.*}} iter_args([[J:%.*]] = [[N1]]) -> (i32)
// CHECK:     tawa.put [[K]]{{\[}}[[J]]]
// CHECK:   tawa.put [[K]]{{\[}}[[N2]]]
// CHECK: tawa.warp_group consumer
// CHECK:   tawa.get [[Q]]
// CHECK:   [[M1:%.*]]:2 = scf.for
// CHECK:     tawa.get [[K]]
// CHECK:     tawa.consumed [[K]]
// CHECK:   [[M2:%.*]]:2 = scf.for {{.*}} = [[M1]]#1)
// CHECK:     [[P:%.*]] = arith.truncf
// CHECK:     tt.dot [[P]], {{.*}}
// CHECK:   [[G:%.*]] = tawa.get [[K]]{{\[}}[[M2]]#1]
// CHECK-DAG: tawa.consumed [[K]]{{\[}}[[M2]]#1]
// CHECK-DAG: tawa.consumed [[Q]]
tt.func public @in_turn(%dq: !tt.tensordesc<tensor<64x64xf16>>, %dk: !tt.tensordesc<tensor<64x64xf16>>,
                        %dc: !tt.tensordesc<tensor<64x64xf16>>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %q = tt.descriptor_load %dq[%n, %c0] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %k = tt.descriptor_load %dk[%i, %c0] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    %d = tt.dot %q, %k, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %r) -> (tensor<64x64xf32>) : i32 {
    %k = tt.descriptor_load %dk[%c0, %i] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    %p = arith.truncf %acc : tensor<64x64xf32> to tensor<64x64xf16>
    %d = tt.dot %p, %k, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %k = tt.descriptor_load %dk[%c0, %n] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
  %e = tt.dot %q, %k, %s : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
  %h = arith.truncf %e : tensor<64x64xf32> to tensor<64x64xf16>
  tt.descriptor_store %dc[%n, %n], %h : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
  tt.return
}

// -----

// A condition that both roles can compute runs in both, and hands on the counter of what it puts or gets. One that
// guards a store, and what it needs, are the consumer's; so is a constant that the region of a reduction uses.
// CHECK-LABEL: tt.func public @conditions
// CHECK: tawa.warp_group producer
// CHECK:   scf.for {{.*}} iter_args([[N:%.*]] = {{.*}}) -> (i32)
// CHECK:     [[M:%.*]] = scf.if {{.*}} -> (i32)
// CHECK:       tawa.put {{.*}}{{\[}}[[N]]]
// CHECK:       scf.yield
// CHECK:     } else {
// CHECK:       scf.yield [[N]] : i32
// CHECK:     scf.yield [[M]]
// CHECK-NOT: scf.if
// CHECK: tawa.warp_group consumer
// CHECK:   scf.for {{.*}} iter_args([[A:%.*]] = {{.*}}, [[N:%.*]] = {{.*}}) -> (tensor<64x64xf32>, i32)
// CHECK:     scf.if {{.*}} -> (tensor<64x64xf32>, i32)
// CHECK:       tawa.get {{.*}}{{\[}}[[N]]]
// CHECK:       tawa.consumed {{.*}}{{\[}}[[N]]]
// CHECK:     } else {
// CHECK:       scf.yield [[A]], [[N]]
// CHECK:   "tt.reduce"
// CHECK:   scf.if
// CHECK:     tt.store
tt.func public @conditions(%d : !tt.tensordesc<tensor<64x64xf16>>, %o : !tt.ptr<f32>, %n : i32, %bound : f32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %half = arith.constant 0.5 : f32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %odd = arith.remsi %i, %n : i32
    %c = arith.cmpi eq, %odd, %c1 : i32
    %s = scf.if %c -> (tensor<64x64xf32>) {
      %b = tt.descriptor_load %d[%i, %c0] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      %x = tt.dot %b, %b, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %x : tensor<64x64xf32>
    } else {
      scf.yield %acc : tensor<64x64xf32>
    }
    scf.yield %s : tensor<64x64xf32>
  }
  %f = tt.reshape %r : tensor<64x64xf32> -> tensor<4096xf32>
  %m = "tt.reduce"(%f) <{axis = 0 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    %z = arith.maxnumf %x, %y : f32
    %w = arith.maxnumf %z, %half : f32
    tt.reduce.return %w : f32
  }) : (tensor<4096xf32>) -> f32
  %big = arith.cmpf ogt, %m, %bound : f32
  scf.if %big {
    tt.store %o, %m : !tt.ptr<f32>
  }
  tt.return
}

// -----

// Tiles of an innermost loop travel whoever uses them: the consumer reads them to registers, for a dot that wgmma does
// not take as well. Tiles that feed the same dots share a slot, others have one each. A tile outside of the loop that
// is needed in registers is the consumer's own business.
// CHECK-LABEL: tt.func public @registers
// CHECK-DAG: [[A:%.*]] = tawa.create_aref : <3, [tensor<32x64xf16>]>
// CHECK-DAG: [[B:%.*]] = tawa.create_aref : <3, [tensor<64x64xi8>]>
// CHECK-NOT: tawa.create_aref
// CHECK: tawa.warp_group producer
// CHECK-NOT: tensor<32x64xf32>
// CHECK: tawa.warp_group consumer
// CHECK:   scf.for
// CHECK:     [[BT:%.*]] = tawa.get [[B]]
// CHECK:     [[F:%.*]] = arith.sitofp [[BT]]
// CHECK:     tawa.consumed [[B]]
// CHECK:     tt.dot {{.*}}, [[F]]
// CHECK:     tawa.consumed [[A]]
// CHECK:   tt.descriptor_load %arg2
tt.func public @registers(%da : !tt.tensordesc<tensor<32x64xf16>>, %db : !tt.tensordesc<tensor<64x64xi8>>,
               %bias : !tt.tensordesc<tensor<32x64xf32>>, %dc: !tt.tensordesc<tensor<32x64xf32>>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<32x64xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<32x64xf32>) : i32 {
    %a = tt.descriptor_load %da[%c0, %i] : !tt.tensordesc<tensor<32x64xf16>> -> tensor<32x64xf16>
    %b = tt.descriptor_load %db[%i, %c0] : !tt.tensordesc<tensor<64x64xi8>> -> tensor<64x64xi8>
    %f = arith.sitofp %b : tensor<64x64xi8> to tensor<64x64xf16>
    %d = tt.dot %a, %f, %acc : tensor<32x64xf16> * tensor<64x64xf16> -> tensor<32x64xf32>
    scf.yield %d : tensor<32x64xf32>
  }
  %t = tt.descriptor_load %bias[%n, %n] : !tt.tensordesc<tensor<32x64xf32>> -> tensor<32x64xf32>
  %s = arith.addf %r, %t : tensor<32x64xf32>
  tt.descriptor_store %dc[%n, %n], %s : !tt.tensordesc<tensor<32x64xf32>>, tensor<32x64xf32>
  tt.return
}

// -----

// What only the kernel knows of a tensor, the roles describe to TMA themselves; the producer not before what it loaded by the
// description before has landed, which its ring tells.
// CHECK-LABEL: tt.func public @own_tensors
tt.func public @own_tensors(%tables: !tt.ptr<i64>, %tables_c: !tt.ptr<i64>, %n: i32, %ld: i64) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  // CHECK: [[RING:%.*]] = tawa.create_aref : <3, [tensor<64x64xf16>]>
  // CHECK: tawa.warp_group producer
  // CHECK:   scf.for {{.*}} iter_args([[PUTS:%.*]] = {{.*}}) -> (i32)
  // CHECK:     [[P:%.*]] = tt.int_to_ptr
  // CHECK:     [[D:%.*]] = tawa.make_descriptor [[P]], [{{.*}}], [{{.*}}] after [[RING]]{{\[}}[[PUTS]]]
  // CHECK:     tt.descriptor_load [[D]]
  // CHECK: tawa.warp_group consumer
  // CHECK:     tawa.make_descriptor {{.*}}] : !tt.ptr<f16> -> !tt.tensordesc
  scf.for %tile = %c0 to %n step %c1 : i32 {
    %at = tt.addptr %tables, %tile : !tt.ptr<i64>, i32
    %at_c = tt.addptr %tables_c, %tile : !tt.ptr<i64>, i32
    %address = tt.load %at : !tt.ptr<i64>
    %address_c = tt.load %at_c : !tt.ptr<i64>
    %base = tt.int_to_ptr %address : i64 -> !tt.ptr<f16>
    %base_c = tt.int_to_ptr %address_c : i64 -> !tt.ptr<f16>
    %d = tt.make_tensor_descriptor %base, [%n, %n], [%ld, %one] : <f16>, <tensor<64x64xf16>>
    %e = tt.make_tensor_descriptor %base_c, [%n, %n], [%ld, %one] : <f16>, <tensor<64x64xf16>>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
      %a = tt.descriptor_load %d[%i, %c0] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      %x = tt.dot %a, %a, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %x : tensor<64x64xf32>
    }
    %h = arith.truncf %r : tensor<64x64xf32> to tensor<64x64xf16>
    tt.descriptor_store %e[%c0, %c0], %h : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
  }
  tt.return
}

// -----

// Columns of B that one A is multiplied with travel with it.
// CHECK-LABEL: tt.func public @columns
tt.func public @columns(%da: !tt.tensordesc<tensor<64x32xf16>>, %db: !tt.tensordesc<tensor<32x64xf16>>,
                        %dc: !tt.tensordesc<tensor<64x64xf16>>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  // CHECK: tawa.create_aref : <3, [tensor<32x64xf16>, tensor<64x32xf16>, tensor<32x64xf16>]>
  // CHECK-NOT: tawa.create_aref
  // CHECK: tawa.put
  // CHECK-NOT: tawa.put
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%left = %zero, %right = %zero) -> (tensor<64x64xf32>, tensor<64x64xf32>) : i32 {
    %b = tt.descriptor_load %db[%i, %c0] : !tt.tensordesc<tensor<32x64xf16>> -> tensor<32x64xf16>
    %a = tt.descriptor_load %da[%c0, %i] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
    %x = tt.dot %a, %b, %left : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
    %e = tt.descriptor_load %db[%i, %c64] : !tt.tensordesc<tensor<32x64xf16>> -> tensor<32x64xf16>
    %y = tt.dot %a, %e, %right : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %x, %y : tensor<64x64xf32>, tensor<64x64xf32>
  }
  %g = arith.truncf %r#0 : tensor<64x64xf32> to tensor<64x64xf16>
  %h = arith.truncf %r#1 : tensor<64x64xf32> to tensor<64x64xf16>
  tt.descriptor_store %dc[%n, %n], %g : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
  tt.descriptor_store %dc[%n, %c0], %h : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
  tt.return
}

// -----

// Products of one iteration that add to one sum: their tiles share a slot.
// CHECK-LABEL: tt.func public @one_sum
// CHECK: tawa.create_aref : <3, [tensor<64x64xf16>, tensor<64x64xf16>]>
// CHECK-NOT: tawa.create_aref
tt.func public @one_sum(%da: !tt.tensordesc<tensor<64x64xf16>>, %db: !tt.tensordesc<tensor<64x64xf16>>,
                        %dc: !tt.tensordesc<tensor<64x64xf16>>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %a = tt.descriptor_load %da[%i, %c0] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    %x = tt.dot %a, %a, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    %b = tt.descriptor_load %db[%i, %c0] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    %y = tt.dot %b, %b, %x : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %y : tensor<64x64xf32>
  }
  %h = arith.truncf %r : tensor<64x64xf32> to tensor<64x64xf16>
  tt.descriptor_store %dc[%n, %n], %h : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
  tt.return
}

// -----

// Only one branch of a condition is taken, so their tiles go through the same slots; both branches count them.
// CHECK-LABEL: tt.func public @either
// CHECK:       %[[RING:.*]] = tawa.create_aref : <3, [tensor<64x64xf16>]>
// CHECK-NOT:   tawa.create_aref
// CHECK:       tawa.warp_group producer
// CHECK:         scf.if
// CHECK:           tawa.put %[[RING]]
// CHECK:         } else {
// CHECK:           tawa.put %[[RING]]
// CHECK:       tawa.warp_group consumer
// CHECK:         scf.if
// CHECK:           tawa.get %[[RING]]
// CHECK:         } else {
// CHECK:           tawa.get %[[RING]]
tt.func public @either(%a: !tt.tensordesc<tensor<64x64xf16>>, %o: !tt.tensordesc<tensor<64x64xf32>>, %p: i1, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  scf.if %p {
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%sum = %zero) -> (tensor<64x64xf32>) : i32 {
      %x = tt.descriptor_load %a[%k, %c0] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      %d = tt.dot %x, %x, %sum : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tt.descriptor_store %o[%c0, %c0], %r : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  } else {
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%sum = %zero) -> (tensor<64x64xf32>) : i32 {
      %x = tt.descriptor_load %a[%c0, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      %d = tt.dot %x, %x, %sum : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tt.descriptor_store %o[%c0, %c1], %r : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  }
  tt.return
}

// -----

// Rows begin at any even address, so that threads load elements one by one: two groups of them beside one consumer group.
// CHECK-LABEL: tt.func public @by_element
// CHECK: tawa.warp_group producer warps(8) registers(128)
// CHECK: tawa.copy_tile {{.*}} along 1 by 1
// CHECK: tawa.warp_group consumer warps(4) registers(240)
tt.func public @by_element(%p: !tt.ptr<f16> {tt.divisibility = 2 : i32}, %stride: i32, %q: !tt.ptr<f16> {tt.divisibility = 2 : i32}, %dc: !tt.tensordesc<tensor<64x64xf16>>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %rows = tt.expand_dims %r {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %columns = tt.expand_dims %r {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %strides = tt.splat %stride : i32 -> tensor<64x1xi32>
  %starts = arith.muli %rows, %strides : tensor<64x1xi32>
  %near = tt.broadcast %columns : tensor<1x64xi32> -> tensor<64x64xi32>
  %far = tt.broadcast %starts : tensor<64x1xi32> -> tensor<64x64xi32>
  %at = arith.addi %near, %far : tensor<64x64xi32>
  %ps = tt.splat %p : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
  %first = tt.addptr %ps, %at : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
  %qs = tt.splat %q : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
  %second = tt.addptr %qs, %at : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %shift = tt.splat %i : i32 -> tensor<64x64xi32>
    %from = tt.addptr %first, %shift : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
    %a = tt.load %from : tensor<64x64x!tt.ptr<f16>>
    %of = tt.addptr %second, %shift : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
    %w = tt.load %of : tensor<64x64x!tt.ptr<f16>>
    %b = tt.trans %w {order = array<i32: 1, 0>} : tensor<64x64xf16> -> tensor<64x64xf16>
    %d = tt.dot %a, %b, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %h = arith.truncf %sum : tensor<64x64xf32> to tensor<64x64xf16>
  tt.descriptor_store %dc[%c0, %c0], %h : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
  tt.return
}
