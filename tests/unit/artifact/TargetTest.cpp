// Targets as text, the names of architectures, and the supported targets.
#include "runtime/artifact/Target.h"

#include "gtest/gtest.h"

using namespace tawa;

namespace {

/// Every limit has a value of its own, so that two that change places are seen.
Target example() {
  Target target;
  target.architecture = "sm_90a";
  int64_t value = 100;
  for (const TargetLimit &limit : targetLimits())
    target.*limit.member = ++value;
  return target;
}

std::string mistakeIn(const std::string &text) {
  Result<Target> parsed = Target::parse(text);
  return parsed ? "none" : parsed.status().message();
}

} // namespace

TEST(Target, WhatIsPrintedIsRead) {
  Result<Target> again = Target::parse(example().str());
  ASSERT_TRUE(again) << again.status().message();
  EXPECT_EQ(*again, example());
}

TEST(Target, EveryLimitIsInItsText) {
  for (const TargetLimit &limit : targetLimits()) {
    Target other = example();
    other.*limit.member = 7;
    EXPECT_NE(other.str(), example().str()) << limit.name;
    other.*limit.member = 0;
    EXPECT_NE(mistakeIn(other.str()).find("'" + std::string(limit.name) + "' is missing or not positive"),
              std::string::npos);
  }
}

TEST(Target, TheNameOfItsDescriptionIsForMessagesAlone) {
  Target other = example();
  other.description = "another";
  EXPECT_EQ(other, example());
}

TEST(Target, ShareOfAMultiprocessor) {
  Target whole = example();
  whole.sharedPerBlock = int64_t{227} * 1024;
  whole.registersPerMultiprocessor = 65536;
  Target third = whole.shareFor(3);
  EXPECT_EQ(third.sharedPerBlock, 75 * 1024) << "each CTA has 1 KiB more, for the system";
  EXPECT_EQ(third.registersPerMultiprocessor, 21845);
  EXPECT_EQ(third.registersPerThread, whole.registersPerThread);
  EXPECT_EQ(whole.shareFor(1), whole);
}

TEST(Target, MistakesAreNamed) {
  EXPECT_NE(mistakeIn("").find("is no architecture"), std::string::npos);
  EXPECT_NE(mistakeIn("sm_90a l2").find("'l2' has no whole number"), std::string::npos);
  EXPECT_NE(mistakeIn("sm_90a l2=5x").find("'l2=5x' has no whole number"), std::string::npos);
  EXPECT_NE(mistakeIn("sm_90a l3=5").find("there is no limit 'l3'"), std::string::npos);
  EXPECT_NE(mistakeIn("sm_90a ").find("there is no limit ''"), std::string::npos);
}

TEST(Architecture, IsReadAsPtxWritesIt) {
  Result<Architecture> hopper = parseArchitecture("sm_90a"), ampere = parseArchitecture("sm_80");
  ASSERT_TRUE(hopper && ampere);
  EXPECT_TRUE(hopper->major == 9 && hopper->minor == 0 && hopper->isSpecific);
  EXPECT_TRUE(ampere->major == 8 && ampere->minor == 0 && !ampere->isSpecific);
  EXPECT_EQ(parseArchitecture("sm_103a")->major, 10u);
  for (const char *wrong : {"", "sm_", "sm_9", "sm_90b", "sm_90aa", "sm_-90", "compute_90", "90", "sm_99999"})
    EXPECT_FALSE(parseArchitecture(wrong)) << wrong;
}

TEST(Architecture, SpecificCodeRunsOnOneOnly) {
  EXPECT_TRUE(runsCodeFor("sm_90a", 9, 0));
  EXPECT_FALSE(runsCodeFor("sm_90a", 10, 0));
  EXPECT_FALSE(runsCodeFor("sm_90a", 8, 9));
  EXPECT_TRUE(runsCodeFor("sm_80", 8, 6));
  EXPECT_TRUE(runsCodeFor("sm_80", 9, 0));
  EXPECT_FALSE(runsCodeFor("sm_86", 8, 0));
  EXPECT_FALSE(runsCodeFor("", 9, 0));
}

TEST(Architecture, ADeviceGetsTheBestCodeThatItRuns) {
  EXPECT_EQ(codeArchitectureOf(9, 0), "sm_90a");
  for (auto [major, minor] : {std::pair{8u, 0u}, {8u, 6u}, {8u, 9u}, {10u, 0u}, {12u, 0u}})
    EXPECT_EQ(codeArchitectureOf(major, minor), "sm_80") << major << "." << minor;
  EXPECT_EQ(codeArchitectureOf(7, 5), "");
}

TEST(Architecture, HasWhatItsSuccessorsHaveUnlessItIsSpecific) {
  auto has = [](const char *name, Feature feature) { return parseArchitecture(name)->has(feature); };
  EXPECT_TRUE(has("sm_90a", Feature::Wgmma) && has("sm_90a", Feature::Tma) && has("sm_90a", Feature::Fp8Conversions));
  EXPECT_TRUE(has("sm_90", Feature::Tma) && !has("sm_90", Feature::Wgmma));
  EXPECT_TRUE(has("sm_100a", Feature::Clusters) && !has("sm_100a", Feature::Wgmma));
  EXPECT_TRUE(has("sm_89", Feature::Fp8Conversions) && !has("sm_89", Feature::MatrixStores));
  for (const FeatureInfo &info : allFeatures())
    EXPECT_FALSE(has("sm_80", info.feature)) << info.name;
  EXPECT_TRUE(example().has(Feature::Wgmma));
  EXPECT_FALSE(Target().has(Feature::Tma)) << "a target without an architecture";
}

TEST(Architecture, CodeIsMadeForThoseThatHaveABackEnd) {
  EXPECT_TRUE(checkCodeFor(example()));
  Target other = example();
  other.architecture = "sm_100a";
  other.description = "b200";
  Status status = checkCodeFor(other);
  EXPECT_EQ(status.code(), StatusCode::TargetMismatch);
  for (const char *part : {"'b200' is of architecture sm_100a", "makes code for sm_90a", "`tawa hardware --list`"})
    EXPECT_NE(status.message().find(part), std::string::npos) << status.message();
}
