// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/answers/changes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "framework/analysis/answers/feature_moves.hpp"
#include "framework/analysis/answers/value_places.hpp"

namespace mash {
namespace {

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
    std::optional<MoveCandidate> best;
    const auto& needed = example_.places().needed();
    for (std::uint32_t k = 0; k < needed.size(); ++k)
      for (const std::uint32_t feature : needed[k]) look_at(k, feature, best);
    return change_in(best);
  }

 private:
  void look_at(std::uint32_t family_idx, std::uint32_t feature_idx,
               std::optional<MoveCandidate>& best) const {
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

  void consider(FeatureChange change, std::optional<MoveCandidate>& best) const {
    const std::size_t place = example_.places().of(change.family_idx, change.feature_idx);
    // Below the bound and above the next threshold, which nobody needs to know.
    const float moved = change.must_rise
                            ? change.bound
                            : std::nextafter(change.bound, -std::numeric_limits<float>::infinity());
    std::vector<double> scores(scores_.begin(), scores_.end());
    for (const std::size_t t : hypotheses_[place]) example_.move(t, cell_with(t, place, moved), scores);
    change.class_idx = predicted_class(scores);
    if (change.class_idx == predicted_) return;
    const MoveCandidate candidate{change, relative_move(change.value, change.bound)};
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

}  // namespace

std::optional<FamilyChange> family_change_of(const StrongClassifier& model, std::span<const float> values,
                                             std::span<const double> scores) {
  return FamilyChanges(model, values, scores).fewest();
}

std::optional<FeatureChange> feature_change_of(const StrongClassifier& model, std::span<const float> values,
                                               std::span<const double> scores) {
  return FeatureMoves(model, values, scores).nearest();
}

}  // namespace mash
