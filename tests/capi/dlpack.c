/* dlpack.h: what becomes of a tensor as DLPack describes it. */
#include "check.h"

#include <tawa/dlpack.h>

/* The layout that DLPack's own header gives on 64-bit machines. */
static void the_mirror_has_its_layout(void) {
  CHECK(sizeof(tawa_dltensor_t) == 48);
  CHECK(offsetof(tawa_dltensor_t, device_type) == 8 && offsetof(tawa_dltensor_t, device_id) == 12);
  CHECK(offsetof(tawa_dltensor_t, ndim) == 16 && offsetof(tawa_dltensor_t, code) == 20);
  CHECK(offsetof(tawa_dltensor_t, bits) == 21 && offsetof(tawa_dltensor_t, lanes) == 22);
  CHECK(offsetof(tawa_dltensor_t, shape) == 24 && offsetof(tawa_dltensor_t, strides) == 32);
  CHECK(offsetof(tawa_dltensor_t, byte_offset) == 40);
}

static tawa_dltensor_t tensor_of(void *data, int32_t ndim, int64_t *shape, int64_t *strides) {
  tawa_dltensor_t tensor;
  memset(&tensor, 0, sizeof tensor);
  tensor.data = data;
  tensor.device_type = 1;
  tensor.ndim = ndim;
  tensor.code = 2;
  tensor.bits = 16;
  tensor.lanes = 1;
  tensor.shape = shape;
  tensor.strides = strides;
  return tensor;
}

static void shape_and_address_are_taken_over(void) {
  short data[64];
  int64_t shape[2] = {4, 8}, strides[2] = {16, 1};
  tawa_dltensor_t tensor = tensor_of(data, 2, shape, strides);
  tawa_arg_t arg = TAWA_ARG_INIT;
  tensor.byte_offset = 6;
  CHECK(tawa_arg_from_dlpack(&tensor, &arg) == TAWA_OK);
  CHECK(arg.struct_size == sizeof arg && arg.kind == TAWA_ARG_TENSOR && arg.dtype == TAWA_F16 && arg.rank == 2);
  CHECK(arg.data == data + 3);
  CHECK(arg.shape[0] == 4 && arg.shape[1] == 8 && arg.strides[0] == 16 && arg.strides[1] == 1);
  tensor.strides = NULL;
  CHECK(tawa_arg_from_dlpack(&tensor, &arg) == TAWA_OK);
  CHECK(arg.shape[1] == 8 && arg.strides[0] == 0 && arg.strides[1] == 0); /* contiguous, as tawa_arg_t says it */
  tensor = tensor_of(NULL, 1, shape, NULL);
  tensor.byte_offset = 2;
  CHECK(tawa_arg_from_dlpack(&tensor, &arg) == TAWA_OK && arg.data == NULL);
  tensor = tensor_of(data, 0, NULL, NULL);
  CHECK(tawa_arg_from_dlpack(&tensor, &arg) == TAWA_OK && arg.rank == 1 && arg.shape[0] == 1);
}

static void types_have_their_counterparts(void) {
  static const struct {
    uint8_t code, bits;
    tawa_dtype_t dtype;
  } known[] = {{0, 32, TAWA_I32}, {1, 8, TAWA_I8},      {1, 64, TAWA_U64},    {4, 16, TAWA_BF16},
               {6, 8, TAWA_I1},   {10, 8, TAWA_F8E4M3}, {12, 8, TAWA_F8E5M2}, {2, 64, TAWA_F64}};
  static const uint8_t unknown[][2] = {{5, 64}, {2, 128}, {17, 4}, {11, 8}, {6, 1}, {3, 64}};
  int64_t shape[1] = {4};
  tawa_dltensor_t tensor = tensor_of(NULL, 1, shape, NULL);
  tawa_arg_t arg = TAWA_ARG_INIT;
  size_t i;
  for (i = 0; i < sizeof known / sizeof known[0]; ++i) {
    tensor.code = known[i].code;
    tensor.bits = known[i].bits;
    CHECK(tawa_arg_from_dlpack(&tensor, &arg) == TAWA_OK && arg.dtype == known[i].dtype);
  }
  for (i = 0; i < sizeof unknown / sizeof unknown[0]; ++i) {
    tensor.code = unknown[i][0];
    tensor.bits = unknown[i][1];
    CHECK(tawa_arg_from_dlpack(&tensor, &arg) == TAWA_E_UNSUPPORTED);
  }
  tensor = tensor_of(NULL, 1, shape, NULL);
  tensor.lanes = 2;
  CHECK(tawa_arg_from_dlpack(&tensor, &arg) == TAWA_E_UNSUPPORTED);
}

static void what_cannot_be_said_is_refused(void) {
  int64_t shape[TAWA_MAX_RANK + 1] = {2, 2}, none[2] = {0, 0}, one[2] = {1, 1};
  short data[4];
  tawa_dltensor_t tensor = tensor_of(data, 2, shape, none);
  tawa_arg_t arg = TAWA_ARG_INIT;
  CHECK(tawa_arg_from_dlpack(&tensor, &arg) == TAWA_E_UNSUPPORTED);
  tensor.shape = one; /* no step is taken: the strides say nothing */
  CHECK(tawa_arg_from_dlpack(&tensor, &arg) == TAWA_OK);
  tensor.ndim = TAWA_MAX_RANK + 1;
  CHECK(tawa_arg_from_dlpack(&tensor, &arg) == TAWA_E_INVALID_ARGUMENT);
  CHECK(tawa_arg_from_dlpack(NULL, &arg) == TAWA_E_INVALID_ARGUMENT);
  CHECK(tawa_arg_from_dlpack(&tensor, NULL) == TAWA_E_INVALID_ARGUMENT);
}

int main(void) {
  the_mirror_has_its_layout();
  shape_and_address_are_taken_over();
  types_have_their_counterparts();
  what_cannot_be_said_is_refused();
  return failures != 0;
}
