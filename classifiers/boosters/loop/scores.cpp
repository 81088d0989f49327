// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/loop/scores.hpp"

#include <algorithm>
#include <atomic>

#include "classifiers/boosters/loop/table_rows.hpp"
#include "classifiers/serving/cut_answers.hpp"

namespace mash {
namespace {

constexpr std::size_t kBlock = 1024;  // examples whose scores stay in cache while hypotheses are added
constexpr std::size_t kMaxQueued = 64;
// Hypotheses in one walk, each a stream of cells for the processor to follow.
constexpr std::size_t kAtOnce = 8;

}  // namespace

Scores::Scores(std::size_t num_examples, std::size_t num_classes, const Workers& workers)
    : num_classes_(num_classes), workers_(workers), scores_(num_examples * num_classes) {}

void Scores::add(std::vector<std::uint8_t> cells, std::span<const double> votes, double alpha) {
  Queued queued{std::move(cells), {}};
  for (const double vote : votes) queued.values.push_back(alpha * vote);
  queue_.push_back(std::move(queued));
  if (queue_.size() >= kMaxQueued) settle();
}

void Scores::add(std::span<const Hypothesis> hypotheses, const FeatureSet& features, Side side) {
  for_each_cells(hypotheses, features, side,
                 [&](const Hypothesis& hypothesis, std::vector<std::uint8_t> cells) {
                   add(std::move(cells), cell_votes(hypothesis), hypothesis.alpha);
                 });
}

void Scores::clear() {
  queue_.clear();
  std::fill(scores_.begin(), scores_.end(), 0.0);
}

void Scores::settle() {
  if (queue_.empty()) return;
  workers_.for_blocks(
      scores_.size() / num_classes_, kBlock, [&](std::size_t, std::size_t begin, std::size_t end) {
        std::vector<TableRows> tables;
        for (const Queued& hypothesis : queue_)
          tables.push_back({&hypothesis.cells[begin], hypothesis.values.data()});
        for (std::size_t first = 0; first < tables.size(); first += kAtOnce)
          add_table_rows(std::span(tables).subspan(first, std::min(kAtOnce, tables.size() - first)),
                         end - begin, num_classes_, &scores_[begin * num_classes_]);
      });
  queue_.clear();
}

double Scores::error(std::span<const std::uint16_t> labels) const {
  if (labels.empty()) return 0;
  std::atomic<std::size_t> num_wrong{0};
  workers_.for_blocks(labels.size(), kBlock, [&](std::size_t, std::size_t begin, std::size_t end) {
    std::size_t wrong = 0;
    for (std::size_t n = begin; n < end; ++n) wrong += predicted_class(row(n)) != labels[n];
    num_wrong += wrong;
  });
  return double(num_wrong) / double(labels.size());
}

}  // namespace mash
