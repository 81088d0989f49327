// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/base/result.hpp"

namespace mash {

// Points for gains. Each step begins an interval of gains, which ends where the next one begins; below the
// first there are no points.
class PointScale {
 public:
  struct Step {
    double gain = 0, points = 0;
  };

  // "1=1, 2=3, 5=6": from a gain of 1 on one point, from 2 on three, from 5 on six. Errors (kInput): a part
  // is no such step, gains do not rise or points fall, or there are more than 50.
  static Result<PointScale> of_text(std::string_view text);

  double points_of(double gain) const;
  std::span<const Step> steps() const { return steps_; }
  // As of_text takes it: texts of equal scales are equal.
  std::string text() const;

 private:
  std::vector<Step> steps_;
};

}  // namespace mash
