// The printers of KernelReport.h.
#include "bindings/cli/KernelReport.h"

#include <algorithm>

namespace tawa::cli {
namespace {

constexpr size_t kLabelWidth = 11;

tawa_kernel_info_t infoOf(tawa_kernel_t kernel) {
  tawa_kernel_info_t info = TAWA_KERNEL_INFO_INIT;
  tawa_kernel_info(kernel, &info);
  return info;
}

template <typename Info, typename Get, typename Visit>
void forEach(tawa_kernel_t kernel, uint32_t count, Info blank, Get get, Visit visit) {
  for (uint32_t i = 0; i < count; ++i) {
    Info info = blank;
    if (get(kernel, i, &info) == TAWA_OK)
      visit(info);
  }
}

template <typename Visit> void forEachRole(tawa_kernel_t kernel, const tawa_kernel_info_t &info, Visit visit) {
  forEach(kernel, info.num_roles, tawa_role_info_t TAWA_ROLE_INFO_INIT, tawa_kernel_role, visit);
}
template <typename Visit> void forEachRing(tawa_kernel_t kernel, const tawa_kernel_info_t &info, Visit visit) {
  forEach(kernel, info.num_rings, tawa_ring_info_t TAWA_RING_INFO_INIT, tawa_kernel_ring, visit);
}
template <typename Visit> void forEachPhase(tawa_kernel_t kernel, const tawa_kernel_info_t &info, Visit visit) {
  forEach(kernel, info.num_phases, tawa_phase_info_t TAWA_PHASE_INFO_INIT, tawa_kernel_phase, visit);
}
template <typename Visit> void forEachDiagnostic(tawa_kernel_t kernel, const tawa_kernel_info_t &info, Visit visit) {
  forEach(kernel, info.num_diagnostics, tawa_diagnostic_t TAWA_DIAGNOSTIC_INIT, tawa_kernel_diagnostic, visit);
}

const char *severityName(tawa_severity_t severity) {
  constexpr const char *names[] = {"error", "warning", "remark", "note"};
  return names[severity <= TAWA_SEVERITY_NOTE ? severity : TAWA_SEVERITY_NOTE];
}

void appendLine(std::string &text, const std::string &line) {
  if (!text.empty())
    text += '\n';
  text += line;
}

std::string plural(uint64_t count, const char *noun) {
  return format("%llu %s%s", (unsigned long long)count, noun, count == 1 ? "" : "s");
}

} // namespace

std::string reportLine(std::string_view label, std::string_view value) {
  std::string line(label);
  line.resize(std::max(line.size() + 1, kLabelWidth), ' ');
  for (char c : value) {
    line += c;
    if (c == '\n')
      line.append(kLabelWidth, ' ');
  }
  return line + "\n";
}

std::string describeDevice(tawa_runtime_t runtime) {
  tawa_device_info_t info = TAWA_DEVICE_INFO_INIT;
  if (tawa_runtime_device_info(runtime, &info))
    return "unknown";
  return format("%s: %s", info.name, info.description);
}

void writeDevice(JsonWriter &writer, tawa_runtime_t runtime) {
  tawa_device_info_t info = TAWA_DEVICE_INFO_INIT;
  tawa_runtime_device_info(runtime, &info);
  writer.beginObject("device")
      .text("name", info.name ? info.name : "")
      .text("description", info.description ? info.description : "")
      .integer("compute_capability", 10 * info.compute_major + info.compute_minor)
      .integer("multiprocessors", info.multiprocessors)
      .integer("driver_version", info.driver_version)
      .endObject();
}

std::string describeKernel(tawa_kernel_t kernel) {
  tawa_kernel_info_t info = infoOf(kernel);
  std::string roles, rings;
  forEachRole(kernel, info, [&](const tawa_role_info_t &role) {
    appendLine(roles, format("%s: %s, %u registers a thread", role.name, plural(role.warps, "warp").c_str(),
                             role.registers ? role.registers : info.registers));
  });
  forEachRing(kernel, info, [&](const tawa_ring_info_t &ring) {
    appendLine(rings, format("%s of %llu bytes: %s", plural(ring.depth, "slot").c_str(),
                             (unsigned long long)ring.slot_bytes, ring.payload));
  });
  std::string text = reportLine("config", format("%s\n(%s)", info.config, info.chosen_by));
  text += reportLine("depths", format("D=%u slots a ring, P=%u products in flight, %s", info.ring_depth, info.mma_depth,
                                      plural(info.consumer_groups, "consumer group").c_str()));
  text += reportLine("roles", roles.empty() ? "one: not specialized" : roles);
  if (info.declined && *info.declined)
    text += reportLine("not split", info.declined);
  if (!rings.empty())
    text += reportLine("rings", rings);
  text += reportLine("CTA", format("%u threads, %u bytes of shared memory, cluster %ux%ux%u", info.threads,
                                   info.shared_bytes, info.cluster[0], info.cluster[1], info.cluster[2]));
  text += reportLine("registers", format("%u a thread at entry, %u bytes spilled, %u bytes of local memory",
                                         info.registers, info.spill_bytes, info.local_bytes));
  return text;
}

std::string describePhases(tawa_kernel_t kernel, double totalMilliseconds) {
  tawa_kernel_info_t info = infoOf(kernel);
  std::string phases;
  forEachPhase(kernel, info, [&](const tawa_phase_info_t &phase) {
    appendLine(phases, format("%8.2f ms  %s", phase.milliseconds, phase.name));
  });
  return reportLine("compiled", format("%.1f ms, of which", totalMilliseconds) + "\n" + phases);
}

std::string describeDiagnostics(tawa_kernel_t kernel) {
  std::string text;
  forEachDiagnostic(kernel, infoOf(kernel), [&](const tawa_diagnostic_t &diagnostic) {
    text += format("%s:%u:%u: %s: %s%s%s\n", diagnostic.file, diagnostic.line, diagnostic.column,
                   severityName(diagnostic.severity), diagnostic.op, *diagnostic.op ? ": " : "", diagnostic.message);
  });
  return text;
}

static void writeFacts(JsonWriter &writer, const tawa_kernel_info_t &info) {
  writer.text("entry", info.entry)
      .text("config", info.config)
      .text("chosen_by", info.chosen_by)
      .text("content_hash", info.content_hash)
      .text("grid_expression", info.grid_expression)
      .text("declined", info.declined ? info.declined : "")
      .integer("ring_depth", info.ring_depth)
      .integer("mma_depth", info.mma_depth)
      .integer("consumer_groups", info.consumer_groups)
      .integer("threads", info.threads)
      .integer("shared_bytes", info.shared_bytes)
      .integer("registers", info.registers)
      .integer("spill_bytes", info.spill_bytes)
      .integer("local_bytes", info.local_bytes)
      .integer("ptx_version", info.ptx_version);
  writer.beginArray("cluster");
  for (uint32_t extent : info.cluster)
    writer.integer({}, extent);
  writer.endArray();
}

/// Roles, rings and phases.
static void writeParts(JsonWriter &writer, tawa_kernel_t kernel, const tawa_kernel_info_t &info) {
  writer.beginArray("roles");
  forEachRole(kernel, info, [&](const tawa_role_info_t &role) {
    writer.beginObject().text("name", role.name).integer("warps", role.warps).integer("registers", role.registers);
    writer.endObject();
  });
  writer.endArray().beginArray("rings");
  forEachRing(kernel, info, [&](const tawa_ring_info_t &ring) {
    writer.beginObject().text("payload", ring.payload).integer("slot_bytes", static_cast<int64_t>(ring.slot_bytes));
    writer.integer("depth", ring.depth).endObject();
  });
  writer.endArray().beginArray("phases");
  forEachPhase(kernel, info, [&](const tawa_phase_info_t &phase) {
    writer.beginObject().text("name", phase.name).number("milliseconds", phase.milliseconds).endObject();
  });
  writer.endArray();
}

static void writeDiagnostics(JsonWriter &writer, tawa_kernel_t kernel, const tawa_kernel_info_t &info) {
  writer.beginArray("diagnostics");
  forEachDiagnostic(kernel, info, [&](const tawa_diagnostic_t &diagnostic) {
    writer.beginObject()
        .text("severity", severityName(diagnostic.severity))
        .text("file", diagnostic.file)
        .integer("line", diagnostic.line)
        .integer("column", diagnostic.column)
        .text("op", diagnostic.op)
        .text("message", diagnostic.message)
        .endObject();
  });
  writer.endArray();
}

void writeKernel(JsonWriter &writer, tawa_kernel_t kernel) {
  tawa_kernel_info_t info = infoOf(kernel);
  writer.beginObject("kernel");
  writeFacts(writer, info);
  writeParts(writer, kernel, info);
  writeDiagnostics(writer, kernel, info);
  writer.text("jit_log", info.jit_log).endObject();
}

} // namespace tawa::cli
