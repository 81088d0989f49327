// SPDX-License-Identifier: Apache-2.0
#include "classifiers/baselines/class_machines.hpp"

#include <algorithm>
#include <utility>

#include "classifiers/baselines/fit_columns.hpp"
#include "classifiers/model/strong_classifier.hpp"
#include "framework/base/hash.hpp"

namespace mash {

ClassMachines::ClassMachines(const StandardRows& rows, std::span<const double> squares,
                             std::span<const std::uint16_t> labels, std::size_t num_classes,
                             std::span<const double> weights, HingeLoss loss)
    : num_classes_(num_classes) {
  std::vector<bool> is_there(num_classes);
  for (std::size_t n = 0; n < labels.size(); ++n)
    if (weights[n] > 0) is_there[labels[n]] = true;
  for (std::size_t l = num_classes == 2 ? 1 : 0; l < num_classes; ++l) {
    auto& machine = machines_.emplace_back();
    // All examples are of the others: f = -1, and likewise 1 of a class that is alone.
    if (!is_there[l] || std::count(is_there.begin(), is_there.end(), true) == 1) {
      constants_.push_back(is_there[l] ? 1 : -1);
      continue;
    }
    constants_.push_back(0);
    std::vector<std::int8_t> targets;
    for (const std::uint16_t label : labels) targets.push_back(label == l ? 1 : -1);
    machine.emplace(rows, squares, std::move(targets), weights, loss);
  }
}

void ClassMachines::begin(double cost, const DescentLimits& limits, std::uint64_t seed) {
  for (std::size_t m = 0; m < machines_.size(); ++m)
    if (machines_[m]) machines_[m]->begin(cost, limits, keyed_hash(keyed_hash(seed, "machines.order"), m));
}

Result<bool> ClassMachines::go_on(double most_seconds, const WorkContext& work) {
  const Stopwatch watch;
  MASH_TRY(work.workers.try_each(machines_.size(), work.stop, [&](std::size_t m) -> Status {
    if (!machines_[m] || machines_[m]->has_ended()) return Done{};
    do machines_[m]->pass();
    while (!machines_[m]->has_ended() && !work.stop.raised() && watch.seconds() < most_seconds);
    if (machines_[m]->has_ended()) work.progress.advance(1);
    return Done{};
  }));
  if (work.stop.raised()) return stopped_by_user();
  return num_ended() == size();
}

std::size_t ClassMachines::num_ended() const {
  return std::size_t(std::count_if(machines_.begin(), machines_.end(),
                                   [](const auto& machine) { return !machine || machine->has_ended(); }));
}

std::size_t ClassMachines::num_converged() const {
  return std::size_t(std::count_if(machines_.begin(), machines_.end(),
                                   [](const auto& machine) { return !machine || machine->has_converged(); }));
}

void ClassMachines::weigh_more(std::span<const double> weights) {
  for (auto& machine : machines_)
    if (machine) machine->weigh_more(weights);
}

std::vector<std::uint16_t> ClassMachines::classes(std::span<const std::uint32_t> examples,
                                                  const Workers& workers) const {
  std::vector<double> scores(examples.size() * num_classes_);
  workers.for_ranges(examples.size(), 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      for (std::size_t m = 0; m < machines_.size(); ++m)
        put(machines_[m] ? machines_[m]->score(examples[i]) : constants_[m], m,
            std::span(scores).subspan(i * num_classes_, num_classes_));
  });
  return predicted_classes(scores, num_classes_);
}

void ClassMachines::write(const StandardRows& rows, std::span<const std::uint32_t> features,
                          LinearFit& fit) const {
  fit.intercepts.resize(num_classes_);
  for (std::size_t m = 0; m < machines_.size(); ++m)
    put(machines_[m] ? machines_[m]->bias() : constants_[m], m, fit.intercepts);
  fit_columns(
      rows, features, num_classes_,
      [&](std::size_t i, std::size_t l) {
        const std::size_t m = num_classes_ == 2 ? 0 : l;
        const double factor = machines_[m] ? machines_[m]->factor(i) : 0;
        return num_classes_ == 2 && l == 0 ? -factor : factor;
      },
      fit);
}

void ClassMachines::keep(StateWriter& writer) const {
  for (const auto& machine : machines_)
    if (machine) machine->keep(writer);
}

void ClassMachines::take_back(StateReader& reader) {
  for (auto& machine : machines_)
    if (machine) machine->take_back(reader);
}

// Writes a number of machine m at the place of its class; of two classes, its opposite at that of the first.
void ClassMachines::put(double number, std::size_t m, std::span<double> of_classes) const {
  if (num_classes_ != 2) {
    of_classes[m] = number;
  } else {
    of_classes[0] = -number;
    of_classes[1] = number;
  }
}

}  // namespace mash
