// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/one_vs_all/reservoir_plan.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "classifiers/boosters/loop/training_side.hpp"
#include "classifiers/boosters/one_vs_all/binary_sum.hpp"
#include "framework/base/state_numbers.hpp"

namespace mash {
namespace {

constexpr std::size_t kErrorWindow = 1000;  // fresh examples

// Training examples, increasing, with F of each.
struct Examples {
  std::vector<std::uint32_t> numbers;
  std::vector<double> sums;
};

// Both together; what is in both is taken of the first.
Examples merged(const Examples& a, const Examples& b) {
  Examples all;
  for (std::size_t i = 0, j = 0; i < a.numbers.size() || j < b.numbers.size();) {
    const bool from_a = j == b.numbers.size() || (i < a.numbers.size() && a.numbers[i] <= b.numbers[j]);
    if (from_a && j < b.numbers.size() && a.numbers[i] == b.numbers[j]) ++j;
    const Examples& from = from_a ? a : b;
    const std::size_t place = from_a ? i++ : j++;
    all.numbers.push_back(from.numbers[place]);
    all.sums.push_back(from.sums[place]);
  }
  return all;
}

class ReservoirPlan final : public ExamplePlan {
 public:
  ReservoirPlan(const ReservoirSettings& settings, const PlanGround& ground)
      : settings_(settings),
        ground_(ground),
        problems_(ground.problems),
        context_(ground.context),
        stream_(training_stream(context_.dataset.train, context_.left_out, ground.seed)),
        codes_(context_.features, ground.looks_at_all),
        sums_(problems_.size(), BinarySum(codes_)),
        reservoirs_(problems_.size()) {}

  RoundExamples before_rounds() const override { return spread_examples(ground_, settings_.size); }

  RoundExamples next(std::size_t problem, const Round& round) override {
    if (problem == 0) draw_fresh();
    Examples& reservoir = reservoirs_[problem];
    const Examples fresh{fresh_, sums_[problem].at(fresh_)};
    fresh_sums_.push_back(fresh.sums);
    if (problem + 1 == problems_.size()) judge_fresh();
    const Examples pool = merged(reservoir, fresh);
    const Kept kept = keep(problem, round, pool);
    RoundExamples next;
    next.num_asked = sums_[problem].size() * fresh_.size();
    next.num_looked = num_looked_;
    for (const std::uint32_t place : kept.places) {
      next.examples.push_back(pool.numbers[place]);
      next.sums.push_back(pool.sums[place]);
    }
    reservoir = {next.examples, next.sums};
    next.weights = kept.weights;
    next.features = codes_.view(next.examples);
    if (settings_.corrects_steps) next.counts = corrections(problem, next);
    return next;
  }

  std::size_t add(std::size_t problem, const Hypothesis& hypothesis,
                  std::span<const std::uint8_t> cells) override {
    Examples& reservoir = reservoirs_[problem];
    const std::vector<double> votes = cell_votes(hypothesis);
    for (std::size_t i = 0; i < cells.size(); ++i) reservoir.sums[i] += hypothesis.alpha * votes[cells[i]];
    sums_[problem].add(hypothesis);
    return cells.size();
  }

  double error() const override {
    if (were_wrong_.empty()) return 1;
    const auto num_wrong = double(std::count(were_wrong_.begin(), were_wrong_.end(), true));
    return num_wrong / double(were_wrong_.size());
  }
  bool error_follows() const override { return false; }
  std::size_t num_known() const override { return num_held_; }
  bool is_fixed() const override { return false; }

  // The place of the stream, the fresh examples, F of them in the problems whose turn has been, the outcomes
  // that the error is made of, and the examples of each reservoir; each list after its length.
  std::vector<double> state() const override {
    StateWriter writer;
    writer.add(stream_.place().pass, stream_.place().position);
    writer.add_counted(fresh_);
    writer.add_counted(were_wrong_);
    writer.add(fresh_sums_.size());
    for (const auto& sums : fresh_sums_) writer.add_counted(sums);
    for (const Examples& reservoir : reservoirs_) writer.add_counted(reservoir.numbers);
    return writer.take();
  }
  void replay(std::size_t problem, const Hypothesis& hypothesis) override { sums_[problem].add(hypothesis); }
  void restore(std::span<const double> state) override {
    StateReader reader(state);
    const auto take = [&](auto& list) {
      const std::span<const double> numbers = reader.next_counted();
      list.assign(numbers.begin(), numbers.end());
    };
    const auto pass = reader.next<std::uint64_t>(), position = reader.next<std::uint64_t>();
    stream_.go_to({pass, position});
    take(fresh_);
    take(were_wrong_);
    fresh_sums_.resize(reader.next<std::size_t>());
    for (auto& sums : fresh_sums_) take(sums);
    for (Examples& reservoir : reservoirs_) take(reservoir.numbers);
    reader.finish();
    hold();
    for (std::size_t p = 0; p < reservoirs_.size(); ++p)
      reservoirs_[p].sums = sums_[p].at(reservoirs_[p].numbers);
  }

 private:
  // The first time as many as a reservoir holds, too.
  void draw_fresh() {
    const bool is_first = reservoirs_[0].numbers.empty();
    const std::size_t wanted = settings_.num_fresh + (is_first ? settings_.size : 0);
    // Examples that every reservoir holds are not fresh.
    std::map<std::uint32_t, std::size_t> num_holders;
    for (const Examples& reservoir : reservoirs_)
      for (const std::uint32_t example : reservoir.numbers) ++num_holders[example];
    const auto is_held_by_all = [&](const auto& held) { return held.second == reservoirs_.size(); };
    const auto num_held = std::size_t(std::count_if(num_holders.begin(), num_holders.end(), is_held_by_all));
    std::set<std::uint32_t> drawn;
    const auto is_known = [&](std::uint32_t example) {
      const auto held = num_holders.find(example);
      return drawn.contains(example) || (held != num_holders.end() && is_held_by_all(*held));
    };
    const std::size_t num_there = stream_.is_endless() ? wanted : stream_.num_examples() - num_held;
    while (drawn.size() < std::min(wanted, num_there)) drawn.insert(stream_.next_not_held(is_known));
    fresh_.assign(drawn.begin(), drawn.end());
    fresh_sums_.clear();
    hold();
  }

  // The fresh examples, and those of all reservoirs.
  void hold() {
    std::vector<std::uint32_t> held = fresh_;
    for (const Examples& reservoir : reservoirs_)
      held.insert(held.end(), reservoir.numbers.begin(), reservoir.numbers.end());
    std::sort(held.begin(), held.end());
    held.erase(std::unique(held.begin(), held.end()), held.end());
    codes_.hold(held);
    num_held_ = held.size();
  }

  // All problems have said what they think of the fresh examples.
  void judge_fresh() {
    std::vector<double> sums(problems_.size());
    for (std::size_t i = 0; i < fresh_.size(); ++i) {
      for (std::size_t p = 0; p < sums.size(); ++p) sums[p] = fresh_sums_[p][i];
      if (were_wrong_.size() == kErrorWindow) were_wrong_.pop_front();
      were_wrong_.push_back(problems_.predicted(sums) != problems_.label(fresh_[i]));
    }
  }

  // Factors by which the strategy multiplied the weights, at least 0.
  std::vector<double> corrections(std::size_t problem, const RoundExamples& examples) const {
    std::vector<double> factors = problems_.margins(problem, examples.examples, examples.sums);
    ground_.loss.weights(factors, factors);
    for (std::size_t i = 0; i < factors.size(); ++i)
      factors[i] = std::max(0.0, examples.weights[i] / factors[i]);
    return factors;
  }

  Kept keep(std::size_t problem, const Round& round, const Examples& pool) {
    num_looked_ = 0;
    std::vector<double> weights = problems_.margins(problem, pool.numbers, pool.sums);
    ground_.loss.weights(weights, weights);
    std::vector<std::int8_t> signs;
    for (const std::uint32_t example : pool.numbers)
      signs.push_back(problems_.sign(problem, example) > 0 ? 1 : -1);
    const auto codes = [&](std::span<const std::uint32_t> features, std::uint8_t* out) {
      num_looked_ += features.size() * pool.numbers.size();
      codes_.gather(features, pool.numbers, out);
    };
    return settings_.keep->keep({weights, signs, std::uint32_t(context_.features.num_features()), codes},
                                settings_.size, round.stream("boosting.reservoir"), context_.work.remarks);
  }

  ReservoirSettings settings_;
  const PlanGround ground_;
  const BinaryProblems& problems_;
  const TrainingContext& context_;
  ExampleStream stream_;
  HeldCodes codes_;
  std::vector<BinarySum> sums_;       // of each problem
  std::vector<Examples> reservoirs_;  // of each problem, with F
  std::vector<std::uint32_t> fresh_;  // of this turn of the problems, increasing
  std::vector<std::vector<double>> fresh_sums_;
  std::size_t num_held_ = 0;      // fresh or in a reservoir, each once
  std::uint64_t num_looked_ = 0;  // by the last choice: features x examples
  std::deque<bool> were_wrong_;   // the last fresh examples
};

}  // namespace

std::unique_ptr<ExamplePlan> make_reservoir_plan(const ReservoirSettings& settings,
                                                 const PlanGround& ground) {
  return std::make_unique<ReservoirPlan>(settings, ground);
}

}  // namespace mash
