// SPDX-License-Identifier: Apache-2.0
#include "classifiers/online/osboost.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "framework/base/elementary.hpp"
#include "framework/base/require.hpp"

namespace mash {
namespace {

Result<OnlineFactory> make(std::string_view name, OsBoost::Votes votes, Settings& settings) {
  OsBoost::Options options;
  options.votes = votes;
  options.learners = Learners::kUpdated;
  MASH_ASSIGN(options.gamma, settings.real("gamma", options.gamma, 1e-6, 0.999));
  if (votes != OsBoost::Votes::kUniform) {
    MASH_ASSIGN(options.learners, read_learners(settings));
  }
  if (votes == OsBoost::Votes::kPrefixes && options.learners == Learners::kFixed && settings.has("gamma"))
    MASH_TRY(settings.refuse(input_error(
        "{}: gamma is for the weights that base learners learn with; found it without learners: updated",
        settings.where("gamma"))));
  return OnlineFactory([=](const OnlineTask& task) -> Result<std::unique_ptr<OnlineBooster>> {
    MASH_TRY(check_learners(name, options.learners, task));
    return std::unique_ptr<OnlineBooster>(std::make_unique<OsBoost>(options, task.learners));
  });
}

}  // namespace

double osboost_margin(double gamma) { return gamma / (2 + gamma); }

double osboost_weight(double z, double gamma) {
  require(gamma > 0 && gamma < 1, "osboost_weight: 0 < gamma < 1");
  return std::min(1.0, stable_exp(z / 2 * stable_log(1 - gamma)));
}

void project_to_simplex(std::span<double> point) {
  require(!point.empty(), "project_to_simplex: at least one number");
  std::vector<double> sorted(point.begin(), point.end());
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  double sum = 0, lowered = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    sum += sorted[i];
    const double candidate = (sum - 1) / double(i + 1);
    if (sorted[i] <= candidate) break;
    lowered = candidate;
  }
  for (double& number : point) number = std::max(0.0, number - lowered);
}

OsBoost::OsBoost(const Options& options, std::vector<OnlineStump> stumps)
    : options_(options),
      set_(std::move(stumps)),
      prefix_errors_(options.votes == Votes::kPrefixes ? set_.size() : 0),
      answers_(set_.size()) {
  require(options.gamma > 0 && options.gamma < 1, "OsBoost: 0 < gamma < 1");
  require(set_.size() > 0, "OsBoost: at least one stump");
  coefficients_.assign(set_.size(), 1 / double(set_.size()));
  if (options_.votes == Votes::kPrefixes) weigh_prefixes(1, 0);
}

void OsBoost::learn(std::span<const float> values, int sign, double weight) {
  require(values.size() == set_.size(), "as many values as features");
  if (weight == 0) return;
  ++num_learned_;
  const double theta = osboost_margin(options_.gamma);
  double z = 0;
  for (std::size_t i = 0; i < set_.size(); ++i) {
    answers_[i] = set_.answer(i, values[i]);
    if (options_.learners == Learners::kUpdated)
      set_.learn(i, values[i], sign, weight * osboost_weight(z, options_.gamma));
    z += sign * answers_[i] - theta;
  }
  if (options_.votes == Votes::kPrefixes) weigh_prefixes(sign, weight);
  if (options_.votes == Votes::kSimplex) move_on_simplex(sign, weight);
}

// Weights of experts relative to the best, so that they stay apart however many examples there have been:
// (1/2)^(errors - fewest errors). A learner has a share in every prefix from its own on.
void OsBoost::weigh_prefixes(int sign, double weight) {
  int sum = 0;
  for (std::size_t i = 0; i < set_.size(); ++i) {
    sum += sign * answers_[i];
    if (sum <= 0) prefix_errors_[i] += weight;
  }
  const double fewest = *std::min_element(prefix_errors_.begin(), prefix_errors_.end());
  double share = 0, total = 0;
  for (std::size_t i = set_.size(); i-- > 0;) {
    const double expert = stable_exp(-std::numbers::ln2 * (prefix_errors_[i] - fewest));
    total += expert;
    share += expert / double(i + 1);
    coefficients_[i] = share;
  }
  for (double& coefficient : coefficients_) coefficient /= total;
}

void OsBoost::move_on_simplex(int sign, double weight) {
  double margin = 0;
  for (std::size_t i = 0; i < set_.size(); ++i) margin += coefficients_[i] * (sign * answers_[i]);
  if (margin >= osboost_margin(options_.gamma)) return;
  const double step = weight / std::sqrt(double(num_learned_));
  for (std::size_t i = 0; i < set_.size(); ++i) coefficients_[i] += step * (sign * answers_[i]);
  project_to_simplex(coefficients_);
}

std::vector<double> OsBoost::state() const {
  StateWriter writer;
  writer.add(num_learned_);
  set_.write(writer);
  writer.add_all(coefficients_);
  writer.add_all(prefix_errors_);
  return writer.take();
}

void OsBoost::restore(std::span<const double> numbers) {
  StateReader reader(numbers);
  num_learned_ = reader.next<std::uint64_t>();
  set_.read(reader);
  for (double& coefficient : coefficients_) coefficient = reader.next();
  for (double& errors : prefix_errors_) errors = reader.next();
  reader.finish();
}

Result<OnlineFactory> make_osboost(Settings& settings) {
  return make("osboost", OsBoost::Votes::kUniform, settings);
}
Result<OnlineFactory> make_osboost_exp(Settings& settings) {
  return make("osboost.exp", OsBoost::Votes::kPrefixes, settings);
}
Result<OnlineFactory> make_osboost_ocp(Settings& settings) {
  return make("osboost.ocp", OsBoost::Votes::kSimplex, settings);
}

}  // namespace mash
