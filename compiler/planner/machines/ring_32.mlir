// A ring of 32 cores of the kind of IBM's Spyre accelerator, with three rings (TileLoom, arXiv 2512.22168, section 3.3).
//
// Sources: [doc] torch-spyre.readthedocs.io, "IBM Spyre device": 32 cores of two corelets, 2 MB scratchpad each, a ring of 128 bytes
// per cycle and direction, 128 GB of LPDDR5. Figures marked "estimate" have no source and are of the right size.
df.machine @ring_32 {
  clock = 1.0e9,    // estimate
  launch = 3000,    // estimate
  message = 30,     // estimate
  semaphore = 20    // estimate
} {
  %x = df.spatial_dim 32

  // Two corelets [doc], each with 8 x 8 elements [doc] of 8 FP16 multiply-adds per cycle (estimate).
  %pt = df.mat {shape = [8, 64, 8], throughput = 1024}
  %sfu = df.vec {shape = [64], throughput = 64}             // 64 FP16 elements are a stick of 128 bytes [doc]; estimate
  %cores = df.core {scaleout = (%x), scalein = (%pt, %sfu, [2, 2])}

  %lx = df.memory {scaleout = (%x), size = 2097152, bandwidth = 256, latency = 8}   // size [doc]; rest: estimate
  %lx_port = df.mux %lx, %cores {map = affine_map<(d0) -> (d0)>, bandwidth = 256}

  // Data in both directions [doc], and a third ring [TileLoom], taken as narrower (estimate).
  %ring_up = df.interconnects %cores, %cores {
    map = affine_map<(d0) -> ((d0 + 1) mod 32)>, bandwidth = 128, hop_latency = 2, multicast = true}
  %ring_down = df.interconnects %cores, %cores {
    map = affine_map<(d0) -> ((d0 + 31) mod 32)>, bandwidth = 128, hop_latency = 2, multicast = true}
  %ring_request = df.interconnects %cores, %cores {
    map = affine_map<(d0) -> ((d0 + 1) mod 32)>, bandwidth = 32, hop_latency = 2}

  // 128 GB [doc] in four groups of channels, 204.8 GB/s in all: 256 bits of LPDDR5-6400 (estimate).
  %channel = df.spatial_dim 4
  %lpddr = df.memory {scaleout = (%channel), size = 34359738368, bandwidth = 51.2, latency = 200}
  %lpddr_port = df.mux %lpddr, %cores {map = affine_map<(d0) -> (d0 floordiv 8)>, bandwidth = 128}
}
