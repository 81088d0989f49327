// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/training/forecast.hpp"

#include <algorithm>

#include "framework/base/scratch_folder.hpp"
#include "framework/dataset/readers/formats.hpp"
#include "framework/dataset/split.hpp"
#include "framework/operations/experiment/strategies.hpp"

namespace mash {
namespace {

// The seconds for which rounds are measured, and the least number of them, where they are not all.
constexpr double kMeasuredSeconds = 2;
constexpr std::uint32_t kLeastRounds = 3;

// Limits of the larger part: the seconds that its extraction may take, and its examples, at least. Fewer say
// little of many.
constexpr double kSecondsOfPart = 4;
constexpr double kFewestOfPart = 2000;

// Ends a training once enough of its rounds are measured.
class RoundMeter final : public Observer {
 public:
  explicit RoundMeter(const StopFlag& user) : user_(user) {}
  void on_round(const RoundEvent& event) override {
    if (num_rounds_++ == 0) first_seconds_ = event.seconds;
    last_seconds_ = event.seconds;
    if (user_.raised() || (num_rounds_ >= kLeastRounds && watch_.seconds() >= kMeasuredSeconds))
      stop_.raise();
  }
  const StopFlag& stop() const { return stop_; }
  std::uint32_t num_rounds() const { return num_rounds_; }

  // The first round has what is made once, such as stocks of features.
  double seconds_of(std::uint32_t rounds) const {
    if (num_rounds_ < 2) return last_seconds_;
    const double each = (last_seconds_ - first_seconds_) / double(num_rounds_ - 1);
    return first_seconds_ + each * double(rounds - 1);
  }

 private:
  const StopFlag& user_;
  StopFlag stop_;
  Stopwatch watch_;
  std::uint32_t num_rounds_ = 0;
  double first_seconds_ = 0, last_seconds_ = 0;
};

// Times of the first rounds on some examples.
struct MeasuredRounds {
  std::uint32_t num_rounds = 0;  // that were measured
  double seconds = 0;            // of a training of all rounds
  std::uint64_t num_values = 1;  // of a setting that is tuned, each with a training of its own
};
Result<MeasuredRounds> measure_rounds(const Experiment& experiment, std::uint32_t num_rounds,
                                      const Dataset& dataset, const FeatureSet& features,
                                      const WorkContext& work) {
  Experiment decided = experiment;
  MeasuredRounds measured;
  if (const Tuning tuning = tuning_of(decided); !tuning.key.empty()) {
    const std::vector<std::string> values = tuning.values(features);
    decided.sampler.settings.add(std::string(tuning.key), values.front(), decided.sampler.where);
    measured.num_values = values.size();
  }
  MASH_ASSIGN(const auto learner, make_learner(decided));
  RoundMeter meter(work.stop);
  const TrainingContext context{.dataset = dataset,
                                .features = features,
                                .work = {work.workers, no_progress(), work.remarks, meter.stop()},
                                .observer = meter,
                                .checkpoint = {},
                                .run_key = {},
                                .purpose = Purpose::kSeconds};
  MASH_ASSIGN(const TrainingResult result, learner->train(decided.seed, context));
  if (work.stop.raised()) return Error{ErrorKind::kStopped, "stopped"};
  measured.num_rounds = meter.num_rounds();
  const bool ended_early = result.status != TrainingStatus::kComplete && !meter.stop().raised();
  measured.seconds = meter.seconds_of(ended_early ? meter.num_rounds() : num_rounds);
  return measured;
}

TrainingForecast forecast_of(const Experiment& experiment, const MeasuredRounds& measured,
                             std::size_t num_examples) {
  TrainingForecast forecast;
  forecast.num_trainings = experiment.runs * measured.num_values;
  forecast.rounds_measured = measured.num_rounds;
  forecast.num_measured_on = num_examples;
  forecast.seconds = double(forecast.num_trainings) * measured.seconds;
  return forecast;
}

// This share of both sides.
Result<Dataset> part_of_both_sides(const Dataset& dataset, double share, std::uint64_t seed) {
  Dataset part = dataset;
  if (share >= 1) return part;
  if (part.train.listed.empty()) list_examples(part);
  SplitRequest request;
  request.train = share;
  request.test = share;
  MASH_TRY(apply_split(request, seed, part));
  part.fingerprint = fingerprint_of(part);
  return part;
}

// The same on this share of the examples, whose features are extracted first.
Result<MeasuredRounds> measure_part(const Experiment& experiment, std::uint32_t num_rounds,
                                    std::span<const FamilySpec> specs, StoreSettings settings, double share,
                                    const ExtractionContext& context) {
  MASH_ASSIGN(const Dataset part, part_of_both_sides(context.dataset, share, experiment.seed));
  MASH_ASSIGN(const ScratchFolder folder, ScratchFolder::make("forecast"));
  settings.folder = folder.path();
  const WorkContext quiet{context.work.workers, context.work.progress, no_remarks(), context.work.stop};
  MASH_ASSIGN(const auto families, families_for(specs, part));
  MASH_ASSIGN(const FeatureSet features, FeatureSet::open(families, settings, {context.host, part, quiet}));
  return measure_rounds(experiment, num_rounds, part, features, quiet);
}

}  // namespace

Result<TrainingForecast> forecast_training(const Experiment& experiment, std::uint32_t num_rounds,
                                           const Dataset& dataset, const FeatureSet& features,
                                           const WorkContext& work) {
  MASH_ASSIGN(const MeasuredRounds measured, measure_rounds(experiment, num_rounds, dataset, features, work));
  return forecast_of(experiment, measured, dataset.train.num_examples);
}

Result<TrainingForecast> forecast_training_by_parts(const Experiment& experiment, std::uint32_t num_rounds,
                                                    std::span<const FamilySpec> specs,
                                                    const StoreSettings& settings, double extract_seconds,
                                                    const ExtractionContext& context) {
  const auto num_train = double(context.dataset.train.num_examples);
  const double share = extract_seconds <= kSecondsOfPart ? 1 : kSecondsOfPart / extract_seconds;
  if (share < 1 && share * num_train < kFewestOfPart) {
    TrainingForecast none;
    none.num_trainings = experiment.runs;
    none.reason = "it can be measured once the features are in the store, which take long to extract";
    return none;
  }
  MASH_ASSIGN(MeasuredRounds measured, measure_part(experiment, num_rounds, specs, settings, share, context));
  if (share < 1) {
    MASH_ASSIGN(const MeasuredRounds of_half,
                measure_part(experiment, num_rounds, specs, settings, share / 2, context));
    // Seconds for each half of the part: at least none, at most as if each example took the same.
    const double of_each_half = std::clamp(measured.seconds - of_half.seconds, 0.0, measured.seconds / 2);
    measured.seconds += of_each_half * 2 * (1 - share) / share;
  }
  return forecast_of(experiment, measured, std::size_t(share * num_train));
}

}  // namespace mash
