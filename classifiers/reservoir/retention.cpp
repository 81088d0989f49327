// SPDX-License-Identifier: Apache-2.0
#include "classifiers/reservoir/retention.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <set>

#include "classifiers/reservoir/edge_covariance.hpp"
#include "framework/base/elementary.hpp"
#include "framework/base/require.hpp"

namespace mash {
namespace {

constexpr double kLambda = 1e-3;

std::vector<std::uint64_t> draw_ties(std::size_t size, RandomStream& stream) {
  std::vector<std::uint64_t> ties(size);
  for (std::uint64_t& tie : ties) tie = stream.next_u64();
  return ties;
}

// The examples with the largest keys; of equals those with the smallest tie numbers. They keep their weights.
Kept keep_largest(std::span<const double> keys, std::span<const std::uint64_t> ties,
                  std::span<const double> weights, std::size_t num_kept) {
  std::vector<std::uint32_t> order(keys.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto end = order.begin() + std::ptrdiff_t(num_kept);
  std::nth_element(order.begin(), end, order.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (keys[a] != keys[b]) return keys[a] > keys[b];
    return ties[a] != ties[b] ? ties[a] < ties[b] : a < b;
  });
  std::sort(order.begin(), end);
  Kept kept{{order.begin(), end}, {}};
  for (const std::uint32_t place : kept.places) kept.weights.push_back(weights[place]);
  return kept;
}

Kept keep_at_random(std::span<const std::uint64_t> ties, std::span<const double> weights,
                    std::size_t num_kept) {
  return keep_largest(std::vector<double>(weights.size()), ties, weights, num_kept);
}

// `count` different features of all, increasing (Floyd's method: Bentley & Floyd 1987).
std::vector<std::uint32_t> draw_features(std::uint32_t num_features, std::uint32_t count,
                                         RandomStream& stream) {
  std::set<std::uint32_t> drawn;
  for (std::uint32_t last = num_features - count; last < num_features; ++last)
    if (!drawn.insert(std::uint32_t(stream.below(last + std::uint64_t(1)))).second) drawn.insert(last);
  return {drawn.begin(), drawn.end()};
}

class Max final : public Retention {
  Kept choose(const Pool& pool, std::size_t num_kept, RandomStream& stream, Remarks&) const override {
    return keep_largest(pool.weights, draw_ties(pool.weights.size(), stream), pool.weights, num_kept);
  }
};

class Rand final : public Retention {
  Kept choose(const Pool& pool, std::size_t num_kept, RandomStream& stream, Remarks&) const override {
    return keep_at_random(draw_ties(pool.weights.size(), stream), pool.weights, num_kept);
  }
};

// Draws without replacement, one after the other, in proportion to the weights: the r largest of ln(u) / w
// with u uniform in (0, 1] (Efraimidis & Spirakis 2006). Those that weigh nothing are drawn last.
class WeightedSample final : public Retention {
 public:
  explicit WeightedSample(bool has_uniform_weights) : has_uniform_weights_(has_uniform_weights) {}
  bool changes_weights() const override { return has_uniform_weights_; }

 private:
  Kept choose(const Pool& pool, std::size_t num_kept, RandomStream& stream, Remarks&) const override {
    const std::vector<std::uint64_t> ties = draw_ties(pool.weights.size(), stream);
    std::vector<double> keys(pool.weights.size());
    for (std::size_t n = 0; n < keys.size(); ++n) {
      const double log = stable_log(1 - stream.uniform()), weight = pool.weights[n];
      keys[n] = weight > 0 ? std::max(log / weight, std::numeric_limits<double>::lowest())
                           : -std::numeric_limits<double>::infinity();
    }
    Kept kept = keep_largest(keys, ties, pool.weights, num_kept);
    if (has_uniform_weights_) share_weight(pool.weights, kept.weights);
    return kept;
  }

  // The weight of all examples in equal shares, as importance sampling has it, for those that have a weight.
  static void share_weight(std::span<const double> all, std::vector<double>& weights) {
    const double total = std::accumulate(all.begin(), all.end(), 0.0);
    const auto num_weighted =
        double(std::count_if(weights.begin(), weights.end(), [](double weight) { return weight > 0; }));
    for (double& weight : weights)
      if (weight > 0) weight = total / num_weighted;
  }

  bool has_uniform_weights_;
};

// Greedy edge expectation maximization: see greedy_removal.hpp.
class Geem final : public Retention {
 public:
  Geem(bool uses_all_features, double lambda) : uses_all_features_(uses_all_features), lambda_(lambda) {}
  bool changes_weights() const override { return true; }

 private:
  Kept choose(const Pool& pool, std::size_t num_kept, RandomStream& stream, Remarks& remarks) const override {
    const std::size_t num_examples = pool.weights.size();
    const std::vector<std::uint64_t> ties = draw_ties(num_examples, stream);
    // The paper notes that n features suffice for a covariance that can be inverted; four times as many here.
    const std::uint64_t enough = uses_all_features_ ? pool.num_features : 4 * std::uint64_t(num_examples);
    const auto features = draw_features(
        pool.num_features, std::uint32_t(std::min<std::uint64_t>(enough, pool.num_features)), stream);
    std::vector<std::uint8_t> codes(features.size() * num_examples);
    pool.codes(features, codes.data());
    return keep_by_covariance(edge_covariance(codes, pool.signs), lambda_, {pool.weights, ties}, num_kept,
                              remarks);
  }

  bool uses_all_features_;
  double lambda_;
};

using MadeRetention = Result<std::unique_ptr<const Retention>>;

MadeRetention make_geem(Settings& settings) {
  constexpr std::array kChoices{Choice{"auto", false}, Choice{"all", true}};
  MASH_ASSIGN(const bool uses_all_features, settings.one_of("features", false, kChoices));
  MASH_ASSIGN(const double lambda, settings.real("lambda", kLambda, 1e-6, 1));
  return std::unique_ptr<const Retention>(std::make_unique<Geem>(uses_all_features, lambda));
}
MadeRetention make_max(Settings&) { return std::unique_ptr<const Retention>(std::make_unique<Max>()); }
MadeRetention make_rand(Settings&) { return std::unique_ptr<const Retention>(std::make_unique<Rand>()); }
MadeRetention make_wsam(Settings& settings) {
  MASH_ASSIGN(const bool has_uniform_weights, settings.boolean("uniform_weights", false));
  return std::unique_ptr<const Retention>(std::make_unique<WeightedSample>(has_uniform_weights));
}

constexpr std::array kStrategies{
    RetentionRow{"geem",
                 "those that together tell most of the edges on all, their weights corrected (Lefakis & "
                 "Fleuret 2013, section 3.1)",
                 "features: auto|all, lambda: 0.001", make_geem},
    RetentionRow{"max", "those of the largest weights (Lefakis & Fleuret 2013, section 3)", "", make_max},
    RetentionRow{"rand", "any, each as likely as the others (Lefakis & Fleuret 2013, section 3)", "",
                 make_rand},
    RetentionRow{"wsam", "drawn in proportion to their weights (Lefakis & Fleuret 2013, section 3)",
                 "uniform_weights: false", make_wsam},
};

}  // namespace

Kept Retention::keep(const Pool& pool, std::size_t num_kept, RandomStream stream, Remarks& remarks) const {
  require(pool.weights.size() == pool.signs.size(), "Retention: as many signs as weights");
  if (pool.weights.size() > num_kept) return choose(pool, num_kept, stream, remarks);
  Kept all{std::vector<std::uint32_t>(pool.weights.size()), {pool.weights.begin(), pool.weights.end()}};
  std::iota(all.places.begin(), all.places.end(), 0u);
  return all;
}

Kept keep_by_covariance(const SymmetricMatrix& covariance, double lambda, const RemovalInput& examples,
                        std::size_t num_kept, Remarks& remarks) {
  const std::optional<SymmetricMatrix> inverse = regularised_inverse(covariance, lambda);
  if (inverse) return remove_greedily(*inverse, examples, covariance.size - num_kept);
  remarks.warn(fmt::format(
      "geem: the covariance of the edges of {} examples cannot be inverted, not even with lambda 1; this "
      "round keeps {} of them at random",
      covariance.size, num_kept));
  return keep_at_random(examples.ties, examples.weights, num_kept);
}

std::span<const RetentionRow> retention_strategies() { return kStrategies; }

}  // namespace mash
