// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "classifiers/losses/loss.hpp"

namespace mash::testing {

inline double value_at(const Loss& loss, double margin) {
  double value = 0;
  loss.values({&margin, 1}, {&value, 1});
  return value;
}

inline double weight_at(const Loss& loss, double margin) {
  double weight = 0;
  loss.weights({&margin, 1}, {&weight, 1});
  return weight;
}

inline double curvature_at(const Loss& loss, double margin) {
  double curvature = 0;
  loss.curvatures({&margin, 1}, {&curvature, 1});
  return curvature;
}

}  // namespace mash::testing
