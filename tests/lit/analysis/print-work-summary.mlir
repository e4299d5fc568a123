// RUN: tawa-opt %s --split-input-file --mlir-print-op-on-diagnostic=false --tawa-specialize-arguments \
// RUN:   --tawa-make-persistent="persistent=false" --tawa-partition-roles="consumer-groups=1 ring-depth=2 mma-depth=1" \
// RUN:   --tawa-distribute-roles="consumer-groups=1 ring-depth=2" --tawa-wrap-one-role --canonicalize --cse \
// RUN:   --tawa-print-work-summary -o /dev/null 2>&1 | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --split-input-file --mlir-print-op-on-diagnostic=false --tawa-specialize-arguments --tawa-make-persistent="persistent=false" --tawa-partition-roles="consumer-groups=1 ring-depth=2 mma-depth=1" --tawa-distribute-roles="consumer-groups=1 ring-depth=2" --tawa-wrap-one-role --canonicalize --cse --tawa-print-work-summary -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-print-work-summary{{$}}
// COUNTS: {{^ *}}10 num-printed:

// Roles, a loop whose bounds are expressions, blocks with their places, products, a store in panels.
// CHECK-LABEL: work:
// CHECK-NEXT: ring 0: slots of 24576 bytes, 4 useful
// CHECK-NEXT: stores: panels of 2048 bytes, scratch of 0
// CHECK-NEXT: equally long products
// CHECK-NEXT: role producer, 4 warps
// CHECK-NEXT:   for [[I:i[0-9]+]] = 0 to a3 step 64
// CHECK-NEXT:     load 64x64 of 2 bytes, argument 0 at [(program_x * 64), [[I]]], ring 0, TMA
// CHECK-NEXT:     load 64x128 of 2 bytes, argument 1 at {{\[}}[[I]], (program_y * 128)], ring 0, TMA
// CHECK-NEXT: role consumer, 4 warps
// CHECK-NEXT:   for [[I:i[0-9]+]] = 0 to a3 step 64
// CHECK-NEXT:     dot 64x128x64 of 16 bits, wgmma, pipelined
// CHECK-NEXT:   vector 8192
// CHECK-NEXT:   store 64x128 of 2 bytes, argument 2 at [(program_x * 64), (program_y * 128)], TMA
tt.func public @product(%a: !tt.tensordesc<tensor<64x64xf16>>, %a0: i32, %a1: i32, %a2: i64, %a3: i64,
                        %b: !tt.tensordesc<tensor<64x128xf16>>, %b0: i32, %b1: i32, %b2: i64, %b3: i64,
                        %c: !tt.tensordesc<tensor<64x128xf16>>, %c0: i32, %c1: i32, %c2: i64, %c3: i64, %depth: i32) {
  %zero = arith.constant 0 : i32
  %wide = arith.constant 64 : i32
  %twice = arith.constant 128 : i32
  %none = arith.constant dense<0.0> : tensor<64x128xf32>
  %x = tt.get_program_id x : i32
  %y = tt.get_program_id y : i32
  %row = arith.muli %x, %wide : i32
  %column = arith.muli %y, %twice : i32
  %sum = scf.for %k = %zero to %depth step %wide iter_args(%part = %none) -> (tensor<64x128xf32>) : i32 {
    %at = tt.descriptor_load %a[%row, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    %bt = tt.descriptor_load %b[%k, %column] : !tt.tensordesc<tensor<64x128xf16>> -> tensor<64x128xf16>
    %next = tt.dot %at, %bt, %part, inputPrecision = tf32 : tensor<64x64xf16> * tensor<64x128xf16> -> tensor<64x128xf32>
    scf.yield %next : tensor<64x128xf32>
  }
  %result = arith.truncf %sum : tensor<64x128xf32> to tensor<64x128xf16>
  tt.descriptor_store %c[%row, %column], %result : !tt.tensordesc<tensor<64x128xf16>>, tensor<64x128xf16>
  tt.return
}

// -----

// Tiles that come in a loop around another one, which a ring without a number of slots may hold in one of them.
// CHECK-LABEL: work:
// CHECK-NEXT: ring 0: slots of 16384 bytes, 4 useful, around others
// CHECK-NEXT: ring 1: slots of 8192 bytes, 4 useful
tt.func public @nested(%d: !tt.tensordesc<tensor<128x64xf16>>, %d0: i32, %d1: i32, %d2: i64, %d3: i64,
                       %e: !tt.tensordesc<tensor<64x64xf16>>, %e0: i32, %e1: i32, %e2: i64, %e3: i64,
                       %o: !tt.ptr<f32>, %depth: i32) {
  %zero = arith.constant 0 : i32
  %wide = arith.constant 64 : i32
  %none = arith.constant dense<0.0> : tensor<128x64xf32>
  %all = tt.splat %o : !tt.ptr<f32> -> tensor<128x64x!tt.ptr<f32>>
  scf.for %i = %zero to %depth step %wide : i32 {
    %a = tt.descriptor_load %d[%zero, %i] : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16>
    %sum = scf.for %k = %zero to %depth step %wide iter_args(%part = %none) -> (tensor<128x64xf32>) : i32 {
      %b = tt.descriptor_load %e[%i, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      %next = tt.dot %a, %b, %part, inputPrecision = tf32 : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
      scf.yield %next : tensor<128x64xf32>
    }
    tt.store %all, %sum : tensor<128x64x!tt.ptr<f32>>
  }
  tt.return
}

// -----

// A kernel that is one role; a condition; what is read from memory is unknown; sums and special functions count.
// CHECK-LABEL: work:
// CHECK-NEXT: one role: no tile is loaded inside a loop
// CHECK-NEXT: role main, {{[0-9]+}} warps
// CHECK-NEXT:   vector 256
// CHECK-NEXT:   load  of 4 bytes, argument 1
// CHECK-NEXT:   for {{i[0-9]+}} = 0 to ? step 1
// CHECK-NEXT:     load 256 of 4 bytes, argument 0
// CHECK-NEXT:     vector 2048
// CHECK-NEXT:     if (program_x < 3)
// CHECK-NEXT:       store 256 of 4 bytes, argument 0
tt.func public @counted(%p: !tt.ptr<f32>, %counts: !tt.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %x = tt.get_program_id x : i32
  %range = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32>
  %offset = arith.muli %range, %range : tensor<256xi32>
  %all = tt.splat %p : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
  %ptr = tt.addptr %all, %offset : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
  %count = tt.load %counts : !tt.ptr<i32>
  scf.for %i = %zero to %count step %one : i32 {
    %v = tt.load %ptr : tensor<256x!tt.ptr<f32>>
    %e = math.exp2 %v : tensor<256xf32>
    %few = arith.cmpi slt, %x, %three : i32
    scf.if %few {
      tt.store %ptr, %e : tensor<256x!tt.ptr<f32>>
    }
  }
  tt.return
}

// -----

// The loop over the tiles of the grid is marked.
// CHECK-LABEL: work:
// CHECK: role main
// CHECK:   for {{i[0-9]+}} = program_x to 100 step programs_x over tiles
// CHECK-NEXT: vector 64
// CHECK-NEXT: load 64 of 4 bytes, argument 0
tt.func public @walks(%p: !tt.ptr<f32>) {
  %hundred = arith.constant 100 : i32
  %x = tt.get_program_id x : i32
  %count = tt.get_num_programs x : i32
  %range = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %all = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  scf.for %tile = %x to %hundred step %count : i32 {
    %shift = tt.splat %tile : i32 -> tensor<64xi32>
    %offset = arith.addi %range, %shift : tensor<64xi32>
    %ptr = tt.addptr %all, %offset : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %v = tt.load %ptr : tensor<64x!tt.ptr<f32>>
    %w = arith.addf %v, %v : tensor<64xf32>
    tt.store %ptr, %w : tensor<64x!tt.ptr<f32>>
  }
  tt.return
}

// -----

// A loop whose length is a quotient rounded up.
// CHECK-LABEL: work:
// CHECK: for {{i[0-9]+}} = 0 to (a1 ceildiv 64) step 1
tt.func public @rounded_up(%p: !tt.ptr<f32>, %count: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %block = arith.constant 64 : i32
  %blocks = arith.ceildivsi %count, %block : i32
  scf.for %i = %zero to %blocks step %one : i32 {
    %v = tt.load %p : !tt.ptr<f32>
    tt.store %p, %v : !tt.ptr<f32>
  }
  tt.return
}

// -----

// Columns of B that lie side by side in a slot are one product with their A; those that are no rows in memory stay apart.
// CHECK-LABEL: work:
// CHECK: role consumer
// CHECK-NEXT:   for
// CHECK-NEXT:     dot 64x192x64 of 16 bits, wgmma, pipelined
// CHECK-NEXT:     dot 64x64x64 of 16 bits, wgmma, pipelined
// CHECK-NOT:     dot
tt.func public @columns(%a: !tt.tensordesc<tensor<64x64xf16>>, %a0: i32, %a1: i32, %a2: i64, %a3: i64,
                        %b: !tt.tensordesc<tensor<64x64xf16>>, %b0: i32, %b1: i32, %b2: i64, %b3: i64,
                        %c: !tt.tensordesc<tensor<64x64xf32>>, %c0: i32, %c1: i32, %c2: i64, %c3: i64, %depth: i32) {
  %zero = arith.constant 0 : i32
  %wide = arith.constant 64 : i32
  %twice = arith.constant 128 : i32
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %sums:4 = scf.for %k = %zero to %depth step %wide iter_args(%p = %none, %q = %none, %r = %none, %s = %none) -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) : i32 {
    %x = tt.descriptor_load %a[%zero, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    %y = tt.descriptor_load %b[%zero, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    %z = tt.descriptor_load %b[%wide, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    %u = tt.descriptor_load %b[%twice, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    %v = tt.descriptor_load %b[%k, %twice] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    %yt = tt.trans %y {order = array<i32: 1, 0>} : tensor<64x64xf16> -> tensor<64x64xf16>
    %zt = tt.trans %z {order = array<i32: 1, 0>} : tensor<64x64xf16> -> tensor<64x64xf16>
    %ut = tt.trans %u {order = array<i32: 1, 0>} : tensor<64x64xf16> -> tensor<64x64xf16>
    %pn = tt.dot %x, %yt, %p, inputPrecision = tf32 : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    %qn = tt.dot %x, %zt, %q, inputPrecision = tf32 : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    %rn = tt.dot %x, %ut, %r, inputPrecision = tf32 : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    %sn = tt.dot %x, %v, %s, inputPrecision = tf32 : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %pn, %qn, %rn, %sn : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
  }
  tt.descriptor_store %c[%zero, %zero], %sums#0 : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  tt.descriptor_store %c[%zero, %wide], %sums#1 : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  tt.descriptor_store %c[%zero, %twice], %sums#2 : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  tt.descriptor_store %c[%wide, %twice], %sums#3 : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  tt.return
}

// -----

// Nor where they are longer than a swizzled row.
// CHECK-LABEL: work:
// CHECK: role consumer
// CHECK-NEXT:   for
// CHECK-NEXT:     dot 64x64x128 of 16 bits, wgmma, pipelined
// CHECK-NEXT:     dot 64x64x128 of 16 bits, wgmma, pipelined
tt.func public @two_panels(%a: !tt.tensordesc<tensor<64x128xf16>>, %a0: i32, %a1: i32, %a2: i64, %a3: i64,
                           %b: !tt.tensordesc<tensor<64x128xf16>>, %b0: i32, %b1: i32, %b2: i64, %b3: i64,
                           %c: !tt.tensordesc<tensor<64x64xf32>>, %c0: i32, %c1: i32, %c2: i64, %c3: i64, %depth: i32) {
  %zero = arith.constant 0 : i32
  %wide = arith.constant 64 : i32
  %step = arith.constant 128 : i32
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %sums:2 = scf.for %k = %zero to %depth step %step iter_args(%p = %none, %q = %none) -> (tensor<64x64xf32>, tensor<64x64xf32>) : i32 {
    %x = tt.descriptor_load %a[%zero, %k] : !tt.tensordesc<tensor<64x128xf16>> -> tensor<64x128xf16>
    %y = tt.descriptor_load %b[%zero, %k] : !tt.tensordesc<tensor<64x128xf16>> -> tensor<64x128xf16>
    %z = tt.descriptor_load %b[%wide, %k] : !tt.tensordesc<tensor<64x128xf16>> -> tensor<64x128xf16>
    %yt = tt.trans %y {order = array<i32: 1, 0>} : tensor<64x128xf16> -> tensor<128x64xf16>
    %zt = tt.trans %z {order = array<i32: 1, 0>} : tensor<64x128xf16> -> tensor<128x64xf16>
    %pn = tt.dot %x, %yt, %p, inputPrecision = tf32 : tensor<64x128xf16> * tensor<128x64xf16> -> tensor<64x64xf32>
    %qn = tt.dot %x, %zt, %q, inputPrecision = tf32 : tensor<64x128xf16> * tensor<128x64xf16> -> tensor<64x64xf32>
    scf.yield %pn, %qn : tensor<64x64xf32>, tensor<64x64xf32>
  }
  tt.descriptor_store %c[%zero, %zero], %sums#0 : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  tt.descriptor_store %c[%zero, %wide], %sums#1 : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  tt.return
}

// -----

// What a constant bound leaves: 1000 rows in blocks of 128 along x, and three along y.
// CHECK-LABEL: work:
// CHECK: masks leave 24 programs
tt.func public @masked(%p: !tt.ptr<f32>) {
  %block = arith.constant 128 : i32
  %rows = arith.constant dense<1000> : tensor<128xi32>
  %three = arith.constant 3 : i32
  %x = tt.get_program_id x : i32
  %y = tt.get_program_id y : i32
  %first = arith.muli %x, %block : i32
  %firsts = tt.splat %first : i32 -> tensor<128xi32>
  %r = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
  %at = arith.addi %firsts, %r : tensor<128xi32>
  %inside = arith.cmpi slt, %at, %rows : tensor<128xi32>
  %isThere = arith.cmpi slt, %y, %three : i32
  %areThere = tt.splat %isThere : i1 -> tensor<128xi1>
  %m = arith.andi %inside, %areThere : tensor<128xi1>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
  %q = tt.addptr %ps, %at : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
  %v = tt.load %q, %m : tensor<128x!tt.ptr<f32>>
  tt.store %q, %v, %m : tensor<128x!tt.ptr<f32>>
  tt.return
}

// -----

// A bound's operands are read once, however often they are used: 2^40 paths lead from here to the range.
// CHECK-LABEL: work:
// CHECK-NOT: masks
// CHECK: role main
tt.func public @doubled(%p: !tt.ptr<f32>) {
  %x = tt.get_program_id x : i32
  %a0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
  %m = arith.constant dense<100> : tensor<128xi32>
  %a1 = arith.addi %a0, %a0 : tensor<128xi32>
  %a2 = arith.addi %a1, %a1 : tensor<128xi32>
  %a3 = arith.addi %a2, %a2 : tensor<128xi32>
  %a4 = arith.addi %a3, %a3 : tensor<128xi32>
  %a5 = arith.addi %a4, %a4 : tensor<128xi32>
  %a6 = arith.addi %a5, %a5 : tensor<128xi32>
  %a7 = arith.addi %a6, %a6 : tensor<128xi32>
  %a8 = arith.addi %a7, %a7 : tensor<128xi32>
  %a9 = arith.addi %a8, %a8 : tensor<128xi32>
  %a10 = arith.addi %a9, %a9 : tensor<128xi32>
  %a11 = arith.addi %a10, %a10 : tensor<128xi32>
  %a12 = arith.addi %a11, %a11 : tensor<128xi32>
  %a13 = arith.addi %a12, %a12 : tensor<128xi32>
  %a14 = arith.addi %a13, %a13 : tensor<128xi32>
  %a15 = arith.addi %a14, %a14 : tensor<128xi32>
  %a16 = arith.addi %a15, %a15 : tensor<128xi32>
  %a17 = arith.addi %a16, %a16 : tensor<128xi32>
  %a18 = arith.addi %a17, %a17 : tensor<128xi32>
  %a19 = arith.addi %a18, %a18 : tensor<128xi32>
  %a20 = arith.addi %a19, %a19 : tensor<128xi32>
  %a21 = arith.addi %a20, %a20 : tensor<128xi32>
  %a22 = arith.addi %a21, %a21 : tensor<128xi32>
  %a23 = arith.addi %a22, %a22 : tensor<128xi32>
  %a24 = arith.addi %a23, %a23 : tensor<128xi32>
  %a25 = arith.addi %a24, %a24 : tensor<128xi32>
  %a26 = arith.addi %a25, %a25 : tensor<128xi32>
  %a27 = arith.addi %a26, %a26 : tensor<128xi32>
  %a28 = arith.addi %a27, %a27 : tensor<128xi32>
  %a29 = arith.addi %a28, %a28 : tensor<128xi32>
  %a30 = arith.addi %a29, %a29 : tensor<128xi32>
  %a31 = arith.addi %a30, %a30 : tensor<128xi32>
  %a32 = arith.addi %a31, %a31 : tensor<128xi32>
  %a33 = arith.addi %a32, %a32 : tensor<128xi32>
  %a34 = arith.addi %a33, %a33 : tensor<128xi32>
  %a35 = arith.addi %a34, %a34 : tensor<128xi32>
  %a36 = arith.addi %a35, %a35 : tensor<128xi32>
  %a37 = arith.addi %a36, %a36 : tensor<128xi32>
  %a38 = arith.addi %a37, %a37 : tensor<128xi32>
  %a39 = arith.addi %a38, %a38 : tensor<128xi32>
  %a40 = arith.addi %a39, %a39 : tensor<128xi32>
  %xs = tt.splat %x : i32 -> tensor<128xi32>
  %at = arith.addi %a40, %xs : tensor<128xi32>
  %k = arith.cmpi slt, %a40, %m : tensor<128xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
  %q = tt.addptr %ps, %at : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
  %v = tt.load %q, %k : tensor<128x!tt.ptr<f32>>
  tt.store %q, %v, %k : tensor<128x!tt.ptr<f32>>
  tt.return
}

// -----

// Tiles that wgmma cannot read as they are loaded, of a product whose sums are too many for one group: more groups transpose them, too.
// CHECK-LABEL: work:
// CHECK-NEXT: ring 0: slots of 16384 bytes, 4 useful, transposed
// CHECK-NEXT: ring 1: slots of 32768 bytes, 4 useful, transposed
// CHECK: dot 128x256x32 of 32 bits, wgmma, pipelined
tt.func public @large_outer(%a: !tt.tensordesc<tensor<32x128xf32>>, %ar: i32, %ac: i32, %as0: i64, %as1: i64,
                            %b: !tt.tensordesc<tensor<32x256xf32>>, %br: i32, %bc: i32, %bs0: i64, %bs1: i64, %c: !tt.ptr<f32>, %trips: i32) {
  %zero = arith.constant dense<0.0> : tensor<128x256xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %sum = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %zero) -> (tensor<128x256xf32>) : i32 {
    %k = arith.muli %i, %c32 : i32
    %x = tt.descriptor_load %a[%k, %c0] : !tt.tensordesc<tensor<32x128xf32>> -> tensor<32x128xf32>
    %y = tt.descriptor_load %b[%k, %c0] : !tt.tensordesc<tensor<32x256xf32>> -> tensor<32x256xf32>
    %t = tt.trans %x {order = array<i32: 1, 0>} : tensor<32x128xf32> -> tensor<128x32xf32>
    %d = tt.dot %t, %y, %acc, inputPrecision = tf32 : tensor<128x32xf32> * tensor<32x256xf32> -> tensor<128x256xf32>
    scf.yield %d : tensor<128x256xf32>
  }
  %cs = tt.splat %c : !tt.ptr<f32> -> tensor<128x256x!tt.ptr<f32>>
  tt.store %cs, %sum : tensor<128x256x!tt.ptr<f32>>
  tt.return
}
