// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace mash {

// A family in the plane of cost and use.
struct CostPoint {
  std::string name;
  double microseconds_per_image = 0;  // NaN: unknown
  double use = 0;                     // what it is good for: its share of the mean margin, or its gain
  bool is_own = false;
  bool is_on_front = false;  // none is both cheaper and of more use
};
// Sets is_on_front; one of unknown cost is not.
void mark_front(std::vector<CostPoint>& points);

// "12.3 µs per image"; "unknown cost" of NaN, as columns of a file have it.
std::string cost_in_words(double microseconds_per_image);

}  // namespace mash
