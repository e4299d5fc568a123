// A scalar function with branches and a loop of its own, applied to every element; a second one to pairs of them.
// run: grid=2,1,1 args=i32[512]=1..1001 i32[512]=1..1001 i32[512] i32[512]
module {
  tt.func public @gcd_tiles(%a_ptr: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %b_ptr: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %g_ptr: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %s_ptr: !tt.ptr<i32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c256_i32 = arith.constant 256 : i32
    %pid = tt.get_program_id x : i32
    %off = arith.muli %pid, %c256_i32 : i32
    %range = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %offs = tt.splat %off : i32 -> tensor<256xi32>
    %i = arith.addi %offs, %range : tensor<256xi32>
    %a0 = tt.splat %a_ptr : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>>
    %a1 = tt.addptr %a0, %i : tensor<256x!tt.ptr<i32>>, tensor<256xi32>
    %a = tt.load %a1 : tensor<256x!tt.ptr<i32>>
    %b0 = tt.splat %b_ptr : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>>
    %b1 = tt.addptr %b0, %i : tensor<256x!tt.ptr<i32>>, tensor<256xi32>
    %b = tt.load %b1 : tensor<256x!tt.ptr<i32>>
    %gcd = "tt.map_elementwise"(%a, %b) <{pack = 1 : i32}> ({
    ^bb0(%x: i32, %y: i32):
      %zero = arith.constant 0 : i32
      cf.br ^bb1(%x, %y : i32, i32)
    ^bb1(%u: i32, %v: i32):  // 2 preds: ^bb0, ^bb2
      %more = arith.cmpi ne, %v, %zero : i32
      cf.cond_br %more, ^bb2, ^bb3
    ^bb2:  // pred: ^bb1
      %r = arith.remui %u, %v : i32
      cf.br ^bb1(%v, %r : i32, i32)
    ^bb3:  // pred: ^bb1
      tt.map_elementwise.return %u : i32
    }) : (tensor<256xi32>, tensor<256xi32>) -> tensor<256xi32>
    %sum = "tt.map_elementwise"(%a, %gcd) <{pack = 2 : i32}> ({
    ^bb0(%x0: i32, %x1: i32, %y0: i32, %y1: i32):
      %big = arith.cmpi ugt, %y0, %x0 : i32
      %t0 = arith.select %big, %y0, %x0 : i32
      %t1 = arith.divui %x1, %y1 : i32
      %d = arith.divui %t0, %y0 : i32
      tt.map_elementwise.return %d, %t1 : i32, i32
    }) : (tensor<256xi32>, tensor<256xi32>) -> tensor<256xi32>
    %g0 = tt.splat %g_ptr : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>>
    %g1 = tt.addptr %g0, %i : tensor<256x!tt.ptr<i32>>, tensor<256xi32>
    tt.store %g1, %gcd : tensor<256x!tt.ptr<i32>>
    %s0 = tt.splat %s_ptr : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>>
    %s1 = tt.addptr %s0, %i : tensor<256x!tt.ptr<i32>>, tensor<256xi32>
    tt.store %s1, %sum : tensor<256x!tt.ptr<i32>>
    tt.return
  }
}
