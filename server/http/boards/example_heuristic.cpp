// SPDX-License-Identifier: Apache-2.0
#include "server/http/boards/example_heuristic.hpp"

namespace mash::server {

const std::string_view kExampleSource = R"source(// SPDX-License-Identifier: Apache-2.0
// The smallest heuristic that works: how bright each row of the picture is.
#include <mash/heuristic.hpp>

namespace {

class RowMeans final : public mash::Heuristic {
 public:
  // How many features there are. It may depend on the size of the view, never on its pixels.
  std::uint32_t dim(mash::Size size) const override { return size.height; }

  // out[i] = the feature number features[i]: any of them, in any order.
  void compute(const mash::View& view, std::span<const std::uint32_t> features,
               std::span<float> out) override {
    for (std::size_t i = 0; i < features.size(); ++i) {
      std::uint32_t sum = 0;
      for (std::uint32_t x = 0; x < view.width(); ++x) sum += view.gray()(x, features[i]);
      out[i] = float(sum) / float(view.width());
    }
  }
};

}  // namespace

// Class, id, version (raise it when the features change), author, summary, licence.
MASH_HEURISTIC(RowMeans, "your-name/row-means", "1.0.0", "Your Name", "mean grey value of each row", "Apache-2.0")
)source";

}  // namespace mash::server
