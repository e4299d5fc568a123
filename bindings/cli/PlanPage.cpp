#include "bindings/cli/PlanPage.h"

#include "bindings/cli/Console.h"
#include "bindings/cli/MeshPicture.h"

#include <algorithm>

namespace tawa::cli {
namespace {

constexpr const char *kStyle = R"(<style>
body { font: 15px/1.45 system-ui, sans-serif; color: #1c2330; max-width: 1120px; margin: 2em auto; padding: 0 1.5em }
h1 { font-size: 1.5em; margin-bottom: 0 }
h2 { font-size: 1.15em; margin: 2em 0 .5em; border-bottom: 1px solid #d5dbe4 }
h3 { font-size: 1em; margin: .4em 0 }
p.note { color: #5b6575; margin: .3em 0 }
table { border-collapse: collapse; font-size: .92em }
th, td { text-align: left; padding: .25em .8em .25em 0; vertical-align: top; border-bottom: 1px solid #e6eaf0 }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
tr.chosen { background: #eaf2fd; font-weight: 600 }
pre { background: #f5f7fa; padding: .9em 1.1em; overflow-x: auto; font-size: .85em; line-height: 1.4 }
svg text { font: 11px system-ui, sans-serif; text-anchor: middle }
.row { display: flex; flex-wrap: wrap; gap: 2em; align-items: flex-start }
.bar { background: #e9edf3; width: 320px; height: 12px; display: inline-block; position: relative }
.bar i { position: absolute; left: 0; top: 0; bottom: 0 }
.bar i.mean { background: #2162b2 } .bar i.most { background: #9dbfe8 }
.key { display: inline-block; width: 110px; height: 10px; margin: 0 .4em; vertical-align: middle }
</style>
)";

std::string escaped(const std::string &text) {
  std::string out;
  for (char c : text)
    out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : std::string(1, c);
  return out;
}

std::string cell(const std::string &text) { return "<td>" + escaped(text) + "</td>"; }
std::string numberCell(const std::string &text) { return "<td class=\"n\">" + text + "</td>"; }

/// 1234567 as "1 234 567".
std::string grouped(double value) {
  std::string digits = format("%.0f", value);
  for (size_t at = digits.size(); at > 3; at -= 3)
    digits.insert(at - 3, "\u2009");
  return digits;
}

std::string plansTable(const PlanFacts &facts) {
  std::string text = "<table><tr><th class=\"n\">rank</th><th class=\"n\">model</th><th class=\"n\">simulated</th>"
                     "<th>bound</th><th>block</th><th>mapping</th></tr>\n";
  for (size_t i = 0; i < facts.plans.size(); ++i) {
    const PlannedFacts &plan = facts.plans[i];
    text += (i == facts.chosen ? "<tr class=\"chosen\">" : "<tr>") + numberCell(std::to_string(i + 1)) +
            numberCell(grouped(plan.cycles)) + numberCell(plan.simulated ? grouped(*plan.simulated) : "") +
            cell(plan.bound) + cell(facts.programs.at(plan.program).first) + cell(plan.summary) + "</tr>\n";
  }
  return text + "</table>\n";
}

std::string bar(double mean, double most) {
  return format("<span class=\"bar\"><i class=\"most\" style=\"width:%.1f%%\"></i><i class=\"mean\" "
                "style=\"width:%.1f%%\"></i></span>",
                100 * std::clamp(most, 0.0, 1.0), 100 * std::clamp(mean, 0.0, 1.0));
}

std::string estimateBars(const PlanFacts &facts) {
  const PlannedFacts &plan = facts.best();
  std::string text = "<table><tr><th>model</th><th></th><th class=\"n\">cycles</th></tr>\n";
  for (const auto &[name, cycles] : {std::pair("compute alone", plan.compute), std::pair("loads alone", plan.load),
                                     std::pair("stores alone", plan.store), std::pair("together", plan.cycles)}) {
    double share = plan.cycles > 0 ? cycles / plan.cycles : 0;
    text += "<tr>" + cell(name) + "<td>" + bar(share, share) + "</td>" + numberCell(grouped(cycles)) + "</tr>\n";
  }
  return text + "</table>\n";
}

std::string resourceBars(const PlanFacts &facts) {
  struct Group {
    double sum = 0, most = 0;
    int count = 0;
  };
  std::map<std::string, Group> groups;
  for (const ResourceFacts &resource : facts.resources) {
    std::string name = resource.kind == resource.name ? resource.name : resource.kind + " " + resource.name;
    Group &group = groups[name];
    group.sum += facts.share(resource);
    group.most = std::max(group.most, facts.share(resource));
    ++group.count;
  }
  std::string text =
      "<table><tr><th>simulated</th><th></th><th class=\"n\">mean</th><th class=\"n\">busiest</th></tr>\n";
  for (const auto &[name, group] : groups)
    text += "<tr>" + cell(name) + "<td>" + bar(group.sum / group.count, group.most) + "</td>" +
            numberCell(format("%.1f&#8201;%%", 100 * group.sum / group.count)) +
            numberCell(format("%.1f&#8201;%%", 100 * group.most)) + "</tr>\n";
  return text + "</table>\n";
}

std::string channels(const PlanFacts &facts) {
  constexpr int kWidth = 46;
  std::string boxes;
  int count = 0;
  for (const ResourceFacts &resource : facts.resources)
    if (resource.kind == "channel") {
      double share = facts.share(resource);
      boxes +=
          format("<rect x=\"%d\" y=\"1\" width=\"%d\" height=\"22\" rx=\"3\" fill=\"%s\" stroke=\"#667\"><title>%s: "
                 "%lld bytes</title></rect><text x=\"%d\" y=\"16\" fill=\"%s\">%.0f</text>\n",
                 count * kWidth + 1, kWidth - 6, linkColour(share).c_str(), escaped(resource.name).c_str(),
                 static_cast<long long>(resource.bytes), count * kWidth + kWidth / 2 - 2, share > 0.5 ? "#fff" : "#223",
                 100 * share);
      ++count;
    }
  return count == 0 ? ""
                    : format("<p class=\"note\">channels of the global memory</p><svg width=\"%d\" height=\"24\">",
                             count * kWidth) +
                          boxes + "</svg>\n";
}

std::string key(const std::string &low, const std::string &high, const char *what) {
  return "<span class=\"key\" style=\"background:linear-gradient(90deg," + low + "," + high + ")\"></span>" + what;
}

std::string loadPictures(const PlanFacts &facts) {
  std::string text = "<div class=\"row\">\n";
  for (const LoadFacts &load : facts.best().loads)
    text += "<div><h3>" + escaped(load.tensor) + "</h3><p class=\"note\">" + escaped(load.movement) +
            format("<br>at level %lld, tiles: %lld, slots: %lld, %s bytes</p>", static_cast<long long>(load.level),
                   static_cast<long long>(load.tiles), static_cast<long long>(load.slots),
                   grouped(static_cast<double>(load.bytes)).c_str()) +
            travelPicture(facts, load) + "</div>\n";
  return text + "</div>\n";
}

std::string stallsTable(const PlanFacts &facts) {
  std::string text = "<table>";
  bool isFirst = true;
  for (const auto &[thread, causes] : facts.stalls) {
    if (isFirst) {
      text += "<tr><th>waits for</th>";
      for (const auto &[cause, cycles] : causes)
        text += "<th class=\"n\">" + escaped(cause) + "</th>";
      text += "</tr>\n";
    }
    isFirst = false;
    text += "<tr>" + cell(thread);
    for (const auto &[cause, cycles] : causes)
      text += numberCell(format("%.1f&#8201;%%", facts.cycles > 0 ? 100 * cycles / facts.cycles : 0));
    text += "</tr>\n";
  }
  return text + "</table>\n";
}

std::string simulationPart(const PlanFacts &facts) {
  return "<h2>The machine at work</h2>\n<p class=\"note\">Cores: percent of the time that their busiest unit works." +
         key(coreColour(0), coreColour(1), "0 to 100 %") +
         "; links:" + key(linkColour(0), linkColour(1), "0 to 100 %") +
         ". Numbers of a link or core show under the mouse.</p>\n" + busyPicture(facts) + channels(facts) +
         "<h2>Time by resource</h2>\n<div class=\"row\">" + estimateBars(facts) + resourceBars(facts) +
         "</div>\n<h2>Waiting threads</h2>\n" + stallsTable(facts);
}

} // namespace

std::string planPage(const PlanFacts &facts, const std::string &kernel) {
  std::string title = escaped(kernel.substr(kernel.rfind('/') + 1) + " on " + facts.machine);
  return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + title + "</title>\n" + kStyle +
         "</head><body>\n<h1>" + title + "</h1>\n<p class=\"note\">" + grouped(facts.cycles) + " cycles simulated, " +
         escaped(facts.best().bound) + " bounds. " + grouped(static_cast<double>(facts.combinations)) + " plans of " +
         grouped(static_cast<double>(facts.mappings)) + " mappings, " + grouped(static_cast<double>(facts.estimated)) +
         " estimated.</p>\n<h2>Plans</h2>\n" + plansTable(facts) +
         "<h2>How tiles travel</h2>\n<p class=\"note\">Filled cores read from global memory, as far as they have work; "
         "arrows lead to those that get the tiles from them.</p>\n" +
         loadPictures(facts) + simulationPart(facts) + "<h2>Loop nest of a core</h2>\n<pre>" +
         escaped(facts.best().nest) + "</pre>\n<h2>Tile program</h2>\n<pre>" +
         escaped(facts.programs.at(facts.best().program).second) + "</pre>\n<h2>Machine</h2>\n<pre>" +
         escaped(facts.machineText) + "</pre>\n</body></html>\n";
}

} // namespace tawa::cli
