// Copies the fields of a HardwareDescription that the compiler reads to a Target.
#include "runtime/hardware/TargetOf.h"

#include "runtime/hardware/Builtin.h"
#include "runtime/hardware/HardwareDescription.h"

namespace tawa {

Target targetOf(const HardwareDescription &hardware) {
  auto whole = [](double value) { return static_cast<int64_t>(value); };
  Target target;
  target.description = hardware.name;
  target.architecture = hardware.architecture;
  target.sharedPerBlock = whole(hardware.sharedPerBlock);
  target.registersPerMultiprocessor = whole(hardware.registersPerMultiprocessor);
  target.registersPerThread = whole(hardware.registersPerThread);
  target.threadsPerMultiprocessor = whole(hardware.threadsPerMultiprocessor);
  target.ctasPerMultiprocessor = whole(hardware.ctasPerMultiprocessor);
  target.l2 = whole(hardware.l2Bytes);
  target.tensor16Bit = whole(hardware.tensor16PerClock);
  target.bytesUnderWay = whole(hardware.bytesUnderWay);
  target.busyLoadLatency = whole(hardware.busyLoadLatency);
  return target;
}

const HardwareDescription &defaultHardware() {
  static const HardwareDescription description = [] {
    HardwareText source = builtinHardware().front();
    return *HardwareDescription::parse(source.text, source.file); // the unit tests read every built-in file
  }();
  return description;
}

const Target &defaultTarget() {
  static const Target target = targetOf(defaultHardware());
  return target;
}

} // namespace tawa
