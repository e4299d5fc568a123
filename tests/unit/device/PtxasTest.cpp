#include "runtime/device/Ptxas.h"

#include <gtest/gtest.h>

using namespace tawa;

static const std::string emptyKernel =
    ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry nothing()\n{\n  ret;\n}\n";

TEST(Ptxas, WhatCannotBeRunIsNamed) {
  auto cubin = assembleWithPtxas("/nowhere/ptxas", emptyKernel, "sm_90a");
  ASSERT_FALSE(cubin);
  EXPECT_EQ(cubin.status().code(), StatusCode::Unsupported);
  EXPECT_NE(cubin.status().message().find("/nowhere/ptxas"), std::string::npos);
}

TEST(Ptxas, TheEnvironmentNamesIt) {
  setenv("TAWA_PTXAS", "/nowhere/ptxas", 1);
  EXPECT_EQ(findPtxas(), "/nowhere/ptxas");
  unsetenv("TAWA_PTXAS");
}

// The sums of the second product are read while it may be in flight.
TEST(Ptxas, WhatItSerializesIsRefused) {
  std::string ptxas = findPtxas();
  if (ptxas.empty())
    GTEST_SKIP() << "no ptxas on this machine";
  auto cubin = assembleWithPtxas(ptxas, R"(
.version 8.0
.target sm_90a
.address_size 64
.visible .entry slow(.param .u64 out) {
  .reg .f32 %f<4>;
  .reg .b64 %d, %out;
  ld.param.u64 %out, [out];
  mov.b64 %d, 0;
  mov.f32 %f0, 0f00000000;
  mov.f32 %f1, %f0;
  mov.f32 %f2, %f0;
  mov.f32 %f3, %f0;
  wgmma.fence.sync.aligned;
  wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %d, %d, 1, 1, 1, 0, 0;
  wgmma.commit_group.sync.aligned;
  wgmma.wait_group.sync.aligned 0;
  wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %d, %d, 1, 1, 1, 0, 0;
  st.global.v4.f32 [%out], {%f0, %f1, %f2, %f3};
  ret;
}
)",
                                 "sm_90a");
  ASSERT_FALSE(cubin);
  EXPECT_EQ(cubin.status().code(), StatusCode::PtxRejected);
  EXPECT_NE(cubin.status().message().find("(C7514)"), std::string::npos) << cubin.status().message();
}

TEST(Ptxas, AssemblesAndRefuses) {
  std::string ptxas = findPtxas();
  if (ptxas.empty())
    GTEST_SKIP() << "no ptxas on this machine";
  auto cubin = assembleWithPtxas(ptxas, emptyKernel, "sm_90a");
  ASSERT_TRUE(cubin) << cubin.status().message();
  EXPECT_EQ(cubin->substr(0, 4), "\177ELF");
  cubin = assembleWithPtxas(ptxas, emptyKernel + "nonsense", "sm_90a");
  ASSERT_FALSE(cubin);
  EXPECT_EQ(cubin.status().code(), StatusCode::PtxRejected);
  EXPECT_NE(cubin.status().message().find("line 8"), std::string::npos) << cubin.status().message();
}
