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
