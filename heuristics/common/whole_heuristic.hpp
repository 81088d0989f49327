// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <mash/heuristic.hpp>
#include <span>
#include <vector>

namespace mash::heuristics {

// A heuristic that computes all its features when it sees an image, because they share nearly all of the
// work; compute then looks them up.
class WholeHeuristic : public Heuristic {
 public:
  void prepare(const View& view) final {
    values_.resize(dim({view.width(), view.height()}));
    compute_values(view, values_);
  }

  void compute(const View&, std::span<const std::uint32_t> features, std::span<float> out) final {
    for (std::size_t i = 0; i < features.size(); ++i) out[i] = values_[features[i]];
  }

  void compute_all(const View&, std::span<float> out) final {
    std::copy(values_.begin(), values_.end(), out.begin());
  }

 protected:
  // values.size() is dim of the view's size; its content is that of the last image.
  virtual void compute_values(const View& view, std::span<float> values) = 0;

 private:
  std::vector<float> values_;
};

}  // namespace mash::heuristics
