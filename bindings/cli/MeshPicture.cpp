#include "bindings/cli/MeshPicture.h"

#include "bindings/cli/Console.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tawa::cli {
namespace {

struct Point {
  double x = 0, y = 0;
};

/// Where cores are drawn.
class Layout {
public:
  Layout(const PlanFacts &facts, double step, double side) : step(step), side(side) {
    for (const auto &[name, size] : facts.cores)
      sizes.push_back(size);
    isRing = sizes.size() == 1 && sizes[0] > 2;
    double turn = 2 * std::numbers::pi / static_cast<double>(std::max<int64_t>(count(), 1));
    radius = step / (2 * std::sin(std::min(turn, std::numbers::pi / 2) / 2));
  }

  int64_t count() const {
    int64_t all = 1;
    for (int64_t size : sizes)
      all *= size;
    return all;
  }

  Point place(const std::vector<int64_t> &indices) const {
    if (isRing) {
      double angle = 2 * std::numbers::pi * static_cast<double>(indices[0]) / static_cast<double>(sizes[0]);
      return {step + radius * (1 + std::sin(angle)), step + radius * (1 - std::cos(angle))};
    }
    int64_t row = 0;
    for (size_t i = 1; i < indices.size(); ++i)
      row = row * sizes[i] + indices[i];
    double column = indices.empty() ? 0 : static_cast<double>(indices[0]);
    return {step * (column + 1), step * (static_cast<double>(row) + 1)};
  }

  Point place(int64_t core) const {
    std::vector<int64_t> indices(sizes.size());
    for (size_t i = sizes.size(); i-- > 0; core /= sizes[i])
      indices[i] = core % sizes[i];
    return place(indices);
  }

  bool isCore(const std::vector<int64_t> &indices) const { return indices.size() == sizes.size(); }

  /// The picture around its contents.
  std::string frame(const std::string &contents) const {
    double width = 2 * (step + radius), height = width;
    if (!isRing) {
      Point last = place(count() - 1);
      width = last.x + step;
      height = last.y + step;
    }
    return format("<svg viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\">", width, height, width, height) +
           "<defs><marker id=\"tip\" viewBox=\"0 0 6 6\" refX=\"5\" refY=\"3\" markerWidth=\"5\" markerHeight=\"5\" "
           "orient=\"auto\"><path d=\"M0 0L6 3L0 6z\" fill=\"#1a5fb4\"/></marker></defs>\n" +
           contents + "</svg>\n";
  }

  std::string square(Point at, const std::string &fill, const std::string &title) const {
    return format("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"3\" fill=\"%s\" stroke=\"#667\">"
                  "<title>%s</title></rect>",
                  at.x - side / 2, at.y - side / 2, side, side, fill.c_str(), title.c_str());
  }

  /// From the edge of one core to that of another, a little to the right of the straight way, so that both directions
  /// are seen; in a curve past what lies between them.
  std::string path(Point from, Point to, double right) const {
    double dx = to.x - from.x, dy = to.y - from.y, length = std::max(std::hypot(dx, dy), 1.0);
    Point along{dx / length, dy / length}, aside{-along.y, along.x};
    double inset = side / 2 / std::max(std::abs(along.x), std::abs(along.y));
    Point begin{from.x + along.x * inset + aside.x * right, from.y + along.y * inset + aside.y * right};
    Point end{to.x - along.x * inset + aside.x * right, to.y - along.y * inset + aside.y * right};
    if (length < 1.5 * step)
      return format("M%.1f %.1fL%.1f %.1f", begin.x, begin.y, end.x, end.y);
    double bulge = isRing ? 0 : side / 2 + 5;
    double lead = (step - side) / 2;
    begin = {from.x + aside.x * side / 2 + along.x * right, from.y + aside.y * side / 2 + along.y * right};
    end = {to.x + aside.x * side / 2 + along.x * right, to.y + aside.y * side / 2 + along.y * right};
    return format("M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1fL%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f", begin.x, begin.y,
                  from.x + aside.x * bulge, from.y + aside.y * bulge, from.x + aside.x * bulge,
                  from.y + aside.y * bulge, from.x + aside.x * bulge + along.x * lead,
                  from.y + aside.y * bulge + along.y * lead, to.x + aside.x * bulge - along.x * lead,
                  to.y + aside.y * bulge - along.y * lead, to.x + aside.x * bulge, to.y + aside.y * bulge,
                  to.x + aside.x * bulge, to.y + aside.y * bulge, end.x, end.y);
  }

private:
  std::vector<int64_t> sizes;
  double step, side, radius = 0;
  bool isRing = false;
};

std::string nameOf(const std::vector<int64_t> &indices) {
  std::string text;
  for (int64_t index : indices)
    text += (text.empty() ? "" : ", ") + std::to_string(index);
  return "(" + text + ")";
}

std::string mixed(const int (&low)[3], const int (&high)[3], double share) {
  int colour[3];
  for (int i = 0; i < 3; ++i)
    colour[i] = static_cast<int>(std::lround(low[i] + (high[i] - low[i]) * std::clamp(share, 0.0, 1.0)));
  return format("#%02x%02x%02x", static_cast<unsigned>(colour[0]), static_cast<unsigned>(colour[1]),
                static_cast<unsigned>(colour[2]));
}

bool isUnit(const ResourceFacts &resource) {
  return resource.kind == "matrix" || resource.kind == "vector" || resource.kind == "scalar";
}

} // namespace

std::string coreColour(double share) { return mixed({238, 243, 250}, {33, 98, 178}, share); }
std::string linkColour(double share) { return mixed({214, 218, 224}, {192, 28, 40}, share); }

std::string busyPicture(const PlanFacts &facts) {
  Layout layout(facts, 62, 34);
  std::string links, cores;
  std::map<std::vector<int64_t>, double> busy;
  for (const ResourceFacts &resource : facts.resources) {
    double share = facts.share(resource);
    if (resource.kind == "link" && layout.isCore(resource.from) && layout.isCore(resource.to))
      links +=
          format("<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"%.1f\"><title>%s %s to %s: %.1f %% busy, "
                 "%lld bytes</title></path>\n",
                 layout.path(layout.place(resource.from), layout.place(resource.to), 5).c_str(),
                 linkColour(share).c_str(), 1 + 7 * share, resource.name.c_str(), nameOf(resource.from).c_str(),
                 nameOf(resource.to).c_str(), 100 * share, static_cast<long long>(resource.bytes));
    else if (isUnit(resource))
      busy[resource.from] = std::max(busy[resource.from], share);
  }
  for (const auto &[indices, share] : busy) {
    Point at = layout.place(indices);
    cores += layout.square(at, coreColour(share), "core " + nameOf(indices)) +
             format("<text x=\"%.1f\" y=\"%.1f\" fill=\"%s\">%.0f</text>\n", at.x, at.y + 4,
                    share > 0.5 ? "#fff" : "#223", 100 * share);
  }
  return layout.frame(links + cores);
}

std::string travelPicture(const PlanFacts &facts, const LoadFacts &load) {
  Layout layout(facts, 32, 16);
  std::string cores, arrows;
  for (int64_t core = 0; core < layout.count(); ++core) {
    bool reads = std::ranges::find(load.readers, core) != load.readers.end();
    cores += layout.square(layout.place(core), reads ? "#1a5fb4" : "#eef3fa",
                           "core " + std::to_string(core) + (reads ? " reads from global memory" : "")) +
             "\n";
  }
  for (const auto &[from, to] : load.sends)
    arrows += "<path d=\"" + layout.path(layout.place(from), layout.place(to), 0) +
              "\" fill=\"none\" stroke=\"#1a5fb4\" stroke-width=\"1.6\" marker-end=\"url(#tip)\"/>\n";
  return layout.frame(cores + arrows);
}

} // namespace tawa::cli
