// Linear attention by chunks, as recurrent models write it: block pointers made inside of the loop with offsets that
// come from the chunk, a transposed one by its strides, NaN padding replaced, a state carried in registers.
// run: grid=2,1,1 args=f32[3200] f32[3200] f32[3200] f32[3200]=0 f32[512] i32:100
module {
  tt.func public @chunk_state(%q: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %k: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %v: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %o: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %state: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %T: i32) attributes {noinline = false} {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c31_i32 = arith.constant 31 : i32
    %c32_i32 = arith.constant 32 : i32
    %c16_i32 = arith.constant 16 : i32
    %c1_i64 = arith.constant 1 : i64
    %c16_i64 = arith.constant 16 : i64
    %zero_s = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
    %zero_c = arith.constant dense<0.000000e+00> : tensor<32x32xf32>
    %zero_o = arith.constant dense<0.000000e+00> : tensor<32x16xf32>
    %head = tt.get_program_id x : i32
    %0 = arith.muli %head, %T : i32
    %1 = arith.muli %0, %c16_i32 : i32
    %2 = arith.extsi %T : i32 to i64
    %qb = tt.addptr %q, %1 : !tt.ptr<f32>, i32
    %kb = tt.addptr %k, %1 : !tt.ptr<f32>, i32
    %vb = tt.addptr %v, %1 : !tt.ptr<f32>, i32
    %ob = tt.addptr %o, %1 : !tt.ptr<f32>, i32
    %3 = arith.addi %T, %c31_i32 : i32
    %4 = arith.divsi %3, %c32_i32 : i32
    %row = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %5 = tt.expand_dims %row {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %6 = tt.expand_dims %row {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %7 = tt.broadcast %5 : tensor<32x1xi32> -> tensor<32x32xi32>
    %8 = tt.broadcast %6 : tensor<1x32xi32> -> tensor<32x32xi32>
    %lower = arith.cmpi sge, %7, %8 : tensor<32x32xi32>
    %h = scf.for %i = %c0_i32 to %4 step %c1_i32 iter_args(%s = %zero_s) -> (tensor<16x16xf32>)  : i32 {
      %t0 = arith.muli %i, %c32_i32 : i32
      %pq = tt.make_tensor_ptr %qb, [%2, %c16_i64], [%c16_i64, %c1_i64], [%t0, %c0_i32] {order = array<i32: 1, 0>} : <tensor<32x16xf32>>
      %pk = tt.make_tensor_ptr %kb, [%c16_i64, %2], [%c1_i64, %c16_i64], [%c0_i32, %t0] {order = array<i32: 0, 1>} : <tensor<16x32xf32>>
      %pv = tt.make_tensor_ptr %vb, [%2, %c16_i64], [%c16_i64, %c1_i64], [%t0, %c0_i32] {order = array<i32: 1, 0>} : <tensor<32x16xf32>>
      %tq = tt.load %pq {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<32x16xf32>>
      %tk = tt.load %pk evictionPolicy = evict_last {boundaryCheck = array<i32: 1>} : !tt.ptr<tensor<16x32xf32>>
      %tv_nan = tt.load %pv {boundaryCheck = array<i32: 0>, padding = 2 : i32} : !tt.ptr<tensor<32x16xf32>>
      %isnan = arith.cmpf une, %tv_nan, %tv_nan : tensor<32x16xf32>
      %tv = arith.select %isnan, %zero_o, %tv_nan : tensor<32x16xi1>, tensor<32x16xf32>
      %inter = tt.dot %tq, %s, %zero_o : tensor<32x16xf32> * tensor<16x16xf32> -> tensor<32x16xf32>
      %scores = tt.dot %tq, %tk, %zero_c : tensor<32x16xf32> * tensor<16x32xf32> -> tensor<32x32xf32>
      %masked = arith.select %lower, %scores, %zero_c : tensor<32x32xi1>, tensor<32x32xf32>
      %out = tt.dot %masked, %tv, %inter : tensor<32x32xf32> * tensor<32x16xf32> -> tensor<32x16xf32>
      %po = tt.make_tensor_ptr %ob, [%2, %c16_i64], [%c16_i64, %c1_i64], [%t0, %c0_i32] {order = array<i32: 1, 0>} : <tensor<32x16xf32>>
      tt.store %po, %out {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<32x16xf32>>
      %next = tt.dot %tk, %tv, %s : tensor<16x32xf32> * tensor<32x16xf32> -> tensor<16x16xf32>
      scf.yield %next : tensor<16x16xf32>
    }
    %ps = tt.make_tensor_ptr %state, [%c16_i64, %c16_i64], [%c16_i64, %c1_i64], [%c0_i32, %c0_i32] {order = array<i32: 1, 0>} : <tensor<16x16xf32>>
    %9 = arith.cmpi eq, %head, %c0_i32 : i32
    scf.if %9 {
      tt.store %ps, %h : !tt.ptr<tensor<16x16xf32>>
    }
    tt.return
  }
}
