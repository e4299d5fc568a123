// RUN: tawa-opt %s --tawa-multicast-tiles="cluster=2" --canonicalize --cse -split-input-file | FileCheck %s
// RUN: tawa-opt %s --tawa-multicast-tiles="cluster=1" -split-input-file | FileCheck %s --check-prefix=ALONE
// Without clusters nothing changes.
// ALONE-NOT: tawa.cluster
// ALONE-NOT: shared

// Four CTAs: what neighbours have in common is shared by all, or by two beside each other.
// RUN: tawa-opt %s --tawa-multicast-tiles="cluster=4" --canonicalize --cse -split-input-file | FileCheck %s --check-prefix=FOUR
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-multicast-tiles="cluster=2" --canonicalize --cse -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-multicast-tiles{{$}}
// COUNTS: {{^ *}}5 num-compared:
// COUNTS: {{^ *}}1 num-own:
// COUNTS: {{^ *}}1 num-same:
// FOUR-LABEL: tt.func public @rows_and_columns
// FOUR-SAME: tawa.cluster = 4 : i32
// FOUR-DAG: [[ZERO:%.*]] = arith.constant 0 : i32
// FOUR-DAG: [[THREE:%.*]] = arith.constant 3 : i32
// FOUR: [[MINE:%.*]] = arith.divsi
// FOUR: [[NEXT:%.*]] = arith.divsi
// FOUR: [[FIRSTPAIR:%.*]] = arith.cmpi eq, [[MINE]], [[NEXT]]
// FOUR: [[THIRD:%.*]] = arith.divsi
// FOUR: [[FIRSTS:%.*]] = arith.cmpi eq, [[MINE]], [[THIRD]]
// FOUR: [[LAST:%.*]] = arith.divsi
// FOUR: [[SECONDPAIR:%.*]] = arith.cmpi eq, [[THIRD]], [[LAST]]
// FOUR: [[PAIRS:%.*]] = arith.andi [[FIRSTPAIR]], [[SECONDPAIR]]
// FOUR: [[TWO:%.*]] = arith.extui [[PAIRS]] : i1 to i32
// FOUR: [[ALL:%.*]] = arith.andi [[FIRSTS]], [[PAIRS]]
// FOUR: [[BITS:%.*]] = arith.select [[ALL]], [[THREE]], [[TWO]]
// FOUR: scf.for
// FOUR: tawa.put {{.*}} multicast([[ZERO]], [[BITS]])

// Tiles numbered in groups of two rows: programs 0 and 2 have rows in common, 0 and 1 columns.
// FOUR-LABEL: tt.func public @in_two_rows
// FOUR-DAG: [[ZERO:%.*]] = arith.constant 0 : i32
// FOUR-DAG: [[TWO:%.*]] = arith.constant 2 : i32
// FOUR-DAG: [[THREE:%.*]] = arith.constant 3 : i32
// FOUR: [[ACROSS:%.*]] = arith.select {{%.*}}, [[TWO]], [[ZERO]]
// FOUR: [[ROWS:%.*]] = arith.select {{%.*}}, [[THREE]], [[ACROSS]]
// FOUR: [[BESIDE:%.*]] = arith.extui {{%.*}} : i1 to i32
// FOUR: [[COLUMNS:%.*]] = arith.select {{%.*}}, [[THREE]], [[BESIDE]]
// FOUR: tawa.put {{.*}} multicast([[ROWS]], [[COLUMNS]])

// Rows differ from program to program, so A is never shared; columns are compared with the neighbour's, before the loop.
// CHECK-LABEL: tt.func public @rows_and_columns
// CHECK-SAME: tawa.cluster = 2 : i32
tt.func public @rows_and_columns(%da: !tt.tensordesc<tensor<64x64xf16>>, %db: !tt.tensordesc<tensor<64x64xf16>>, %n: i32) {
  // CHECK-DAG: [[ZERO:%.*]] = arith.constant 0 : i32
  // CHECK-DAG: [[ONE:%.*]] = arith.constant 1 : i32
  // CHECK-DAG: [[EIGHT:%.*]] = arith.constant 8 : i32
  %ring = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>, tensor<64x64xf16>]>
  tawa.warp_group producer warps(4) registers(40) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c8 = arith.constant 8 : i32
    %c64 = arith.constant 64 : i32
    // CHECK: [[PROGRAM:%.*]] = tt.get_program_id x
    %program = tt.get_program_id x : i32
    %row = arith.muli %program, %c64 : i32
    // CHECK: [[COLUMN:%.*]] = arith.divsi [[PROGRAM]], [[EIGHT]]
    %column = arith.divsi %program, %c8 : i32
    // CHECK: [[NEIGHBOUR:%.*]] = arith.xori [[PROGRAM]], [[ONE]]
    // CHECK: [[OTHER:%.*]] = arith.divsi [[NEIGHBOUR]], [[EIGHT]]
    // CHECK: [[SAME:%.*]] = arith.cmpi eq, [[COLUMN]], [[OTHER]]
    // CHECK: [[BITS:%.*]] = arith.extui [[SAME]] : i1 to i32
    // CHECK: [[PUTS:%.*]] = scf.for
    %count = scf.for %k = %c0 to %n step %c1 iter_args(%i = %c0) -> (i32) : i32 {
      %x = arith.muli %k, %c64 : i32
      %y = arith.addi %column, %x : i32
      %a = tt.descriptor_load %da[%row, %x] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      %b = tt.descriptor_load %db[%y, %x] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      // CHECK: tawa.put {{.*}} multicast([[ZERO]], [[BITS]])
      tawa.put %ring[%i], %a, %b : !tawa.aref<2, [tensor<64x64xf16>, tensor<64x64xf16>]>, tensor<64x64xf16>, tensor<64x64xf16>
      %next = arith.addi %i, %c1 : i32
      scf.yield %next : i32
    }
    // CHECK: tawa.producer_tail {{.*}}[[[PUTS]]]
  }
  tt.return
}

// -----

// What does not depend on the program along x is shared always, also where a loop carries the coordinate. The ring of
// the tile that every program has for itself stays as it was.
// CHECK-LABEL: tt.func public @always
tt.func public @always(%dq: !tt.tensordesc<tensor<64x64xf16>>, %dk: !tt.tensordesc<tensor<64x64xf16>>, %n: i32) {
  // CHECK: [[ONE:%.*]] = arith.constant 1 : i32
  // CHECK: [[Q:%.*]] = tawa.create_aref : <1,
  %q = tawa.create_aref : !tawa.aref<1, [tensor<64x64xf16>]>
  // CHECK: [[K:%.*]] = tawa.create_aref : <2,
  %kv = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  tawa.warp_group producer warps(4) registers(40) {
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %c1 = arith.constant 1 : i32
    %program = tt.get_program_id x : i32
    %head = tt.get_program_id y : i32
    %row = arith.muli %program, %c64 : i32
    %first = arith.muli %head, %n : i32
    %at = arith.addi %first, %row : i32
    %tile = tt.descriptor_load %dq[%at, %c0] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    // CHECK: tawa.put [[Q]][{{.*}}], {{%[^ ]*}} :
    tawa.put %q[%c0], %tile : !tawa.aref<1, [tensor<64x64xf16>]>, tensor<64x64xf16>
    %end:2 = scf.for %k = %c0 to %n step %c64 iter_args(%i = %c0, %y = %first) -> (i32, i32) : i32 {
      %b = tt.descriptor_load %dk[%y, %c0] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      // CHECK: tawa.put [[K]][{{.*}}], {{.*}} multicast([[ONE]])
      tawa.put %kv[%i], %b : !tawa.aref<2, [tensor<64x64xf16>]>, tensor<64x64xf16>
      %next = arith.addi %i, %c1 : i32
      %below = arith.addi %y, %c64 : i32
      scf.yield %next, %below : i32, i32
    }
  }
  tt.return
}

// -----

// In a loop over tiles the neighbour's tile is as far away as its program. Their number is known at launch, so the
// launch checks it; the step is a constant that two divides.
// CHECK-LABEL: tt.func public @tiles
// CHECK-SAME: tawa.cluster = 2 : i32
// CHECK-SAME: tawa.cluster_divides = ["a1"]
tt.func public @tiles(%db: !tt.tensordesc<tensor<64x64xf16>> {tawa.argument = #tawa.part<descriptor, index = 0, dimension = 0>},
                      %tiles: i32 {tawa.argument = #tawa.part<scalar, index = 1, dimension = 0>}) {
  // CHECK-DAG: [[ONE:%.*]] = arith.constant 1 : i32
  // CHECK-DAG: [[EIGHT:%.*]] = arith.constant 8 : i32
  %ring = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  tawa.warp_group producer warps(4) registers(40) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c8 = arith.constant 8 : i32
    %c132 = arith.constant 132 : i32
    // CHECK: [[PROGRAM:%.*]] = tt.get_program_id x
    %program = tt.get_program_id x : i32
    // CHECK: scf.for [[TILE:%.*]] = [[PROGRAM]] to
    %count = scf.for %t = %program to %tiles step %c132 iter_args(%i = %c0) -> (i32) : i32 {
      // CHECK: [[COLUMN:%.*]] = arith.divsi [[TILE]], [[EIGHT]]
      %column = arith.divsi %t, %c8 : i32
      // CHECK: [[NEIGHBOUR:%.*]] = arith.xori [[PROGRAM]], [[ONE]]
      // CHECK: [[AWAY:%.*]] = arith.subi [[NEIGHBOUR]], [[PROGRAM]]
      // CHECK: [[THERE:%.*]] = arith.addi [[TILE]], [[AWAY]]
      // CHECK: [[OTHER:%.*]] = arith.divsi [[THERE]], [[EIGHT]]
      // CHECK: [[SAME:%.*]] = arith.cmpi eq, [[COLUMN]], [[OTHER]]
      // CHECK: [[BITS:%.*]] = arith.extui [[SAME]] : i1 to i32
      %b = tt.descriptor_load %db[%column, %c0] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      // CHECK: tawa.put {{.*}} multicast([[BITS]])
      tawa.put %ring[%i], %b : !tawa.aref<2, [tensor<64x64xf16>]>, tensor<64x64xf16>
      %next = arith.addi %i, %c1 : i32
      scf.yield %next : i32
    }
  }
  tt.return
}

// -----

// Parts of tiles, counted on from a multiple of two (tawa-stream-reduction): neighbours have the same part, from the
// same iteration on, of tiles beside each other.
// CHECK-LABEL: tt.func public @parts
// CHECK-SAME: tawa.cluster = 2 : i32
tt.func public @parts(%db: !tt.tensordesc<tensor<64x64xf16>>, %rounds: i32, %parts: i32, %each: i32) {
  %ring = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  tawa.warp_group producer warps(4) registers(40) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c8 = arith.constant 8 : i32
    // CHECK: [[PROGRAM:%.*]] = tt.get_program_id x
    %program = tt.get_program_id x : i32
    %programs = tt.get_num_programs x : i32
    %pairs = arith.muli %rounds, %c2 : i32
    %shared = arith.maxui %pairs, %c2 : i32
    %units = arith.muli %shared, %parts : i32
    // CHECK: scf.for
    %count = scf.for %unit = %program to %units step %programs iter_args(%i = %c0) -> (i32) : i32 {
      %tile = arith.remui %unit, %shared : i32
      // CHECK: [[PART:%.*]] = arith.divui
      %part = arith.divui %unit, %shared : i32
      // CHECK: [[COLUMN:%.*]] = arith.divsi
      %column = arith.divsi %tile, %c8 : i32
      // CHECK: [[FIRST:%.*]] = arith.muli [[PART]],
      %first = arith.muli %part, %each : i32
      %end = arith.addi %first, %each : i32
      // CHECK: [[NEIGHBOUR:%.*]] = arith.xori [[PROGRAM]],
      // CHECK: [[OTHER:%.*]] = arith.divsi
      // CHECK: [[SAME:%.*]] = arith.cmpi eq, [[COLUMN]], [[OTHER]]
      // CHECK: [[BITS:%.*]] = arith.extui [[SAME]] : i1 to i32
      // CHECK: scf.for %{{.*}} = [[FIRST]] to
      %inner = scf.for %k = %first to %end step %c1 iter_args(%j = %i) -> (i32) : i32 {
        %b = tt.descriptor_load %db[%column, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
        // CHECK: tawa.put {{.*}} multicast([[BITS]])
        tawa.put %ring[%j], %b : !tawa.aref<2, [tensor<64x64xf16>]>, tensor<64x64xf16>
        %next = arith.addi %j, %c1 : i32
        scf.yield %next : i32
      }
      scf.yield %inner : i32
    }
  }
  tt.return
}

// -----

// CHECK-LABEL: tt.func public @in_two_rows
tt.func public @in_two_rows(%da: !tt.tensordesc<tensor<64x64xf16>>, %db: !tt.tensordesc<tensor<64x64xf16>>, %n: i32, %columns: i32) {
  %ring = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>, tensor<64x64xf16>]>
  tawa.warp_group producer warps(4) registers(40) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c64 = arith.constant 64 : i32
    %program = tt.get_program_id x : i32
    %group_size = arith.muli %columns, %c2 : i32
    %group = arith.divsi %program, %group_size : i32
    %inside = arith.remsi %program, %group_size : i32
    %first = arith.muli %group, %c2 : i32
    %within = arith.remsi %inside, %c2 : i32
    %m = arith.addi %first, %within : i32
    %row = arith.muli %m, %c64 : i32
    %column = arith.divsi %inside, %c2 : i32
    %count = scf.for %k = %c0 to %n step %c1 iter_args(%i = %c0) -> (i32) : i32 {
      %x = arith.muli %k, %c64 : i32
      %a = tt.descriptor_load %da[%row, %x] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      %b = tt.descriptor_load %db[%column, %x] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      tawa.put %ring[%i], %a, %b : !tawa.aref<2, [tensor<64x64xf16>, tensor<64x64xf16>]>, tensor<64x64xf16>, tensor<64x64xf16>
      %next = arith.addi %i, %c1 : i32
      scf.yield %next : i32
    }
  }
  tt.return
}
