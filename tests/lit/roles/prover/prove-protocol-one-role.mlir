// One role that puts ahead what it gets itself.
//
// RUN: tawa-opt %s --split-input-file --tawa-prove-protocol --verify-diagnostics | FileCheck %s

// Two tiles ahead, for every trip count.
// CHECK: tawa.proved
// CHECK-LABEL: @alone
module {
  tt.func @alone(%q: !tt.ptr<f16>, %count: i32, %size: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %p = tt.splat %q : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
    %ring = tawa.create_aref : !tawa.aref<3, [tensor<64x64xf16>]>
    tawa.warp_group main warps(4) registers(0) {
      %some = arith.cmpi sgt, %count, %c0 : i32
      %n1 = scf.if %some -> (i32) {
        %an1 = tawa.copy_tile %p along 1 by 8 : tensor<64x64x!tt.ptr<f16>> -> tensor<64x64xf16>
        tawa.put %ring[%c0], %an1 : !tawa.aref<3, [tensor<64x64xf16>]>, tensor<64x64xf16>
        %un1 = arith.addi %c0, %c1 : i32
        scf.yield %un1 : i32
      } else {
        scf.yield %c0 : i32
      }
      %two = arith.cmpi sgt, %count, %c1 : i32
      %n2 = scf.if %two -> (i32) {
        %an2 = tawa.copy_tile %p along 1 by 8 : tensor<64x64x!tt.ptr<f16>> -> tensor<64x64xf16>
        tawa.put %ring[%n1], %an2 : !tawa.aref<3, [tensor<64x64xf16>]>, tensor<64x64xf16>
        %un2 = arith.addi %n1, %c1 : i32
        scf.yield %un2 : i32
      } else {
        scf.yield %n1 : i32
      }
      %ends:2 = scf.for %i = %c0 to %count step %c1 iter_args(%n = %n2, %g = %c0) -> (i32, i32) : i32 {
        %rest = arith.subi %count, %i : i32
        %more = arith.cmpi sgt, %rest, %c2 : i32
        %n3 = scf.if %more -> (i32) {
          %an3 = tawa.copy_tile %p along 1 by 8 : tensor<64x64x!tt.ptr<f16>> -> tensor<64x64xf16>
          tawa.put %ring[%n], %an3 : !tawa.aref<3, [tensor<64x64xf16>]>, tensor<64x64xf16>
          %un3 = arith.addi %n, %c1 : i32
          scf.yield %un3 : i32
        } else {
          scf.yield %n : i32
        }
        %t = tawa.get %ring[%g] : !tawa.aref<3, [tensor<64x64xf16>]> -> tensor<64x64xf16>
        tawa.consumed %ring[%g] : !tawa.aref<3, [tensor<64x64xf16>]>
        %h = arith.addi %g, %c1 : i32
        scf.yield %n3, %h : i32, i32
      }
    }
    tt.return
  }
}

// -----

// The same again and again, as often as a condition says.
// CHECK: tawa.proved
// CHECK-LABEL: @around
module {
  tt.func @around(%q: !tt.ptr<f16>, %count: i32, %size: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %p = tt.splat %q : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
    %ring = tawa.create_aref : !tawa.aref<3, [tensor<64x64xf16>]>
    tawa.warp_group main warps(4) registers(0) {
      %end:3 = scf.while (%t0 = %c0, %wn = %c0, %wg = %c0) : (i32, i32, i32) -> (i32, i32, i32) {
        %on = arith.cmpi slt, %t0, %size : i32
        scf.condition(%on) %t0, %wn, %wg : i32, i32, i32
      } do {
      ^bb0(%tile: i32, %n0: i32, %g0: i32):
        %some = arith.cmpi sgt, %count, %c0 : i32
        %n1 = scf.if %some -> (i32) {
          %an1 = tawa.copy_tile %p along 1 by 8 : tensor<64x64x!tt.ptr<f16>> -> tensor<64x64xf16>
          tawa.put %ring[%n0], %an1 : !tawa.aref<3, [tensor<64x64xf16>]>, tensor<64x64xf16>
          %un1 = arith.addi %n0, %c1 : i32
          scf.yield %un1 : i32
        } else {
          scf.yield %n0 : i32
        }
        %two = arith.cmpi sgt, %count, %c1 : i32
        %n2 = scf.if %two -> (i32) {
          %an2 = tawa.copy_tile %p along 1 by 8 : tensor<64x64x!tt.ptr<f16>> -> tensor<64x64xf16>
          tawa.put %ring[%n1], %an2 : !tawa.aref<3, [tensor<64x64xf16>]>, tensor<64x64xf16>
          %un2 = arith.addi %n1, %c1 : i32
          scf.yield %un2 : i32
        } else {
          scf.yield %n1 : i32
        }
        %ends:2 = scf.for %i = %c0 to %count step %c1 iter_args(%n = %n2, %g = %g0) -> (i32, i32) : i32 {
          %rest = arith.subi %count, %i : i32
          %more = arith.cmpi sgt, %rest, %c2 : i32
          %n3 = scf.if %more -> (i32) {
            %an3 = tawa.copy_tile %p along 1 by 8 : tensor<64x64x!tt.ptr<f16>> -> tensor<64x64xf16>
            tawa.put %ring[%n], %an3 : !tawa.aref<3, [tensor<64x64xf16>]>, tensor<64x64xf16>
            %un3 = arith.addi %n, %c1 : i32
            scf.yield %un3 : i32
          } else {
            scf.yield %n : i32
          }
          %t = tawa.get %ring[%g] : !tawa.aref<3, [tensor<64x64xf16>]> -> tensor<64x64xf16>
          tawa.consumed %ring[%g] : !tawa.aref<3, [tensor<64x64xf16>]>
          %h = arith.addi %g, %c1 : i32
          scf.yield %n3, %h : i32, i32
        }
        %next = arith.addi %tile, %c1 : i32
        scf.yield %next, %ends#0, %ends#1 : i32, i32, i32
      }
    }
    tt.return
  }
}

// -----

// One tile is put before the loop, and the loop puts those after the next: the first get of a second tile has none.
// CHECK: tawa.unproved
// CHECK-LABEL: @too_few
module {
  tt.func @too_few(%q: !tt.ptr<f16>, %count: i32, %size: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %p = tt.splat %q : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
    %ring = tawa.create_aref : !tawa.aref<3, [tensor<64x64xf16>]>
    tawa.warp_group main warps(4) registers(0) {
      %some = arith.cmpi sgt, %count, %c0 : i32
      %n1 = scf.if %some -> (i32) {
        %an1 = tawa.copy_tile %p along 1 by 8 : tensor<64x64x!tt.ptr<f16>> -> tensor<64x64xf16>
        tawa.put %ring[%c0], %an1 : !tawa.aref<3, [tensor<64x64xf16>]>, tensor<64x64xf16>
        %un1 = arith.addi %c0, %c1 : i32
        scf.yield %un1 : i32
      } else {
        scf.yield %c0 : i32
      }
      %ends:2 = scf.for %i = %c0 to %count step %c1 iter_args(%n = %n1, %g = %c0) -> (i32, i32) : i32 {
        %rest = arith.subi %count, %i : i32
        %more = arith.cmpi sgt, %rest, %c2 : i32
        %n3 = scf.if %more -> (i32) {
          %an3 = tawa.copy_tile %p along 1 by 8 : tensor<64x64x!tt.ptr<f16>> -> tensor<64x64xf16>
          tawa.put %ring[%n], %an3 : !tawa.aref<3, [tensor<64x64xf16>]>, tensor<64x64xf16>
          %un3 = arith.addi %n, %c1 : i32
          scf.yield %un3 : i32
        } else {
          scf.yield %n : i32
        }
        // expected-remark @below {{deadlock: the main waits for a tile of ring 0}}
        %t = tawa.get %ring[%g] : !tawa.aref<3, [tensor<64x64xf16>]> -> tensor<64x64xf16>
        tawa.consumed %ring[%g] : !tawa.aref<3, [tensor<64x64xf16>]>
        %h = arith.addi %g, %c1 : i32
        scf.yield %n3, %h : i32, i32
      }
    }
    tt.return
  }
}

// -----

// The last iterations put, too, and that is never read.
// CHECK: tawa.unproved
// CHECK-LABEL: @too_many
// expected-remark @below {{a tile of ring 0 has not been read when the kernel ends}}
module {
  tt.func @too_many(%q: !tt.ptr<f16>, %count: i32, %size: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %p = tt.splat %q : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
    %ring = tawa.create_aref : !tawa.aref<3, [tensor<64x64xf16>]>
    tawa.warp_group main warps(4) registers(0) {
      %some = arith.cmpi sgt, %count, %c0 : i32
      %n1 = scf.if %some -> (i32) {
        %an1 = tawa.copy_tile %p along 1 by 8 : tensor<64x64x!tt.ptr<f16>> -> tensor<64x64xf16>
        tawa.put %ring[%c0], %an1 : !tawa.aref<3, [tensor<64x64xf16>]>, tensor<64x64xf16>
        %un1 = arith.addi %c0, %c1 : i32
        scf.yield %un1 : i32
      } else {
        scf.yield %c0 : i32
      }
      %two = arith.cmpi sgt, %count, %c1 : i32
      %n2 = scf.if %two -> (i32) {
        %an2 = tawa.copy_tile %p along 1 by 8 : tensor<64x64x!tt.ptr<f16>> -> tensor<64x64xf16>
        tawa.put %ring[%n1], %an2 : !tawa.aref<3, [tensor<64x64xf16>]>, tensor<64x64xf16>
        %un2 = arith.addi %n1, %c1 : i32
        scf.yield %un2 : i32
      } else {
        scf.yield %n1 : i32
      }
      %ends:2 = scf.for %i = %c0 to %count step %c1 iter_args(%n = %n2, %g = %c0) -> (i32, i32) : i32 {
        %rest = arith.subi %count, %i : i32
        %more = arith.cmpi sgt, %rest, %c1 : i32
        %n3 = scf.if %more -> (i32) {
          %an3 = tawa.copy_tile %p along 1 by 8 : tensor<64x64x!tt.ptr<f16>> -> tensor<64x64xf16>
          tawa.put %ring[%n], %an3 : !tawa.aref<3, [tensor<64x64xf16>]>, tensor<64x64xf16>
          %un3 = arith.addi %n, %c1 : i32
          scf.yield %un3 : i32
        } else {
          scf.yield %n : i32
        }
        %t = tawa.get %ring[%g] : !tawa.aref<3, [tensor<64x64xf16>]> -> tensor<64x64xf16>
        tawa.consumed %ring[%g] : !tawa.aref<3, [tensor<64x64xf16>]>
        %h = arith.addi %g, %c1 : i32
        scf.yield %n3, %h : i32, i32
      }
    }
    tt.return
  }
}

// -----

// No slot is given back.
// CHECK: tawa.unproved
// CHECK-LABEL: @kept
// expected-remark @below {{the main has not given back a slot of ring 0 when the kernel ends}}
module {
  tt.func @kept(%q: !tt.ptr<f16>, %count: i32, %size: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %p = tt.splat %q : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
    %ring = tawa.create_aref : !tawa.aref<3, [tensor<64x64xf16>]>
    tawa.warp_group main warps(4) registers(0) {
      %some = arith.cmpi sgt, %count, %c0 : i32
      %n1 = scf.if %some -> (i32) {
        %an1 = tawa.copy_tile %p along 1 by 8 : tensor<64x64x!tt.ptr<f16>> -> tensor<64x64xf16>
        tawa.put %ring[%c0], %an1 : !tawa.aref<3, [tensor<64x64xf16>]>, tensor<64x64xf16>
        %un1 = arith.addi %c0, %c1 : i32
        scf.yield %un1 : i32
      } else {
        scf.yield %c0 : i32
      }
      %two = arith.cmpi sgt, %count, %c1 : i32
      %n2 = scf.if %two -> (i32) {
        %an2 = tawa.copy_tile %p along 1 by 8 : tensor<64x64x!tt.ptr<f16>> -> tensor<64x64xf16>
        tawa.put %ring[%n1], %an2 : !tawa.aref<3, [tensor<64x64xf16>]>, tensor<64x64xf16>
        %un2 = arith.addi %n1, %c1 : i32
        scf.yield %un2 : i32
      } else {
        scf.yield %n1 : i32
      }
      %ends:2 = scf.for %i = %c0 to %count step %c1 iter_args(%n = %n2, %g = %c0) -> (i32, i32) : i32 {
        %rest = arith.subi %count, %i : i32
        %more = arith.cmpi sgt, %rest, %c2 : i32
        %n3 = scf.if %more -> (i32) {
          %an3 = tawa.copy_tile %p along 1 by 8 : tensor<64x64x!tt.ptr<f16>> -> tensor<64x64xf16>
          tawa.put %ring[%n], %an3 : !tawa.aref<3, [tensor<64x64xf16>]>, tensor<64x64xf16>
          %un3 = arith.addi %n, %c1 : i32
          scf.yield %un3 : i32
        } else {
          scf.yield %n : i32
        }
        %t = tawa.get %ring[%g] : !tawa.aref<3, [tensor<64x64xf16>]> -> tensor<64x64xf16>
        %h = arith.addi %g, %c1 : i32
        scf.yield %n3, %h : i32, i32
      }
    }
    tt.return
  }
}

// -----

// The count of gets begins anew each time.
// CHECK: tawa.unproved
// CHECK-LABEL: @anew
module {
  tt.func @anew(%q: !tt.ptr<f16>, %count: i32, %size: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %p = tt.splat %q : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
    %ring = tawa.create_aref : !tawa.aref<3, [tensor<64x64xf16>]>
    tawa.warp_group main warps(4) registers(0) {
      %end:3 = scf.while (%t0 = %c0, %wn = %c0, %wg = %c0) : (i32, i32, i32) -> (i32, i32, i32) {
        %on = arith.cmpi slt, %t0, %size : i32
        scf.condition(%on) %t0, %wn, %c0 : i32, i32, i32
      } do {
      ^bb0(%tile: i32, %n0: i32, %g0: i32):
        %some = arith.cmpi sgt, %count, %c0 : i32
        %n1 = scf.if %some -> (i32) {
          %an1 = tawa.copy_tile %p along 1 by 8 : tensor<64x64x!tt.ptr<f16>> -> tensor<64x64xf16>
          tawa.put %ring[%n0], %an1 : !tawa.aref<3, [tensor<64x64xf16>]>, tensor<64x64xf16>
          %un1 = arith.addi %n0, %c1 : i32
          scf.yield %un1 : i32
        } else {
          scf.yield %n0 : i32
        }
        %two = arith.cmpi sgt, %count, %c1 : i32
        %n2 = scf.if %two -> (i32) {
          %an2 = tawa.copy_tile %p along 1 by 8 : tensor<64x64x!tt.ptr<f16>> -> tensor<64x64xf16>
          tawa.put %ring[%n1], %an2 : !tawa.aref<3, [tensor<64x64xf16>]>, tensor<64x64xf16>
          %un2 = arith.addi %n1, %c1 : i32
          scf.yield %un2 : i32
        } else {
          scf.yield %n1 : i32
        }
        %ends:2 = scf.for %i = %c0 to %count step %c1 iter_args(%n = %n2, %g = %g0) -> (i32, i32) : i32 {
          %rest = arith.subi %count, %i : i32
          %more = arith.cmpi sgt, %rest, %c2 : i32
          %n3 = scf.if %more -> (i32) {
            %an3 = tawa.copy_tile %p along 1 by 8 : tensor<64x64x!tt.ptr<f16>> -> tensor<64x64xf16>
            tawa.put %ring[%n], %an3 : !tawa.aref<3, [tensor<64x64xf16>]>, tensor<64x64xf16>
            %un3 = arith.addi %n, %c1 : i32
            scf.yield %un3 : i32
          } else {
            scf.yield %n : i32
          }
          // expected-remark @below {{this index is not known to count the gets of ring 0}}
          %t = tawa.get %ring[%g] : !tawa.aref<3, [tensor<64x64xf16>]> -> tensor<64x64xf16>
          tawa.consumed %ring[%g] : !tawa.aref<3, [tensor<64x64xf16>]>
          %h = arith.addi %g, %c1 : i32
          scf.yield %n3, %h : i32, i32
        }
        %next = arith.addi %tile, %c1 : i32
        scf.yield %next, %ends#0, %ends#1 : i32, i32, i32
      }
    }
    tt.return
  }
}
