// SPDX-License-Identifier: Apache-2.0
#include "classifiers/scan/stump_scan.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "framework/base/progress.hpp"

namespace mash {
namespace {

// The numbers of the examples that a draw stands for; empty: all. `kept` holds them where it must.
std::span<const std::uint32_t> examples_of(const ExampleDraw& draw, std::span<const std::uint32_t> in_focus,
                                           std::vector<std::uint32_t>& kept) {
  if (draw.rows.empty()) return in_focus;
  if (in_focus.empty()) return draw.rows;
  for (const std::uint32_t i : draw.rows) kept.push_back(in_focus[i]);
  return kept;
}

}  // namespace

StumpScan::StumpScan(const FeatureSet& features, const SignedWeights& weights, const ScanSettings& settings,
                     const Workers& workers)
    : features_(features),
      workers_(workers),
      weights_(weights, settings, workers),
      search_(make_edge_search(settings, {features, weights_.focused(), workers})),
      ranking_(settings.ranking),
      ledger_(features, weights.num_classes()) {}

void StumpScan::require(bool is_legal, std::string_view call) const {
  if (is_legal) return;
  const std::string_view state = state_ == State::kNew       ? "before the first round"
                                 : state_ == State::kInRound ? "in a round, without a focus"
                                                             : "in a focus";
  throw std::logic_error(fmt::format("StumpScan::{} was called {}", call, state));
}

void StumpScan::require_round(std::string_view call) const {
  require(state_ != State::kNew, call);
  if (weights().of_all().num_changes() != num_weight_changes_)
    throw std::logic_error(
        fmt::format("StumpScan::{} was called after the weights changed, without a new_round", call));
}

void StumpScan::require_last_draw(const DrawnRows& drawn, std::string_view call) const {
  require_round(call);
  if (!drawn.draw.rows.empty() && drawn.draw_call != valid_draw_call_)
    throw std::logic_error(fmt::format(
        "StumpScan::{} was called with rows that are not those of the last draw with these weights", call));
}

void StumpScan::change_weights(State state) {
  state_ = state;
  ledger_.forget();
  kept_fit_.reset();
  valid_draw_call_ = 0;
}

void StumpScan::new_round(std::uint64_t seed, std::uint32_t round) {
  require(state_ != State::kInFocus, "new_round");
  weights_.new_round(seed, round);
  num_weight_changes_ = weights().of_all().num_changes();
  change_weights(State::kInRound);
}

void StumpScan::focus(const Focus& focus) {
  require_round("focus");
  weights_.set_focus(focus);
  change_weights(State::kInFocus);
}

void StumpScan::end_focus() {
  require(state_ == State::kInFocus, "end_focus");
  weights_.set_focus({});
  change_weights(State::kInRound);
}

std::span<const DrawnRows> StumpScan::draw(std::size_t count,
                                           const std::function<ExampleDraw(std::size_t)>& make) {
  require_round("draw");
  const auto draws = weights_.draw(count, make, ledger_.meters().phases);
  valid_draw_call_ = ++num_draw_calls_;
  for (DrawnRows& drawn : draws) drawn.draw_call = valid_draw_call_;
  return draws;
}

std::vector<Candidate> StumpScan::evaluate(std::span<const std::uint32_t> features, const ExampleDraw& draw,
                                           Charge charge) {
  require_round("evaluate");
  ledger_.evaluated(features, looked_at(draw), charge);
  return look(features, draw);
}

std::vector<Candidate> StumpScan::evaluate(std::span<const std::uint32_t> features, const DrawnRows& drawn) {
  require_last_draw(drawn, "evaluate");
  ledger_.evaluated(features, looked_at(drawn.draw), Charge::kCost);
  return look(features, drawn.draw, &drawn.weights);
}

std::vector<Candidate> StumpScan::extend(std::span<const std::uint32_t> features, const DrawnRows& drawn) {
  require_last_draw(drawn, "extend");
  ledger_.extended(features, looked_at(drawn.draw));
  return look(features, drawn.draw, &drawn.weights);
}

std::vector<Candidate> StumpScan::look(std::span<const std::uint32_t> features, const ExampleDraw& draw,
                                       const WeighedRows* drawn) {
  std::vector<Candidate> candidates = edges(features, draw, drawn);
  for (Candidate& candidate : candidates) candidate.merit = candidate.edge;
  if (ranking_) ranking_->rank(candidates);
  return candidates;
}

std::vector<Candidate> StumpScan::edges(std::span<const std::uint32_t> features, const ExampleDraw& draw,
                                        const WeighedRows* drawn) {
  PhaseSeconds& phases = ledger_.meters().phases;
  const bool all = draw.rows.empty();
  if (all && features.size() == 1 && !weights_.has_all()) {
    const SecondsScope timed(phases.scan);
    // One column summed in doubles is cheaper than rounding all weights first.
    kept_fit_ = std::move(search_->fit(features)[0]);
    return {{features[0], kept_fit_->edge}};
  }
  if (all)
    drawn = &weights_.all(phases);
  else if (drawn == nullptr)
    drawn = &weights_.weigh(draw, phases);
  std::vector<Candidate> candidates(features.size());
  std::vector<std::uint32_t> kept;
  search_->find(features, {examples_of(draw, weights().examples(), kept), *drawn}, candidates, phases);
  return candidates;
}

StumpFit StumpScan::refit(std::uint32_t feature) { return std::move(refit({&feature, 1})[0]); }

std::vector<StumpFit> StumpScan::refit(std::span<const std::uint32_t> features) {
  require_round("refit");
  const SecondsScope timed(ledger_.meters().phases.refit);
  ledger_.chosen(features.size() * weights().num_examples());
  if (kept_fit_ && features.size() == 1 && kept_fit_->feature == features[0]) {
    std::vector<StumpFit> fits;
    fits.push_back(*std::exchange(kept_fit_, std::nullopt));
    return fits;
  }
  return search_->fit(features);
}

}  // namespace mash
