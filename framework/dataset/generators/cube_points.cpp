// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/generators/cube_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "framework/base/random.hpp"

namespace mash {
namespace {

constexpr std::size_t kDefaultExamples = 1000;

Split generate_points(std::string_view purpose, std::size_t num_examples, std::size_t num_features,
                      const PositiveShare& positive_share, std::uint64_t seed) {
  Split side;
  side.num_examples = num_examples;
  side.values.resize(num_examples * num_features);
  for (std::size_t n = 0; n < num_examples; ++n) {
    RandomStream stream(seed, purpose, n);
    const auto point = std::span(side.values).subspan(n * num_features, num_features);
    for (float& x : point) x = float(stream.uniform());
    side.labels.push_back(stream.uniform() < positive_share(point) ? 1 : 0);
  }
  return side;
}

}  // namespace

Result<CubeSize> read_cube_size(Settings& settings, std::int64_t default_relevant) {
  MASH_ASSIGN(const auto num_features, settings.integer("features", 10, 1, 1 << 20));
  MASH_ASSIGN(const auto num_relevant,
              settings.integer("relevant", std::min(default_relevant, num_features), 1, 1 << 20));
  if (num_relevant > num_features)
    MASH_TRY(settings.refuse(settings.unexpected(
        "relevant", fmt::format("a whole number from 1 to {}, the number of features", num_features))));
  return CubeSize{std::size_t(num_features), std::size_t(num_relevant)};
}

Dataset generate_cube_points(const ReadRequest& request, const CubeSize& size,
                             const PositiveShare& positive_share) {
  const std::size_t num_train = count_of(request.split.train, kDefaultExamples),
                    num_test = count_of(request.split.test, kDefaultExamples);
  Dataset dataset;
  dataset.class_names = {"-1", "+1"};
  for (std::size_t j = 1; j <= size.num_features; ++j) dataset.column_names.push_back(fmt::format("x{}", j));
  const std::string name(request.name);
  dataset.train =
      generate_points(name + ".train", num_train, size.num_features, positive_share, request.seed);
  dataset.test = generate_points(name + ".test", num_test, size.num_features, positive_share, request.seed);
  return dataset;
}

}  // namespace mash
