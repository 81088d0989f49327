// SPDX-License-Identifier: Apache-2.0
#include "framework/render/line_chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

namespace mash {
namespace {

// Lengths are in the units of the viewBox, about pixels at the usual size.
struct LineLayout {
  double width, height;
  svg::PlotArea area;
};
constexpr LineLayout kLineWide{520, 320, {58, 506, 58, 274}}, kLineNarrow{360, 290, {50, 342, 58, 244}};
constexpr double kLegendTop = 38, kKeyWidth = 24, kKeyGap = 6;
constexpr double kNameGap = 7, kNameHeight = 14;  // between a dot and its name; of that
constexpr double kGroupWidth = 0.8;               // of the bars at one x, in units of x
constexpr std::array<const char*, 3> kSeriesClasses = {"first", "second", "third"};

bool can_show(double value, Scale scale) {
  return std::isfinite(value) && (scale == Scale::kLinear || value > 0);
}

bool can_show(const ChartPoint& point, const LineChart& chart) {
  return can_show(point.x, chart.x_scale) && can_show(point.y, chart.y_scale);
}

// The class of a style sheet that a series has beside `css_class`, or its own look.
Html look_of(const ChartSeries& series, std::size_t series_idx, const char* css_class) {
  if (series.look.colour.empty())
    return markup("class=\"{} {}\"", css_class,
                  kSeriesClasses[std::min(series_idx, kSeriesClasses.size() - 1)]);
  return markup("class=\"{}\" stroke=\"{}\" stroke-dasharray=\"{}\"", css_class, series.look.colour,
                series.look.dash);
}

struct LineAxes {
  svg::Axis x, y;
};

// The lower end of a point's band. A share is never below 0, even if its interval says so, and a logarithmic
// axis has no place for what is.
double band_low(const LineChart& chart, const ChartPoint& point) {
  const double low = point.y - point.half_width;
  if (chart.y_scale == Scale::kLog && low <= 0) return point.y;
  return chart.y_format == Format::kPercent && point.y >= 0 ? std::max(low, 0.0) : low;
}

LineAxes fit_axes(const LineChart& chart, const svg::PlotArea& area) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  LineAxes axes{{chart.x_scale, kInfinity, -kInfinity, area.left, area.right},
                {chart.y_scale, kInfinity, -kInfinity, area.bottom, area.top}};
  for (const ChartSeries& series : chart.series) {
    for (const ChartPoint& point : series.points) {
      if (!can_show(point, chart)) continue;
      axes.x.low = std::min(axes.x.low, point.x);
      axes.x.high = std::max(axes.x.high, point.x);
      axes.y.low = std::min(axes.y.low, band_low(chart, point));
      axes.y.high = std::max(axes.y.high, point.y + point.half_width);
    }
  }
  if (axes.x.low > axes.x.high) axes.x.low = axes.x.high = axes.y.low = axes.y.high = 1;
  const bool are_bars = chart.mark == LineChart::Mark::kBars;
  if (are_bars) {  // half a group to either side
    axes.x.low -= 0.5;
    axes.x.high += 0.5;
  }
  if (chart.y_from_zero || are_bars) axes.y.low = 0;
  axes.y.widen_to_steps(5);
  return axes;
}

// The band goes along its upper ends and back along its lower ones.
Html draw_band(const LineChart& chart, std::size_t series_idx, const LineAxes& axes) {
  const ChartSeries& series = chart.series[series_idx];
  std::string there, back;
  for (const ChartPoint& point : series.points) {
    if (!can_show(point, chart)) continue;
    const double x = axes.x.place(point.x);
    const double high = std::min(point.y + point.half_width, axes.y.high);
    const double low = std::max(band_low(chart, point), axes.y.low);
    there += fmt::format("{:.1f},{:.1f} ", x, axes.y.place(high));
    back.insert(0, fmt::format("{:.1f},{:.1f} ", x, axes.y.place(low)));
  }
  return markup("<polygon {} points=\"{}\"/>\n", look_of(series, series_idx, "band"), there + back);
}

bool has_band(const ChartSeries& series) {
  return std::any_of(series.points.begin(), series.points.end(),
                     [](const ChartPoint& point) { return point.half_width > 0; });
}

Html draw_line(const LineChart& chart, std::size_t series_idx, const LineAxes& axes) {
  const ChartSeries& series = chart.series[series_idx];
  std::string line;
  Html dots;
  for (const ChartPoint& point : series.points) {
    if (!can_show(point, chart)) continue;
    const double x = axes.x.place(point.x), y = axes.y.place(point.y);
    line += fmt::format("{}{:.1f},{:.1f}", line.empty() ? "" : " ", x, y);
    if (point.hover.empty()) continue;
    dots += markup("<circle {} cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\"><title>{}</title></circle>\n",
                   look_of(series, series_idx, "dot"), x, y, point.hover);
  }
  Html out = markup("<polyline {} points=\"{}\"><title>{}</title></polyline>\n",
                    look_of(series, series_idx, "curve"), line, series.name);
  out += dots;
  return out;
}

Html draw_bars(const LineChart& chart, std::size_t series_idx, const LineAxes& axes) {
  const ChartSeries& series = chart.series[series_idx];
  const double width = kGroupWidth / double(chart.series.size());
  Html out = markup("<g fill=\"{}\"><title>{}</title>\n", series.look.colour, series.name);
  for (const ChartPoint& point : series.points) {
    if (!can_show(point, chart)) continue;
    const double x = point.x - kGroupWidth / 2 + width * double(series_idx), y = axes.y.place(point.y);
    out += markup("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n", axes.x.place(x),
                  y, axes.x.place(x + width) - axes.x.place(x), axes.y.place(0) - y);
  }
  out += markup("</g>\n");
  return out;
}

// A rectangle that a text takes.
struct Box {
  double left = 0, right = 0, top = 0, bottom = 0;
  bool meets(const Box& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

// Names go to the right of their dots, or to the left at the right edge; one that would lie on another is
// left out: its dot still has it as a title.
Html draw_dots(const LineChart& chart, std::size_t series_idx, const LineAxes& axes) {
  const ChartSeries& series = chart.series[series_idx];
  Html out;
  std::vector<Box> taken;
  for (const ChartPoint& point : series.points) {
    if (!can_show(point, chart)) continue;
    const double x = axes.x.place(point.x), y = axes.y.place(point.y);
    if (point.half_width > 0)
      out += markup("<line {} x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
                    look_of(series, series_idx, "curve"), x, x,
                    axes.y.place(std::min(point.y + point.half_width, axes.y.high)),
                    axes.y.place(std::max(band_low(chart, point), axes.y.low)));
    out += markup("<circle {} cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\"><title>{}</title></circle>\n",
                  look_of(series, series_idx, "dot"), x, y, point.hover);
    const double width = svg::text_width(point.hover);
    const bool is_left = x + kNameGap + width > axes.x.end;
    const double left = is_left ? x - kNameGap - width : x + kNameGap;
    const Box box{left, left + width, y - kNameHeight / 2, y + kNameHeight / 2};
    if (std::any_of(taken.begin(), taken.end(), [&](const Box& other) { return box.meets(other); })) continue;
    taken.push_back(box);
    out += markup("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", left, y + 4.5, point.hover);
  }
  return out;
}

Html draw(const LineChart& chart, std::size_t series_idx, const LineAxes& axes) {
  switch (chart.mark) {
    case LineChart::Mark::kBars: return draw_bars(chart, series_idx, axes);
    case LineChart::Mark::kDots: return draw_dots(chart, series_idx, axes);
    case LineChart::Mark::kLines: break;
  }
  return draw_line(chart, series_idx, axes);
}

// Side by side below the title; a single series needs none.
Html legend(const LineChart& chart, double left) {
  Html out;
  if (chart.series.size() < 2) return out;
  double x = left;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    out += svg::legend_entry(chart.series[i], i, x, kLegendTop);
    x += 2 * kKeyWidth + kKeyGap + svg::text_width(chart.series[i].name);
  }
  return out;
}

}  // namespace

Html line_chart_svg(const LineChart& chart, Room room) {
  const LineLayout& layout = room == Room::kWide ? kLineWide : kLineNarrow;
  Html out =
      svg::open(layout.width, layout.height, svg::id_in(room, chart.id), chart.title, chart.description);
  out += markup("<text class=\"heading\" x=\"0\" y=\"16\">{}</text>\n", chart.title);
  out += legend(chart, layout.area.left);
  out += svg::plot(chart, layout.area);
  out += markup("</svg>\n");
  return out;
}

Plot plot_of(const LineChart& chart) {
  const auto has_hover = [](const ChartPoint& point) { return !point.hover.empty(); };
  bool are_some_left_out = false;
  for (const ChartSeries& series : chart.series)
    are_some_left_out |= std::any_of(series.points.begin(), series.points.end(), has_hover);
  std::map<double, std::vector<Cell>> rows;  // by x
  Table numbers;
  numbers.columns = {{svg::key_of(chart.x_title), chart.x_title, Format::kDecimal}};
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const ChartSeries& series = chart.series[i];
    numbers.columns.push_back({svg::key_of(series.name), series.name, chart.y_format, has_band(series)});
    for (const ChartPoint& point : series.points) {
      if (are_some_left_out && !has_hover(point)) continue;
      auto& row = rows[point.x];
      row.resize(1 + chart.series.size());
      row[0] = point.x;
      if (has_band(series))
        row[1 + i] = Estimate{point.y, point.half_width};
      else
        row[1 + i] = point.y;
    }
  }
  for (auto& [x, cells] : rows) numbers.rows.push_back(std::move(cells));
  return {chart.id,
          chart.title,
          chart.description,
          line_chart_svg(chart, Room::kWide),
          line_chart_svg(chart, Room::kNarrow),
          std::move(numbers)};
}

Html svg::plot(const LineChart& chart, const PlotArea& area) {
  const LineAxes axes = fit_axes(chart, area);
  Html out = vertical_axis(axes.y, area.left, area.right, chart.y_format);
  if (area.has_x_grid)
    for (const double tick : axis_ticks(axes.x.low, axes.x.high, axes.x.scale))
      out += line("grid", axes.x.place(tick), area.top, axes.x.place(tick), area.bottom);
  out += horizontal_axis(axes.x, area.bottom, chart.x_title, Format::kDecimal);
  for (std::size_t i = 0; i < chart.series.size(); ++i)
    if (chart.mark == LineChart::Mark::kLines && has_band(chart.series[i])) out += draw_band(chart, i, axes);
  for (std::size_t i = 0; i < chart.series.size(); ++i) out += draw(chart, i, axes);
  return out;
}

Html svg::legend_entry(const ChartSeries& series, std::size_t series_idx, double x, double y) {
  Html out = markup("<line {} x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>",
                    look_of(series, series_idx, "curve"), x, x + kKeyWidth, y, y);
  out += markup("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x + kKeyWidth + kKeyGap, y + 4.5, series.name);
  return out;
}

}  // namespace mash
