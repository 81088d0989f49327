// SPDX-License-Identifier: Apache-2.0
#include "classifiers/online/online_stump.hpp"

#include <cmath>

#include "framework/base/require.hpp"

namespace mash {
namespace {

constexpr double kForgotten = 1e-9;  // a start with less than this share has no part in the answer

}  // namespace

void OnlineStump::Mean::add(double x, double w) {
  weight = kMemory * weight + w;
  value += w / weight * (x - value);
}

void OnlineStump::learn(float value, int sign, double weight) {
  require(sign == 1 || sign == -1, "OnlineStump::learn: sign in {-1, +1}");
  require(weight >= 0, "OnlineStump::learn: weight >= 0");
  if (!std::isfinite(value) || weight == 0) return;
  (sign > 0 ? positive_ : negative_).add(double(value), weight);
  start_share_ *= kMemory;
  if (start_share_ < kForgotten) start_share_ = 0;
  settle();
}

void OnlineStump::settle() {
  if (positive_.weight == 0 || negative_.weight == 0) {
    if (start_share_ > 0) return;
    stump_ = {stump_.feature, FeatureStump().threshold, positive_.weight > 0 ? 1 : -1};
    return;
  }
  const bool is_start = start_share_ > 0.5;
  const double midpoint = (positive_.value + negative_.value) / 2;
  stump_.polarity = is_start ? start_.polarity : (positive_.value >= negative_.value ? 1 : -1);
  if (std::isfinite(start_.threshold))
    stump_.threshold = float(start_share_ * double(start_.threshold) + (1 - start_share_) * midpoint);
  else
    stump_.threshold = is_start ? start_.threshold : float(midpoint);
}

void OnlineStump::write(StateWriter& writer) const {
  writer.add(start_.feature, start_.threshold, start_.polarity, stump_.threshold, stump_.polarity);
  writer.add(start_share_, negative_.weight, negative_.value, positive_.weight, positive_.value);
}

void OnlineStump::read(StateReader& reader) {
  start_.feature = stump_.feature = reader.next<std::uint32_t>();
  start_.threshold = reader.next<float>();
  start_.polarity = reader.next<int>();
  stump_.threshold = reader.next<float>();
  stump_.polarity = reader.next<int>();
  for (double* number :
       {&start_share_, &negative_.weight, &negative_.value, &positive_.weight, &positive_.value})
    *number = reader.next();
}

}  // namespace mash
