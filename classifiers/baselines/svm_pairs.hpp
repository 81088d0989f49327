// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "classifiers/baselines/pair_machine.hpp"
#include "classifiers/learners/rows_in_memory.hpp"
#include "classifiers/model/kernel_model.hpp"
#include "framework/base/state_numbers.hpp"

namespace mash {

struct MachineOptions {
  Kernel kernel;
  double cost = 1;  // C
  double tolerance = 1e-3;
  std::uint64_t num_steps = 10'000'000;    // of each machine, at most
  std::size_t cache_bytes = 200ull << 20;  // of kernel values, of all machines that are at work
};

// The machines of all pairs of classes. Of a class without examples there is none.
class SvmPairs {
 public:
  // labels: of the rows, which are put into another order.
  SvmPairs(RowsInMemory kept, std::span<const std::uint16_t> labels, std::size_t num_classes,
           const MachineOptions& options, int num_threads);
  SvmPairs(const SvmPairs&) = delete;  // the machines refer to its rows

  std::size_t size() const { return machines_.size(); }
  // Goes on for some seconds. Returns whether all have ended. Progress advances by each that ends. Errors:
  // kStopped.
  Result<bool> go_on(double most_seconds, const WorkContext& work);
  std::size_t num_ended() const;
  // Those that ended within the tolerance.
  std::size_t num_converged() const;

  const RowsInMemory& kept() const { return kept_; }
  // Support vectors, coefficients and biases of the model, which has its head and inputs.
  void write(KernelModel& model) const;

  void keep(StateWriter& writer) const;
  // REQUIRES: the machines of the same rows were kept.
  void take_back(StateReader& reader);

 private:
  bool has_ended(const PairMachine& machine) const {
    return machine.has_ended() || machine.num_steps() >= options_.num_steps;
  }

  struct Pair {
    std::size_t a = 0, b = 0;
    std::unique_ptr<PairMachine> machine;  // nothing where one of the classes has no example
  };

  RowsInMemory kept_;  // class by class
  std::size_t num_classes_;
  MachineOptions options_;
  std::vector<RowRange> of_class_;
  std::vector<Pair> machines_;  // in the order of pair_place
};

}  // namespace mash
