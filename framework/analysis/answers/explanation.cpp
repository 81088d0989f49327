// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/answers/explanation.hpp"

#include <algorithm>
#include <cmath>

#include "framework/analysis/answers/changes.hpp"
#include "framework/analysis/answers/input_changes.hpp"
#include "framework/analysis/answers/value_places.hpp"
#include "framework/base/require.hpp"

namespace mash {
namespace {

// The cuts of a hypothesis that the example was asked, those that always hold left out.
template <class Holds>
std::vector<std::size_t> asked_cuts(const Hypothesis& hypothesis, const Holds& holds) {
  std::vector<std::size_t> asked;
  const auto look_at = [&](std::size_t i) {
    if (!hypothesis.cuts[i].always_holds()) asked.push_back(i);
  };
  if (!hypothesis.is_tree()) {
    for (std::size_t i = 0; i < hypothesis.cuts.size(); ++i) look_at(i);
    return asked;
  }
  std::int32_t place = 0;
  do {
    look_at(std::size_t(place));
    const Branches& branches = hypothesis.branches[std::size_t(place)];
    place = holds(std::size_t(place)) ? branches.above : branches.below;
  } while (place >= 0);
  return asked;
}

void add_votes(const StrongClassifier& model, std::span<const float> values, Explanation& explanation) {
  const ValuePlaces places(needed_features(model));
  const std::size_t num_classes = model.num_classes();
  for (const Hypothesis& hypothesis : model.hypotheses) {
    const auto holds = [&](std::size_t i) {
      const Cut& cut = hypothesis.cuts[i];
      return cut.always_holds() || cut.holds(values[places.of(cut)]);
    };
    const std::vector<double> votes = cell_votes(hypothesis);
    const double* of_cell = &votes[cell_of(hypothesis, holds) * num_classes];
    const std::vector<std::size_t> asked = asked_cuts(hypothesis, holds);
    for (std::size_t l = 0; l < num_classes; ++l) {
      const double vote = hypothesis.alpha * of_cell[l];
      explanation.scores[l] += vote;
      if (asked.empty()) explanation.constant[l] += vote;
      for (const std::size_t i : asked)
        explanation.features[places.of(hypothesis.cuts[i])].votes[l] += vote / double(asked.size());
    }
  }
}

void add_votes(const LinearModel& model, std::span<const float> values, Explanation& explanation) {
  const std::size_t num_classes = model.num_classes();
  const std::vector<float> numbers =
      numbers_of(model, values);  // the inputs stand in the order of the values
  number_scores(model)(numbers, explanation.scores);
  explanation.constant = model.intercepts;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    for (std::size_t l = 0; l < num_classes; ++l)
      explanation.features[i].votes[l] = model.coefficients[i * num_classes + l] * double(numbers[i]);
}

void add_votes(const GaussianModel& model, std::span<const float> values, Explanation& explanation) {
  const std::vector<float> numbers = numbers_of(model, values);
  number_scores(model)(numbers, explanation.scores);
  for (std::size_t l = 0; l < model.num_classes(); ++l) {
    const bool was_seen = model.priors[l] > 0;
    explanation.constant[l] = was_seen ? std::log(model.priors[l]) : explanation.scores[l];
    for (std::size_t i = 0; was_seen && i < numbers.size(); ++i)
      explanation.features[i].votes[l] = log_density(model, i, l, double(numbers[i]));
  }
}

void add_votes(const TreeModel& model, std::span<const float> values, Explanation& explanation) {
  const std::vector<float> numbers = numbers_of(model, values);
  number_scores(model)(numbers, explanation.scores);
  const std::size_t num_classes = model.num_classes();
  const auto share = [&](std::uint32_t step, std::size_t l) { return model.shares[step * num_classes + l]; };
  const std::vector<std::uint32_t> path = path_of(model, numbers);
  for (std::size_t l = 0; l < num_classes; ++l) {
    explanation.constant[l] = share(0, l);
    for (std::size_t i = 0; i + 1 < path.size(); ++i)
      explanation.features[model.steps[path[i]].input].votes[l] += share(path[i + 1], l) - share(path[i], l);
  }
}

// The kinds whose features have no votes of their own.
template <class Kind>
void add_votes(const Kind& model, std::span<const float> values, Explanation& explanation) {
  number_scores(model)(numbers_of(model, values), explanation.scores);
  explanation.constant = explanation.scores;
}

// The class with the largest score beside `predicted`, the first among equals; the same where there is none.
std::size_t rival_of(std::span<const double> scores, std::size_t predicted) {
  std::size_t rival = predicted;
  for (std::size_t l = 0; l < scores.size(); ++l)
    if (l != predicted && (rival == predicted || scores[l] > scores[rival])) rival = l;
  return rival;
}

}  // namespace

Explanation votes_of(const Model& model, std::span<const float> values) {
  const std::size_t num_classes = model.num_classes();
  const std::vector<std::vector<std::uint32_t>> needed = model.needed_features();
  Explanation explanation;
  explanation.scores.resize(num_classes);
  explanation.constant.resize(num_classes);
  for (std::uint32_t k = 0; k < needed.size(); ++k)
    for (const std::uint32_t feature : needed[k]) {
      const std::size_t place = explanation.features.size();
      require(place < values.size(), "votes_of: a value of each feature");
      explanation.features.push_back({k, feature, values[place], std::vector<double>(num_classes)});
    }
  model.visit([&](const auto& kind) { add_votes(kind, values, explanation); });
  explanation.families.assign(needed.size(), std::vector<double>(num_classes));
  for (const FeatureVotes& feature : explanation.features)
    for (std::size_t l = 0; l < num_classes; ++l)
      explanation.families[feature.family_idx][l] += feature.votes[l];
  explanation.predicted = predicted_class(explanation.scores);
  explanation.rival = rival_of(explanation.scores, explanation.predicted);
  return explanation;
}

Explanation explain(const Model& model, std::span<const float> values) {
  Explanation explanation = votes_of(model, values);
  if (const auto* sum = model.as<StrongClassifier>())
    explanation.family_change = family_change_of(*sum, values, explanation.scores);
  explanation.feature_change =
      model.visit([&](const auto& kind) { return feature_change_of(kind, values, explanation.scores); });
  return explanation;
}

}  // namespace mash
