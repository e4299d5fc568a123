// A scalar function with a branch for each of the 64 elements of a thread, and then a store to what was loaded: the accesses
// before the branches are joined after each of them, and are still two.
// run: grid=2 config="warps=1" args=i32[4096]=-100..100 i32[4096]
module {
  tt.func public @absolute_tile(%in: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<i32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %size = arith.constant 2048 : i32
    %pid = tt.get_program_id x : i32
    %off = arith.muli %pid, %size : i32
    %range = tt.make_range {end = 2048 : i32, start = 0 : i32} : tensor<2048xi32>
    %offs = tt.splat %off : i32 -> tensor<2048xi32>
    %i = arith.addi %offs, %range : tensor<2048xi32>
    %in0 = tt.splat %in : !tt.ptr<i32> -> tensor<2048x!tt.ptr<i32>>
    %in1 = tt.addptr %in0, %i : tensor<2048x!tt.ptr<i32>>, tensor<2048xi32>
    %x = tt.load %in1 : tensor<2048x!tt.ptr<i32>>
    %y = "tt.map_elementwise"(%x) <{pack = 1 : i32}> ({
    ^bb0(%e: i32):
      %zero = arith.constant 0 : i32
      %negative = arith.cmpi slt, %e, %zero : i32
      cf.cond_br %negative, ^bb1, ^bb2(%e : i32)
    ^bb1:  // pred: ^bb0
      %n = arith.subi %zero, %e : i32
      cf.br ^bb2(%n : i32)
    ^bb2(%r: i32):  // 2 preds: ^bb0, ^bb1
      tt.map_elementwise.return %r : i32
    }) : (tensor<2048xi32>) -> tensor<2048xi32>
    %out0 = tt.splat %out : !tt.ptr<i32> -> tensor<2048x!tt.ptr<i32>>
    %out1 = tt.addptr %out0, %i : tensor<2048x!tt.ptr<i32>>, tensor<2048xi32>
    tt.store %out1, %y : tensor<2048x!tt.ptr<i32>>
    tt.store %in1, %y : tensor<2048x!tt.ptr<i32>>
    tt.return
  }
}
