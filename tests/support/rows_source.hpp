// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace mash::testing {

// A heuristic: the mean grey value of each row. body: what it does in `compute` before.
inline std::string rows_source(const std::string& id, const std::string& version = "1.0.0",
                               const std::string& body = "") {
  return R"cpp(#include <cstdlib>
#include <mash/heuristic.hpp>
               class Rows final : public mash::Heuristic {
                public:
                 std::uint32_t dim(mash::Size size) const override { return size.height; }
                 void compute(const mash::View& view, std::span<const std::uint32_t> features,
                              std::span<float> out) override {
         )cpp" +
         body +
         R"cpp(
           for (std::size_t i = 0; i < features.size(); ++i) {
             float sum = 0;
             for (std::uint32_t x = 0; x < view.width(); ++x) sum += float(view.gray()(x, features[i]));
             out[i] = sum / float(view.width());
           }
           }
           }
           ;
MASH_HEURISTIC(Rows, ")cpp" +
         id + "\", \"" + version + "\", \"Ada\", \"mean grey value of each row\", \"MIT\")\n";
}

// Sums of columns in place of means of rows.
inline std::string columns_source(const std::string& id) {
  return rows_source(id, "1.0.0", R"cpp(
    for (std::size_t i = 0; i < features.size(); ++i) {
      out[i] = 0;
      for (std::uint32_t y = 0; y < view.height(); ++y)
        out[i] += float(view.gray()(features[i] % view.width(), y));
    }
    if (view.width() > 0) return;
  )cpp");
}

}  // namespace mash::testing
