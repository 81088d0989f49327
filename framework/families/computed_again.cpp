// SPDX-License-Identifier: Apache-2.0
#include "framework/families/computed_again.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "framework/base/secrets.hpp"
#include "framework/families/secret_order.hpp"
#include "framework/families/tile_walk.hpp"
#include "framework/isolation/second_extraction.hpp"

namespace mash {
namespace {

constexpr std::size_t kGroup = 64;  // pictures that one thread compares at a time

// Fills in the values that came first: a row for each of these examples, which are the wanted ones of the
// tile.
using FirstValues = std::function<Status(const ImageTile& tile, std::span<const std::uint32_t> examples,
                                         std::span<float> rows)>;

Error refusal(const FamilySpec& spec, const Deviation& deviation, std::size_t num_compared) {
  return input_error(
      "heuristic '{}': its features are not the same when they are computed again, by another process and in "
      "another order: {}; expected features that follow from the picture and the settings alone",
      spec.heuristic.id, deviation.describe(num_compared));
}

// Pictures of a data set that are compared in groups.
class Comparison {
 public:
  Comparison(const FamilySpec& spec, std::uint32_t dim, const ExtractionContext& context)
      : spec_(spec),
        dim_(dim),
        context_(context),
        secret_(make_secret_number()),
        order_(secret_order(context.dataset, secret_)),
        again_(context.host, spec.heuristic, spec.values, context.dataset.shape.num_cameras) {}

  void keep_training_side() {
    std::erase_if(order_,
                  [&](std::uint32_t example) { return example >= context_.dataset.train.num_examples; });
  }
  std::size_t num_pictures() const { return order_.size(); }
  std::uint32_t dim() const { return dim_; }
  const FamilySpec& spec() const { return spec_; }
  const ExtractionContext& context() const { return context_; }

  // Some `count` pictures, in groups from all over the order: in a data set of films from many of them.
  Status compare(std::size_t count, const FirstValues& first) {
    const std::size_t num_all = (order_.size() + kGroup - 1) / kGroup,
                      num_groups = std::min(num_all, (count + kGroup - 1) / kGroup);
    return context_.work.workers.try_each(num_groups, context_.work.stop, [&](std::size_t i) -> Status {
      const std::size_t group = i * num_all / num_groups, begin = group * kGroup;
      const std::size_t size = std::min({kGroup, count, order_.size() - begin});
      return compare_group(group, std::span(order_).subspan(begin, size), first);
    });
  }

 private:
  Status compare_group(std::size_t group, std::span<const std::uint32_t> examples, const FirstValues& first) {
    const Dataset& dataset = context_.dataset;
    const std::size_t looks_back = dataset.has_sequences() ? spec_.heuristic.looks_back : 0;
    MASH_ASSIGN(auto instance, again_.take());
    instance->heed(context_.work.stop);
    TileWalk walk(dataset.shape, pictures_of(dataset, examples), looks_back,
                  std::min(kGroup, rows_at_once(dim_)));
    std::vector<float> rows;
    while (walk.next()) {
      const auto wanted = examples.subspan(walk.first(), walk.size());
      rows.resize(wanted.size() * dim_);
      MASH_TRY(first(walk.tile(), wanted, rows));
      MASH_ASSIGN(auto deviation,
                  find_deviation(*instance, spec_.heuristic, walk.tile(), rows, secret_ + group));
      if (!deviation) continue;
      deviation->image = wanted[deviation->image];
      return refusal(spec_, *deviation, rows.size());
    }
    again_.give_back(std::move(instance));
    return Done{};
  }

  const FamilySpec& spec_;
  std::uint32_t dim_;
  const ExtractionContext& context_;
  std::uint64_t secret_;
  std::vector<std::uint32_t> order_;
  InstancePool again_;
};

// look: at the values that came first.
Status compute_twice(
    Comparison& comparison,
    const std::function<Status(std::span<const std::uint32_t> examples, std::span<const float> rows)>& look) {
  constexpr std::size_t kMostValues = std::size_t(1) << 24;
  const FamilySpec& spec = comparison.spec();
  const ExtractionContext& context = comparison.context();
  context.host.rest();
  InstancePool once(context.host, spec.heuristic, spec.values, context.dataset.shape.num_cameras);
  const auto computed = [&](const ImageTile& tile, std::span<const std::uint32_t> examples,
                            std::span<float> rows) -> Status {
    MASH_ASSIGN(auto instance, once.take());
    instance->heed(context.work.stop);
    MASH_TRY(instance->extract(tile, {}, rows).status);
    once.give_back(std::move(instance));
    return look(examples, rows);
  };
  return comparison.compare(std::clamp<std::size_t>(kMostValues / comparison.dim(), 1, kFewestComparedAgain),
                            computed);
}

}  // namespace

Status compare_computed_again(const FamilySpec& spec, const ExtractionContext& context,
                              const ValuesFile& values) {
  context.host.rest();
  Comparison comparison(spec, values.dim(), context);
  const std::size_t count = std::max(kFewestComparedAgain, comparison.num_pictures() / kComparedAgainPart);
  const auto stored = [&](const ImageTile&, std::span<const std::uint32_t> examples, std::span<float> rows) {
    for (std::size_t i = 0; i < examples.size(); ++i)
      std::ranges::copy(values.row(examples[i]), rows.begin() + std::ptrdiff_t(i * values.dim()));
    return Status(Done{});
  };
  return comparison.compare(count, stored);
}

Status compare_computed_twice(const FamilySpec& spec, std::uint32_t dim, const ExtractionContext& context) {
  Comparison comparison(spec, dim, context);
  return compute_twice(
      comparison, [](std::span<const std::uint32_t>, std::span<const float>) -> Status { return Done{}; });
}

Status try_on_training_side(const FamilySpec& spec, std::uint32_t dim, const ExtractionContext& context) {
  Comparison comparison(spec, dim, context);
  comparison.keep_training_side();
  const auto all_finite = [&](std::span<const std::uint32_t> examples,
                              std::span<const float> rows) -> Status {
    const auto bad = std::ranges::find_if(rows, [](float value) { return !std::isfinite(value); });
    if (bad == rows.end()) return Done{};
    const auto place = std::size_t(bad - rows.begin());
    return input_error("heuristic '{}': feature {} of image {} is not a finite number", spec.heuristic.id,
                       place % dim, examples[place / dim]);
  };
  return compute_twice(comparison, all_finite);
}

}  // namespace mash
