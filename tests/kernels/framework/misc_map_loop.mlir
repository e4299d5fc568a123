// A scalar function with branches and a loop of its own, and two packed results.
// run: grid=1,1,1 args=i32[64] i32[64] i32[64] i32:60
module {
  tt.func public @misc_map_loop(%a: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %o: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %o1: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %xnumel: i32) attributes {noinline = false} {
    %c0 = arith.constant 64 : i32
    %c1 = arith.constant dense<0> : tensor<64xi32>
    %v1 = tt.get_program_id x : i32
    %v2 = arith.muli %v1, %c0 : i32
    %v3 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %v4 = tt.splat %v2 : i32 -> tensor<64xi32>
    %v5 = arith.addi %v3, %v4 : tensor<64xi32>
    %v6 = tt.splat %xnumel : i32 -> tensor<64xi32>
    %v7 = arith.cmpi slt, %v5, %v6 : tensor<64xi32>
    %v8 = tt.splat %a : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %v9 = tt.addptr %v8, %v5 : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %v10 = tt.load %v9, %v7, %c1 : tensor<64x!tt.ptr<i32>>
    %v11:2 = "tt.map_elementwise"(%v10) <{pack = 1 : i32}> ({
    ^bb0(%x: i32):
      %z = arith.constant 0 : i32
      %three = arith.constant 3 : i32
      %big = arith.cmpi sgt, %x, %z : i32
      cf.cond_br %big, ^bb1, ^bb2(%z : i32)
    ^bb1:
      %y = arith.muli %x, %three : i32
      cf.br ^bb3(%y, %z : i32, i32)
    ^bb2(%s: i32):
      %s2 = arith.subi %s, %three : i32
      %more = arith.cmpi sgt, %s2, %x : i32
      cf.cond_br %more, ^bb2(%s2 : i32), ^bb3(%s2, %three : i32, i32)
    ^bb3(%e: i32, %f: i32):
      tt.map_elementwise.return %e, %f : i32, i32
    }) : (tensor<64xi32>) -> (tensor<64xi32>, tensor<64xi32>)
    %v12 = tt.splat %o : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %v13 = tt.addptr %v12, %v5 : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    tt.store %v13, %v11#0, %v7 : tensor<64x!tt.ptr<i32>>
    %v14 = tt.splat %o1 : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %v15 = tt.addptr %v14, %v5 : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    tt.store %v15, %v11#1, %v7 : tensor<64x!tt.ptr<i32>>
    tt.return
  }
}
