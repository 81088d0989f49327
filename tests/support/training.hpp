// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "classifiers/boosters/whole_side/adaboost_mh.hpp"
#include "classifiers/builtin.hpp"
#include "classifiers/losses/logistic.hpp"
#include "classifiers/model/model_file.hpp"
#include "tests/support/settings_list.hpp"
#include "tests/support/world.hpp"

namespace mash::testing {

// Keeps all events; may act on them.
class EventList final : public Observer {
 public:
  std::vector<RoundEvent> rounds;
  std::vector<CurvePoint> curve;
  std::function<void(const RoundEvent&)> after_round = [](const RoundEvent&) {};

  void on_round(const RoundEvent& event) override {
    rounds.push_back(event);
    after_round(event);
  }
  void on_curve(const CurvePoint& point) override { curve.push_back(point); }
};

// A weak learner by name, which also keeps the weights that each round began with.
class WatchingLearner final : public WeakLearner {
 public:
  explicit WatchingLearner(const std::string& name = "stump", const SettingList& list = {}) {
    Settings settings = settings_of(list);
    const auto row = find_weak_learner(name);
    if (!row.ok()) throw std::runtime_error(row.error().message);
    auto made = (**row).make(settings);
    if (!made.ok()) throw std::runtime_error(made.error().message);
    learner_ = *std::move(made);
  }
  mutable std::vector<std::vector<double>> weights;  // signed

  Cuts cuts() const override { return learner_->cuts(); }
  bool needs_class_edges() const override { return learner_->needs_class_edges(); }
  WeakHypothesis learn(StumpScan& scan, Sampler& sampler, const Round& round) const override {
    const auto all = scan.weights().of_all().all();
    weights.emplace_back(all.begin(), all.end());
    return learner_->learn(scan, sampler, round);
  }

 private:
  std::shared_ptr<const WeakLearner> learner_;
};

// All settings of AdaBoost.MH, in one place.
struct BoosterSettings : RoundSettings {
  ScanMode scan = ScanMode::kI16;
  const Loss* loss = &exponential_loss();
  InitialWeights init = InitialWeights::kUniform;
  std::uint64_t seed = 1;

  std::unique_ptr<const Booster> make(SearchParts search) const {
    return std::make_unique<const AdaBoostMh>(AdaBoostMh::Options{*this, scan, loss, init},
                                              std::move(search));
  }
};

// A booster with its settings, still without a search.
struct BoosterMaker {
  std::function<Result<std::unique_ptr<const Booster>>(SearchParts)> make = nullptr;

  // Throws where its settings are wrong.
  std::shared_ptr<const Booster> with(SearchParts search) const {
    auto made = make(std::move(search));
    if (!made.ok()) throw std::runtime_error(made.error().message);
    return *std::move(made);
  }
  // With a plain search.
  std::shared_ptr<const Booster> operator->() const { return with(plain_search()); }
};

// The maker of a row of the table of boosters, or of any function like its `make`; keys that it does not read
// are unknown to it.
inline BoosterMaker booster_maker(
    std::function<Result<std::unique_ptr<const Booster>>(Settings&, SearchParts)> make, std::string_view name,
    const SettingList& list = {}) {
  return {[make = std::move(make), name = std::string(name),
           list](SearchParts search) -> Result<std::unique_ptr<const Booster>> {
    Settings settings = settings_of(list);
    MASH_ASSIGN(auto made, make(settings, std::move(search)));
    MASH_TRY(settings.finish("booster " + name));
    return made;
  }};
}
inline BoosterMaker booster_maker(std::string_view name, const SettingList& list = {}) {
  const auto row = find_booster(name);
  if (!row.ok()) throw std::runtime_error(row.error().message);
  return booster_maker((*row)->make, name, list);
}

// A training run with its settings; what it leaves behind.
struct Training {
  BoosterSettings booster;
  BoosterMaker other_booster;  // in its place, where it is set
  std::string sampler = "full";
  SettingList sampler_settings;
  std::filesystem::path checkpoint;
  bool keep_finished = false;
  std::string run_key = "run";
  std::filesystem::path rounds_file;  // of trainings with other numbers of rounds
  std::uint32_t stop_after = 0;       // raise the stop flag after this round
  Purpose purpose = Purpose::kResult;
  std::vector<std::uint32_t> left_out;  // training examples, increasing
  Remarks* remarks = &no_remarks();

  EventList events;
  WatchingLearner weak;

  TrainingResult run(const World& world) { return run(world.dataset, world.features(), world.workers); }

  TrainingResult run(const Dataset& dataset, const FeatureSet& features, const Workers& workers) {
    auto result = try_run(dataset, features, workers);
    if (!result.ok()) throw std::runtime_error(result.error().message);
    return *std::move(result);
  }

  Result<TrainingResult> try_run(const Dataset& dataset, const FeatureSet& features, const Workers& workers) {
    Settings settings = settings_of(sampler_settings);
    const auto found = find_sampler(sampler);
    if (!found.ok()) throw std::runtime_error(found.error().message);
    const auto& row = **found;
    // A key that is tuned by default has no default; any value will do.
    if (row.tuning.by_default && !settings.has(row.tuning.key))
      settings.add(std::string(row.tuning.key), row.tuning.values(features).back(), "test");
    auto made = row.make(settings);
    if (!made.ok()) throw std::runtime_error(made.error().message);
    StopFlag stop;
    events.after_round = [&](const RoundEvent& event) {
      if (event.round == stop_after) stop.raise();
    };
    const SearchParts search{*made, std::shared_ptr<const WeakLearner>(std::shared_ptr<void>(), &weak)};
    const std::shared_ptr<const Booster> used =
        other_booster.make ? other_booster.with(search) : booster.make(search);
    auto result = used->train(booster.seed, {.dataset = dataset,
                                             .features = features,
                                             .work = {workers, no_progress(), *remarks, stop},
                                             .observer = events,
                                             .checkpoint = checkpoint,
                                             .run_key = run_key,
                                             .keep_finished = keep_finished,
                                             .left_out = left_out,
                                             .purpose = purpose,
                                             .rounds_file = rounds_file,
                                             .rounds_key = "rounds"});
    events.after_round = [](const RoundEvent&) {};
    return result;
  }
};

inline TrainingResult train(const World& world, const BoosterSettings& booster,
                            std::string sampler = "full") {
  Training training;
  training.booster = booster;
  training.sampler = std::move(sampler);
  return training.run(world);
}

// The hypotheses of a trained model.
inline const std::vector<Hypothesis>& hypotheses_of(const TrainingResult& result) {
  return result.model.sum().hypotheses;
}

// f_l of every example of a table after the model's first `num_hypotheses`, from the raw values.
inline std::vector<double> scores_on_values(const Model& model, const Dataset& dataset, const Split& split,
                                            std::size_t num_hypotheses) {
  const std::size_t num_classes = model.num_classes(), num_columns = dataset.column_names.size();
  std::vector<double> scores(split.num_examples * num_classes);
  for (std::size_t t = 0; t < num_hypotheses; ++t) {
    const Hypothesis& hypothesis = model.sum().hypotheses[t];
    const auto votes = cell_votes(hypothesis);
    for (std::size_t n = 0; n < split.num_examples; ++n) {
      const std::size_t cell = cell_of(hypothesis, [&](std::size_t i) {
        const Cut& cut = hypothesis.cuts[i];
        return cut.always_holds() || split.values[n * num_columns + cut.feature_idx] >= cut.threshold;
      });
      for (std::size_t l = 0; l < num_classes; ++l)
        scores[n * num_classes + l] += hypothesis.alpha * votes[cell * num_classes + l];
    }
  }
  return scores;
}

inline double error_of(const std::vector<double>& scores, const std::vector<std::uint16_t>& labels,
                       std::size_t num_classes) {
  std::size_t num_wrong = 0;
  for (std::size_t n = 0; n < labels.size(); ++n)
    num_wrong += predicted_class(std::span(scores).subspan(n * num_classes, num_classes)) != labels[n];
  return double(num_wrong) / double(labels.size());
}

}  // namespace mash::testing
