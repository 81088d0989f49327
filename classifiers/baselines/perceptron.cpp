// SPDX-License-Identifier: Apache-2.0
#include "classifiers/baselines/perceptron.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "classifiers/baselines/perceptron_passes.hpp"
#include "classifiers/baselines/rows_learner.hpp"
#include "classifiers/learners/kept_state.hpp"

namespace mash {
namespace {

constexpr double kSecondsBetweenStates = 5;

// Passes until they end, and what is kept of them meanwhile.
class PerceptronTraining {
 public:
  PerceptronTraining(PerceptronPasses passes, std::uint32_t most, const TrainingContext& context)
      : work_(context.work), kept_("perceptron 1", context), passes_(std::move(passes)), most_(most) {
    const auto state = kept_.load();
    if (!state) return;
    StateReader reader(*state);
    earlier_seconds_ = reader.next();
    passes_.take_back(reader);
    reader.finish();
  }

  // Errors: kStopped; the checkpoint cannot be written (kFailure).
  Status run() {
    work_.progress.start("perceptron", most_ - passes_.num_passes(), "passes");
    Stopwatch since;
    while (!passes_.has_ended()) {
      if (work_.stop.raised()) {
        MASH_TRY(keep());
        return stopped_by_user();
      }
      passes_.pass(work_.workers);
      work_.progress.advance(1);
      work_.progress.note(fmt::format("training error {:.2f} %", 100 * passes_.smallest_error()));
      if (since.seconds() < kSecondsBetweenStates) continue;
      MASH_TRY(keep());
      since = {};
    }
    work_.progress.finish();
    return Done{};
  }

  const PerceptronPasses& passes() const { return passes_; }
  double earlier_seconds() const { return earlier_seconds_; }

 private:
  Status keep() const {
    StateWriter writer;
    writer.add(earlier_seconds_ + watch_.seconds());
    passes_.keep(writer);
    return kept_.save(writer.take());
  }

  const WorkContext& work_;
  KeptState kept_;
  Stopwatch watch_;
  double earlier_seconds_ = 0;
  PerceptronPasses passes_;
  std::uint32_t most_;
};

class Perceptron final : public RowsLearner {
 public:
  Perceptron(const InputOptions& inputs, const PerceptronOptions& options)
      : RowsLearner("perceptron", inputs), options_(options) {}

  // Counted are the rows, the scores of examples, and three functions of each class, with their copies.
  std::uint64_t training_bytes(const TrainingSize& size) const override {
    return rows_bytes(size) + size.num_classes * sizeof(double) * (size.num_train + 5 * num_columns(size));
  }

 private:
  Result<Fitted> fit(const StandardRows& rows, std::span<const std::uint32_t> features,
                     std::span<const double> weights, std::uint64_t seed,
                     const TrainingContext& context) const override {
    const Dataset& dataset = context.dataset;
    PerceptronTraining training(
        PerceptronPasses(rows, dataset.train.labels, dataset.num_classes(), weights, options_, seed),
        options_.num_passes, context);
    MASH_TRY(training.run());
    const PerceptronPasses& found = training.passes();
    context.work.remarks.tell(fmt::format("perceptron: {} passes, the last one with {} wrong examples",
                                          found.num_passes(), found.num_wrong()));
    Fitted fitted{{}, training.earlier_seconds(), {}};
    found.write(features, fitted.fit);
    return fitted;
  }

  PerceptronOptions options_;
};

}  // namespace

Result<std::unique_ptr<const Learner>> make_perceptron(Settings& settings) {
  constexpr std::array kUpdates{Choice{"stochastic", false}, Choice{"batch", true}};
  PerceptronOptions options;
  MASH_ASSIGN(const InputOptions inputs, read_input_options(settings));
  MASH_ASSIGN(options.is_batch, settings.one_of("updates", false, kUpdates));
  MASH_ASSIGN(options.averages, settings.boolean("average", options.averages));
  MASH_ASSIGN(options.decay, settings.real("decay", options.decay, 1e-3, 1));
  MASH_ASSIGN(const std::int64_t num_passes,
              settings.integer("passes", options.num_passes, 1, 1'000'000'000));
  options.num_passes = std::uint32_t(num_passes);
  return std::unique_ptr<const Learner>(std::make_unique<const Perceptron>(inputs, options));
}

}  // namespace mash
