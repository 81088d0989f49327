// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mash {

// Scores have no scale of their own as probabilities, p = softmax(c f): this is the c >= 0 with the smallest
// mean cross entropy against targets that leave one example of all in doubt, (E + 1) / (E + 2) for the class
// of the label and the rest in equal parts for the others (after Platt 1999, who has such targets for each
// class; Newton's method; the sum is convex in c), at most 10,000. So scores that separate all examples have
// a finite scale, too. scores: E x K; labels: E. near: a guess, which saves steps; the last bits depend on
// it. REQUIRES: E >= 1.
double best_scale(std::span<const double> scores, std::span<const std::uint16_t> labels, double near = 1);

// How well scores say the classes of examples that they were not trained on.
struct ScaledLogLoss {
  double scale = 0;            // the best one, c
  std::vector<double> losses;  // of each example: -ln p of its class, p = softmax(c f); at least 1e-9
  double mean = 0;
};
ScaledLogLoss scaled_log_loss(std::span<const double> scores, std::span<const std::uint16_t> labels);

// -ln p of an example's class, p = softmax(scores).
double log_loss(std::span<const float> scores, std::size_t label);
// The loss of each example, at least 1e-9: so that ratios of losses are finite. scores: E x K; labels: E.
std::vector<double> log_losses(std::span<const float> scores, std::span<const std::uint16_t> labels);

}  // namespace mash
