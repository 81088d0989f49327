// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/contribution/reproduce_simulation.hpp"

#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numeric>

#include "classifiers/offers/rounds.hpp"
#include "framework/analysis/log_loss.hpp"
#include "framework/analysis/similarity.hpp"
#include "framework/operations/offers/run_offer.hpp"
#include "framework/operations/training/seed_run.hpp"
#include "framework/reproductions/contribution/planted_family.hpp"
#include "framework/reproductions/contribution/simulation.hpp"

namespace mash {
namespace {

// Repetitions share the pool's part of their seeds with nine others at most, so that one lucky beginning does
// not decide them all.
constexpr std::size_t kRepetitionsOfASeed = 10, kMostSeeds = 16;
constexpr std::uint32_t kWorthRounds = 1000;  // of the trainings that tell what a family is worth
constexpr std::size_t kTrainedFamilies = 10;  // of a kind, one seed each
constexpr std::uint32_t kKnowingFeatures = 100;

struct Kind {
  std::string_view name, title, expected;
  std::size_t num_repetitions;
  bool is_noise, is_trained;
  PlantedFamily (*make)(const Workspace& space, std::uint64_t number);
};

std::size_t family_named(const FeatureSet& features, std::string_view name) {
  for (std::size_t k = 0; k < features.num_families(); ++k)
    if (features.families()[k].spec.name == name) return k;
  return 0;
}

// kStrength: in hundredths of a standard deviation.
template <int kStrength>
PlantedFamily knowing(const Workspace& space, std::uint64_t number) {
  return knowing_family(*space.dataset, kKnowingFeatures, kStrength / 100.0, number);
}

const std::array kKinds{
    Kind{"noise-500", "500 features of noise", "adds nothing", 50, true, false,
         [](const Workspace&, std::uint64_t number) { return noise_family(500, number); }},
    Kind{"noise-3000", "3000 features of noise", "adds nothing", 50, true, false,
         [](const Workspace&, std::uint64_t number) { return noise_family(3000, number); }},
    Kind{"permuted-hog", "hog of other pictures", "adds nothing", 50, true, false,
         [](const Workspace& space, std::uint64_t number) {
           return permuted_family(space.features, family_named(space.features, "hog"), number);
         }},
    Kind{"permuted-haar-like", "haar-like of other pictures", "adds nothing", 50, true, false,
         [](const Workspace& space, std::uint64_t number) {
           return permuted_family(space.features, family_named(space.features, "haar-like"), number);
         }},
    Kind{"copy", "a family of the pool again", "copy", 12, false, false,
         [](const Workspace& space, std::uint64_t number) {
           return copied_family(space.features, number % space.features.num_families());
         }},
    Kind{"leak", "the class", "suspicious", 4, false, false,
         [](const Workspace& space, std::uint64_t) { return leaking_family(*space.dataset); }},
    Kind{"knowing-12", "100 features that know a little of every class (.12)", "adds", 40, false, true,
         knowing<12>},
    Kind{"knowing-15", "the same, more (.15)", "adds", 40, false, true, knowing<15>},
    Kind{"knowing-18", "the same, more (.18)", "adds", 40, false, true, knowing<18>}};

// The pool with one planted family after another.
class Simulation {
 public:
  Simulation(const ReproduceSettings& settings, Workspace& space, const WorkContext& work)
      : settings_(settings), space_(space), work_(work), pool_(space.features) {}

  Result<PlantedRepetitions> run(const Kind& kind) {
    PlantedRepetitions result{std::string(kind.title), std::string(kind.expected), {}, {}, kind.is_noise};
    const std::size_t num_repetitions =
        settings_.num_runs ? std::size_t(*settings_.num_runs) : kind.num_repetitions;
    for (std::size_t i = 0; i < num_repetitions; ++i) {
      work_.remarks.tell(fmt::format("{}: trial {} of {}", kind.title, i + 1, num_repetitions));
      space_.features = pool_;
      PlantedFamily family = kind.make(space_, settings_.first_seed() + i);
      MASH_ASSIGN(const PlantedRepetition repetition, try_family(std::move(family), i, !kind.is_noise));
      result.repetitions.push_back(repetition);
      if (!kind.is_trained || i >= kTrainedFamilies) continue;
      MASH_ASSIGN(const double gain, trained_gain(settings_.first_seed() + i));
      result.trained_gains.push_back(gain);
    }
    return result;
  }

 private:
  Result<PlantedRepetition> try_family(PlantedFamily family, std::size_t repetition, bool compare) {
    const FamilyGroup newcomer{family.name, {pool_.num_families()}};
    space_.features = plant(pool_, std::move(family));
    OfferTestSettings offer;
    offer.first_seed = settings_.first_seed() + repetition / kRepetitionsOfASeed * 2 * kMostSeeds;
    offer.most_seeds = kMostSeeds;
    offer.seconds = std::numeric_limits<double>::infinity();
    offer.judges = Judges::kTest;
    MASH_ASSIGN(const OfferTest test, run_offer_test(space_, newcomer, offer, work_));
    OfferFigures figures = figures_of(space_, newcomer, test, offer.relevant);
    if (compare) figures.nearest_cka = nearest_cka(newcomer.families[0]);
    return PlantedRepetition{verdict_of(figures), figures.last.gain, figures.last.look.num_seeds};
  }

  double nearest_cka(std::size_t planted) const {
    std::vector<cv::Mat> columns = all_sampled_columns(space_.features, {}, work_.workers);
    const cv::Mat own = columns[planted];
    columns.pop_back();
    return neighbours_of(own, columns, work_.workers)[0].cka;
  }

  // By how many per cent a long training with the planted family, now in the workspace, ends with less
  // log-loss on the test side than one without it.
  Result<double> trained_gain(std::uint64_t seed) const {
    const auto loss_of = [&](const FeatureSet& features) -> Result<double> {
      OfferGround ground{*space_.dataset, features, features, features, {}, {}};
      ground.settings.base_rounds = kWorthRounds;
      MASH_ASSIGN(const StrongClassifier trained, train_base(ground, seed, work_));
      const OfferRounds rounds(ground, seed, trained.hypotheses, work_.workers);
      return scaled_log_loss(rounds.base_scores(), space_.dataset->test.labels).mean;
    };
    MASH_ASSIGN(const double without, loss_of(pool_));
    MASH_ASSIGN(const double with, loss_of(space_.features));
    return 100 * std::log(without / with);
  }

  const ReproduceSettings& settings_;
  Workspace& space_;
  const WorkContext& work_;
  FeatureSet pool_;
};

}  // namespace

Result<ReproductionReport> reproduce_simulation(const ReproduceSettings& settings, const WorkContext& work) {
  std::vector<std::string_view> known;
  for (const Kind& kind : kKinds) known.push_back(kind.name);
  MASH_ASSIGN(const auto wanted, indices_of_wanted("kind", settings.methods, known));
  MASH_ASSIGN(const Experiment recipe, recipe_experiment(settings, "offer-simulation"));
  MASH_ASSIGN(Workspace space, open_workspace(recipe, settings.workspace, work));
  // Files that the tests keep are of use until the command has ended: nobody offers a planted family again.
  space.store /= "simulation";
  Simulation simulation(settings, space, work);
  std::vector<PlantedRepetitions> kinds;
  for (const std::size_t i : wanted) {
    tell_step(work.remarks, kKinds[i].title, kinds.size() + 1, wanted.size());
    MASH_ASSIGN(auto repetitions, simulation.run(kKinds[i]));
    kinds.push_back(std::move(repetitions));
    MASH_TRY(write_report(settings, simulation_report(kinds)));
  }
  std::error_code ignored;
  std::filesystem::remove_all(space.store, ignored);
  return simulation_report(kinds);
}

}  // namespace mash
