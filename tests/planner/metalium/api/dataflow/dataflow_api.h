// Declarations of TT-Metalium's dataflow interface, as far as printed kernels use it. A test fixture, written from the
// pages kernel_apis/data_movement, kernel_apis/circular_buffers and kernel_apis/kernel_args of
// docs.tenstorrent.com/tt-metal; model/ implements it on the host.
#pragma once

#include "api/kernel_args.h"

#define tt_l1_ptr

void cb_reserve_back(uint32_t cb_id, uint32_t num_pages);
void cb_push_back(uint32_t cb_id, uint32_t num_pages);
void cb_wait_front(uint32_t cb_id, uint32_t num_pages);
void cb_pop_front(uint32_t cb_id, uint32_t num_pages);
uint32_t get_write_ptr(uint32_t cb_id);
uint32_t get_read_ptr(uint32_t cb_id);

uint64_t get_noc_addr(uint32_t noc_x, uint32_t noc_y, uint32_t addr);
uint64_t get_noc_multicast_addr(uint32_t noc_x_start, uint32_t noc_y_start, uint32_t noc_x_end, uint32_t noc_y_end,
                                uint32_t addr);

void noc_async_read(uint64_t src_noc_addr, uint32_t dst_local_l1_addr, uint32_t size);
void noc_async_write(uint32_t src_local_l1_addr, uint64_t dst_noc_addr, uint32_t size);
void noc_async_write_multicast(uint32_t src_local_l1_addr, uint64_t dst_noc_addr_multicast, uint32_t size,
                               uint32_t num_dests, bool linked = false);
void noc_async_read_barrier();
void noc_async_write_barrier();
void noc_async_writes_flushed();
void noc_async_atomic_barrier();

uint32_t get_semaphore(uint32_t semaphore_id);
void noc_semaphore_set(volatile tt_l1_ptr uint32_t *sem_addr, uint32_t val);
void noc_semaphore_wait_min(volatile tt_l1_ptr uint32_t *sem_addr, uint32_t val);
void noc_semaphore_inc(uint64_t addr, uint32_t incr);
void noc_semaphore_set_multicast(uint32_t src_local_l1_addr, uint64_t dst_noc_addr_multicast, uint32_t num_dests,
                                 bool linked = false);

/// What the host appended to the arguments of compilation from `offset` on: here one word.
template <uint32_t offset> struct TensorAccessorArgs {
  static constexpr uint32_t next_compile_time_args_offset() { return offset + 1; }
};

class TensorAccessor {
public:
  template <uint32_t offset>
  TensorAccessor(const TensorAccessorArgs<offset> &, uint32_t address, uint32_t page_size)
      : TensorAccessor(offset, address, page_size) {}
  uint64_t get_noc_addr(uint32_t page_id) const;
  uint32_t page_size;

private:
  TensorAccessor(uint32_t offset, uint32_t address, uint32_t page_size);
  uint32_t address;
};

template <typename AddrGen>
void noc_async_read_page(const uint32_t id, const AddrGen &addrgen, uint32_t dst_local_l1_addr) {
  noc_async_read(addrgen.get_noc_addr(id), dst_local_l1_addr, addrgen.page_size);
}

template <typename AddrGen>
void noc_async_write_page(const uint32_t id, const AddrGen &addrgen, uint32_t src_local_l1_addr) {
  noc_async_write(src_local_l1_addr, addrgen.get_noc_addr(id), addrgen.page_size);
}
