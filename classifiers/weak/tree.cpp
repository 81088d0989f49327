// SPDX-License-Identifier: Apache-2.0
#include "classifiers/weak/tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>

namespace mash {
namespace {

constexpr double kGain = 1e-12;  // less is rounding
constexpr std::size_t kNone = ~std::size_t(0);

double sum_of_sizes(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0,
                         [](double sum, double value) { return sum + std::abs(value); });
}

std::vector<std::int8_t> signs_of(std::span<const double> values) {
  std::vector<std::int8_t> signs;
  for (const double value : values) signs.push_back(value >= 0 ? 1 : -1);
  return signs;
}

double dot(std::span<const double> values, std::span<const std::int8_t> signs) {
  double sum = 0;
  for (std::size_t l = 0; l < values.size(); ++l) sum += values[l] * signs[l];
  return sum;
}

struct Leaf {
  std::vector<std::uint32_t> rows;  // of the root none: all
  std::vector<double> totals;       // sum of G over its examples, per class
  std::vector<std::int8_t> votes;
  std::size_t parent = kNone;     // the cut that leads here, if any
  bool is_above = false;          // and on which side
  std::optional<StumpFit> split;  // its best stump, in shares of the leaf
  double gain = 0;                // of the tree's edge, if that is applied
};

class GrowingTree {
 public:
  GrowingTree(StumpScan& scan, Sampler& sampler, const Round& round, TreeLearner::Votes votes)
      : scan_(scan), sampler_(sampler), round_(round), votes_(votes), cells_(scan.weights().num_examples()) {
    Leaf root;
    root.totals = scan.weights().class_sums(cells_, 1);
    root.votes = signs_of(root.totals);
    search(root);
    leaves_.push_back(std::move(root));
  }

  void grow(std::size_t num_leaves) {
    for (std::size_t next = best_leaf(num_leaves); next != kNone; next = best_leaf(num_leaves)) {
      if (leaves_[next].split->threshold == kConstant)
        repair(leaves_[next]);
      else
        split(next, leaves_.size() + 1 < num_leaves || votes_ == TreeLearner::Votes::kFactorised);
    }
  }

  WeakHypothesis finish() {
    WeakHypothesis result;
    const std::vector<double> sums = scan_.weights().class_sums(cells_, leaves_.size());
    for (std::size_t i = 0; i < leaves_.size(); ++i) {
      const auto totals = std::span(sums).subspan(i * num_classes(), num_classes());
      if (votes_ == TreeLearner::Votes::kFree) leaves_[i].votes = signs_of(totals);
      result.edge += dot(totals, leaves_[i].votes);
      result.model.votes.insert(result.model.votes.end(), leaves_[i].votes.begin(), leaves_[i].votes.end());
    }
    result.model.cuts = std::move(cuts_);
    result.model.branches = std::move(branches_);
    result.cells = std::move(cells_);
    if (leaves_.size() == 1) {  // the constant learner, which is written as a cut that always holds
      result.model.cuts = {{0, 0, kConstant}};
      if (leaves_[0].split) result.model.cuts[0] = cut_of(*leaves_[0].split, scan_.features());
      result.model.cuts[0].threshold = kConstant;
      std::fill(result.cells.begin(), result.cells.end(), std::uint8_t(1));
    }
    result.votes = cell_votes(result.model);
    return result;
  }

 private:
  std::size_t num_classes() const { return scan_.weights().num_classes(); }

  // Finds the leaf's best stump and what it would give.
  void search(Leaf& leaf) {
    double share = 1;
    if (!leaf.rows.empty()) {
      share = 0;
      const SignedWeights& weights = scan_.weights().of_all();
      for (const std::uint32_t n : leaf.rows) share += weights.example_weights()[n];
      share /= weights.total();
      if (share <= kGain / 2) return;  // a gain is at most twice that
      scan_.focus({leaf.rows, share});
    }
    leaf.split = scan_.refit(sampler_.propose(scan_, round_.search(num_searches_++)));
    if (!leaf.rows.empty()) scan_.end_focus();
    for (double& edge : leaf.split->class_edges) edge *= share;
    leaf.gain = edge_of(leaf) - dot(leaf.totals, leaf.votes);
  }

  // The edge on the leaf's examples once its split is applied.
  double edge_of(const Leaf& leaf) const {
    const std::vector<double>& edges = leaf.split->class_edges;
    if (votes_ == TreeLearner::Votes::kFactorised) return sum_of_sizes(edges);
    double sum = 0;
    for (std::size_t l = 0; l < edges.size(); ++l)
      sum += (std::abs(leaf.totals[l] + edges[l]) + std::abs(leaf.totals[l] - edges[l])) / 2;
    return sum;
  }

  // The leaf whose split, or repair, gains most; kNone where nothing does. A repair needs no room.
  std::size_t best_leaf(std::size_t num_leaves) const {
    std::size_t best = kNone;
    for (std::size_t i = 0; i < leaves_.size(); ++i) {
      const Leaf& leaf = leaves_[i];
      if (leaf.gain <= kGain || (leaves_.size() >= num_leaves && leaf.split->threshold != kConstant))
        continue;
      if (best == kNone || leaf.gain > leaves_[best].gain) best = i;
    }
    return best;
  }

  void repair(Leaf& leaf) {
    leaf.votes = signs_of(leaf.totals);
    leaf.gain = 0;
  }

  // The examples below stay leaf number `index`, those above become a new one. search_on: whether the two may
  // be split in turn.
  void split(std::size_t index, bool search_on) {
    const Leaf old = std::move(leaves_[index]);
    const StumpFit& fit = *old.split;
    const std::size_t cut = cuts_.size();
    if (old.parent != kNone)
      (old.is_above ? branches_[old.parent].above : branches_[old.parent].below) = std::int32_t(cut);
    cuts_.push_back(cut_of(fit, scan_.features()));
    branches_.push_back({-1 - std::int32_t(index), -1 - std::int32_t(leaves_.size())});
    Leaf below = child(old, cut, false), above = child(old, cut, true);
    for (const std::uint32_t n : above.rows) cells_[n] = std::uint8_t(leaves_.size());
    if (search_on) {
      search(below);
      search(above);
    }
    leaves_[index] = std::move(below);
    leaves_.push_back(std::move(above));
  }

  Leaf child(const Leaf& parent, std::size_t cut, bool is_above) const {
    const StumpFit& fit = *parent.split;
    Leaf leaf;
    leaf.parent = cut;
    leaf.is_above = is_above;
    for (std::size_t r = 0; r < fit.above.size(); ++r)
      if ((fit.above[r] != 0) == is_above)
        leaf.rows.push_back(parent.rows.empty() ? std::uint32_t(r) : parent.rows[r]);
    const double sign = is_above ? 1 : -1;
    for (std::size_t l = 0; l < parent.totals.size(); ++l)
      leaf.totals.push_back((parent.totals[l] + sign * fit.class_edges[l]) / 2);
    if (votes_ == TreeLearner::Votes::kFree)
      leaf.votes = signs_of(leaf.totals);
    else
      leaf.votes = signs_of(
          std::span(fit.cell_votes).subspan(is_above ? fit.class_edges.size() : 0, fit.class_edges.size()));
    return leaf;
  }

  StumpScan& scan_;
  Sampler& sampler_;
  const Round& round_;
  TreeLearner::Votes votes_;
  std::uint32_t num_searches_ = 0;
  std::vector<Leaf> leaves_;
  std::vector<Cut> cuts_;
  std::vector<Branches> branches_;
  std::vector<std::uint8_t> cells_;  // of each example: its leaf
};

}  // namespace

WeakHypothesis TreeLearner::learn(StumpScan& scan, Sampler& sampler, const Round& round) const {
  GrowingTree tree(scan, sampler, round, options_.votes);
  tree.grow(options_.num_leaves);
  return tree.finish();
}

Result<std::unique_ptr<const WeakLearner>> make_tree(Settings& settings) {
  using Votes = TreeLearner::Votes;
  constexpr std::array kVotes{Choice{"free", Votes::kFree}, Choice{"factorised", Votes::kFactorised}};
  TreeLearner::Options options;
  MASH_ASSIGN(const auto leaves,
              settings.integer("leaves", options.num_leaves, 1, std::int64_t(Hypothesis::kMaxLeaves)));
  MASH_ASSIGN(options.votes, settings.one_of("votes", options.votes, kVotes));
  MASH_ASSIGN(options.cuts, read_cuts(settings));
  options.num_leaves = std::uint32_t(leaves);
  return {std::make_unique<const TreeLearner>(options)};
}

}  // namespace mash
