#include "runtime/artifact/ParamLayout.h"

#include <gtest/gtest.h>

using namespace tawa;
using Source = KernelParam::Source;

namespace {

LogicalArgument tensor(std::string name, uint32_t rank) {
  LogicalArgument argument;
  argument.kind = LogicalArgument::Kind::Tensor;
  argument.name = std::move(name);
  argument.elementType = ElementType::F16;
  argument.rank = rank;
  return argument;
}

LogicalArgument scalar(std::string name) {
  LogicalArgument argument;
  argument.name = std::move(name);
  return argument;
}

/// A kernel of one described tensor (map, shape and strides as its text prints them) and one scalar.
KernelArtifact artifactOfOneTensor() {
  KernelArtifact artifact;
  artifact.entry = "kernel";
  artifact.arguments = {tensor("a", 2), scalar("M")};
  TensorMapRecipe recipe;
  recipe.box = {64, 128};
  artifact.tensorMaps = {recipe};
  artifact.params = {makeParam(Source::TensorMap, 0),
                     makeParam(Source::TensorShape, 0, 0, ElementType::I32),
                     makeParam(Source::TensorShape, 0, 1, ElementType::I32),
                     makeParam(Source::TensorStride, 0, 0, ElementType::I64),
                     makeParam(Source::TensorStride, 0, 1, ElementType::I64),
                     makeParam(Source::Scalar, 1, 0, ElementType::I32)};
  artifact.paramBytes = layoutParams(artifact.params);
  return artifact;
}

} // namespace

TEST(ParamLayout, EachParameterAtItsAlignmentNoTailPadding) {
  std::vector<KernelParam> params = {makeParam(Source::Scalar, 0, 0, ElementType::I8),
                                     makeParam(Source::Scalar, 0, 0, ElementType::I16),
                                     makeParam(Source::TensorPointer, 0),
                                     makeParam(Source::TensorMap, 0),
                                     makeParam(Source::Scalar, 0, 0, ElementType::I32),
                                     makeParam(Source::TensorMap, 1),
                                     makeParam(Source::Scalar, 0, 0, ElementType::I8)};
  EXPECT_EQ(layoutParams(params), 385u);
  std::vector<uint32_t> offsets;
  for (const KernelParam &param : params)
    offsets.push_back(param.offset);
  EXPECT_EQ(offsets, (std::vector<uint32_t>{0, 2, 8, 64, 192, 256, 384}));
}

TEST(ParamLayout, DescribedTensorIsMapThenShapeThenStrides) {
  KernelArtifact artifact = artifactOfOneTensor();
  EXPECT_EQ(artifact.params[3].offset, 136u);
  EXPECT_EQ(artifact.paramBytes, 156u);
  EXPECT_TRUE(checkParams(artifact)) << checkParams(artifact).message();
}

TEST(ParamLayout, BrokenArtifactsAreNamed) {
  auto expectBroken = [](auto damage, std::string_view words) {
    KernelArtifact artifact = artifactOfOneTensor();
    damage(artifact);
    Status status = checkParams(artifact);
    EXPECT_EQ(status.code(), StatusCode::Internal) << words;
    EXPECT_NE(status.message().find(words), std::string::npos) << status.message();
  };
  expectBroken([](KernelArtifact &a) { a.params[0].index = 1; }, "parameter 0 names a tensor map");
  expectBroken([](KernelArtifact &a) { a.params[1].dimension = 2; }, "parameter 1 names a dimension");
  expectBroken([](KernelArtifact &a) { a.params[5].index = 2; }, "parameter 5 names an argument");
  expectBroken([](KernelArtifact &a) { a.params[5].source = Source::GridExtent; },
               "parameter 5 is an axis of the grid");
  expectBroken([](KernelArtifact &a) { a.params[5] = makeParam(Source::Scratch, 0); },
               "parameter 5 is scratch memory of no bytes");
  expectBroken([](KernelArtifact &a) { a.params[5] = makeParam(Source::Workspace, 0); },
               "parameter 5 is a workspace of no bytes");
  expectBroken([](KernelArtifact &a) { a.params[5].index = 0; }, "parameter 5 and its argument differ in kind");
  expectBroken([](KernelArtifact &a) { a.params[2].offset = 128; }, "parameter 2 overlaps");
  expectBroken([](KernelArtifact &a) { a.params[2].offset = 133; }, "parameter 2 is not at its alignment");
  expectBroken([](KernelArtifact &a) { a.paramBytes = 155; }, "parameter 5 overlaps its neighbour or ends outside");
  expectBroken([](KernelArtifact &a) { a.params[0].bytes = 64; }, "parameter 0 is a tensor map");
  expectBroken([](KernelArtifact &a) { a.tensorMaps[0].argument = 1; }, "no tensor argument");
}

TEST(ParamLayout, TooManyParametersAreUnsupported) {
  KernelArtifact artifact = artifactOfOneTensor();
  artifact.paramBytes = kMaxParamBytes + 1;
  EXPECT_EQ(checkParams(artifact).code(), StatusCode::Unsupported);
}

TEST(ContentHash, ChangesWithEverythingThatMatters) {
  const std::string base = contentHash(artifactOfOneTensor());
  EXPECT_EQ(base.size(), 32u);
  auto changed = [&](auto change) {
    KernelArtifact artifact = artifactOfOneTensor();
    change(artifact);
    return contentHash(artifact) != base;
  };
  EXPECT_TRUE(changed([](KernelArtifact &a) { a.code = "x"; }));
  EXPECT_TRUE(changed([](KernelArtifact &a) { a.gpu = "sm_90a l2=1"; }));
  EXPECT_TRUE(changed([](KernelArtifact &a) { a.entry = "other"; }));
  EXPECT_TRUE(changed([](KernelArtifact &a) { a.config.mmaDepth = 2; }));
  EXPECT_TRUE(changed([](KernelArtifact &a) { a.launch.cluster[0] = 2; }));
  EXPECT_TRUE(changed([](KernelArtifact &a) { a.launch.walked[0] = true; }));
  EXPECT_TRUE(changed([](KernelArtifact &a) { a.launch.uniformTileWork = true; }));
  EXPECT_TRUE(changed([](KernelArtifact &a) { a.config.schedule = PingPong; }));
  EXPECT_TRUE(changed([](KernelArtifact &a) { a.launch.clusterDivides = {"a0"}; }));
  EXPECT_TRUE(changed([](KernelArtifact &a) { a.launch.retiled.programs[0] = "g0 * 2"; }));
  EXPECT_TRUE(changed([](KernelArtifact &a) { a.launch.retiled.zeros = {"a0"}; }));
  EXPECT_TRUE(changed([](KernelArtifact &a) { a.launch.split = 2; }));
  EXPECT_TRUE(changed([](KernelArtifact &a) { a.launch.scratchBytes = 128; }));
  EXPECT_TRUE(changed([](KernelArtifact &a) { a.launch.stream = true; }));
  EXPECT_TRUE(changed([](KernelArtifact &a) { a.launch.workspaceBytes = 256; }));
  EXPECT_TRUE(changed([](KernelArtifact &a) { a.arguments[0].alignment = 16; }));
  EXPECT_TRUE(changed([](KernelArtifact &a) { a.arguments[0].strideDivisor = 8; }));
  EXPECT_TRUE(changed([](KernelArtifact &a) { a.arguments[0].columnDivisor = 8; }));
  EXPECT_TRUE(changed([](KernelArtifact &a) { a.params[5].bytes = 8; }));
  EXPECT_TRUE(changed([](KernelArtifact &a) { a.tensorMaps[0].box = {64}; }));
  EXPECT_TRUE(changed([](KernelArtifact &a) { a.gridExpression = "1"; }));
}

TEST(ContentHash, DoesNotDependOnTheReport) {
  KernelArtifact artifact = artifactOfOneTensor();
  artifact.report.phases.push_back({"parse", 1.5});
  EXPECT_EQ(contentHash(artifact), contentHash(artifactOfOneTensor()));
}
