#include "runtime/device/PtxLog.h"

#include <gtest/gtest.h>

using namespace tawa;

static constexpr const char *cleanLog = "info    : 0 bytes gmem\n"
                                        "info    : Compiling entry function 'gemm' for 'sm_90a'\n"
                                        "info    : Function properties for 'gemm'\n"
                                        "info    : used 168 registers, 0 stack, 0 bytes smem, 456 bytes cmem[0]\n"
                                        "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n";

TEST(PtxLog, ACleanLogIsClean) {
  EXPECT_EQ(rejectedNotices(cleanLog), "");
  EXPECT_EQ(otherNotices(cleanLog), "");
  EXPECT_EQ(spillBytes(cleanLog), 0u);
}

TEST(PtxLog, SerializedWgmmaIsRejected) {
  std::string notice = "info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized due "
                       "to insufficient register resources for the wgmma pipeline in the function 'gemm'";
  EXPECT_EQ(rejectedNotices(std::string(cleanLog) + notice + "\n"), notice);
}

TEST(PtxLog, IgnoredSetmaxnregIsRejected) {
  std::string log = "info    : (C7508) 'setmaxnreg' ignored; unable to determine register count at entry\nmore\n";
  EXPECT_NE(rejectedNotices(log).find("C7508"), std::string::npos);
  EXPECT_EQ(rejectedNotices(log).find("more"), std::string::npos);
}

TEST(PtxLog, InjectedWaitsAreOnlyWorthAWarning) {
  std::string log = "info    : (C7519) warpgroup.wait is injected in function 'gemm'";
  EXPECT_EQ(rejectedNotices(log), "");
  EXPECT_EQ(otherNotices(log), log);
}

TEST(PtxLog, WordsWithoutTheNoticesNumberAreNothing) {
  EXPECT_EQ(rejectedNotices("info : function 'serialized' compiled, C7"), "");
}

TEST(PtxLog, TakesTheWorstSpill) {
  EXPECT_EQ(spillBytes("8 bytes spill stores\n    16 bytes stack frame, 120 bytes spill stores, 4 bytes spill loads\n"),
            120u);
}

TEST(PtxLog, ReadsThePtxVersion) {
  EXPECT_EQ(ptxVersion("//\n// Generated\n//\n\n.version 8.3\n.target sm_90a\n"), 83u);
  EXPECT_EQ(ptxVersion(".target sm_90a\n"), 0u);
}
