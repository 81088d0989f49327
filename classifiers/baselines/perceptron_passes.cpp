// SPDX-License-Identifier: Apache-2.0
#include "classifiers/baselines/perceptron_passes.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "classifiers/baselines/fit_columns.hpp"
#include "classifiers/learners/held_out.hpp"
#include "classifiers/model/strong_classifier.hpp"
#include "framework/base/hash.hpp"
#include "framework/base/random.hpp"

namespace mash {
namespace {

constexpr std::size_t kRowsOfThread = 16;

void keep_functions(const PerceptronPasses::Functions& functions, StateWriter& writer) {
  for (const auto& function : functions) {
    writer.add_all(function.sum.numbers);
    writer.add(function.sum.steps, function.sum.offset, function.bias);
  }
}

void take_functions_back(StateReader& reader, PerceptronPasses::Functions& functions) {
  for (auto& function : functions) {
    const auto numbers = reader.next_all(function.sum.numbers.size());
    std::copy(numbers.begin(), numbers.end(), function.sum.numbers.begin());
    function.sum.steps = reader.next();
    function.sum.offset = reader.next();
    function.bias = reader.next();
  }
}

}  // namespace

PerceptronPasses::PerceptronPasses(const StandardRows& rows, std::span<const std::uint16_t> labels,
                                   std::size_t num_classes, std::span<const double> weights,
                                   const PerceptronOptions& options, std::uint64_t seed)
    : rows_(&rows),
      labels_(labels),
      num_classes_(num_classes),
      weights_(weights),
      options_(options),
      order_key_(keyed_hash(seed, "perceptron.order")),
      now_(num_classes == 2 ? 1 : num_classes, {rows.empty_sum(), 0}),
      best_(now_) {
  if (options.averages) earlier_ = now_;
  for (std::uint32_t n = 0; n < weights.size(); ++n)
    if (weights[n] > 0) examples_.push_back(n);
}

void PerceptronPasses::pass(const Workers& workers) {
  double length = 1;
  for (std::uint32_t pass = 0; pass < num_passes_; ++pass) length *= options_.decay;
  num_wrong_ = 0;
  if (options_.is_batch)
    pass_at_once(length, workers);
  else
    pass_one_by_one(length);
  ++num_passes_;
  Functions found = options_.averages ? means() : now_;
  const double error = error_of(found, workers);
  ++num_without_gain_;
  if (error >= smallest_error_) return;
  smallest_error_ = error;
  best_ = std::move(found);
  num_without_gain_ = 0;
}

bool PerceptronPasses::has_ended() const {
  return num_passes_ > 0 &&
         (num_wrong_ == 0 || num_without_gain_ >= kMostWithoutGain || num_passes_ == options_.num_passes);
}

void PerceptronPasses::write(std::span<const std::uint32_t> features, LinearFit& fit) const {
  const bool is_one = best_.size() < num_classes_;
  const auto of_class = [&](std::size_t l, const auto& number_of) {
    return !is_one ? number_of(best_[l]) : l == 1 ? number_of(best_[0]) : -number_of(best_[0]);
  };
  for (std::size_t l = 0; l < num_classes_; ++l)
    fit.intercepts.push_back(of_class(l, [](const Function& function) { return function.bias; }));
  fit_columns(
      *rows_, features, num_classes_,
      [&](std::size_t i, std::size_t l) {
        return of_class(l, [&](const Function& function) { return rows_->factor(i, function.sum); });
      },
      fit);
}

void PerceptronPasses::keep(StateWriter& writer) const {
  for (const Functions* functions : {&now_, &earlier_, &best_}) keep_functions(*functions, writer);
  writer.add(num_met_, smallest_error_, num_passes_, num_without_gain_, num_wrong_);
}

void PerceptronPasses::take_back(StateReader& reader) {
  for (Functions* functions : {&now_, &earlier_, &best_}) take_functions_back(reader, *functions);
  num_met_ = reader.next();
  smallest_error_ = reader.next();
  num_passes_ = reader.next<std::uint32_t>();
  num_without_gain_ = reader.next<std::uint32_t>();
  num_wrong_ = reader.next<std::size_t>();
}

std::uint16_t PerceptronPasses::rival_of(std::size_t n, std::span<const double> scores) const {
  const std::uint16_t own = labels_[n];
  std::uint16_t rival = own == 0 ? 1 : 0;
  for (std::uint16_t l = 0; l < num_classes_; ++l)
    if (l != own && scores[l] > scores[rival]) rival = l;
  return scores[rival] >= scores[own] ? rival : own;
}

void PerceptronPasses::scores_of(const Functions& functions, std::size_t n, std::size_t next,
                                 std::span<double> scores) const {
  for (std::size_t f = 0; f < functions.size(); ++f)
    scores[num_classes_ - functions.size() + f] =
        rows_->product(n, functions[f].sum, next) + functions[f].bias;
  if (functions.size() < num_classes_) scores[0] = -scores[1];
}

void PerceptronPasses::step(std::size_t f, std::size_t n, double length) {
  rows_->add(n, length, now_[f].sum);
  now_[f].bias += length;
  if (!options_.averages || num_met_ == 0) return;
  rows_->add(n, num_met_ * length, earlier_[f].sum);
  earlier_[f].bias += num_met_ * length;
}

void PerceptronPasses::pass_one_by_one(double length) {
  std::vector<std::uint32_t> order = examples_;
  if (options_.shuffles) RandomStream(order_key_, "order", num_passes_).shuffle(std::span(order));
  std::vector<double> scores(num_classes_);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::uint32_t n = order[i];
    scores_of(now_, n, order[std::min(i + 1, order.size() - 1)], scores);
    const std::uint16_t own = labels_[n], rival = rival_of(n, scores);
    if (rival != own) {
      ++num_wrong_;
      const double by = length * weights_[n];
      if (now_.size() < num_classes_) {
        step(0, n, own == 1 ? by : -by);
      } else {
        step(own, n, by);
        step(rival, n, -by);
      }
    }
    ++num_met_;
  }
}

void PerceptronPasses::pass_at_once(double length, const Workers& workers) {
  std::vector<std::uint16_t> rivals(examples_.size());
  workers.for_ranges(examples_.size(), kRowsOfThread, [&](std::size_t begin, std::size_t end) {
    std::vector<double> scores(num_classes_);
    for (std::size_t i = begin; i < end; ++i) {
      scores_of(now_, examples_[i], examples_[std::min(i + 1, end - 1)], scores);
      rivals[i] = rival_of(examples_[i], scores);
    }
  });
  workers.for_ranges(now_.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t f = begin; f < end; ++f)
      for (std::size_t i = 0; i < examples_.size(); ++i) {
        const std::uint32_t n = examples_[i];
        if (rivals[i] == labels_[n]) continue;
        const std::size_t l = now_.size() < num_classes_ ? 1 : f;
        if (labels_[n] == l) step(f, n, length * weights_[n]);
        if (rivals[i] == l) step(f, n, -length * weights_[n]);
      }
  });
  for (std::size_t i = 0; i < examples_.size(); ++i) num_wrong_ += rivals[i] != labels_[examples_[i]];
  ++num_met_;
}

// Where `earlier` sums each step times the number of functions before it, the mean over all of them is the
// last function less `earlier` divided by their number.
PerceptronPasses::Functions PerceptronPasses::means() const {
  Functions means = now_;
  for (std::size_t f = 0; f < means.size(); ++f) {
    const Function& earlier = earlier_[f];
    for (std::size_t i = 0; i < earlier.sum.numbers.size(); ++i)
      means[f].sum.numbers[i] -= earlier.sum.numbers[i] / num_met_;
    means[f].sum.steps -= earlier.sum.steps / num_met_;
    means[f].sum.offset -= earlier.sum.offset / num_met_;
    means[f].bias -= earlier.bias / num_met_;
  }
  return means;
}

double PerceptronPasses::error_of(const Functions& functions, const Workers& workers) const {
  std::vector<double> scores(rows_->num_rows() * num_classes_);
  workers.for_ranges(rows_->num_rows(), kRowsOfThread, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n)
      scores_of(functions, n, std::min(n + 1, end - 1),
                std::span(scores).subspan(n * num_classes_, num_classes_));
  });
  return weighted_error(predicted_classes(scores, num_classes_), labels_, weights_);
}

}  // namespace mash
