// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/rival_gains.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "framework/analysis/log_loss.hpp"
#include "framework/base/elementary.hpp"
#include "framework/base/require.hpp"

namespace mash {
namespace {

// Abscissas in [0, 1] and weights of Gauss and Legendre's rule with 8 points.
struct Node {
  double place, weight;
};
constexpr std::array kNodes{
    Node{.01985507175123188, .05061426814518813}, Node{.10166676129318664, .11119051722668724},
    Node{.23723379504183550, .15685332293894363}, Node{.40828267875217510, .18134189168918100},
    Node{.59171732124782490, .18134189168918100}, Node{.76276620495816450, .15685332293894363},
    Node{.89833323870681336, .11119051722668724}, Node{.98014492824876812, .05061426814518813}};

// Adds weight x softmax(z(u)) to the integrals.
void add_probabilities(std::span<const float> before, std::span<const float> after, const Node& node,
                       std::span<double> integrals, std::vector<double>& scores) {
  for (std::size_t l = 0; l < before.size(); ++l)
    scores[l] = double(before[l]) + node.place * (double(after[l]) - double(before[l]));
  const double largest = *std::max_element(scores.begin(), scores.end());
  double sum = 0;
  for (double& score : scores) sum += score = stable_exp(score - largest);
  for (std::size_t l = 0; l < scores.size(); ++l) integrals[l] += node.weight * scores[l] / sum;
}

}  // namespace

void rival_parts(std::span<const float> before, std::span<const float> after, std::size_t label,
                 std::span<double> parts) {
  require(before.size() == after.size() && parts.size() == before.size(), "a score and a part of each class");
  std::vector<double> scores(before.size());
  std::fill(parts.begin(), parts.end(), 0.0);
  for (const Node& node : kNodes) add_probabilities(before, after, node, parts, scores);
  const auto change = [&](std::size_t l) { return double(after[l]) - double(before[l]); };
  double sum = 0, size = 0;
  for (std::size_t l = 0; l < parts.size(); ++l) {
    parts[l] *= change(label) - change(l);
    sum += parts[l];
    size += std::abs(parts[l]);
  }
  if (size == 0) return;
  const double lacking = log_loss(before, label) - log_loss(after, label) - sum;
  for (double& part : parts) part += lacking * std::abs(part) / size;
}

RivalGains::RivalGains(std::span<const std::uint16_t> labels, std::size_t num_classes)
    : labels_(labels.begin(), labels.end()),
      num_classes_(num_classes),
      classes_(groups_by_class(labels, num_classes)) {
  for (const auto& examples : classes_)
    for (std::size_t rival = 0; rival < num_classes; ++rival) cells_.emplace_back(examples.size());
}

void RivalGains::add(std::span<const float> before, std::span<const float> after, const Workers& workers) {
  const std::size_t num_classes = num_classes_;
  require(before.size() == labels_.size() * num_classes && after.size() == before.size(),
          "scores of each example");
  std::vector<double> parts(before.size());
  workers.for_ranges(labels_.size(), 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n)
      rival_parts(before.subspan(n * num_classes, num_classes), after.subspan(n * num_classes, num_classes),
                  labels_[n], std::span(parts).subspan(n * num_classes, num_classes));
  });
  std::vector<double> of_cell;
  for (std::size_t label = 0; label < num_classes; ++label)
    for (std::size_t rival = 0; rival < num_classes; ++rival) {
      of_cell.clear();
      for (const std::size_t n : classes_[label]) of_cell.push_back(parts[n * num_classes + rival]);
      cells_[label * num_classes + rival].add(of_cell);
    }
}

std::vector<RivalGain> RivalGains::gains(double factor) const {
  std::vector<GainPart> parts;
  for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
    const std::size_t label = cell / num_classes_, rival = cell % num_classes_;
    if (label != rival && classes_[label].size() >= 2)
      parts.push_back(part_of(cells_[cell], cell, labels_.size(), factor));
  }
  correct_together(parts);
  std::vector<RivalGain> gains;
  for (const GainPart& part : parts)
    gains.push_back({part.group_idx / num_classes_, part.group_idx % num_classes_, part});
  return gains;
}

}  // namespace mash
