// SPDX-License-Identifier: Apache-2.0
// How often the interval that `mash heuristic tune` gives for the best of twelve variants covers the truth,
// and how far it is off on average: mash_tunings [TUNINGS [FOLDER]]. Variants of hog on generated digits, in
// pairs that have equal features. All offers are made once; each tuning draws its seeds and pictures among
// them, and the truth is of other seeds and of the pictures that it did not draw. Kept in FOLDER: begun
// again, it goes on.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <iterator>
#include <numeric>

#include "framework/analysis/tuning/halves.hpp"
#include "framework/analysis/tuning/race.hpp"
#include "framework/base/number.hpp"
#include "framework/base/random.hpp"
#include "framework/base/statistics.hpp"
#include "framework/operations/common/plugins.hpp"
#include "framework/operations/experiment/families.hpp"
#include "framework/operations/experiment/heuristic_settings.hpp"
#include "framework/operations/offers/variants.hpp"
#include "tests/simulations/value_or_end.hpp"

namespace mash::simulated {
namespace {

constexpr std::size_t kTuningSeeds = 256, kTruthSeeds = 512;  // of which tunings draw; of the truth
constexpr std::uint64_t kFirstTruthSeed = 1001;
// Pictures that a tuning draws of those of the test side. The truth is of the others, eleven times as many, so
// that its own error hardly counts: of twice as many, an interval of 95 % would cover it in 92 %.
constexpr std::size_t kJudges = 1000;
constexpr const char* kExperiment = R"yaml(
dataset: {name: digits, train: 1000, test: 12000, pose: 2}
heuristics: [identity, gradient, lbp, {id: hog, levels: 1}]
)yaml";
const std::vector<std::string> kVariants{"levels=1", "cell=4,6,8", "bins=6,9", "growth=1.3,1.6"};

// Less than `mash heuristic tune` does, which takes five times as long.
OfferSettings short_rounds() {
  OfferSettings rounds;
  rounds.base_rounds = 100;
  rounds.rounds = 30;
  return rounds;
}

struct Ground {
  Workspace space;
  std::vector<FamilyGroup> variants;
  FamilySubset pool;
};

Ground open_ground(const std::filesystem::path& folder, const WorkContext& work) {
  const Experiment experiment = value_or_end(parse_experiment(kExperiment, "tunings", {}));
  Catalogue catalogue = value_or_end(open_catalogue({}, work));
  const HeuristicInfo* hog = value_or_end(catalogue.find("hog"));
  const auto settings = value_or_end(parse_variants({kVariants, "variants"}));
  std::vector<FamilySpec> specs = value_or_end(
      with_variants(value_or_end(family_specs(experiment, catalogue)), *hog, settings, experiment.seed));
  WorkspaceSettings places;
  places.database = folder / "records.db";
  places.store = folder / "store";
  Ground ground{value_or_end(open_workspace(experiment, places, work,
                                            {std::move(catalogue), nullptr, std::move(specs)})),
                {},
                {}};
  const std::vector<FamilyInfo>& families = ground.space.features.families();
  for (std::size_t k = 0; k < families.size(); ++k)
    if (families[k].spec.heuristic.id == "hog")
      ground.variants.push_back({families[k].spec.name, {k}});
    else
      ground.pool.push_back(k);
  return ground;
}

// One number after another: 0, 1, ...
template <class T>
std::vector<T> numbers(std::size_t count, T first = 0) {
  std::vector<T> all(count);
  std::iota(all.begin(), all.end(), first);
  return all;
}

// All offers, and the losses of the seeds of the truth on all pictures.
class Offers {
 public:
  Offers(const Ground& ground, const WorkContext& work)
      : judges_(judging_examples(*ground.space.dataset, Judges::kTest)),
        offers_(ground.space, ground.pool, ground.variants, short_rounds(), judges_),
        all_variants_(numbers<std::size_t>(ground.variants.size())),
        work_(work) {
    play("for tunings", numbers<std::uint64_t>(kTuningSeeds, 1));
    const auto of_truth = numbers(kTruthSeeds, kFirstTruthSeed);
    play("for the truth", of_truth);
    const auto all_pictures = numbers<std::size_t>(judges_.labels.size());
    before_.resize(judges_.labels.size());
    after_.assign(ground.variants.size(), before_);
    for (const std::uint64_t seed : of_truth) {
      const VariantLosses losses = this->losses(seed, all_variants_, all_pictures);
      add_to(before_, losses.before);
      for (std::size_t v = 0; v < after_.size(); ++v) add_to(after_[v], losses.after[v]);
    }
  }

  const std::vector<std::uint16_t>& labels() const { return judges_.labels; }
  std::size_t num_variants() const { return all_variants_.size(); }

  VariantLosses losses(std::uint64_t seed, std::span<const std::size_t> variants,
                       std::span<const std::size_t> pictures) {
    return value_or_end(offers_.losses(seed, variants, pictures, work_));
  }

  // The gain of a variant by the seeds of the truth on these pictures: 100 ln of the ratio of summed losses.
  double truth(std::size_t variant, std::span<const std::size_t> pictures) const {
    double before = 0, after = 0;
    for (const std::size_t picture : pictures) {
      before += before_[picture];
      after += after_[variant][picture];
    }
    return 100 * std::log(before / after);
  }

 private:
  static void add_to(std::vector<double>& sums, const std::vector<double>& losses) {
    std::ranges::transform(sums, losses, sums.begin(), std::plus());
  }

  void play(const char* purpose, const std::vector<std::uint64_t>& seeds) {
    constexpr std::size_t kAtOnce = 32;
    const Stopwatch watch;
    for (std::size_t i = 0; i < seeds.size(); i += kAtOnce) {
      const auto some = std::span(seeds).subspan(i, std::min(kAtOnce, seeds.size() - i));
      value_or_end(offers_.play(some, all_variants_, 1e9, work_));
      fmt::print("{}: {} of {} seeds, {:.0f} s\n", purpose, i + some.size(), seeds.size(), watch.seconds());
      std::fflush(stdout);
    }
  }

  JudgingExamples judges_;
  VariantOffers offers_;
  std::vector<std::size_t> all_variants_;
  const WorkContext& work_;
  std::vector<double> before_;              // losses of the pool by picture, summed over the seeds of the truth
  std::vector<std::vector<double>> after_;  // the same with each variant
};

struct Tuned {
  double chosen_gain = 0;  // of the best, by what chose it
  GainAtLook measured;
  double truth = 0;
  bool holds_best = false;  // whether a variant that is truly best is told as the best, or as one that may be
};

Tuned tune_once(std::uint64_t number, Offers& offers) {
  RandomStream random(number, "a tuning");
  auto pictures = numbers<std::size_t>(offers.labels().size());
  random.shuffle(std::span(pictures));
  auto seeds = numbers<std::uint64_t>(kTuningSeeds, 1);
  random.shuffle(std::span(seeds));
  const std::span<const std::size_t> drawn = std::span(pictures).first(kJudges),
                                     others = std::span(pictures).subspan(kJudges);
  std::vector<std::uint16_t> labels;
  for (const std::size_t picture : drawn) labels.push_back(offers.labels()[picture]);
  const Halves halves = draw_halves(labels, {}, number);
  const auto places = [&](const std::vector<std::size_t>& half) {
    std::vector<std::size_t> of_half;
    for (const std::size_t place : half) of_half.push_back(drawn[place]);
    return of_half;
  };
  const auto choosing = places(halves.choosing), measuring = places(halves.measuring);

  VariantRace race(offers.num_variants(), choosing.size());
  std::vector<double> placebo_gains;
  while (race.next_look() != 0) {
    for (const std::size_t look = race.next_look(); race.num_seeds() < look;) {
      VariantLosses losses = offers.losses(seeds[race.num_seeds()], race.running(), choosing);
      placebo_gains.push_back(losses.placebo_gain);
      race.add(std::move(losses.before), std::move(losses.after));
    }
    race.halve();
  }
  const RaceStandings standings = race.standings(statistics_of(placebo_gains).sd);
  PairedLosses measured(measuring.size());
  for (std::size_t i = 0; i < kMeasuringSeeds; ++i) {
    const VariantLosses losses =
        offers.losses(seeds[kRaceLooks.back() + i], std::array{standings.best}, measuring);
    placebo_gains.push_back(losses.placebo_gain);
    measured.add(losses.before, losses.after[0]);
  }
  Tuned tuned;
  tuned.chosen_gain = standings.variants[standings.best].gain.gain;
  tuned.measured = gain_at({kMeasuringSeeds, kMiss}, measured, statistics_of(placebo_gains).sd / 4);
  std::vector<double> truths;
  for (std::size_t v = 0; v < offers.num_variants(); ++v) truths.push_back(offers.truth(v, others));
  tuned.truth = truths[standings.best];
  const auto best = std::size_t(std::ranges::max_element(truths) - truths.begin());
  tuned.holds_best = !standings.variants[best].is_surely_worse;
  return tuned;
}

void print_truths(const Ground& ground, const Offers& offers) {
  const auto all = numbers<std::size_t>(offers.labels().size());
  fmt::print("\n| variant | gain by {} seeds on all {} pictures, % |\n|---|---|\n", kTruthSeeds, all.size());
  for (std::size_t v = 0; v < ground.variants.size(); ++v)
    fmt::print("| {} | {:.2f} |\n", ground.variants[v].name, offers.truth(v, all));
}

void print_tunings(std::size_t count, Offers& offers) {
  std::size_t num_covered = 0, num_hold_best = 0;
  double bias = 0, bias_of_choice = 0, half_widths = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Tuned tuned = tune_once(i + 1, offers);
    const Interval& interval = tuned.measured.interval;
    const double half_width = (interval.high - interval.low) / 2;
    num_covered += interval.low <= tuned.truth && tuned.truth <= interval.high;
    num_hold_best += tuned.holds_best;
    bias += (tuned.measured.gain - tuned.truth) / half_width;
    bias_of_choice += (tuned.chosen_gain - tuned.truth) / half_width;
    half_widths += half_width;
    if ((i + 1) % 10 == 0 || i + 1 == count) {
      fmt::print("{} of {} tunings: {} cover the truth\n", i + 1, count, num_covered);
      std::fflush(stdout);
    }
  }
  const double n = double(count);
  fmt::print(
      "\n| tunings | cover the truth | mean bias, in half-widths | the same of the gain that chose | "
      "half-width, "
      "% | the true best is not told as worse |\n|---|---|---|---|---|---|\n"
      "| {} | {} | {:+.3f} | {:+.3f} | {:.2f} | {} |\n",
      count, num_covered, bias / n, bias_of_choice / n, half_widths / n, num_hold_best);
}

}  // namespace
}  // namespace mash::simulated

int main(int num_arguments, char** arguments) {
  using namespace mash;
  const auto count = num_arguments > 1 ? whole_number_in(arguments[1]) : std::optional<std::int64_t>(200);
  if (num_arguments > 3 || !count || *count < 1) {
    fmt::print(stderr, "usage: mash_tunings [TUNINGS [FOLDER]]\n");
    return 2;
  }
  const std::filesystem::path folder = num_arguments > 2
                                           ? std::filesystem::path(arguments[2])
                                           : std::filesystem::temp_directory_path() / "mash-tunings";
  const Workers workers;
  const StopFlag never;
  const WorkContext work{workers, no_progress(), no_remarks(), never};
  const simulated::Ground ground = simulated::open_ground(folder, work);
  simulated::Offers offers(ground, work);
  simulated::print_truths(ground, offers);
  simulated::print_tunings(std::size_t(*count), offers);
  return 0;
}
