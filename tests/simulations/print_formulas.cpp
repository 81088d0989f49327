// SPDX-License-Identifier: Apache-2.0
// The measure of a gain beside the one that was used before, on the same losses: mash_formulas EXPERIMENT
// NEWCOMER,NEWCOMER,... [SEEDS [FOLDER]]. Each newcomer is offered beside the experiment's heuristics and
// judged by its test side. Before, the scale of the scores had no example in doubt, and a gain was the mean
// over seeds of 100 ln(loss before / loss after). Kept in FOLDER: begun again, it goes on.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "framework/analysis/log_loss.hpp"
#include "framework/analysis/looks.hpp"
#include "framework/base/number.hpp"
#include "framework/base/statistics.hpp"
#include "framework/operations/common/plugins.hpp"
#include "framework/operations/experiment/families.hpp"
#include "framework/operations/offers/seeds.hpp"
#include "framework/operations/offers/summary.hpp"
#include "framework/operations/training/judges.hpp"
#include "framework/operations/training/workspace.hpp"
#include "tests/simulations/value_or_end.hpp"

namespace mash::formulas {
namespace {

constexpr std::size_t kUsualSeeds = 16;

std::vector<std::string> parts_of(const std::string& list) {
  std::vector<std::string> parts(1);
  for (const char c : list)
    if (c == ',')
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

struct Ground {
  Experiment experiment;
  Workspace space;
  FamilySubset pool;
  std::vector<FamilyGroup> newcomers;
};

Ground open_ground(const std::string& name, const std::vector<std::string>& newcomers,
                   const std::filesystem::path& folder, const WorkContext& work) {
  const Experiment experiment = value_or_end(read_experiment(name, {}));
  Catalogue catalogue = value_or_end(open_catalogue({}, work));
  std::vector<FamilySpec> specs = value_or_end(family_specs(experiment, catalogue));
  const std::vector<Settings> defaults(1);
  for (const std::string& id : newcomers)
    specs = value_or_end(
        with_variants(std::move(specs), *value_or_end(catalogue.find(id)), defaults, experiment.seed));
  WorkspaceSettings places;
  places.database = folder / "records.db";
  places.store = folder / "store";
  Ground ground{experiment,
                value_or_end(open_workspace(experiment, places, work,
                                            {std::move(catalogue), nullptr, std::move(specs)})),
                {},
                {}};
  const std::vector<FamilyInfo>& families = ground.space.features.families();
  for (std::size_t k = 0; k < families.size(); ++k)
    if (std::ranges::find(newcomers, families[k].spec.heuristic.id) == newcomers.end())
      ground.pool.push_back(k);
    else
      ground.newcomers.push_back({families[k].spec.name, {k}});
  return ground;
}

// The mean loss of softmax(c f), each at least 1e-9.
double loss_at(double scale, const JudgedScores& scores, std::span<const std::uint16_t> labels) {
  const std::size_t num_classes = scores.size() / labels.size();
  double sum = 0;
  for (std::size_t n = 0; n < labels.size(); ++n) {
    const float* row = scores.data() + n * num_classes;
    const float largest = *std::max_element(row, row + num_classes);
    double weights = 0;
    for (std::size_t l = 0; l < num_classes; ++l) weights += std::exp(scale * double(row[l] - largest));
    sum += std::max(1e-9, std::log(weights) - scale * double(row[labels[n]] - largest));
  }
  return sum / double(labels.size());
}

// The smallest mean loss of any scale up to 10,000, as the former measure had it: a golden section by the
// logarithm of the scale, in which the loss falls and then rises.
double former_loss(const JudgedScores& scores, std::span<const std::uint16_t> labels) {
  const double ratio = (std::sqrt(5.0) - 1) / 2;
  double low = std::log(1e-4), high = std::log(1e4);
  const auto loss = [&](double log_scale) { return loss_at(std::exp(log_scale), scores, labels); };
  double one = high - ratio * (high - low), other = low + ratio * (high - low);
  double of_one = loss(one), of_other = loss(other);
  while (high - low > 1e-7) {
    if (of_one < of_other) {
      high = std::exchange(other, one);
      of_other = of_one;
      one = high - ratio * (high - low);
      of_one = loss(one);
    } else {
      low = std::exchange(one, other);
      of_one = of_other;
      other = low + ratio * (high - low);
      of_other = loss(other);
    }
  }
  return std::min(of_one, of_other);
}

// One newcomer by both measures, in per cent.
struct Measured {
  double wrong = 0;  // judging examples that the pool alone gets wrong, mean over seeds
  double before = 0, now = 0, error = 0;
};

Measured measure(const Ground& ground, const FamilyGroup& newcomer, const JudgingExamples& judges,
                 std::size_t num_seeds, const WorkContext& work) {
  const FeatureSet& features = ground.space.features;
  FamilySubset both = ground.pool;
  both.insert(both.end(), newcomer.families.begin(), newcomer.families.end());
  const FeatureSet pool = features.subset(ground.pool), own = features.subset(newcomer.families),
                   together = features.subset(both);
  const OfferGround offers{*ground.space.dataset,
                           pool,
                           own,
                           together,
                           judges.held_out,
                           value_or_end(offer_rounds_of(ground.experiment, work.remarks))};
  OfferSeeds seeds(offers, judges.labels, ground.space.store, {});
  value_or_end(play_side_by_side("offering " + newcomer.name, num_seeds, work,
                                 [&](std::size_t i, const WorkContext& inner) {
                                   return seeds.play(ground.experiment.seed + i, inner);
                                 }));
  Measured measured;
  PairedLosses losses(judges.labels.size());
  std::vector<double> placebo_gains;
  for (std::size_t i = 0; i < num_seeds; ++i) {
    const auto played = seeds.find(ground.experiment.seed + i);
    if (!played) value_or_end(Result<Done>(failure("seed {} was removed from the store", i)));
    losses.add(log_losses(played->pool.control, judges.labels),
               log_losses(played->newcomer.treated, judges.labels));
    placebo_gains.push_back(played->placebo_gain);
    measured.wrong += double(num_mistaken(played->pool.control, judges.labels)) / double(num_seeds);
    measured.before += 100 *
                       std::log(former_loss(played->pool.control, judges.labels) /
                                former_loss(played->newcomer.treated, judges.labels)) /
                       double(num_seeds);
  }
  measured.now = losses.gain();
  measured.error = gain_error(losses, statistics_of(placebo_gains).sd / 4).standard_error();
  return measured;
}

void print_table(const Ground& ground, std::size_t num_seeds, const WorkContext& work) {
  const JudgingExamples judges = value_or_end(enough_judges(*ground.space.dataset, Judges::kTest));
  fmt::print(
      "{}: {} judging pictures, {} seeds\n\n| newcomer | pool wrong | gain before, % | gain now, % | "
      "difference | "
      "standard error | difference / error |\n|---|---|---|---|---|---|---|\n",
      ground.experiment.name, judges.labels.size(), num_seeds);
  double largest = 0;
  for (const FamilyGroup& newcomer : ground.newcomers) {
    const Measured found = measure(ground, newcomer, judges, num_seeds, work);
    const double difference = found.now - found.before;
    largest = std::max(largest, std::abs(difference) / found.error);
    fmt::print("| {} | {:.1f} | {:.3f} | {:.3f} | {:+.4f} | {:.3f} | {:.3f} |\n", newcomer.name, found.wrong,
               found.before, found.now, difference, found.error, std::abs(difference) / found.error);
    std::fflush(stdout);
  }
  fmt::print("\nThe largest difference is {:.3f} of its standard error.\n", largest);
}

}  // namespace
}  // namespace mash::formulas

int main(int num_arguments, char** arguments) {
  using namespace mash;
  const auto num_seeds =
      num_arguments > 3 ? whole_number_in(arguments[3]) : std::optional(std::int64_t(formulas::kUsualSeeds));
  if (num_arguments < 3 || num_arguments > 5 || !num_seeds || *num_seeds < 2) {
    fmt::print(stderr, "usage: mash_formulas EXPERIMENT NEWCOMER,NEWCOMER,... [SEEDS [FOLDER]]\n");
    return 2;
  }
  const std::filesystem::path folder = num_arguments > 4
                                           ? std::filesystem::path(arguments[4])
                                           : std::filesystem::temp_directory_path() / "mash-formulas";
  const Workers workers;
  const StopFlag never;
  const WorkContext work{workers, no_progress(), no_remarks(), never};
  const formulas::Ground ground =
      formulas::open_ground(arguments[1], formulas::parts_of(arguments[2]), folder, work);
  formulas::print_table(ground, std::size_t(*num_seeds), work);
  return 0;
}
