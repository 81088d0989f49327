// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "classifiers/baselines/coordinate_descent.hpp"
#include "classifiers/baselines/linear_training.hpp"
#include "framework/base/state_numbers.hpp"
#include "framework/base/work_context.hpp"

namespace mash {

// The machines of all classes, each against the others, on the same rows; for two classes that of the second
// one alone.
class ClassMachines {
 public:
  // Rows, squares and weights are those of all examples; the first two outlive the machines.
  ClassMachines(const StandardRows& rows, std::span<const double> squares,
                std::span<const std::uint16_t> labels, std::size_t num_classes,
                std::span<const double> weights, HingeLoss loss);

  std::size_t size() const { return machines_.size(); }

  // Begins a search of each, as CoordinateDescent does.
  void begin(double cost, const DescentLimits& limits, std::uint64_t seed);
  // Goes on for some seconds, or a pass of each that takes longer. Returns whether all searches have ended.
  // Progress advances by each that ends. Errors: kStopped, after a pass too.
  Result<bool> go_on(double most_seconds, const WorkContext& work);
  std::size_t num_ended() const;
  // Those that ended within the tolerance.
  std::size_t num_converged() const;

  // Goes on with these weights, of which CoordinateDescent::weigh_more tells.
  void weigh_more(std::span<const double> weights);

  // The classes of these rows.
  std::vector<std::uint16_t> classes(std::span<const std::uint32_t> examples, const Workers& workers) const;
  // Factors and intercepts of all classes, as LinearFit has them, of the columns that vary. features: those
  // of the columns.
  void write(const StandardRows& rows, std::span<const std::uint32_t> features, LinearFit& fit) const;

  void keep(StateWriter& writer) const;
  // REQUIRES: machines of the same examples and rows were kept.
  void take_back(StateReader& reader);

 private:
  void put(double number, std::size_t m, std::span<double> of_classes) const;

  std::size_t num_classes_;
  std::vector<std::optional<CoordinateDescent>> machines_;
  std::vector<double> constants_;  // the score where there is no machine
};

}  // namespace mash
