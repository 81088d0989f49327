// SPDX-License-Identifier: Apache-2.0
#include "classifiers/scan/round_weights.hpp"

#include <algorithm>
#include <utility>

#include "framework/base/progress.hpp"

namespace mash {

RoundWeights::RoundWeights(const SignedWeights& weights, const ScanSettings& settings, const Workers& workers)
    : workers_(workers), focused_(weights, workers), weigher_(make_row_weigher(settings, focused_)) {}

void RoundWeights::new_round(std::uint64_t seed, std::uint32_t round) {
  weigher_->new_round(seed, round);
  set_focus({});
}

void RoundWeights::set_focus(const Focus& focus) {
  focused_.set_focus(focus);
  has_all_ = false;
}

void RoundWeights::run_all_steps(const ExampleDraw& draw, WeighedRows& rows) const {
  weigher_->start(draw, rows);
  workers_.for_each_in_order(rows.tasks.size(),
                             [&](std::size_t task) { weigher_->run_task(draw, task, rows); });
  weigher_->finish(draw, rows);
}

const WeighedRows& RoundWeights::all(PhaseSeconds& phases) {
  if (!has_all_) {
    const SecondsScope timed(phases.weigh);
    run_all_steps({}, all_rows_);
    has_all_ = true;
  }
  return all_rows_;
}

const WeighedRows& RoundWeights::weigh(const ExampleDraw& draw, PhaseSeconds& phases) {
  const SecondsScope timed(phases.weigh);
  run_all_steps(draw, drawn_rows_);
  return drawn_rows_;
}

std::span<DrawnRows> RoundWeights::draw(std::size_t count,
                                        const std::function<ExampleDraw(std::size_t)>& make,
                                        PhaseSeconds& phases) {
  draws_.resize(std::max(draws_.size(), count));
  const auto draws = std::span(draws_).first(count);
  {
    const SecondsScope timed(phases.draw);
    workers_.for_each_in_order(count, [&](std::size_t later) {
      const std::size_t i = count - 1 - later;  // the last is the largest
      draws[i].draw = make(i);
      draws[i].weights.tasks.clear();
      if (!draws[i].draw.rows.empty()) weigher_->start(draws[i].draw, draws[i].weights);
    });
  }
  const SecondsScope timed(phases.weigh);
  std::vector<std::pair<DrawnRows*, std::size_t>> tasks;  // of all draws, as most have only one
  for (DrawnRows& drawn : draws)
    for (std::size_t task = 0; task < drawn.weights.tasks.size(); ++task) tasks.push_back({&drawn, task});
  workers_.for_each_in_order(tasks.size(), [&](std::size_t i) {
    const auto [drawn, task] = tasks[tasks.size() - 1 - i];  // the last draws have whole tasks
    weigher_->run_task(drawn->draw, task, drawn->weights);
  });
  for (DrawnRows& drawn : draws)
    if (!drawn.draw.rows.empty()) weigher_->finish(drawn.draw, drawn.weights);
  return draws;
}

}  // namespace mash
