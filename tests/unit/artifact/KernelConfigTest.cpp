#include "runtime/artifact/KernelConfig.h"
#include "runtime/artifact/ConfigKeys.h"

#include <gtest/gtest.h>

#include <string>

using tawa::KernelConfig;
using tawa::PingPong;
using tawa::StatusCode;
using tawa::unknownKey;

static void expectRefused(std::string_view text, std::string_view words) {
  auto config = KernelConfig::parse(text);
  ASSERT_FALSE(config) << text;
  EXPECT_EQ(config.status().code(), StatusCode::InvalidArgument);
  EXPECT_NE(config.status().message().find(words), std::string::npos) << config.status().message();
}

TEST(KernelConfig, DefaultsPrintInFixedOrder) {
  EXPECT_EQ(KernelConfig().str(),
            "D=0 P=1 coarse=1 consumers=2 converters=0 epilogue=2 warps=0 persistent=0 schedule=cooperative "
            "raster=0 cluster=1 split=1 stream=0 dynamic=0 ctas=1");
}

TEST(KernelConfig, ParsesWhatItPrints) {
  KernelConfig config;
  config.tile = {{"BLOCK_N", 256}, {"BLOCK_M", 128}, {"_x9", -3}};
  config.ringDepth = 3;
  config.mmaDepth = 2;
  config.consumerGroups = 1;
  config.epilogueStages = 4;
  config.persistent = 1;
  config.schedule = PingPong;
  config.raster = -8;
  config.stream = 1;
  EXPECT_EQ(config.str(), "BLOCK_M=128 BLOCK_N=256 _x9=-3 D=3 P=2 coarse=1 consumers=1 converters=0 epilogue=4 warps=0 "
                          "persistent=1 schedule=pingpong raster=-8 cluster=1 split=1 stream=1 dynamic=0 ctas=1");
  auto parsed = KernelConfig::parse(config.str());
  ASSERT_TRUE(parsed) << parsed.status().message();
  EXPECT_EQ(*parsed, config);
}

TEST(KernelConfig, KeysComeInAnyOrderAndMayBeLeftOut) {
  auto config = KernelConfig::parse(" P=2,D=2\n,BLOCK_K=64 ");
  ASSERT_TRUE(config) << config.status().message();
  EXPECT_EQ(config->str(), "BLOCK_K=64 D=2 P=2 coarse=1 consumers=2 converters=0 epilogue=2 warps=0 persistent=0 "
                           "schedule=cooperative raster=0 cluster=1 split=1 stream=0 dynamic=0 ctas=1");
  EXPECT_EQ(*KernelConfig::parse(""), KernelConfig());
}

TEST(KernelConfig, ErrorsNameTheKey) {
  expectRefused("D", "'D'");
  expectRefused("=4", "'=4'");
  expectRefused("9x=4", "'9x=4'");
  expectRefused("BLOCK_M=12b", "'BLOCK_M' is '12b'");
  expectRefused("BLOCK_M=", "'BLOCK_M'");
  expectRefused("BLOCK_M=99999999999999999999", "'BLOCK_M'");
  expectRefused("D=-1", "D=-1");
  expectRefused("D=4 D=4", "'D' is given twice");
  expectRefused("D=2000", "D=2000");
  expectRefused("persistent=2", "persistent=2 must be 0 or 1");
  expectRefused("schedule=1", "schedule=1 must be cooperative or pingpong");
  expectRefused("schedule=pingpong schedule=pingpong", "'schedule' is given twice");
}

// The bounds are those of the compiler: what it would refuse is refused where the text of a configuration is read.
TEST(KernelConfig, ValuesOutsideOfAKeysRangeAreRefusedWithWhatItTakes) {
  expectRefused("D=33", "D=33 must be 0 to 32");
  expectRefused("P=33", "P=33 must be 1 to 32");
  expectRefused("consumers=5", "consumers=5 must be 0 to 4");
  expectRefused("epilogue=0", "epilogue=0 must be 1 to 8");
  expectRefused("warps=3", "warps=3 must be 0, 1, 2, 4, 8 or 16");
  expectRefused("cluster=3", "cluster=3 must be 1, 2, 4 or 8");
  expectRefused("split=9", "split=9 must be 1 to 8");
  expectRefused("stream=2", "stream=2 must be 0 or 1");
  expectRefused("dynamic=2", "dynamic=2 must be 0 or 1");
  expectRefused("ctas=0", "ctas=0 must be 1 to 4");
  expectRefused("D=4294967296", "D=4294967296 must be 0 to 32");
  KernelConfig config;
  config.warps = 32; // set by a program, not read from a text
  EXPECT_NE(config.check().message().find("warps=32 must be"), std::string::npos);
}

TEST(KernelConfig, EveryDefaultIsAValueOfItsKey) {
  for (const tawa::ConfigKey &key : tawa::configKeys())
    EXPECT_TRUE(key.takes(KernelConfig().*key.member)) << key.name;
}

TEST(KernelConfig, MmaDepthStaysWithinRingDepth) {
  expectRefused("D=2 P=3", "P=3 exceeds D=2");
  EXPECT_TRUE(KernelConfig::parse("D=0 P=3")) << "with D=0 the compiler takes at least P slots";
}

// A wrong name is answered with the right one: of another compiler, misspelt, or none.
TEST(KernelConfig, SuggestsWhatAKeyMayMean) {
  std::vector<std::string> parameters = {"BLOCK_M", "BLOCK_N", "GROUP"};
  auto meant = [&](const char *key) {
    std::string message = unknownKey(key, parameters);
    size_t at = message.find("did you mean ");
    return at == std::string::npos ? std::string() : message.substr(at + 13, message.find('?') - at - 13);
  };
  EXPECT_EQ(meant("num_stages"), "D");
  EXPECT_EQ(meant("num_warps"), "warps (of a kernel that is one role) or consumers (warp groups of one that is split)");
  EXPECT_EQ(meant("num_ctas"), "cluster");
  EXPECT_EQ(meant("BLOKC_M"), "BLOCK_M");
  EXPECT_EQ(meant("block_n"), "BLOCK_N");
  EXPECT_EQ(meant("persistant"), "persistent");
  EXPECT_EQ(meant("d"), "D");
  EXPECT_EQ(meant("SPLIT_K"), "split");
  EXPECT_EQ(meant("x"), "");
  EXPECT_EQ(meant("something_else"), "");
  EXPECT_NE(unknownKey("x", parameters).find("; the keys are D, P, coarse"), std::string::npos);
  EXPECT_NE(unknownKey("x", {}).find("the text declares no parameters"), std::string::npos);
}
