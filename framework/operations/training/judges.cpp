// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/training/judges.hpp"

#include "framework/dataset/held_out.hpp"

namespace mash {
namespace {

constexpr std::size_t kFewestJudges = 30;

}  // namespace

JudgingExamples judging_examples(const Dataset& dataset, Judges judges) {
  if (judges == Judges::kTest) return {{}, dataset.test.labels};
  JudgingExamples examples{held_out_part(dataset), {}};
  for (const std::uint32_t n : examples.held_out) examples.labels.push_back(dataset.train.labels[n]);
  return examples;
}

Result<JudgingExamples> enough_judges(const Dataset& dataset, Judges judges) {
  JudgingExamples examples = judging_examples(dataset, judges);
  const std::size_t num_judges = examples.labels.size();
  if (judges == Judges::kTest && num_judges < kFewestJudges)
    return input_error("data set {}: {} test pictures to judge on, expected at least {}", dataset.name,
                       num_judges, kFewestJudges);
  if (judges == Judges::kHeldOut && (num_judges < kFewestJudges || num_judges == dataset.train.num_examples))
    return input_error(
        "data set {}: {} training pictures are held out to judge on, expected at least {}, and others to "
        "train on: use more training pictures",
        dataset.name, num_judges, kFewestJudges);
  return examples;
}

}  // namespace mash
