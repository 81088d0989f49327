// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mash {

// How well scores say the classes of examples that they were not trained on.
struct ScaledLogLoss {
  double scale = 0;            // c
  std::vector<double> losses;  // of each example: -ln p of its class, p = softmax(c f); at least 1e-9
  double mean = 0;
};

// Scores have no scale of their own as probabilities: c >= 0 is the one with the smallest mean log-loss on
// these examples (Newton's method; the loss is convex in it). scores: E x K; labels: E. near: a guess of c,
// which saves steps; its last bits depend on it. REQUIRES: E >= 1.
ScaledLogLoss scaled_log_loss(std::span<const double> scores, std::span<const std::uint16_t> labels,
                              double near = 1);

// -ln p of an example's class, p = softmax(scores).
double log_loss(std::span<const float> scores, std::size_t label);
// The loss of each example, at least 1e-9: so that ratios of losses are finite. scores: E x K; labels: E.
std::vector<double> log_losses(std::span<const float> scores, std::span<const std::uint16_t> labels);

}  // namespace mash
