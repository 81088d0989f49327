// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace mash {

// Mutual information of a feature and the class, in nats: how much of the class the feature tells by itself.
struct Information {
  double nats = 0;   // less what chance alone would show (Miller 1955); may be below 0
  double error = 0;  // standard error
};

// The values are sorted into eight parts of about equal size, equal values into the same one; values that are
// missing are a part of their own. labels: of the same examples, below num_classes. REQUIRES: some examples.
Information information_on_class(std::span<const float> values, std::span<const std::uint16_t> labels,
                                 std::size_t num_classes);

}  // namespace mash
