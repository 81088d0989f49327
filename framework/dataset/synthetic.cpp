// SPDX-License-Identifier: Apache-2.0
// The two tasks of Busa-Fekete & Kegl 2010, section 4.1: uniform points in a cube of which few dimensions
// matter.
#include <fmt/format.h>

#include <cmath>
#include <functional>

#include "framework/base/random.hpp"
#include "framework/dataset/readers.hpp"

namespace mash {
namespace {

constexpr std::size_t kDefaultExamples = 1000;

// The probability that a point is of the class "+1".
using PositiveShare = std::function<double(std::span<const float> point)>;

Split generate_side(std::string_view purpose, std::size_t num_examples, std::size_t num_features,
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

Result<Dataset> generate(const ReadRequest& request, std::size_t num_features,
                         const PositiveShare& positive_share) {
  MASH_ASSIGN(const std::size_t num_train,
              count_of(request.split.train, request.split.train_where, kDefaultExamples));
  MASH_ASSIGN(const std::size_t num_test,
              count_of(request.split.test, request.split.test_where, kDefaultExamples));
  Dataset dataset;
  dataset.class_names = {"-1", "+1"};
  for (std::size_t j = 1; j <= num_features; ++j) dataset.column_names.push_back(fmt::format("x{}", j));
  const std::string name(request.name);
  dataset.train = generate_side(name + ".train", num_train, num_features, positive_share, request.seed);
  dataset.test = generate_side(name + ".test", num_test, num_features, positive_share, request.seed);
  return dataset;
}

struct Size {
  std::size_t num_features = 10;  // d
  std::size_t num_relevant = 0;   // J
};

Result<Size> read_size(Settings& settings, std::int64_t default_relevant) {
  MASH_ASSIGN(const auto num_features, settings.integer("features", 10, 1, 1 << 20));
  MASH_ASSIGN(const auto num_relevant,
              settings.integer("relevant", std::min(default_relevant, num_features), 1, num_features));
  return Size{std::size_t(num_features), std::size_t(num_relevant)};
}

}  // namespace

Result<Dataset> generate_diagonal(Settings& settings, const ReadRequest& request) {
  MASH_ASSIGN(const Size size, read_size(settings, 4));
  MASH_ASSIGN(const double noise, settings.real("noise", 0.1, 0, 0.5));
  MASH_TRY(settings.finish("data set diagonal"));
  return generate(request, size.num_features, [=](std::span<const float> point) {
    double sum = 0;
    for (const float x : point.first(size.num_relevant)) sum += x;
    return sum > 0.5 * double(size.num_relevant) ? 1 - noise : noise;
  });
}

Result<Dataset> generate_chess(Settings& settings, const ReadRequest& request) {
  MASH_ASSIGN(const Size size, read_size(settings, 3));
  MASH_ASSIGN(const auto num_levels, settings.integer("levels", 3, 1, 1 << 20));
  MASH_TRY(settings.finish("data set chess"));
  return generate(request, size.num_features, [=](std::span<const float> point) {
    std::int64_t sum = 0;
    for (const float x : point.first(size.num_relevant))
      sum += std::min(num_levels - 1, std::int64_t(double(num_levels) * x));
    return sum % 2 == 0 ? 1.0 : 0.0;
  });
}

}  // namespace mash
