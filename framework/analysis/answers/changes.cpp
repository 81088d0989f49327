// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/answers/changes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "framework/analysis/answers/value_places.hpp"

namespace mash {
namespace {

// The classes that come next to the predicted one, the largest score first.
std::vector<std::size_t> rivals_of(std::span<const double> scores, std::size_t predicted) {
  std::vector<std::size_t> rivals(scores.size());
  std::iota(rivals.begin(), rivals.end(), std::size_t(0));
  std::erase(rivals, predicted);
  std::stable_sort(rivals.begin(), rivals.end(),
                   [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  rivals.resize(std::min(rivals.size(), kMostRivals));
  return rivals;
}

// Which cells a hypothesis can have where features of one family may give other answers.
class ReachableCells {
 public:
  // holds: the answers as they are, one for each cut.
  ReachableCells(const Hypothesis& hypothesis, const std::vector<bool>& holds, std::uint32_t family_idx)
      : hypothesis_(hypothesis), holds_(holds), family_idx_(family_idx) {
    if (hypothesis.is_tree()) {
      walk(0);
      return;
    }
    cells_ = {cell_of(hypothesis, [&](std::size_t i) { return holds[i]; })};
    const auto is_free = [&](const Cut& cut) { return may_change(cut); };
    if (std::any_of(hypothesis.cuts.begin(), hypothesis.cuts.end(), is_free)) cells_.push_back(1 - cells_[0]);
  }

  const std::vector<std::size_t>& cells() const { return cells_; }

 private:
  bool may_change(const Cut& cut) const { return cut.family_idx == family_idx_ && !cut.always_holds(); }

  void walk(std::int32_t place) {
    if (place < 0) {
      cells_.push_back(std::size_t(-1 - place));
      return;
    }
    const auto i = std::size_t(place);
    const bool is_free = may_change(hypothesis_.cuts[i]);
    if (is_free || holds_[i]) walk(hypothesis_.branches[i].above);
    if (is_free || !holds_[i]) walk(hypothesis_.branches[i].below);
  }

  const Hypothesis& hypothesis_;
  const std::vector<bool>& holds_;
  std::uint32_t family_idx_;
  std::vector<std::size_t> cells_;
};

// The hypotheses of a sum with their cells on one example.
class CellsOfExample {
 public:
  CellsOfExample(const StrongClassifier& model, std::span<const float> values)
      : model_(model), places_(needed_features(model)) {
    for (const Hypothesis& hypothesis : model.hypotheses) {
      std::vector<bool> holds;
      for (const Cut& cut : hypothesis.cuts)
        holds.push_back(cut.always_holds() || cut.holds(values[places_.of(cut)]));
      cells_.push_back(cell_of(hypothesis, [&](std::size_t i) { return holds[i]; }));
      votes_.push_back(cell_votes(hypothesis));
      holds_.push_back(std::move(holds));
    }
  }

  const ValuePlaces& places() const { return places_; }
  std::size_t size() const { return cells_.size(); }
  std::size_t cell(std::size_t t) const { return cells_[t]; }
  const std::vector<bool>& holds(std::size_t t) const { return holds_[t]; }
  double vote(std::size_t t, std::size_t cell, std::size_t class_idx) const {
    return model_.hypotheses[t].alpha * votes_[t][cell * model_.num_classes() + class_idx];
  }
  // Gives the hypothesis another cell in these scores.
  void move(std::size_t t, std::size_t cell, std::span<double> scores) const {
    for (std::size_t l = 0; l < scores.size(); ++l) scores[l] += vote(t, cell, l) - vote(t, cells_[t], l);
  }

 private:
  const StrongClassifier& model_;
  ValuePlaces places_;
  std::vector<std::size_t> cells_;
  std::vector<std::vector<bool>> holds_;
  std::vector<std::vector<double>> votes_;
};

// A hypothesis that gets another cell, and the lead that the predicted class then loses.
struct Turn {
  std::size_t hypothesis = 0, cell = 0;
  double loss = 0;
};

class FamilyChanges {
 public:
  FamilyChanges(const StrongClassifier& model, std::span<const float> values, std::span<const double> scores)
      : model_(model), example_(model, values), scores_(scores), predicted_(predicted_class(scores)) {}

  std::optional<FamilyChange> fewest() const {
    std::optional<FamilyChange> best;
    const std::vector<std::size_t> rivals = rivals_of(scores_, predicted_);
    for (std::uint32_t k = 0; k < example_.places().needed().size(); ++k) {
      if (example_.places().needed()[k].empty()) continue;
      const std::vector<Turn> all = turns_of(k);
      for (const std::size_t rival : rivals) {
        const auto found = change(k, all, rival);
        if (found && (!best || found->num_changed < best->num_changed)) best = found;
      }
    }
    return best;
  }

 private:
  // All cells that hypotheses of the family can have, hypothesis after hypothesis.
  std::vector<Turn> turns_of(std::uint32_t family_idx) const {
    std::vector<Turn> turns;
    for (std::size_t t = 0; t < example_.size(); ++t) {
      const Hypothesis& hypothesis = model_.hypotheses[t];
      const auto is_of_family = [&](const Cut& cut) {
        return cut.family_idx == family_idx && !cut.always_holds();
      };
      if (std::none_of(hypothesis.cuts.begin(), hypothesis.cuts.end(), is_of_family)) continue;
      const ReachableCells reachable(hypothesis, example_.holds(t), family_idx);
      for (const std::size_t cell : reachable.cells()) turns.push_back({t, cell});
    }
    return turns;
  }

  // For each hypothesis the turn that serves the rival most, the best first.
  std::vector<Turn> best_turns(const std::vector<Turn>& all, std::size_t rival) const {
    std::vector<Turn> best;
    const auto lead = [&](std::size_t t, std::size_t cell) {
      return example_.vote(t, cell, predicted_) - example_.vote(t, cell, rival);
    };
    for (Turn turn : all) {
      turn.loss = lead(turn.hypothesis, example_.cell(turn.hypothesis)) - lead(turn.hypothesis, turn.cell);
      if (best.empty() || best.back().hypothesis != turn.hypothesis)
        best.push_back(turn);
      else if (turn.loss > best.back().loss)
        best.back() = turn;
    }
    std::stable_sort(best.begin(), best.end(), [](const Turn& a, const Turn& b) { return a.loss > b.loss; });
    return best;
  }

  std::optional<FamilyChange> change(std::uint32_t family_idx, const std::vector<Turn>& all,
                                     std::size_t rival) const {
    const std::vector<Turn> turns = best_turns(all, rival);
    std::vector<double> scores(scores_.begin(), scores_.end());
    for (std::size_t i = 0; i < turns.size() && turns[i].loss > 0; ++i) {
      example_.move(turns[i].hypothesis, turns[i].cell, scores);
      const std::size_t class_idx = predicted_class(scores);
      if (class_idx != predicted_) return FamilyChange{family_idx, i + 1, turns.size(), class_idx};
    }
    return std::nullopt;
  }

  const StrongClassifier& model_;
  CellsOfExample example_;
  std::span<const double> scores_;
  std::size_t predicted_;
};

// The better of two changes of a feature is the one with fewer steps, then with the smaller move.
struct Candidate {
  FeatureChange change;
  double move = 0;  // as a part of value and bound

  bool is_better_than(const std::optional<Candidate>& other) const {
    if (!other || change.num_steps != other->change.num_steps)
      return !other || change.num_steps < other->change.num_steps;
    return move < other->move;
  }
};

double relative_move(float from, float to) {
  if (std::isnan(from)) return 1;
  const double size = std::abs(double(from)) + std::abs(double(to));
  return size > 0 ? std::abs(double(to) - double(from)) / size : 0;
}

std::optional<FeatureChange> change_in(const std::optional<Candidate>& candidate) {
  return candidate ? std::optional(candidate->change) : std::nullopt;
}

// The features of a sum, each moved across its thresholds while the others stay.
class FeatureMoves {
 public:
  FeatureMoves(const StrongClassifier& model, std::span<const float> values, std::span<const double> scores)
      : model_(model),
        example_(model, values),
        values_(values),
        scores_(scores),
        predicted_(predicted_class(scores)),
        hypotheses_(example_.places().count()),
        thresholds_(example_.places().count()) {
    for (std::size_t t = 0; t < model.hypotheses.size(); ++t)
      for (const Cut& cut : model.hypotheses[t].cuts) {
        if (cut.always_holds()) continue;
        const std::size_t place = example_.places().of(cut);
        if (hypotheses_[place].empty() || hypotheses_[place].back() != t) hypotheses_[place].push_back(t);
        thresholds_[place].push_back(cut.threshold);
      }
    for (std::vector<float>& thresholds : thresholds_) {
      std::sort(thresholds.begin(), thresholds.end());
      thresholds.erase(std::unique(thresholds.begin(), thresholds.end()), thresholds.end());
    }
  }

  std::optional<FeatureChange> nearest() const {
    std::optional<Candidate> best;
    const auto& needed = example_.places().needed();
    for (std::uint32_t k = 0; k < needed.size(); ++k)
      for (const std::uint32_t feature : needed[k]) look_at(k, feature, best);
    return change_in(best);
  }

 private:
  void look_at(std::uint32_t family_idx, std::uint32_t feature_idx, std::optional<Candidate>& best) const {
    const std::size_t place = example_.places().of(family_idx, feature_idx);
    const std::vector<float>& thresholds = thresholds_[place];
    const float value = values_[place];
    const auto num_below =
        std::isnan(value)
            ? std::size_t(0)
            : std::size_t(std::upper_bound(thresholds.begin(), thresholds.end(), value) - thresholds.begin());
    const std::size_t most = best ? best->change.num_steps : thresholds.size();
    for (std::size_t step = 1; step <= most; ++step) {
      const std::size_t before = best ? best->change.num_steps : most + 1;
      if (step <= num_below)
        consider({family_idx, feature_idx, value, thresholds[num_below - step], false, step}, best);
      if (num_below + step <= thresholds.size())
        consider({family_idx, feature_idx, value, thresholds[num_below + step - 1], true, step}, best);
      if (best && best->change.num_steps < before) return;
    }
  }

  void consider(FeatureChange change, std::optional<Candidate>& best) const {
    const std::size_t place = example_.places().of(change.family_idx, change.feature_idx);
    // Below the bound and above the next threshold, which nobody needs to know.
    const float moved = change.must_rise
                            ? change.bound
                            : std::nextafter(change.bound, -std::numeric_limits<float>::infinity());
    std::vector<double> scores(scores_.begin(), scores_.end());
    for (const std::size_t t : hypotheses_[place]) example_.move(t, cell_with(t, place, moved), scores);
    change.class_idx = predicted_class(scores);
    if (change.class_idx == predicted_) return;
    const Candidate candidate{change, relative_move(change.value, change.bound)};
    if (candidate.is_better_than(best)) best = candidate;
  }

  // The cell of a hypothesis where the feature at this place has another value.
  std::size_t cell_with(std::size_t t, std::size_t place, float value) const {
    const Hypothesis& hypothesis = model_.hypotheses[t];
    return cell_of(hypothesis, [&](std::size_t i) {
      const Cut& cut = hypothesis.cuts[i];
      const bool is_moved = !cut.always_holds() && example_.places().of(cut) == place;
      return is_moved ? cut.holds(value) : bool(example_.holds(t)[i]);
    });
  }

  const StrongClassifier& model_;
  CellsOfExample example_;
  std::span<const float> values_;
  std::span<const double> scores_;
  std::size_t predicted_;
  std::vector<std::vector<std::size_t>> hypotheses_;  // that ask each feature
  std::vector<std::vector<float>> thresholds_;        // of each feature, increasing
};

// The inputs of a linear model, each changed alone.
class InputMoves {
 public:
  InputMoves(const LinearModel& model, std::span<const float> values, std::span<const double> scores)
      : model_(model), values_(values), scores_(scores), predicted_(predicted_class(scores)) {}

  std::optional<FeatureChange> nearest() const {
    std::optional<Candidate> best;
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

  std::optional<Candidate> move_code(std::size_t input, std::size_t rival) const {
    const auto level = change_until_level(input, rival);
    const LinearInput& read = model_.inputs[input];
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
      return Candidate{{read.family_idx, read.feature_idx, values_[input], bound, must_rise,
                        std::size_t(steps), class_idx},
                       relative_move(values_[input], bound)};
    }
  }

  std::optional<Candidate> move_value(std::size_t input, std::size_t rival) const {
    constexpr double kBeyond = 1 + 1e-6;
    const auto level = change_until_level(input, rival);
    if (!level) return std::nullopt;
    const LinearInput& read = model_.inputs[input];
    const float number = read.of(values_[input]);
    const auto bound = float(double(number) + *level * kBeyond);
    const std::size_t class_idx = class_with(input, double(bound) - double(number));
    if (class_idx == predicted_ || !std::isfinite(bound)) return std::nullopt;
    return Candidate{{read.family_idx, read.feature_idx, values_[input], bound, bound > number, 0, class_idx},
                     relative_move(number, bound)};
  }

  const LinearModel& model_;
  std::span<const float> values_;
  std::span<const double> scores_;
  std::size_t predicted_;
};

}  // namespace

std::optional<FamilyChange> family_change_of(const StrongClassifier& model, std::span<const float> values,
                                             std::span<const double> scores) {
  return FamilyChanges(model, values, scores).fewest();
}

std::optional<FeatureChange> feature_change_of(const StrongClassifier& model, std::span<const float> values,
                                               std::span<const double> scores) {
  return FeatureMoves(model, values, scores).nearest();
}

std::optional<FeatureChange> feature_change_of(const LinearModel& model, std::span<const float> values,
                                               std::span<const double> scores) {
  return InputMoves(model, values, scores).nearest();
}

}  // namespace mash
