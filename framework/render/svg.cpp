// SPDX-License-Identifier: Apache-2.0
#include "framework/render/svg.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "framework/base/require.hpp"
#include "framework/base/utf8.hpp"

namespace mash {
namespace {

constexpr double kCharacterWidth = 7;

// The largest of 1, 2 or 5 x 10^k at or below `value`, or the smallest at or above it.
double round_step(double value) {
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= value * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

std::vector<double> linear_ticks(double low, double high, int target) {
  const double step = round_step((high - low) / target);
  std::vector<double> ticks;
  const double slack = 1e-9 * step;
  for (double i = std::ceil((low - slack) / step); i * step <= high + slack; ++i) ticks.push_back(i * step);
  return ticks;
}

std::vector<double> log_ticks(double low, double high, int target) {
  const int first = int(std::floor(std::log10(low))), last = int(std::ceil(std::log10(high)));
  const auto collect = [&](std::initializer_list<double> factors, int stride) {
    std::vector<double> ticks;
    for (int k = first; k <= last; k += stride) {
      for (const double factor : factors) {
        const double tick = factor * std::pow(10, k);
        if (tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9)) ticks.push_back(tick);
      }
    }
    return ticks;
  };
  auto ticks = collect({1, 2, 5}, 1);
  for (int stride = 1; int(ticks.size()) > 2 * target && stride <= last - first + 1; ++stride)
    ticks = collect({1}, stride);
  return ticks;
}

}  // namespace

std::vector<double> axis_ticks(double low, double high, Scale scale, int target) {
  require(low <= high && (scale != Scale::kLog || low > 0), "axis_ticks: low <= high; for kLog 0 < low");
  if (low == high) return {low};
  return scale == Scale::kLog ? log_ticks(low, high, target) : linear_ticks(low, high, target);
}

namespace svg {

double Axis::place(double value) const {
  const auto transformed = [&](double v) { return scale == Scale::kLog ? std::log10(v) : v; };
  if (high == low) return (begin + end) / 2;
  const double share = (transformed(value) - transformed(low)) / (transformed(high) - transformed(low));
  return begin + share * (end - begin);
}

void Axis::widen_to_steps(int target) {
  if (low >= high || scale == Scale::kLog) return;
  const double step = round_step((high - low) / target);
  low = std::floor(low / step + 1e-9) * step;
  high = std::ceil(high / step - 1e-9) * step;
}

std::string tick_label(double value, Format format) {
  if (std::abs(value) < 1e-12) value = 0;
  const char* sign = value < 0 ? "−" : "";  // a true minus is as wide as a plus
  const double size = std::abs(value);
  if (format == Format::kPercent) return fmt::format("{}{:.4g} %", sign, 100 * size);
  constexpr std::array kPrefixes = {std::pair(1e12, "T"), std::pair(1e9, "G"), std::pair(1e6, "M")};
  for (const auto& [unit, prefix] : kPrefixes)
    if (size >= unit) return fmt::format("{}{:.6g} {}", sign, size / unit, prefix);
  return fmt::format("{}{:.6g}", sign, size);
}

std::string shortened(const std::string& label, double width) {
  if (text_width(label) <= width) return label;
  const auto limit = std::size_t(width / kCharacterWidth);
  std::size_t end = 0;
  for (std::size_t num_shown = 0; end < label.size(); ++end) {
    if ((label[end] & 0xC0) != 0x80 && ++num_shown == limit) break;  // not inside a character
  }
  return label.substr(0, end) + "…";
}

double text_width(std::string_view text) { return kCharacterWidth * double(num_code_points(text)); }

Html open(double width, double height, std::string_view id, std::string_view title,
          std::string_view description) {
  return markup(
      "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-labelledby=\"{}-title {}-desc\">\n"
      "<title id=\"{}-title\">{}</title>\n<desc id=\"{}-desc\">{}</desc>\n",
      width, height, id, id, id, title, id, description);
}

std::string id_in(Room room, std::string_view id) {
  return room == Room::kWide ? std::string(id) : fmt::format("{}-narrow", id);
}

std::string key_of(std::string_view title) {
  constexpr std::string_view kMicro = "µ";
  std::string key;
  for (std::size_t i = 0; i < title.size(); ++i) {
    const bool is_micro = title.substr(i).starts_with(kMicro);
    if (is_micro) i += kMicro.size() - 1;
    const char c = is_micro ? 'u' : title[i];
    const bool is_kept = ('0' <= c && c <= '9') || ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z');
    if (is_kept)
      key += c;
    else if (!key.empty() && key.back() != '_')
      key += '_';
  }
  return key;
}

Html line(const char* css_class, double x1, double y1, double x2, double y2) {
  return markup("<line class=\"{}\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>", css_class, x1,
                x2, y1, y2);
}

Html horizontal_axis(const Axis& axis, double y, std::string_view title, Format format) {
  const double left = std::min(axis.begin, axis.end), right = std::max(axis.begin, axis.end);
  Html out = line("axis", left, y, right, y);
  for (const double tick : axis_ticks(axis.low, axis.high, axis.scale)) {
    const double x = axis.place(tick);
    out += line("axis", x, y, x, y + 5);
    out += markup("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", x, y + 20,
                  tick_label(tick, format));
  }
  out += markup("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", (left + right) / 2,
                y + 42, title);
  return out;
}

Html vertical_axis(const Axis& axis, double left, double right, Format format) {
  Html out;
  for (const double tick : axis_ticks(axis.low, axis.high, axis.scale, 5)) {
    const double y = axis.place(tick);
    out += line("grid", left, y, right, y);
    out += markup("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", left - 8, y + 4.5,
                  tick_label(tick, format));
  }
  return out;
}

}  // namespace svg
}  // namespace mash
