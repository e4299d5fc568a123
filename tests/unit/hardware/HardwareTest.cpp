// Hardware descriptions: parsing and printing, every kind of mistake with its position, the catalogue with the user's
// additions, the driver's numbers overriding the file's.
#include "runtime/artifact/Target.h"
#include "runtime/hardware/Catalogue.h"
#include "runtime/hardware/TargetOf.h"
#include "runtime/support/TemporaryFolder.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

using namespace tawa;

namespace {

HardwareCatalogue builtin() {
  Result<HardwareCatalogue> catalogue = HardwareCatalogue::open("");
  EXPECT_TRUE(catalogue.isOk()) << catalogue.status().message();
  return catalogue ? *catalogue : HardwareCatalogue();
}

Result<HardwareDescription> parseWithBase(const std::string &text) {
  static const HardwareCatalogue catalogue = builtin();
  return HardwareDescription::parse(text, "my.hw", [](std::string_view name) { return catalogue.find(name); });
}

/// "line:column: message" of the first mistake.
std::string mistakeIn(const std::string &text) {
  Result<HardwareDescription> parsed = parseWithBase(text);
  if (parsed)
    return "none";
  EXPECT_EQ(parsed.status().code(), StatusCode::InvalidArgument);
  const Diagnostic &first = parsed.status().diagnostics().at(0);
  EXPECT_EQ(first.file, "my.hw");
  return std::to_string(first.line) + ":" + std::to_string(first.column) + ": " + first.message;
}

struct HardwareFolder : TemporaryFolder {
  std::string write(const std::string &name, const std::string &text) const {
    std::ofstream(path / name) << text;
    return (path / name).string();
  }
};

std::string readFile(const std::string &path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

TEST(Hardware, BuiltInFilesAreRead) {
  Result<HardwareDescription> h200 = builtin().find("h200"), h100 = builtin().find("h100_sxm");
  ASSERT_TRUE(h200.isOk() && h100.isOk());
  EXPECT_EQ(h200->multiprocessors, 132);
  EXPECT_EQ(h200->clock, 1980e6);
  EXPECT_EQ(h200->l2Bytes, 50 * 1048576.0);
  EXPECT_EQ(h200->sharedPerBlock, 232448);
  EXPECT_EQ(h200->sharedReservedPerBlock, kReservedSharedBytes) << "what shares of a multiprocessor count on";
  EXPECT_EQ(h100->tensor16PerClock, h200->tensor16PerClock); // from its base
  EXPECT_LT(h100->memoryRate, h200->memoryRate);
  EXPECT_EQ(h100->matches, "NVIDIA H100 80GB HBM3*"); // not from its base
}

TEST(Hardware, WhatIsPrintedIsRead) {
  HardwareCatalogue catalogue = builtin();
  for (const HardwareDescription &description : catalogue.all()) {
    Result<HardwareDescription> again = HardwareDescription::parse(description.str(), "printed.hw");
    ASSERT_TRUE(again.isOk()) << again.status().message();
    EXPECT_EQ(again->str(), description.str());
  }
}

TEST(Hardware, TemplateNamesEveryKey) {
  std::string text = readFile(TAWA_GPUS "/template.hw");
  Result<HardwareDescription> parsed = parseWithBase(text);
  ASSERT_TRUE(parsed.isOk()) << parsed.status().message();
  std::string printed = parsed->str();
  for (size_t at = 0; at < printed.size(); at = printed.find('\n', at) + 1) {
    std::string key = printed.substr(at, printed.find(' ', at) - at);
    EXPECT_NE(text.find(key + " "), std::string::npos) << key;
  }
}

TEST(Hardware, MistakesHavePlaceAndRemedy) {
  EXPECT_EQ(mistakeIn("name = x\nbase = h200\n clok = 1 MHz\n"),
            "3:2: there is no key 'clok'; gpus/template.hw lists all of them");
  EXPECT_EQ(mistakeIn("name = x\nbase = h200\nclock = 1.9 GHz # fast\n"), "3:9: 'clock' is given in MHz, not in 'GHz'");
  EXPECT_EQ(mistakeIn("name = x\nbase = h200\nclock = fast\n"), "3:9: value of 'clock' does not begin with a number");
  EXPECT_EQ(mistakeIn("name = x\nbase = h200\nclock = 1 MHz\n"),
            "3:9: 'clock' = 1 MHz must be between 100 MHz and 10000 MHz");
  EXPECT_EQ(mistakeIn("name = x\nbase = h200\nmultiprocessors = 3 of them\n"),
            "3:19: 'multiprocessors' is a plain number, without a unit, not in 'of them'");
  EXPECT_EQ(mistakeIn("name = x\nbase = h200\nl2 = 40 MiB\nl2 = 50 MiB\n"),
            "4:1: 'l2' is given twice; keep one of the lines");
  EXPECT_EQ(mistakeIn("name = x\nbase = h300\n").substr(0, 52), "2:8: no hardware description is called 'h300'; there");
  EXPECT_EQ(mistakeIn("name = x\nl2 = 40 MiB\nbase = h200\n"),
            "3:8: `base` must stand before the numbers that it gives defaults for");
  EXPECT_EQ(mistakeIn("name = x\nbase h200\n"), "2:1: 'base h200' is not of the form `key = value unit`");
  EXPECT_EQ(mistakeIn("name = x\nbase = h200\narchitecture = Hopper\n"),
            "3:16: 'Hopper' is no architecture; write it as PTX does: sm_90a");
  EXPECT_EQ(mistakeIn("base = h200\n"), "1:1: there is no `name = ...`");
  EXPECT_EQ(mistakeIn("name = x\nbase = h200\nmemory_rate = 9 TB/s\n").substr(0, 40),
            "3:1: 'memory_rate' exceeds 'memory_peak'");
  EXPECT_EQ(mistakeIn("name = x\n").substr(0, 33), "1:1: 'multiprocessors' is missing");
}

TEST(Hardware, ArchitectureIsGivenOrTheBases) {
  EXPECT_EQ(parseWithBase("name = x\nbase = h200\n")->architecture, "sm_90a");
  EXPECT_EQ(parseWithBase("name = x\nbase = h200\narchitecture = sm_100a\n")->architecture, "sm_100a");
  EXPECT_EQ(parseWithBase("name = x\narchitecture = sm_100a\nbase = h200\n")->architecture, "sm_100a");
  Result<HardwareDescription> none = parseWithBase("name = x\n");
  ASSERT_FALSE(none.isOk());
  EXPECT_EQ(none.status().diagnostics().back().message.substr(0, 27), "'architecture' is missing; ");
}

TEST(Hardware, TargetIsWhatTheFileSays) {
  HardwareDescription h200 = *builtin().find("h200");
  Target target = targetOf(h200);
  EXPECT_EQ(target, defaultTarget());
  EXPECT_EQ(target.architecture, "sm_90a");
  EXPECT_EQ(target.sharedPerBlock, 232448);
  EXPECT_EQ(target.l2, 50 << 20);
  for (const TargetLimit &limit : targetLimits()) // under the description's own keys
    EXPECT_NE(h200.str().find("\n" + std::string(limit.name) + " "), std::string::npos) << limit.name;
  EXPECT_EQ(targetOf(*builtin().find("h100_sxm")), target) << "they differ in their memory alone";
}

TEST(Hardware, EveryMistakeIsReported) {
  Result<HardwareDescription> parsed = parseWithBase("name = x\nbase = h200\nclok = 1\nl2 = 3 apples\n");
  ASSERT_FALSE(parsed.isOk());
  EXPECT_EQ(parsed.status().diagnostics().size(), 2u);
  EXPECT_EQ(parsed.status().message().substr(0, 9), "my.hw:3: ");
}

TEST(Catalogue, AnUnknownGpuIsTakenForOneWithTheBestCodeThatItRuns) {
  HardwareCatalogue catalogue = builtin();
  auto guessed = [&](uint32_t major, uint32_t minor, const char *name) {
    DeviceInfo device;
    device.description = name;
    device.computeMajor = major;
    device.computeMinor = minor;
    return catalogue.targetOf(device).description;
  };
  EXPECT_EQ(guessed(9, 0, "NVIDIA GH200"), "h200");
  EXPECT_EQ(guessed(8, 0, "NVIDIA A100-SXM4-80GB"), "a100");
  EXPECT_EQ(guessed(8, 9, "NVIDIA L40S"), "portable");
  EXPECT_EQ(guessed(10, 0, "NVIDIA B200"), "portable");
  DeviceInfo emulator;
  emulator.isEmulator = true;
  EXPECT_EQ(catalogue.targetOf(emulator).description, "h200");
}

TEST(Hardware, PortableHasTheLeastOfAll) {
  HardwareCatalogue catalogue = builtin();
  Target portable = targetOf(*catalogue.find("portable"));
  for (const HardwareDescription &description : catalogue.all()) {
    Target other = targetOf(description);
    EXPECT_LE(portable.sharedPerBlock, other.sharedPerBlock) << other.description;
    EXPECT_LE(portable.threadsPerMultiprocessor, other.threadsPerMultiprocessor) << other.description;
    EXPECT_LE(portable.ctasPerMultiprocessor, other.ctasPerMultiprocessor) << other.description;
    EXPECT_LE(portable.registersPerThread, other.registersPerThread) << other.description;
  }
}

TEST(Hardware, ClustersFillWhatTheirGroupsHold) {
  HardwareDescription h200 = *builtin().find("h200");
  const int clusters[] = {132, 66, 39, 30, 22, 17, 15, 15}; // of 1 to 8 CTAs, as the driver says
  for (int ctas = 1; ctas <= 8; ++ctas)
    EXPECT_EQ(h200.filledByClustersOf(ctas), ctas * clusters[ctas - 1]) << ctas;
  EXPECT_EQ(parseWithBase("name = x\nbase = h200\nmultiprocessors = 66\n")->filledByClustersOf(4), 60);
}

TEST(Hardware, WithoutAWordOfClustersTheyFillAll) {
  std::string text = builtin().find("h200")->str();
  text.resize(text.find("clusters_of_3"));
  Result<HardwareDescription> parsed = HardwareDescription::parse(text, "my.hw");
  ASSERT_TRUE(parsed.isOk()) << parsed.status().message();
  for (int ctas = 1; ctas <= 8; ++ctas)
    EXPECT_EQ(parsed->filledByClustersOf(ctas), parsed->multiprocessors);
}

TEST(Catalogue, UsersDescriptionsComeFirst) {
  HardwareFolder folder;
  folder.write("a.hw", "name = slow\nbase = h200\nmatches = NVIDIA H200*\nclock = 1000 MHz\n");
  folder.write("notes.txt", "not a description");
  Result<HardwareCatalogue> catalogue = HardwareCatalogue::open(folder.path.string());
  ASSERT_TRUE(catalogue.isOk()) << catalogue.status().message();
  EXPECT_EQ(catalogue->all().size(), builtin().all().size() + 1);
  DeviceInfo device;
  device.description = "NVIDIA H200 NVL";
  EXPECT_EQ(catalogue->describe(device).name, "slow");
  EXPECT_EQ(builtin().describe(device).name, "h200");
}

TEST(Catalogue, MistakesInUsersFilesAreErrors) {
  HardwareFolder folder;
  std::string file = folder.write("a.hw", "name = slow\nbase = h200\nclock = 0 MHz\n");
  for (const std::string &path : {file, folder.path.string()}) {
    Result<HardwareCatalogue> catalogue = HardwareCatalogue::open(path);
    ASSERT_FALSE(catalogue.isOk());
    EXPECT_EQ(catalogue.status().message().find(file + ":3: "), 0u) << catalogue.status().message();
  }
  Result<HardwareCatalogue> absent = HardwareCatalogue::open("/nonexistent.hw");
  ASSERT_FALSE(absent.isOk());
  EXPECT_NE(absent.status().message().find("TAWA_HARDWARE"), std::string::npos);
}

TEST(Catalogue, DriverWinsOverFile) {
  DeviceInfo device;
  device.description = "NVIDIA H200";
  device.multiprocessors = 66;
  device.clockKHz = 1500000;
  device.memoryClockKHz = 3201000;
  device.memoryBusBits = 3072; // half the bus
  bool isGuess = true;
  HardwareDescription half = builtin().describe(device, &isGuess), whole = *builtin().find("h200");
  EXPECT_FALSE(isGuess);
  EXPECT_EQ(half.multiprocessors, 66);
  EXPECT_EQ(half.clock, 1.5e9);
  EXPECT_NEAR(half.memoryRate / whole.memoryRate, 0.5, 0.01);
  EXPECT_EQ(half.l2Bytes, whole.l2Bytes); // the driver said nothing
  device.l2Bytes = 60 << 20;
  EXPECT_EQ(builtin().targetOf(device), targetOf(whole)) << "code made without the device is found on it";
}

TEST(Catalogue, UnknownGpuIsAGuessAndEmulatorTheBuiltInOne) {
  DeviceInfo device;
  device.description = "NVIDIA Something";
  bool isGuess = false;
  builtin().describe(device, &isGuess);
  EXPECT_TRUE(isGuess);
  device.isEmulator = true;
  device.multiprocessors = 2; // threads of this machine
  EXPECT_EQ(builtin().describe(device).multiprocessors, 132);
}

TEST(Catalogue, Patterns) {
  EXPECT_TRUE(fitsPattern("NVIDIA H200", "NVIDIA H200*"));
  EXPECT_TRUE(fitsPattern("NVIDIA H200", "*H2*0"));
  EXPECT_FALSE(fitsPattern("NVIDIA H100", "NVIDIA H200*"));
  EXPECT_FALSE(fitsPattern("NVIDIA H200", "NVIDIA"));
}

} // namespace
