// NVIDIA H100 SXM as a spatial machine: 132 multiprocessors (SMs) in 66 pairs (TPCs), in 8 groups (GPCs).
//
// Rates are those of runtime/hardware/gpus/h100_sxm.hw, per cycle of its clock; a test compares them. Figures marked "estimate" have no
// source and are of the right size. GPCs have 8 or 9 TPCs: the map (8 t) floordiv 66 deals 66 TPCs out as evenly as that.
df.machine @h100_sxm {
  clock = 1.98e9,
  launch = 2772,    // launch_latency, 1.4 us
  message = 20,     // load_overhead, 9.9 ns
  semaphore = 12    // handover, 5.84 ns
} {
  %tpc = df.spatial_dim 66
  %sm = df.spatial_dim 2

  %wgmma = df.mat {shape = [64, 256, 16], throughput = 4096}   // tensor_16bit
  %warp = df.vec {shape = [32], throughput = 32}               // four schedulers: vector_32bit is 256 FLOP, two per element
  %cores = df.core {scaleout = (%tpc, %sm), scalein = (%wgmma, %warp, [1, 4])}

  // What one CTA may have of shared memory: shared_per_block, shared_rate.
  %smem = df.memory {scaleout = (%tpc, %sm), size = 232448, bandwidth = 128, latency = 30}   // latency: estimate
  %smem_port = df.mux %smem, %cores {map = affine_map<(d0, d1) -> (d0, d1)>, bandwidth = 128}

  // Distributed shared memory of a cluster of two, one TPC: TMA multicast fills both at port_rate. The latency from SM to SM is that
  // of arXiv 2402.13499.
  %dsm = df.interconnects %cores, %cores {
    map = affine_map<(d0, d1) -> (d0, (d1 + 1) mod 2)>, bandwidth = 80, hop_latency = 180, multicast = true}

  // L2, 50 MiB and l2_rate (16.5 TB/s) in all, taken as one slice per GPC; each SM takes port_rate of it. A slice holds what its
  // GPC reads; that GPCs share lines is not modelled.
  %gpc = df.spatial_dim 8
  %l2 = df.memory {scaleout = (%gpc), size = 6553600, bandwidth = 1041.7, latency = 270}   // latency: estimate
  %l2_port = df.mux %l2, %cores {map = affine_map<(d0, d1) -> ((d0 * 8) floordiv 66)>, bandwidth = 80}

  // Five stacks of HBM3, 80 GB; memory_rate (2.897 TB/s) in all, load_latency (0.5 us).
  %stack = df.spatial_dim 5
  %hbm = df.memory {scaleout = (%stack), size = 16000000000, bandwidth = 292.6, latency = 990}
  %hbm_port = df.mux %hbm, %cores {map = affine_map<(d0, d1) -> ((d0 * 5) floordiv 66)>, bandwidth = 80}
}
