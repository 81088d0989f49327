// SPDX-License-Identifier: Apache-2.0
#include "framework/base/point_scale.hpp"

#include <cmath>

#include "framework/base/number.hpp"
#include "framework/base/settings.hpp"
#include "framework/base/utf8.hpp"

namespace mash {
namespace {

constexpr std::size_t kMostSteps = 50;
constexpr double kMostPoints = 1e6, kLargestGain = 1e6;

Result<PointScale::Step> read_step(std::string_view text) {
  const auto equals = text.find('=');
  if (equals != std::string_view::npos) {
    const auto gain = number_in<double>(text.substr(0, equals)),
               points = number_in<double>(text.substr(equals + 1));
    // The comparisons are false of what is no number.
    if (gain && points && std::abs(*gain) <= kLargestGain && *points >= 0 && *points <= kMostPoints)
      return PointScale::Step{*gain, *points};
  }
  return input_error(
      "found '{}', expected the gain in per cent from which on there are these points, such as 2=3",
      printable(text, 60));
}

}  // namespace

Result<PointScale> PointScale::of_text(std::string_view text) {
  PointScale scale;
  for (const std::string& part : split_list(text)) {
    MASH_ASSIGN(const Step step, read_step(part));
    if (!scale.steps_.empty() &&
        (step.gain <= scale.steps_.back().gain || step.points < scale.steps_.back().points))
      return input_error("found '{}' behind '{}={}', expected a higher gain and no fewer points",
                         printable(part, 60), scale.steps_.back().gain, scale.steps_.back().points);
    scale.steps_.push_back(step);
  }
  if (scale.steps_.size() > kMostSteps)
    return input_error("found {} steps, expected at most {}", scale.steps_.size(), kMostSteps);
  return scale;
}

double PointScale::points_of(double gain) const {
  double points = 0;
  for (const Step& step : steps_)
    if (gain >= step.gain) points = step.points;
  return points;
}

std::string PointScale::text() const {
  std::string text;
  for (const Step& step : steps_)
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", step.gain, step.points);
  return text;
}

}  // namespace mash
