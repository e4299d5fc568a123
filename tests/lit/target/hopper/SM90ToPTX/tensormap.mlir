// A tensor map that the kernel makes: every field replaced in 128 bytes of shared memory, copied, released; acquired by its users.
// RUN: tawa-opt %s --tawa-sm90-to-ptx | FileCheck %s

// CHECK-LABEL: llvm.func @make
func.func @make(%base: !llvm.ptr<1>, %scratch: !llvm.ptr<1>, %staging: i32, %columns: i32, %rows: i32, %stride: i64)
    attributes {sm90.kernel, sm90.threads = 32 : i32, sm90.shared_bytes = 128 : i32} {
  // CHECK: [[MAP:%.*]] = llvm.addrspacecast %{{.*}} : !llvm.ptr<1> to !llvm.ptr
  %map = sm90.tensormap_at %scratch : !sm90.tensormap
  // CHECK: st.shared.v4.b32 [$1+0], {0, 0, 0, 0};
  // CHECK-SAME: st.shared.v4.b32 [$1+112], {0, 0, 0, 0};
  // CHECK-SAME: tensormap.replace.tile.global_address.shared::cta.b1024.b64 [$1], $2;
  // CHECK-SAME: tensormap.replace.tile.rank.shared::cta.b1024.b32 [$1], 1;
  // CHECK-SAME: tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [$1], 0, 64;
  // CHECK-SAME: tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [$1], 0, $3;
  // CHECK-SAME: tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [$1], 1, 128;
  // CHECK-SAME: tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [$1], 1, $4;
  // CHECK-SAME: tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [$1], 0, $5;
  // CHECK-SAME: tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [$1], 10;
  // CHECK-SAME: tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [$1], 3;
  // CHECK-SAME: tensormap.replace.tile.fill_mode.shared::cta.b1024.b32 [$1], 1;
  // CHECK-SAME: ld.shared.v4.b32 {word0, word1, word2, word3}, [$1+112];
  // CHECK-SAME: st.v4.b32 [$0+112], {word0, word1, word2, word3};
  // CHECK-SAME: fence.proxy.tensormap::generic.release.gpu;
  sm90.tensormap_write %map, %staging, %base[%columns, %rows] by [%stride] {element = bf16, box = array<i32: 64, 128>, swizzle = 3 : i32, fillsWithNaN}
  // CHECK: "fence.proxy.tensormap::generic.acquire.gpu [$0], 128;"{{.*}} [[MAP]]
  sm90.tensormap_acquire %map
  return
}
