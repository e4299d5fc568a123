// Stores of accumulators through pointers that are a block of a matrix become descriptor stores.
// RUN: tawa-opt %s --tawa-specialize-arguments --tawa-raise-stores='consumer-groups=1' -split-input-file -verify-diagnostics --canonicalize --cse | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-specialize-arguments --tawa-raise-stores='consumer-groups=1' -split-input-file --canonicalize --cse -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-raise-stores{{$}}
// COUNTS: {{^ *}}6 num-kept:
// COUNTS-NEXT: 1 its columns are contiguous in memory, but its rows in registers
// COUNTS-NEXT: 1 its rows are not known to end at a multiple of 16 bytes
// COUNTS-NEXT: 2 the kernel accesses its tensor in other ways, or announces what it wrote
// COUNTS-NEXT: 2 what it stores is no accumulator of wgmma
// COUNTS: {{^ *}}1 num-raised:

// The mask becomes the bounds.
// CHECK-LABEL: tt.func public @masked(
// CHECK-SAME:    %[[C:[a-z0-9]+]]: !tt.ptr<f16> {{{[^%]*}}, %[[M:[a-z0-9]+]]: i32 {{{[^%]*}}, %[[N:[a-z0-9]+]]: i32 {{{[^%]*}}, %[[K:[a-z0-9]+]]: i32 {{{[^%]*}}, %[[SC:[a-z0-9]+]]: i32
// CHECK-DAG:     %[[ROWS:.*]] = arith.maxsi %[[M]], %c1_i32 : i32
// CHECK-DAG:     %[[COLUMNS:.*]] = arith.maxsi %[[N]], %c1_i32 : i32
// CHECK-DAG:     %[[LD:.*]] = arith.extsi %[[SC]] : i32 to i64
// CHECK:         %[[D:.*]] = tt.make_tensor_descriptor %[[C]], [%[[ROWS]], %[[COLUMNS]]], [%[[LD]], %{{.*}}] : <f16>, <tensor<64x64xf16>>
// CHECK:         %[[V:.*]] = arith.truncf
// CHECK:         tt.descriptor_store %[[D]][%{{.*}}, %{{.*}}], %[[V]] : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
// CHECK-NOT:     tt.store
tt.func public @masked(%a: !tt.tensordesc<tensor<64x32xf16>>, %a0: i32, %a1: i32, %a2: i64, %a3: i64,
                      %b: !tt.tensordesc<tensor<32x64xf16>>, %b0: i32, %b1: i32, %b2: i64, %b3: i64,
                      %c: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %M: i32, %N: i32 {tt.divisibility = 8 : i32}, %K: i32, %sc: i32 {tt.divisibility = 16 : i32}) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %pid = tt.get_program_id x : i32
  %first = arith.muli %pid, %c64 : i32
  %sum = scf.for %k = %c0 to %K step %c32 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %x = tt.descriptor_load %a[%first, %k] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
    %y = tt.descriptor_load %b[%k, %c0] : !tt.tensordesc<tensor<32x64xf16>> -> tensor<32x64xf16>
    %d = tt.dot %x, %y, %acc : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %start = tt.splat %first : i32 -> tensor<64xi32>
  %rows = arith.addi %start, %range : tensor<64xi32>
  %r = tt.expand_dims %rows {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %n = tt.expand_dims %range {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %ld = tt.splat %sc : i32 -> tensor<64x1xi32>
  %ro = arith.muli %r, %ld : tensor<64x1xi32>
  %base = tt.splat %c : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
  %rp = tt.addptr %base, %ro : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
  %rpb = tt.broadcast %rp : tensor<64x1x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
  %nb = tt.broadcast %n : tensor<1x64xi32> -> tensor<64x64xi32>
  %p = tt.addptr %rpb, %nb : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
  %Ms = tt.splat %M : i32 -> tensor<64x1xi32>
  %Ns = tt.splat %N : i32 -> tensor<1x64xi32>
  %inm = arith.cmpi slt, %r, %Ms : tensor<64x1xi32>
  %inn = arith.cmpi slt, %n, %Ns : tensor<1x64xi32>
  %inmb = tt.broadcast %inm : tensor<64x1xi1> -> tensor<64x64xi1>
  %innb = tt.broadcast %inn : tensor<1x64xi1> -> tensor<64x64xi1>
  %mask = arith.andi %inmb, %innb : tensor<64x64xi1>
  %v = arith.truncf %sum : tensor<64x64xf32> to tensor<64x64xf16>
  tt.store %p, %v, %mask : tensor<64x64x!tt.ptr<f16>>
  tt.return
}

// -----

// TMA stores end rows at multiples of 16 bytes, and would write what lies after a row that ends elsewhere.
// CHECK-LABEL: tt.func public @ragged(
// CHECK-NOT:     tt.descriptor_store
// CHECK:         tt.store
tt.func public @ragged(%a: !tt.tensordesc<tensor<64x32xf16>>, %a0: i32, %a1: i32, %a2: i64, %a3: i64,
                      %b: !tt.tensordesc<tensor<32x64xf16>>, %b0: i32, %b1: i32, %b2: i64, %b3: i64,
                      %c: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %M: i32, %N: i32, %K: i32, %sc: i32 {tt.divisibility = 16 : i32}) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %pid = tt.get_program_id x : i32
  %first = arith.muli %pid, %c64 : i32
  %sum = scf.for %k = %c0 to %K step %c32 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %x = tt.descriptor_load %a[%first, %k] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
    %y = tt.descriptor_load %b[%k, %c0] : !tt.tensordesc<tensor<32x64xf16>> -> tensor<32x64xf16>
    %d = tt.dot %x, %y, %acc : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %start = tt.splat %first : i32 -> tensor<64xi32>
  %rows = arith.addi %start, %range : tensor<64xi32>
  %r = tt.expand_dims %rows {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %n = tt.expand_dims %range {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %ld = tt.splat %sc : i32 -> tensor<64x1xi32>
  %ro = arith.muli %r, %ld : tensor<64x1xi32>
  %base = tt.splat %c : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
  %rp = tt.addptr %base, %ro : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
  %rpb = tt.broadcast %rp : tensor<64x1x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
  %nb = tt.broadcast %n : tensor<1x64xi32> -> tensor<64x64xi32>
  %p = tt.addptr %rpb, %nb : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
  %Ms = tt.splat %M : i32 -> tensor<64x1xi32>
  %Ns = tt.splat %N : i32 -> tensor<1x64xi32>
  %inm = arith.cmpi slt, %r, %Ms : tensor<64x1xi32>
  %inn = arith.cmpi slt, %n, %Ns : tensor<1x64xi32>
  %inmb = tt.broadcast %inm : tensor<64x1xi1> -> tensor<64x64xi1>
  %innb = tt.broadcast %inn : tensor<1x64xi1> -> tensor<64x64xi1>
  %mask = arith.andi %inmb, %innb : tensor<64x64xi1>
  %v = arith.truncf %sum : tensor<64x64xf32> to tensor<64x64xf16>
  // expected-remark @+1 {{stored by threads instead of TMA: its rows are not known to end at a multiple of 16 bytes}}
  tt.store %p, %v, %mask : tensor<64x64x!tt.ptr<f16>>
  tt.return
}

// -----

// TMA writes later than the text says: a counter that tells others about the tile would be too early.
// CHECK-LABEL: tt.func public @announced(
// CHECK:         tt.store
tt.func public @announced(%a: !tt.tensordesc<tensor<64x32xf16>>, %a0: i32, %a1: i32, %a2: i64, %a3: i64,
                      %b: !tt.tensordesc<tensor<32x64xf16>>, %b0: i32, %b1: i32, %b2: i64, %b3: i64,
                      %c: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %M: i32, %N: i32 {tt.divisibility = 8 : i32}, %K: i32, %sc: i32 {tt.divisibility = 16 : i32}, %count: !tt.ptr<i32>) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %pid = tt.get_program_id x : i32
  %first = arith.muli %pid, %c64 : i32
  %sum = scf.for %k = %c0 to %K step %c32 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %x = tt.descriptor_load %a[%first, %k] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
    %y = tt.descriptor_load %b[%k, %c0] : !tt.tensordesc<tensor<32x64xf16>> -> tensor<32x64xf16>
    %d = tt.dot %x, %y, %acc : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %start = tt.splat %first : i32 -> tensor<64xi32>
  %rows = arith.addi %start, %range : tensor<64xi32>
  %r = tt.expand_dims %rows {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %n = tt.expand_dims %range {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %ld = tt.splat %sc : i32 -> tensor<64x1xi32>
  %ro = arith.muli %r, %ld : tensor<64x1xi32>
  %base = tt.splat %c : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
  %rp = tt.addptr %base, %ro : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
  %rpb = tt.broadcast %rp : tensor<64x1x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
  %nb = tt.broadcast %n : tensor<1x64xi32> -> tensor<64x64xi32>
  %p = tt.addptr %rpb, %nb : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
  %v = arith.truncf %sum : tensor<64x64xf32> to tensor<64x64xf16>
  // expected-remark @+1 {{stored by threads instead of TMA: the kernel accesses its tensor in other ways, or announces what it wrote}}
  tt.store %p, %v : tensor<64x64x!tt.ptr<f16>>
  %one = arith.constant 1 : i32
  %true = arith.constant true
  %old = tt.atomic_rmw add, acq_rel, gpu, %count, %one, %true : (!tt.ptr<i32>, i32, i1) -> i32
  tt.return
}

// -----

// Nor may it come before another store to the same place.
// CHECK-LABEL: tt.func public @cleared(
// CHECK-NOT:     tt.descriptor_store
// CHECK-COUNT-2: tt.store
// CHECK-NOT:     tt.descriptor_store
tt.func public @cleared(%a: !tt.tensordesc<tensor<64x32xf16>>, %a0: i32, %a1: i32, %a2: i64, %a3: i64,
                      %b: !tt.tensordesc<tensor<32x64xf16>>, %b0: i32, %b1: i32, %b2: i64, %b3: i64,
                      %c: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %M: i32, %N: i32 {tt.divisibility = 8 : i32}, %K: i32, %sc: i32 {tt.divisibility = 16 : i32}) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %pid = tt.get_program_id x : i32
  %first = arith.muli %pid, %c64 : i32
  %sum = scf.for %k = %c0 to %K step %c32 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %x = tt.descriptor_load %a[%first, %k] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
    %y = tt.descriptor_load %b[%k, %c0] : !tt.tensordesc<tensor<32x64xf16>> -> tensor<32x64xf16>
    %d = tt.dot %x, %y, %acc : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %start = tt.splat %first : i32 -> tensor<64xi32>
  %rows = arith.addi %start, %range : tensor<64xi32>
  %r = tt.expand_dims %rows {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %n = tt.expand_dims %range {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %ld = tt.splat %sc : i32 -> tensor<64x1xi32>
  %ro = arith.muli %r, %ld : tensor<64x1xi32>
  %base = tt.splat %c : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
  %rp = tt.addptr %base, %ro : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
  %rpb = tt.broadcast %rp : tensor<64x1x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
  %nb = tt.broadcast %n : tensor<1x64xi32> -> tensor<64x64xi32>
  %p = tt.addptr %rpb, %nb : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
  %Ms = tt.splat %M : i32 -> tensor<64x1xi32>
  %Ns = tt.splat %N : i32 -> tensor<1x64xi32>
  %inm = arith.cmpi slt, %r, %Ms : tensor<64x1xi32>
  %inn = arith.cmpi slt, %n, %Ns : tensor<1x64xi32>
  %inmb = tt.broadcast %inm : tensor<64x1xi1> -> tensor<64x64xi1>
  %innb = tt.broadcast %inn : tensor<1x64xi1> -> tensor<64x64xi1>
  %mask = arith.andi %inmb, %innb : tensor<64x64xi1>
  %v = arith.truncf %sum : tensor<64x64xf32> to tensor<64x64xf16>
  %nothing = arith.constant dense<0.0> : tensor<64x64xf16>
  tt.store %p, %nothing, %mask : tensor<64x64x!tt.ptr<f16>>
  // expected-remark @+1 {{stored by threads instead of TMA: the kernel accesses its tensor in other ways, or announces what it wrote}}
  tt.store %p, %v, %mask : tensor<64x64x!tt.ptr<f16>>
  tt.return
}

// -----

// A tile that is no accumulator does not lie in panels.
// CHECK-LABEL: tt.func public @index(
// CHECK:         tt.store
tt.func public @index(%a: !tt.tensordesc<tensor<64x32xf16>>, %a0: i32, %a1: i32, %a2: i64, %a3: i64,
                      %b: !tt.tensordesc<tensor<32x64xf16>>, %b0: i32, %b1: i32, %b2: i64, %b3: i64,
                      %c: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %M: i32, %N: i32 {tt.divisibility = 8 : i32}, %K: i32, %sc: i32 {tt.divisibility = 16 : i32}) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %pid = tt.get_program_id x : i32
  %first = arith.muli %pid, %c64 : i32
  %sum = scf.for %k = %c0 to %K step %c32 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %x = tt.descriptor_load %a[%first, %k] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
    %y = tt.descriptor_load %b[%k, %c0] : !tt.tensordesc<tensor<32x64xf16>> -> tensor<32x64xf16>
    %d = tt.dot %x, %y, %acc : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %start = tt.splat %first : i32 -> tensor<64xi32>
  %rows = arith.addi %start, %range : tensor<64xi32>
  %r = tt.expand_dims %rows {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %n = tt.expand_dims %range {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %ld = tt.splat %sc : i32 -> tensor<64x1xi32>
  %ro = arith.muli %r, %ld : tensor<64x1xi32>
  %base = tt.splat %c : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
  %rp = tt.addptr %base, %ro : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
  %rpb = tt.broadcast %rp : tensor<64x1x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
  %nb = tt.broadcast %n : tensor<1x64xi32> -> tensor<64x64xi32>
  %p = tt.addptr %rpb, %nb : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
  %rb = tt.broadcast %r : tensor<64x1xi32> -> tensor<64x64xi32>
  %v = arith.sitofp %rb : tensor<64x64xi32> to tensor<64x64xf16>
  tt.store %p, %v : tensor<64x64x!tt.ptr<f16>>
  tt.return
}

// -----

// Columns next to each other in memory.
// CHECK-LABEL: tt.func public @transposed(
// CHECK:         tt.store
tt.func public @transposed(%a: !tt.tensordesc<tensor<64x32xf16>>, %a0: i32, %a1: i32, %a2: i64, %a3: i64,
                      %b: !tt.tensordesc<tensor<32x64xf16>>, %b0: i32, %b1: i32, %b2: i64, %b3: i64,
                      %c: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %M: i32, %N: i32 {tt.divisibility = 8 : i32}, %K: i32, %sc: i32 {tt.divisibility = 16 : i32}) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %pid = tt.get_program_id x : i32
  %first = arith.muli %pid, %c64 : i32
  %sum = scf.for %k = %c0 to %K step %c32 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %x = tt.descriptor_load %a[%first, %k] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
    %y = tt.descriptor_load %b[%k, %c0] : !tt.tensordesc<tensor<32x64xf16>> -> tensor<32x64xf16>
    %d = tt.dot %x, %y, %acc : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %start = tt.splat %first : i32 -> tensor<64xi32>
  %rows = arith.addi %start, %range : tensor<64xi32>
  %r = tt.expand_dims %rows {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %n = tt.expand_dims %range {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %ld = tt.splat %sc : i32 -> tensor<1x64xi32>
  %no = arith.muli %n, %ld : tensor<1x64xi32>
  %base = tt.splat %c : !tt.ptr<f16> -> tensor<1x64x!tt.ptr<f16>>
  %np = tt.addptr %base, %no : tensor<1x64x!tt.ptr<f16>>, tensor<1x64xi32>
  %npb = tt.broadcast %np : tensor<1x64x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
  %rb = tt.broadcast %r : tensor<64x1xi32> -> tensor<64x64xi32>
  %p = tt.addptr %npb, %rb : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
  %v = arith.truncf %sum : tensor<64x64xf32> to tensor<64x64xf16>
  // expected-remark @+1 {{stored by threads instead of TMA: its columns are contiguous in memory, but its rows in registers}}
  tt.store %p, %v : tensor<64x64x!tt.ptr<f16>>
  tt.return
}
