// SPDX-License-Identifier: Apache-2.0
#include "classifiers/online/learner_set.hpp"

#include <array>

#include "framework/base/require.hpp"

namespace mash {

Result<Learners> read_learners(Settings& settings) {
  constexpr std::array kLearners{Choice{"fixed", Learners::kFixed}, Choice{"updated", Learners::kUpdated}};
  return settings.one_of("learners", Learners::kFixed, kLearners);
}

Status check_learners(std::string_view booster, Learners learners, const OnlineTask& task) {
  if (task.learners.empty())
    return input_error("{}: found no base learner to begin with, expected one at least", booster);
  for (const OnlineStump& stump : task.learners) {
    require(stump.now().feature < task.num_features, "the features of base learners are below num_features");
    if (learners == Learners::kFixed && !stump.has_start())
      return input_error(
          "{}: found a base learner that knows nothing yet (on feature {}) beside learners: fixed, expected "
          "stumps that were learned before, or learners: updated",
          booster, stump.now().feature);
  }
  return Done{};
}

LearnerSet::LearnerSet(std::vector<OnlineStump> stumps) : stumps_(std::move(stumps)) {
  for (const OnlineStump& stump : stumps_) features_.push_back(stump.now().feature);
}

double LearnerSet::score(std::span<const float> values, std::span<const double> coefficients) const {
  require(values.size() == size() && coefficients.size() == size(), "as many values as features");
  double score = 0;
  for (std::size_t i = 0; i < size(); ++i) score += coefficients[i] * answer(i, values[i]);
  return score;
}

std::vector<StumpTerm> LearnerSet::terms(std::span<const double> coefficients) const {
  std::vector<StumpTerm> terms;
  for (std::size_t i = 0; i < size(); ++i) terms.push_back(stump_term(stumps_[i].now(), coefficients[i]));
  return terms;
}

void LearnerSet::write(StateWriter& writer) const {
  for (const OnlineStump& stump : stumps_) stump.write(writer);
}

void LearnerSet::read(StateReader& reader) {
  for (std::size_t i = 0; i < size(); ++i) {
    stumps_[i].read(reader);
    features_[i] = stumps_[i].now().feature;
  }
}

}  // namespace mash
