// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "classifiers/serving/predictor.hpp"
#include "framework/analysis/answers/explanation.hpp"
#include "tests/support/training.hpp"

namespace mash::testing {

// All that must be the same when a run is repeated: everything but wall times, in words that tell what
// differs.
inline std::string fingerprint(const TrainingResult& result, const EventList& events) {
  std::string text = serialise(result.model);
  text += fmt::format("{} {}\nmeters {} {} {} {}\n", to_string(result.status), result.num_rounds,
                      result.meters.fe, result.meters.ops, result.meters.ue, result.meters.once);
  for (const RoundEvent& e : events.rounds) {
    text += fmt::format("round {}: {} {} {} {}\n", e.round, e.edge, e.alpha, e.train_loss_log10, e.cost);
    for (const Cut& cut : e.cuts)
      text += fmt::format("cut {} {} {}\n", cut.family_idx, cut.feature_idx, cut.threshold);
  }
  for (const auto* curve : {&events.curve, &result.curve})
    for (const CurvePoint& p : *curve)
      text += fmt::format("curve {}: {} {} {} {}\n", p.round, p.train_loss_log10, p.train_error, p.test_error,
                          p.cost);
  for (const FamilyUse& use : result.families)
    text += fmt::format("family {} {} {} {} {}\n", use.offered, use.evaluated, use.chosen, use.alpha_sum,
                        use.loss_removed);
  for (const double score : result.test_scores) text += fmt::format("{} ", score);
  return text;
}

// Settings with which boosters whose defaults train slowly learn from little, and soon.
inline SettingList smaller_settings(std::string_view booster) {
  if (booster == "filterboost") return {{"sample", "100"}, {"edge_samples", "300"}};
  if (booster == "selectors" || booster == "online-gradientboost")
    return {{"fresh", "100"}, {"selectors", "20"}, {"pool", "10"}};
  if (booster.starts_with("osboost") || booster == "oza-russell")
    return {{"fresh", "50"}, {"stumps", "40"}, {"start", "150"}};
  return {};
}

// The names of a table's rows.
template <class Rows>
std::vector<std::string> names_of(const Rows& rows) {
  std::vector<std::string> names;
  for (const auto& row : rows) names.emplace_back(row.name);
  return names;
}

// A row's name as the name of a test, which has letters, digits and '_' only.
inline std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
}

// The votes of families and of features with the constant part add up to the scores of each example, up to
// rounding; the scores have the bits of the scorer.
inline void expect_votes_that_add_up(const Model& model, const Predictor& predictor, const Split& side,
                                     const std::vector<double>& scores) {
  const auto values = predictor.values(side, Workers(2));
  ASSERT_TRUE(values.ok()) << values.error().message;
  const std::size_t num_classes = model.num_classes(), num_values = predictor.num_values();
  const double tolerance = 1e-12 * (1 + model.score_bound());
  for (std::size_t n = 0; n < side.num_examples; ++n) {
    const Explanation explanation = votes_of(model, std::span(*values).subspan(n * num_values, num_values));
    for (std::size_t l = 0; l < num_classes; ++l) {
      double of_families = explanation.constant[l], of_features = explanation.constant[l];
      for (const auto& votes : explanation.families) of_families += votes[l];
      for (const FeatureVotes& feature : explanation.features) of_features += feature.votes[l];
      ASSERT_EQ(explanation.scores[l], scores[n * num_classes + l]) << "example " << n;
      ASSERT_NEAR(of_families, explanation.scores[l], tolerance) << "example " << n;
      ASSERT_NEAR(of_features, explanation.scores[l], tolerance) << "example " << n;
    }
  }
}

// The model comes back from its file, and predicts the scores that training gave the test side of a table;
// what explains these adds up to them.
inline void expect_scores_of_training(const TrainingResult& result, const Dataset& dataset) {
  const auto parsed = parse_model(serialise(result.model));
  ASSERT_TRUE(parsed.ok()) << parsed.error().message;
  EXPECT_EQ(*parsed, result.model);
  Catalogue catalogue = Catalogue::scan({});
  const auto predictor = Predictor::open(*parsed, catalogue);
  ASSERT_TRUE(predictor.ok()) << predictor.error().message;
  EXPECT_EQ(*predictor->scores(dataset.test, Workers(2)), result.test_scores);
  expect_votes_that_add_up(*parsed, *predictor, dataset.test, result.test_scores);
}

}  // namespace mash::testing
