// SPDX-License-Identifier: Apache-2.0
#include "classifiers/baselines/svm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "classifiers/baselines/svm_pairs.hpp"
#include "classifiers/learners/drawn_features.hpp"
#include "classifiers/learners/input_settings.hpp"
#include "classifiers/learners/input_training.hpp"
#include "classifiers/learners/kept_state.hpp"
#include "classifiers/learners/one_step.hpp"
#include "classifiers/learners/row_blocks.hpp"
#include "classifiers/learners/rows_memory.hpp"
#include "classifiers/learners/trained_head.hpp"

namespace mash {
namespace {

constexpr double kSecondsOfSlice = 5;  // between two checkpoints

constexpr std::array kKernels{Choice{"linear", KernelKind::kLinear},
                              Choice{"polynomial", KernelKind::kPolynomial}, Choice{"rbf", KernelKind::kRbf}};

// The kernel with the usual numbers in place of those that its kind does not look at.
Kernel only_what_counts(const Kernel& kernel) {
  switch (kernel.kind) {
    case KernelKind::kLinear: return {kernel.kind};
    case KernelKind::kRbf: return {kernel.kind, kernel.gamma};
    case KernelKind::kPolynomial: break;
  }
  return kernel;
}

// 1 / (columns x their mean variance), by the weights.
double usual_gamma(const RowsInMemory& kept) {
  const std::size_t width = kept.rows.num_columns, size = kept.examples.size() * width;
  const auto number = [&](std::size_t k) {
    return kept.rows.are_codes() ? double(kept.rows.codes[k]) : double(kept.rows.values[k]);
  };
  double total = 0;
  for (const double weight : kept.weights) total += weight;
  std::vector<double> means(width);
  for (std::size_t k = 0; k < size; ++k) means[k % width] += kept.weights[k / width] * number(k) / total;
  double sum = 0;
  for (std::size_t k = 0; k < size; ++k) {
    const double difference = number(k) - means[k % width];
    sum += kept.weights[k / width] * difference * difference / total;
  }
  return sum > 0 ? 1 / sum : 1;
}

// The machines of a training until they end, and what is kept of them meanwhile.
class SvmTraining {
 public:
  SvmTraining(SvmPairs& pairs, const TrainingContext& context)
      : pairs_(pairs), work_(context.work), kept_("svm 1", context) {
    const auto state = kept_.load();
    if (!state) return;
    StateReader reader(*state);
    earlier_seconds_ = reader.next();
    pairs_.take_back(reader);
    reader.finish();
  }

  // Errors: kStopped; the checkpoint cannot be written (kFailure).
  Status run() {
    work_.progress.start("svm", pairs_.size() - pairs_.num_ended(), "machines");
    for (bool is_done = false; !is_done;) {
      auto found = pairs_.go_on(kSecondsOfSlice, work_);
      MASH_TRY(keep());
      MASH_ASSIGN(is_done, std::move(found));
    }
    work_.progress.finish();
    return Done{};
  }

  double earlier_seconds() const { return earlier_seconds_; }

 private:
  Status keep() const {
    StateWriter writer;
    writer.add(earlier_seconds_ + watch_.seconds());
    pairs_.keep(writer);
    return kept_.save(writer.take());
  }

  SvmPairs& pairs_;
  const WorkContext& work_;
  KeptState kept_;
  Stopwatch watch_;
  double earlier_seconds_ = 0;
};

class Svm final : public OneStepLearner {
 public:
  Svm(const InputOptions& inputs, const MachineOptions& options, bool chooses_gamma)
      : inputs_(inputs), options_(options), chooses_gamma_(chooses_gamma) {}

  LearnerTraits traits() const override {
    return {.weighs_examples = true, .wants_values = inputs_.number == FeatureNumber::kValue};
  }
  // Counted are the rows, twice while they are sorted, four numbers of each example in each of its machines,
  // the coefficients, and the kernel values.
  std::uint64_t training_bytes(const TrainingSize& size) const override {
    const std::uint64_t width = std::min<std::uint64_t>(size.num_features, inputs_.num_features);
    return 2 * size.num_train * width * bytes_of_number(inputs_.number) + bytes_of_row_blocks(width) +
           5 * size.num_train * (size.num_classes - 1) * sizeof(double) + options_.cache_bytes +
           size.score_bytes();
  }

  Result<TrainingResult> train(std::uint64_t seed, const TrainingContext& context) const override {
    const FeatureSet& features = context.features;
    const auto drawn = drawn_features(features, inputs_.num_features, seed, "svm.features");
    const auto read = features_to_keep(drawn, inputs_.number, features);
    Meters meters;
    meters.fe = drawn.size() * features.num_train();
    const Stopwatch watch;
    const FeatureMatrix matrix(features, Side::kTrain, read, inputs_.number);
    MASH_ASSIGN(RowsInMemory kept, read_rows_in_memory(matrix, context));
    KernelModel model;
    static_cast<ModelHead&>(model) = trained_head(context.dataset, features);
    for (std::size_t i = 0; i < read.size(); ++i)
      model.inputs.push_back(input_of(read[i], inputs_.number, kept.means[i], features));
    MachineOptions options = options_;
    if (chooses_gamma_) options.kernel.gamma = usual_gamma(kept);
    options.kernel = only_what_counts(options.kernel);
    std::vector<std::uint16_t> labels;
    for (const std::uint32_t n : kept.examples) labels.push_back(context.dataset.train.labels[n]);
    SvmPairs pairs(std::move(kept), labels, model.num_classes(), options, context.work.workers.num_threads());
    SvmTraining training(pairs, context);
    MASH_TRY(training.run());
    pairs.write(model);
    meters.seconds = meters.phases.refit = training.earlier_seconds() + watch.seconds();
    tell(pairs, model, options, context.work.remarks);
    MASH_ASSIGN(const JudgedExamples judged,
                judge_some(number_scores(model), pairs.kept().rows, pairs.kept().examples, seed, context));
    MASH_ASSIGN(TrainingResult result,
                finish_inputs(std::move(model), inputs_.number, meters, context, &judged));
    count_drawn(drawn, features, result);
    return result;
  }

 private:
  void tell(const SvmPairs& pairs, const KernelModel& model, const MachineOptions& options,
            Remarks& remarks) const {
    std::string text = fmt::format("svm: {} support vectors of {} examples", model.classes.size(),
                                   pairs.kept().examples.size());
    if (chooses_gamma_ && options.kernel.kind != KernelKind::kLinear)
      text += fmt::format(", gamma {:.3g}", options.kernel.gamma);
    if (const std::size_t num_open = pairs.size() - pairs.num_converged(); num_open > 0)
      text += fmt::format(
          "; {} of {} machines ended after {} iterations, before the tolerance; more `iterations`, a larger "
          "`tolerance` or a smaller `C` help",
          num_open, pairs.size(), options.num_steps);
    remarks.tell(text);
  }

  InputOptions inputs_;
  MachineOptions options_;
  bool chooses_gamma_;
};

}  // namespace

Result<std::unique_ptr<const Learner>> make_svm(Settings& settings) {
  MachineOptions options;
  MASH_ASSIGN(const InputOptions inputs, read_input_options(settings));
  MASH_ASSIGN(options.kernel.kind, settings.one_of("kernel", options.kernel.kind, kKernels));
  MASH_ASSIGN(options.cost, settings.real("C", options.cost, 1e-12, 1e12));
  MASH_ASSIGN(const auto gamma, settings.real_or("gamma", "auto", 1e-12, 1e12));
  MASH_ASSIGN(const std::int64_t degree, settings.integer("degree", options.kernel.degree, 1, 100));
  MASH_ASSIGN(options.kernel.offset, settings.real("offset", options.kernel.offset, 0, 1e12));
  MASH_ASSIGN(options.tolerance, settings.real("tolerance", options.tolerance, 1e-12, 1));
  MASH_ASSIGN(const std::int64_t num_steps,
              settings.integer("iterations", std::int64_t(options.num_steps), 1, 1'000'000'000'000));
  MASH_ASSIGN(const std::int64_t megabytes, settings.integer("cache", 200, 1, 1'000'000));
  options.kernel.gamma = gamma.value_or(1);
  options.kernel.degree = std::uint32_t(degree);
  options.num_steps = std::uint64_t(num_steps);
  options.cache_bytes = std::size_t(megabytes) << 20;
  return std::unique_ptr<const Learner>(std::make_unique<const Svm>(inputs, options, !gamma));
}

}  // namespace mash
