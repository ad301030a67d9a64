#include "plots/curve_labels.hpp"

#include <algorithm>
#include <cmath>

#include "plots/gnuplot_text.hpp"

namespace elmx {
namespace {

constexpr std::size_t kLongestLine = 22, kMostLines = 3;
constexpr double kLine = 0.062, kGap = 0.014;  ///< a line of text and the room between labels, of the frame

/// The name in lines that end at commas and before brackets; none where it is too long.
std::vector<std::string> lines_of(const std::string& name) {
  std::vector<std::string> lines(1);
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t comma = name.find(", ", at), bracket = name.find(" (", at);
    const std::size_t end = std::min({comma == std::string::npos ? name.size() : comma + 1, bracket, name.size()});
    const std::string part = name.substr(at, end - at);
    if (!lines.back().empty() && lines.back().size() + 1 + part.size() > kLongestLine) lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + part;
    if (lines.back().size() > kLongestLine) return {};
    at = end + 1;
  }
  return lines.size() > kMostLines ? std::vector<std::string>() : lines;
}

/// "ridge = 0.1", "20 nodes": what follows is no further algorithm of a curve that stands for several.
bool begins_with_trait(const std::string& text) {
  const std::string first = text.substr(0, std::min(text.find(", "), text.find(" (")));
  return first.find(" = ") != std::string::npos ||
         (first[0] >= '0' && first[0] <= '9' && first.find(' ') != std::string::npos);
}

double height(const CurveLabel& label) { return kGap + kLine * static_cast<double>(label.lines.size()); }

/// As near to their ends as their heights allow: groups that touch are centred on the mean of where they would be.
void spread(std::vector<CurveLabel>& labels) {
  struct Cluster {
    double centre, height;
    std::size_t count;
    double low() const { return centre - height / 2; }
    double high() const { return centre + height / 2; }
  };
  std::vector<Cluster> groups;
  const auto fit = [](Cluster& group) {
    group.centre = std::clamp(group.centre, group.height / 2, std::max(1 - group.height / 2, group.height / 2));
  };
  for (const CurveLabel& label : labels) {
    groups.push_back({label.end, height(label), 1});
    fit(groups.back());
    while (groups.size() > 1 && groups[groups.size() - 2].high() > groups.back().low()) {
      const Cluster last = groups.back();
      groups.pop_back();
      Cluster& group = groups.back();
      group.centre = (group.centre * static_cast<double>(group.count) + last.centre * static_cast<double>(last.count)) /
                     static_cast<double>(group.count + last.count);
      group.height += last.height;
      group.count += last.count;
      fit(group);
    }
  }
  auto label = labels.begin();
  for (const Cluster& group : groups) {
    double foot = group.low();
    for (std::size_t i = 0; i < group.count; ++i, ++label) {
      label->place = foot + height(*label) / 2;
      foot += height(*label);
    }
  }
}

}  // namespace

std::string common_beginning(const Plot& plot) {
  if (plot.curves.size() < 2) return "";
  const std::string& first = plot.curves[0].name;
  for (std::size_t end = first.rfind(", "); end != std::string::npos && end > 0; end = first.rfind(", ", end - 1)) {
    const std::string beginning = first.substr(0, end + 2);
    if (std::ranges::all_of(plot.curves, [&](const Curve& curve) {
          return curve.name.starts_with(beginning) && begins_with_trait(curve.name.substr(beginning.size()));
        }))
      return first.substr(0, end);
  }
  return "";
}

std::vector<CurveLabel> curve_labels(const Plot& plot, const VerticalAxis& axis) {
  std::vector<CurveLabel> labels;
  if (plot.curves.size() > kPlotColours || plot.style != PlotStyle::curves) return {};
  const std::string common = common_beginning(plot);
  double sum = 0;
  for (std::size_t i = 0; i < plot.curves.size(); ++i) {
    const Curve& curve = plot.curves[i];
    const auto last = std::find_if(curve.points.rbegin(), curve.points.rend(),
                                   [](const CurvePoint& point) { return std::isfinite(point.mean); });
    CurveLabel label{i, lines_of(one_line(curve.name.substr(common.empty() ? 0 : common.size() + 2)))};
    if (last == curve.points.rend() || label.lines.empty()) return {};
    label.x = last->x;
    label.end = axis.place(last->mean);
    sum += height(label);
    labels.push_back(std::move(label));
  }
  if (sum > 1) return {};
  std::ranges::stable_sort(labels, {}, &CurveLabel::end);
  spread(labels);
  return labels;
}

std::string label_lines(const std::vector<CurveLabel>& labels) {
  std::size_t longest = 0;
  std::string script;
  for (const CurveLabel& label : labels) {
    script += "set arrow from first " + gnuplot_number(label.x) + ", graph " + gnuplot_number(label.end) +
              " to graph 1.025, graph " + gnuplot_number(label.place) + " nohead linecolor rgb '" +
              plot_colour(label.curve) + "' linewidth 1 dashtype (2,3) front\n";
    double place = label.place + kLine * (static_cast<double>(label.lines.size()) - 1) / 2;
    for (const std::string& line : label.lines) {
      longest = std::max(longest, line.size());
      script +=
          "set label " + gnuplot_quoted(line) + " at graph 1.035, graph " + gnuplot_number(place) + " left front\n";
      place -= kLine;
    }
  }
  return script + "set rmargin " + std::to_string(longest * 4 / 5 + 4) + "\n";
}

}  // namespace elmx
