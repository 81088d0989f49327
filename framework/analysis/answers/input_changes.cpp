// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/answers/input_changes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "framework/analysis/answers/feature_moves.hpp"

namespace mash {
namespace {

// The inputs of a linear model, each changed alone.
class InputMoves {
 public:
  InputMoves(const LinearModel& model, std::span<const float> values, std::span<const double> scores)
      : model_(model), values_(values), scores_(scores), predicted_(predicted_class(scores)) {}

  std::optional<FeatureChange> nearest() const {
    std::optional<MoveCandidate> best;
    for (const std::size_t rival : rivals_of(scores_, predicted_))
      for (std::size_t i = 0; i < model_.inputs.size(); ++i) {
        const auto found = model_.inputs[i].is_code() ? move_code(i, rival) : move_value(i, rival);
        if (found && found->is_better_than(best)) best = found;
      }
    return change_in(best);
  }

 private:
  double coefficient(std::size_t input, std::size_t class_idx) const {
    return model_.coefficients[input * model_.num_classes() + class_idx];
  }
  // By how much the input's number has to change until the rival is level; nothing where it never is.
  std::optional<double> change_until_level(std::size_t input, std::size_t rival) const {
    const double slope = coefficient(input, predicted_) - coefficient(input, rival);
    if (slope == 0) return std::nullopt;
    return -(scores_[predicted_] - scores_[rival]) / slope;
  }
  // The class where the number of the input has changed so much.
  std::size_t class_with(std::size_t input, double change) const {
    std::vector<double> scores(scores_.begin(), scores_.end());
    for (std::size_t l = 0; l < scores.size(); ++l) scores[l] += coefficient(input, l) * change;
    return predicted_class(scores);
  }

  std::optional<MoveCandidate> move_code(std::size_t input, std::size_t rival) const {
    const auto level = change_until_level(input, rival);
    const ModelInput& read = model_.inputs[input];
    if (!level || std::abs(*level) > double(read.thresholds.size())) return std::nullopt;
    const auto code = std::ptrdiff_t(read.of(values_[input])),
               num_codes = std::ptrdiff_t(read.thresholds.size());
    const std::ptrdiff_t direction = *level < 0 ? -1 : 1;
    // Level is enough where the rival is the earlier class.
    for (auto steps = std::max(std::ptrdiff_t(1), std::ptrdiff_t(std::ceil(std::abs(*level))));; ++steps) {
      const std::ptrdiff_t moved = code + direction * steps;
      if (moved < 0 || moved > num_codes) return std::nullopt;
      const std::size_t class_idx = class_with(input, double(direction * steps));
      if (class_idx == predicted_) continue;
      const bool must_rise = direction > 0;
      const float bound = read.thresholds[std::size_t(must_rise ? moved - 1 : moved)];
      return MoveCandidate{{read.family_idx, read.feature_idx, values_[input], bound, must_rise,
                            std::size_t(steps), class_idx},
                           relative_move(values_[input], bound)};
    }
  }

  std::optional<MoveCandidate> move_value(std::size_t input, std::size_t rival) const {
    constexpr double kBeyond = 1 + 1e-6;
    const auto level = change_until_level(input, rival);
    if (!level) return std::nullopt;
    const ModelInput& read = model_.inputs[input];
    const float number = read.of(values_[input]);
    const auto bound = float(double(number) + *level * kBeyond);
    const std::size_t class_idx = class_with(input, double(bound) - double(number));
    if (class_idx == predicted_ || !std::isfinite(bound)) return std::nullopt;
    return MoveCandidate{
        {read.family_idx, read.feature_idx, values_[input], bound, bound > number, 0, class_idx},
        relative_move(number, bound)};
  }

  const LinearModel& model_;
  std::span<const float> values_;
  std::span<const double> scores_;
  std::size_t predicted_;
};

// The inputs of naive Bayes, each changed alone.
class DensityMoves {
 public:
  DensityMoves(const GaussianModel& model, std::span<const float> values, std::span<const double> scores)
      : model_(model), values_(values), scores_(scores), predicted_(predicted_class(scores)) {}

  std::optional<FeatureChange> nearest() const {
    std::optional<MoveCandidate> best;
    for (std::size_t i = 0; i < model_.inputs.size(); ++i) {
      if (model_.inputs[i].is_code()) {
        move_code(i, best);
        continue;
      }
      for (const std::size_t rival : rivals_of(scores_, predicted_))
        if (model_.priors[rival] > 0 && model_.priors[predicted_] > 0) move_value(i, rival, best);
    }
    return change_in(best);
  }

 private:
  // The part that the number of an input takes off the score of a class.
  double taken(std::size_t input, std::size_t class_idx, double number) const {
    const std::size_t place = input * model_.num_classes() + class_idx;
    const double difference = number - model_.means[place];
    return difference * difference / (2 * model_.variances[place]);
  }
  // The class where an input has another number.
  std::size_t class_with(std::size_t input, double number) const {
    const double before = model_.inputs[input].of(values_[input]);
    std::vector<double> scores(scores_.begin(), scores_.end());
    for (std::size_t l = 0; l < scores.size(); ++l)
      if (model_.priors[l] > 0) scores[l] += taken(input, l, before) - taken(input, l, number);
    for (std::size_t l = 0; l < scores.size(); ++l)  // they are behind all others
      if (model_.priors[l] == 0) scores[l] = -std::numeric_limits<double>::infinity();
    return predicted_class(scores);
  }
  void consider(const FeatureChange& change, double from, std::optional<MoveCandidate>& best) const {
    const MoveCandidate candidate{change, relative_move(float(from), change.bound)};
    if (candidate.is_better_than(best)) best = candidate;
  }

  void move_code(std::size_t input, std::optional<MoveCandidate>& best) const {
    const ModelInput& read = model_.inputs[input];
    const auto code = std::ptrdiff_t(read.of(values_[input])),
               num_codes = std::ptrdiff_t(read.thresholds.size());
    const auto most = best ? std::ptrdiff_t(best->change.num_steps) : num_codes;
    for (std::ptrdiff_t steps = 1; steps <= most; ++steps) {
      bool has_changed = false;
      for (const std::ptrdiff_t direction : {-1, 1}) {
        const std::ptrdiff_t moved = code + direction * steps;
        if (moved < 0 || moved > num_codes) continue;
        const std::size_t class_idx = class_with(input, double(moved));
        if (class_idx == predicted_) continue;
        has_changed = true;
        const float bound = read.thresholds[std::size_t(direction > 0 ? moved - 1 : moved)];
        consider({read.family_idx, read.feature_idx, values_[input], bound, direction > 0, std::size_t(steps),
                  class_idx},
                 values_[input], best);
      }
      if (has_changed) return;
    }
  }

  // The two are level where a x^2 + b x + c = 0.
  void move_value(std::size_t input, std::size_t rival, std::optional<MoveCandidate>& best) const {
    constexpr double kBeyond = 1 + 1e-6;
    const ModelInput& read = model_.inputs[input];
    const double number = read.of(values_[input]);
    const std::size_t p = input * model_.num_classes() + predicted_, r = input * model_.num_classes() + rival;
    const double a = 0.5 / model_.variances[p] - 0.5 / model_.variances[r];
    const double b = model_.means[r] / model_.variances[r] - model_.means[p] / model_.variances[p];
    const double c = taken(input, predicted_, 0) - taken(input, rival, 0) -
                     (scores_[predicted_] - scores_[rival] + taken(input, predicted_, number) -
                      taken(input, rival, number));
    const double root = std::sqrt(b * b - 4 * a * c), q = -(b + (b < 0 ? -root : root)) / 2;
    for (const double level : {q / a, c / q}) {
      const auto bound = float(number + (level - number) * kBeyond);
      if (!std::isfinite(bound)) continue;
      const std::size_t class_idx = class_with(input, double(bound));
      if (class_idx != predicted_)
        consider(
            {read.family_idx, read.feature_idx, values_[input], bound, bound > float(number), 0, class_idx},
            number, best);
    }
  }

  const GaussianModel& model_;
  std::span<const float> values_;
  std::span<const double> scores_;
  std::size_t predicted_;
};

// The inputs of a tree, each moved across the thresholds of its questions.
class QuestionMoves {
 public:
  QuestionMoves(const TreeModel& model, std::span<const float> values, std::span<const double> scores)
      : model_(model),
        values_(values),
        numbers_(numbers_of(model, values)),
        predicted_(predicted_class(scores)),
        thresholds_(model.inputs.size()) {
    for (const TreeStep& step : model.steps)
      if (!step.is_leaf()) thresholds_[step.input].push_back(step.threshold);
    for (std::vector<float>& thresholds : thresholds_) {
      std::sort(thresholds.begin(), thresholds.end());
      thresholds.erase(std::unique(thresholds.begin(), thresholds.end()), thresholds.end());
    }
  }

  std::optional<FeatureChange> nearest() const {
    std::optional<MoveCandidate> best;
    for (std::size_t i = 0; i < thresholds_.size(); ++i) {
      const std::vector<float>& thresholds = thresholds_[i];
      const auto num_reached = std::size_t(
          std::upper_bound(thresholds.begin(), thresholds.end(), numbers_[i]) - thresholds.begin());
      for (std::size_t t = num_reached; t > 0; --t) look_at(i, t - 1, num_reached - t + 1, false, best);
      for (std::size_t t = num_reached; t < thresholds.size(); ++t)
        look_at(i, t, t - num_reached + 1, true, best);
    }
    return change_in(best);
  }

 private:
  void look_at(std::size_t input, std::size_t threshold_idx, std::size_t num_steps, bool must_rise,
               std::optional<MoveCandidate>& best) const {
    const float threshold = thresholds_[input][threshold_idx];
    const ModelInput& read = model_.inputs[input];
    float bound = threshold;
    if (read.is_code()) {  // a code that reaches it belongs to values from this threshold on
      const double first = std::ceil(double(threshold));
      if (first < 1 || first > double(read.thresholds.size())) return;
      bound = read.thresholds[std::size_t(first) - 1];
    }
    std::vector<float> numbers = numbers_;
    numbers[input] =
        must_rise ? threshold : std::nextafter(threshold, -std::numeric_limits<float>::infinity());
    const double* shares = &model_.shares[path_of(model_, numbers).back() * model_.num_classes()];
    const std::size_t class_idx = predicted_class(std::span(shares, model_.num_classes()));
    if (class_idx == predicted_) return;
    const MoveCandidate candidate{
        {read.family_idx, read.feature_idx, values_[input], bound, must_rise, num_steps, class_idx},
        relative_move(values_[input], bound)};
    if (candidate.is_better_than(best)) best = candidate;
  }

  const TreeModel& model_;
  std::span<const float> values_;
  std::vector<float> numbers_;
  std::size_t predicted_;
  std::vector<std::vector<float>> thresholds_;  // of each input, increasing
};

}  // namespace

std::optional<FeatureChange> feature_change_of(const LinearModel& model, std::span<const float> values,
                                               std::span<const double> scores) {
  return InputMoves(model, values, scores).nearest();
}

std::optional<FeatureChange> feature_change_of(const GaussianModel& model, std::span<const float> values,
                                               std::span<const double> scores) {
  return DensityMoves(model, values, scores).nearest();
}

std::optional<FeatureChange> feature_change_of(const TreeModel& model, std::span<const float> values,
                                               std::span<const double> scores) {
  return QuestionMoves(model, values, scores).nearest();
}

std::optional<FeatureChange> feature_change_of(const InputModel&, std::span<const float>,
                                               std::span<const double>) {
  return std::nullopt;
}

}  // namespace mash
