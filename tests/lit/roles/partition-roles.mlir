// Address arithmetic and loads go to the producer (0), tile statements to the consumer (1), shared scalars to both; carried values
// are split one by one.
// RUN: tawa-opt %s --tawa-partition-roles | FileCheck %s

// CHECK-LABEL: tt.func public @carried_address
tt.func public @carried_address(%da: !tt.tensordesc<tensor<64x32xf16>>, %db: !tt.tensordesc<tensor<32x64xf16>>,
                                %dc: !tt.tensordesc<tensor<64x64xf16>>, %k: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  // CHECK: tt.get_program_id x {tawa.roles = #tawa.roles<producer, consumer>}
  %pid = tt.get_program_id x : i32
  %r:2 = scf.for %i = %c0 to %k step %c1 iter_args(%acc = %zero, %off = %c0) -> (tensor<64x64xf32>, i32) : i32 {
    // CHECK: tt.descriptor_load {{.*}} {tawa.channel = 0 : i32, tawa.roles = #tawa.roles<producer>}
    %a = tt.descriptor_load %da[%pid, %off] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
    // CHECK: tt.descriptor_load {{.*}} {tawa.channel = 0 : i32, tawa.roles = #tawa.roles<producer>}
    %b = tt.descriptor_load %db[%off, %pid] : !tt.tensordesc<tensor<32x64xf16>> -> tensor<32x64xf16>
    // CHECK: tt.dot {{.*}} {tawa.roles = #tawa.roles<consumer>}
    %d = tt.dot %a, %b, %acc : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
    // CHECK: arith.addi {{.*}} {tawa.roles = #tawa.roles<producer>}
    %next = arith.addi %off, %c32 : i32
    scf.yield %d, %next : tensor<64x64xf32>, i32
  // CHECK: } {tawa.carried = [#tawa.roles<consumer>, #tawa.roles<producer>], tawa.roles = #tawa.roles<producer, consumer>}
  }
  // CHECK: arith.truncf {{.*}} {tawa.roles = #tawa.roles<consumer>}
  %h = arith.truncf %r#0 : tensor<64x64xf32> to tensor<64x64xf16>
  tt.descriptor_store %dc[%pid, %pid], %h : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
  tt.return
}
