/* dlpack.h: arguments of Tawa from tensors as DLPack describes them (NumPy, PyTorch, CuPy, JAX, TVM). C99, header only,
 * needs no header of DLPack: the structs are mirrored here, since their layout is DLPack's ABI and does not change.
 */
#ifndef TAWA_DLPACK_H
#define TAWA_DLPACK_H

#include <tawa/tawa.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The layout of DLTensor. */
typedef struct tawa_dltensor {
  void *data;
  int32_t device_type; /* 1: CPU, 2: CUDA, 13: CUDA managed */
  int32_t device_id;
  int32_t ndim;
  uint8_t code; /* of the element type: 0 signed, 1 unsigned, 2 float, 4 bfloat16, 6 bool, 10 and 12 8-bit floats */
  uint8_t bits;
  uint16_t lanes;
  int64_t *shape;
  int64_t *strides; /* in elements; NULL: contiguous */
  uint64_t byte_offset;
} tawa_dltensor_t;

/* The layout of DLManagedTensor. */
typedef struct tawa_dlmanaged {
  tawa_dltensor_t dl_tensor;
  void *manager_ctx;
  void (*deleter)(struct tawa_dlmanaged *self);
} tawa_dlmanaged_t;

/* The layout of DLManagedTensorVersioned, of DLPack 1.0. */
typedef struct tawa_dlmanaged_versioned {
  uint32_t major, minor;
  void *manager_ctx;
  void (*deleter)(struct tawa_dlmanaged_versioned *self);
  uint64_t flags; /* bit 0: read only */
  tawa_dltensor_t dl_tensor;
} tawa_dlmanaged_versioned_t;

/* The element type that Tawa has for DLPack's; 0 where it has none, else 1 and *dtype set. Unsigned integers are the
 * signed ones (tawa_dtype_t). */
static inline int tawa_dtype_from_dlpack(uint8_t code, uint8_t bits, uint16_t lanes, tawa_dtype_t *dtype) {
  static const struct {
    uint8_t code, bits;
    tawa_dtype_t dtype;
  } types[] = {{0, 8, TAWA_I8},   {0, 16, TAWA_I16},  {0, 32, TAWA_I32}, {0, 64, TAWA_I64},    {1, 8, TAWA_U8},
               {1, 16, TAWA_U16}, {1, 32, TAWA_U32},  {1, 64, TAWA_U64}, {2, 16, TAWA_F16},    {2, 32, TAWA_F32},
               {2, 64, TAWA_F64}, {4, 16, TAWA_BF16}, {6, 8, TAWA_I1},   {10, 8, TAWA_F8E4M3}, {12, 8, TAWA_F8E5M2}};
  size_t i;
  for (i = 0; i < sizeof types / sizeof types[0]; ++i)
    if (lanes == 1 && types[i].code == code && types[i].bits == bits) {
      *dtype = types[i].dtype;
      return 1;
    }
  return 0;
}

/* Fills *arg, a tensor, from a DLTensor; plain C, no call into the library. `tensor` stays the caller's and need not
 * live on, its data must. The device is not looked at: the caller sees to it that it is the runtime's, and that the
 * stream of the launch comes after what wrote the data. A tensor of no dimensions becomes one of a single element.
 * TAWA_E_INVALID_ARGUMENT: NULL, or more than TAWA_MAX_RANK dimensions. TAWA_E_UNSUPPORTED: an element type that Tawa
 * does not have (complex, vectors, less than 8 bits), or all strides 0 (one element seen many times), which tawa_arg_t
 * cannot say. Then *arg is unchanged. */
static inline tawa_status_t tawa_arg_from_dlpack(const void *tensor, tawa_arg_t *arg) {
  const tawa_dltensor_t *from = (const tawa_dltensor_t *)tensor;
  tawa_arg_t made = TAWA_ARG_INIT;
  int32_t d;
  int is_repeated = 0, has_stride = 0;
  if (!tensor || !arg || from->ndim < 0 || from->ndim > TAWA_MAX_RANK)
    return TAWA_E_INVALID_ARGUMENT;
  if (!tawa_dtype_from_dlpack(from->code, from->bits, from->lanes, &made.dtype))
    return TAWA_E_UNSUPPORTED;
  made.data = from->data ? (char *)from->data + from->byte_offset : NULL;
  made.rank = from->ndim > 0 ? (uint32_t)from->ndim : 1;
  made.shape[0] = 1;
  for (d = 0; d < from->ndim; ++d) {
    made.shape[d] = from->shape[d];
    made.strides[d] = from->strides ? from->strides[d] : 0;
    has_stride |= made.strides[d] != 0;
    is_repeated |= from->strides && made.shape[d] > 1;
  }
  if (is_repeated && !has_stride)
    return TAWA_E_UNSUPPORTED;
  *arg = made;
  return TAWA_OK;
}

#ifdef __cplusplus
}
#endif
#endif /* TAWA_DLPACK_H */
