// One of several matrices, by a number from a table or of a program: where its offset is computed in 64 bits, it is a
// dimension of the descriptor of its own, so that rows fit their coordinates; in 32 bits, where the mask bounds rows and
// columns of each.
// RUN: tawa-opt %s --split-input-file --tawa-specialize-arguments --tawa-raise-loads='consumer-groups=1' --canonicalize --cse 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=WHY < %t

// Experts of a mixture, n x k each: the loop counts columns up to the length of a row, so that a negative expert is before
// the tensor.
// CHECK-LABEL: tt.func public @experts
// CHECK: %[[SIZE:.*]] = arith.muli %{{.*}}, %{{.*}} : i64
// CHECK: %[[D:.*]] = tt.make_tensor_descriptor %{{.*}}, [%{{.*}}, %{{.*}}, %{{.*}}], [%[[SIZE]], %{{.*}}, %{{.*}}] : <f16>, <tensor<1x64x64xf16>>
// CHECK: %[[EXPERT:.*]] = tt.load %{{.*}} : !tt.ptr<i32>
// CHECK: scf.for %[[FIRST:.*]] = %{{.*}} to %{{.*}} step
// CHECK: tt.descriptor_load %[[D]][%[[EXPERT]], %{{.*}}, %[[FIRST]]] : !tt.tensordesc<tensor<1x64x64xf16>> -> tensor<64x64xf16>
tt.func public @experts(%b: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %c: !tt.ptr<f32>, %experts: !tt.ptr<i32>,
                        %n: i32 {tt.divisibility = 16 : i32}, %k: i32 {tt.divisibility = 16 : i32}) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %program = tt.get_program_id x : i32
  %where = tt.addptr %experts, %program : !tt.ptr<i32>, i32
  %expert = tt.load %where : !tt.ptr<i32>
  %wide = arith.extsi %expert : i32 to i64
  %nw = arith.extsi %n : i32 to i64
  %kw = arith.extsi %k : i32 to i64
  %rows0 = arith.muli %wide, %nw : i64
  %offset = arith.muli %rows0, %kw : i64
  %base = tt.addptr %b, %offset : !tt.ptr<f16>, i64
  %rows = tt.expand_dims %range {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %ks = tt.splat %k : i32 -> tensor<64x1xi32>
  %lines = arith.muli %rows, %ks : tensor<64x1xi32>
  %bs = tt.splat %base : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
  %bl = tt.addptr %bs, %lines : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
  %blb = tt.broadcast %bl : tensor<64x1x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
  %r = scf.for %first = %c0 to %k step %c64 iter_args(%sum = %zero) -> (tensor<64x64xf32>) : i32 {
    %firsts = tt.splat %first : i32 -> tensor<64xi32>
    %columns = arith.addi %firsts, %range : tensor<64xi32>
    %cols = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %colsb = tt.broadcast %cols : tensor<1x64xi32> -> tensor<64x64xi32>
    %p = tt.addptr %blb, %colsb : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
    %x = tt.load %p : tensor<64x64x!tt.ptr<f16>>
    %d = tt.dot %x, %x, %sum : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %cs = tt.splat %c : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  tt.store %cs, %r : tensor<64x64x!tt.ptr<f32>>
  tt.return
}

// -----

// Heads of attention, as programs in sections number them. Without the mask they would be columns.
// CHECK-LABEL: tt.func public @heads
// CHECK: %[[D:.*]] = tt.make_tensor_descriptor %{{.*}}, [%{{.*}}, %{{.*}}, %{{.*}}], [%{{.*}}, %{{.*}}, %{{.*}}] : <f16>, <tensor<1x64x64xf16>>
// CHECK: %[[PROGRAM:.*]] = tt.get_program_id y
// CHECK: scf.for %[[FIRST:.*]] = %{{.*}} to %{{.*}} step
// CHECK: %[[BEGIN:.*]] = arith.muli
// CHECK: %[[HEAD:.*]] = arith.addi %[[BEGIN]], %[[PROGRAM]]
// CHECK: %[[ROW:.*]] = arith.select %{{.*}}, %{{.*}}, %[[FIRST]]
// CHECK: tt.descriptor_load %[[D]][%[[HEAD]], %[[ROW]], %{{.*}}] : !tt.tensordesc<tensor<1x64x64xf16>> -> tensor<64x64xf16>
tt.func public @heads(%b: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %c: !tt.ptr<f32>, %keys: i32,
                      %head: i32 {tt.divisibility = 16 : i32}, %row: i32 {tt.divisibility = 16 : i32}) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %none = arith.constant dense<0.0> : tensor<64x64xf16>
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %columns = tt.expand_dims %range {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %program = tt.get_program_id y : i32
  %section = tt.get_program_id x : i32
  %sections = tt.get_num_programs x : i32
  %begin = arith.muli %section, %sections : i32
  %number = arith.addi %begin, %program : i32
  %offset = arith.muli %number, %head : i32
  %base = tt.addptr %b, %offset : !tt.ptr<f16>, i32
  %bs = tt.splat %base : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
  %r = scf.for %first = %c0 to %keys step %c64 iter_args(%sum = %zero) -> (tensor<64x64xf32>) : i32 {
    %firsts = tt.splat %first : i32 -> tensor<64xi32>
    %here = arith.addi %firsts, %range : tensor<64xi32>
    %rows = tt.expand_dims %here {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %stride = tt.splat %row : i32 -> tensor<64x1xi32>
    %lines = arith.muli %rows, %stride : tensor<64x1xi32>
    %bl = tt.addptr %bs, %lines : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
    %blb = tt.broadcast %bl : tensor<64x1x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
    %colsb = tt.broadcast %columns : tensor<1x64xi32> -> tensor<64x64xi32>
    %p = tt.addptr %blb, %colsb : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
    %end = tt.splat %keys : i32 -> tensor<64x1xi32>
    %isThere = arith.cmpi slt, %rows, %end : tensor<64x1xi32>
    %columnEnd = arith.constant dense<64> : tensor<1x64xi32>
    %isColumn = arith.cmpi slt, %columns, %columnEnd : tensor<1x64xi32>
    %mr = tt.broadcast %isThere : tensor<64x1xi1> -> tensor<64x64xi1>
    %mc = tt.broadcast %isColumn : tensor<1x64xi1> -> tensor<64x64xi1>
    %mask = arith.andi %mr, %mc : tensor<64x64xi1>
    %x = tt.load %p, %mask, %none : tensor<64x64x!tt.ptr<f16>>
    %d = tt.dot %x, %x, %sum : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %cs = tt.splat %c : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  tt.store %cs, %r : tensor<64x64x!tt.ptr<f32>>
  tt.return
}

// -----

// In 64 bits a number that is a product may not fit its coordinate. Heads that are numbered in 32 bits do, also where rows and
// columns have no end (%b); a number that is a product in 64 bits may be larger (%d).
// CHECK-LABEL: tt.func public @wide_heads
// CHECK: %[[D:.*]] = tt.make_tensor_descriptor %{{.*}}, [%{{.*}}, %{{.*}}, %{{.*}}], [%{{.*}}, %{{.*}}, %{{.*}}] : <f16>, <tensor<1x64x64xf16>>
// CHECK: scf.for %[[FIRST:.*]] = %{{.*}} to %{{.*}} step
// CHECK: %[[BEGIN:.*]] = arith.muli %{{.*}} : i32
// CHECK: %[[HEAD:.*]] = arith.addi %[[BEGIN]], %{{.*}} : i32
// CHECK: tt.descriptor_load %[[D]][%[[HEAD]], %[[FIRST]], %{{.*}}] : !tt.tensordesc<tensor<1x64x64xf16>> -> tensor<64x64xf16>
// CHECK: tt.load %{{.*}} : tensor<64x64x!tt.ptr<f16>>
// WHY: remark: copied by threads instead of TMA: an offset of it is no row and no column, and may be large
tt.func public @wide_heads(%b: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %d: !tt.ptr<f16> {tt.divisibility = 16 : i32},
                           %c: !tt.ptr<f32>, %keys: i32, %head: i32 {tt.divisibility = 16 : i32}) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %stride = arith.constant dense<64> : tensor<64x1xi32>
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %columns = tt.expand_dims %range {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %colsb = tt.broadcast %columns : tensor<1x64xi32> -> tensor<64x64xi32>
  %program = tt.get_program_id y : i32
  %section = tt.get_program_id x : i32
  %sections = tt.get_num_programs x : i32
  %begin = arith.muli %section, %sections : i32
  %number = arith.addi %begin, %program : i32
  %headw = arith.extsi %head : i32 to i64
  %numberw = arith.extsi %number : i32 to i64
  %offset = arith.muli %numberw, %headw : i64
  %base = tt.addptr %b, %offset : !tt.ptr<f16>, i64
  %sectionw = arith.extsi %section : i32 to i64
  %programw = arith.extsi %program : i32 to i64
  %square = arith.muli %sectionw, %programw : i64
  %far = arith.muli %square, %headw : i64
  %other = tt.addptr %d, %far : !tt.ptr<f16>, i64
  %bs = tt.splat %base : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
  %ds = tt.splat %other : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
  %r = scf.for %first = %c0 to %keys step %c64 iter_args(%sum = %zero) -> (tensor<64x64xf32>) : i32 {
    %firsts = tt.splat %first : i32 -> tensor<64xi32>
    %here = arith.addi %firsts, %range : tensor<64xi32>
    %rows = tt.expand_dims %here {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %lines = arith.muli %rows, %stride : tensor<64x1xi32>
    %bl = tt.addptr %bs, %lines : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
    %blb = tt.broadcast %bl : tensor<64x1x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
    %p = tt.addptr %blb, %colsb : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
    %x = tt.load %p : tensor<64x64x!tt.ptr<f16>>
    %dl = tt.addptr %ds, %lines : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
    %dlb = tt.broadcast %dl : tensor<64x1x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
    %q = tt.addptr %dlb, %colsb : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
    %y = tt.load %q : tensor<64x64x!tt.ptr<f16>>
    %next = tt.dot %x, %y, %sum : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  %cs = tt.splat %c : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  tt.store %cs, %r : tensor<64x64x!tt.ptr<f32>>
  tt.return
}

// -----

// A stride of matrices that is no multiple of 16 bytes but of 8, and a number that may be negative as it is a difference.
// CHECK-LABEL: tt.func public @stay
// CHECK-COUNT-2: tt.load %{{.*}} : tensor<64x64x!tt.ptr<f16>>
// WHY: remark: copied by threads instead of TMA: its matrices are not known to begin at multiples of 16 bytes
// WHY: remark: copied by threads instead of TMA: an index of it may be negative
tt.func public @stay(%b: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %c: !tt.ptr<f32>, %odd: i32 {tt.divisibility = 4 : i32},
                     %even: i32 {tt.divisibility = 16 : i32}, %rounds: i32) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4096 = arith.constant 4096 : i32
  %c64 = arith.constant dense<64> : tensor<64x1xi32>
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %program = tt.get_program_id x : i32
  %before = arith.subi %program, %rounds : i32
  %wide = arith.extsi %program : i32 to i64
  %beforew = arith.extsi %before : i32 to i64
  %oddw = arith.extsi %odd : i32 to i64
  %evenw = arith.extsi %even : i32 to i64
  %one = arith.muli %wide, %oddw : i64
  %other = arith.muli %beforew, %evenw : i64
  %b1 = tt.addptr %b, %one : !tt.ptr<f16>, i64
  %b2 = tt.addptr %b, %other : !tt.ptr<f16>, i64
  %rows = tt.expand_dims %range {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %cols = tt.expand_dims %range {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %colsb = tt.broadcast %cols : tensor<1x64xi32> -> tensor<64x64xi32>
  %lines = arith.muli %rows, %c64 : tensor<64x1xi32>
  %linesb = tt.broadcast %lines : tensor<64x1xi32> -> tensor<64x64xi32>
  %at = arith.addi %linesb, %colsb : tensor<64x64xi32>
  %s1 = tt.splat %b1 : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
  %s2 = tt.splat %b2 : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
  %r = scf.for %it = %c0 to %rounds step %c1 iter_args(%sum = %zero) -> (tensor<64x64xf32>) : i32 {
    %distance = arith.muli %it, %c4096 : i32
    %distances = tt.splat %distance : i32 -> tensor<64x64xi32>
    %here = arith.addi %at, %distances : tensor<64x64xi32>
    %p1 = tt.addptr %s1, %here : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
    %x = tt.load %p1 : tensor<64x64x!tt.ptr<f16>>
    %p2 = tt.addptr %s2, %here : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
    %y = tt.load %p2 : tensor<64x64x!tt.ptr<f16>>
    %d = tt.dot %x, %y, %sum : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %cs = tt.splat %c : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  tt.store %cs, %r : tensor<64x64x!tt.ptr<f32>>
  tt.return
}
