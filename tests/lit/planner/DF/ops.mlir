// Every operation reads back as it is printed, its parts under the names that the text gives them.
// RUN: tawa-opt %s | tawa-opt | FileCheck %s

// CHECK: df.machine @torus {clock = 1000000000, launch = 1000, message = 40, semaphore = 20.5} {
df.machine @torus {semaphore = 20.5, clock = 1.0e9, launch = 1000, message = 40} {
  // CHECK: %x = df.spatial_dim 8
  %x = df.spatial_dim 8
  // CHECK: %y = df.spatial_dim 4
  %y = df.spatial_dim 4
  // CHECK: %FPU = df.mat {shape = [32, 32, 32], throughput = 98}
  %FPU = df.mat {shape=[32, 32, 32], throughput=98}
  // CHECK: %SFPU = df.vec {shape = [32], throughput = 0.1}
  %SFPU = df.vec {shape=[32], throughput=0.1}
  // CHECK: %risc = df.scalar {latency = 2}
  %risc = df.scalar {latency = 2}
  // CHECK: %cores = df.core {scaleout = (%x, %y), scalein = (%FPU, %SFPU, [8, 1])}
  %cores = df.core {scaleout = (%x, %y), scalein=(%FPU, %SFPU, [8, 1])}
  // CHECK: %l1 = df.memory {scaleout = (%x, %y), size = 1499136, bandwidth = 384, latency = 8}
  %l1 = df.memory {scaleout = (%x, %y), size = 1499136, bandwidth = 384, latency = 8}
  // CHECK: %dram = df.memory {size = 4096, bandwidth = 16}
  %dram = df.memory {bandwidth = 16, size = 4096}
  // CHECK: %noc_h = df.interconnects %cores, %cores {map = affine_map<(d0, d1) -> ((d0 + 1) mod 8, d1)>, bandwidth = 28}
  %noc_h = df.interconnects %cores, %cores { map = affine_map<(d0, d1) -> ((d0 + 1) mod 8, d1)>, bandwidth = 28 }
  // CHECK: %noc_v = df.interconnects %l1, %l1 {map = affine_map<(d0, d1) -> (d0, d1 + 1)>, bandwidth = 28, hop_latency = 9, multicast = true}
  %noc_v = df.interconnects %l1, %l1 {
    multicast = true, hop_latency = 9, map = affine_map<(d0, d1) -> (d0, d1 + 1)>, bandwidth = 28}
  // CHECK: %port = df.mux %dram, %cores {map = affine_map<(d0, d1) -> ()>, bandwidth = 28}
  %port = df.mux %dram, %cores {map = affine_map<(d0, d1) -> ()>, bandwidth = 28}
}

// One unit of each kind needs no counts, and a core no units.
// CHECK: df.machine @small {clock = 1}
df.machine @small {clock = 1} {
  %x = df.spatial_dim 2
  %mat = df.mat {shape = [1, 1, 1], throughput = 2}
  // CHECK: scalein = (%mat)}
  %cores = df.core {scaleout = (%x), scalein = (%mat, [1])}
}

df.machine @smaller {clock = 1} {
  %x = df.spatial_dim 1
  // CHECK: %cores = df.core {scaleout = (%x)}
  %cores = df.core {scaleout = (%x)}
}
