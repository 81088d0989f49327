// SPDX-License-Identifier: Apache-2.0
#include "classifiers/baselines/svm_pairs.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace mash {
namespace {

void append_row(const NumberRows& from, std::size_t row, NumberRows& to) {
  const auto append = [&](const auto& numbers, auto& others) {
    const auto begin = numbers.begin() + std::ptrdiff_t(row * from.num_columns);
    others.insert(others.end(), begin, begin + std::ptrdiff_t(from.num_columns));
  };
  if (from.are_codes())
    append(from.codes, to.codes);
  else
    append(from.values, to.values);
}

// The rows with these places, in this order.
RowsInMemory reordered(const RowsInMemory& kept, std::span<const std::uint32_t> places) {
  RowsInMemory sorted{{kept.rows.num_columns}, {}, {}, kept.means};
  for (const std::uint32_t place : places) {
    append_row(kept.rows, place, sorted.rows);
    sorted.examples.push_back(kept.examples[place]);
    sorted.weights.push_back(kept.weights[place]);
  }
  return sorted;
}

}  // namespace

SvmPairs::SvmPairs(RowsInMemory kept, std::span<const std::uint16_t> labels, std::size_t num_classes,
                   const MachineOptions& options, int num_threads)
    : num_classes_(num_classes), options_(options), of_class_(num_classes) {
  std::vector<std::uint32_t> places(labels.size());
  std::iota(places.begin(), places.end(), 0u);
  std::stable_sort(places.begin(), places.end(),
                   [&](std::uint32_t x, std::uint32_t y) { return labels[x] < labels[y]; });
  kept_ = reordered(kept, places);
  for (const std::uint16_t label : labels) ++of_class_[label].count;
  for (std::size_t l = 1; l < num_classes; ++l)
    of_class_[l].first = of_class_[l - 1].first + of_class_[l - 1].count;
  const std::size_t cache_bytes = options.cache_bytes / std::size_t(std::max(num_threads, 1));
  for (std::size_t a = 0; a < num_classes; ++a)
    for (std::size_t b = a + 1; b < num_classes; ++b) {
      Pair& pair = machines_.emplace_back(Pair{a, b, nullptr});
      if (of_class_[a].count == 0 || of_class_[b].count == 0) continue;
      std::vector<double> costs;
      for (const RowRange& range : {of_class_[a], of_class_[b]})
        for (std::size_t i = 0; i < range.count; ++i)
          costs.push_back(options.cost * kept_.weights[range.first + i]);
      pair.machine = std::make_unique<PairMachine>(
          KernelCache(kept_.rows, of_class_[a], of_class_[b], options.kernel, cache_bytes), std::move(costs),
          options.tolerance);
    }
}

Result<bool> SvmPairs::go_on(double most_seconds, const WorkContext& work) {
  const Stopwatch watch;
  MASH_TRY(work.workers.try_each(machines_.size(), work.stop, [&](std::size_t m) -> Status {
    PairMachine* machine = machines_[m].machine.get();
    if (machine == nullptr || has_ended(*machine) || watch.seconds() > most_seconds) return Done{};
    constexpr int kStepsAtOnce = 64;  // between two looks at the clock
    do
      for (int i = 0; i < kStepsAtOnce && !has_ended(*machine); ++i) machine->step(work.workers);
    while (!has_ended(*machine) && !work.stop.raised() && watch.seconds() < most_seconds);
    if (!has_ended(*machine)) return Done{};  // its kernel values stay for the next time
    machine->rest();
    work.progress.advance(1);
    return Done{};
  }));
  if (work.stop.raised()) return stopped_by_user();
  return num_ended() == size();
}

std::size_t SvmPairs::num_ended() const {
  return std::size_t(std::count_if(machines_.begin(), machines_.end(), [&](const Pair& pair) {
    return pair.machine == nullptr || has_ended(*pair.machine);
  }));
}

std::size_t SvmPairs::num_converged() const {
  return std::size_t(std::count_if(machines_.begin(), machines_.end(), [](const Pair& pair) {
    return pair.machine == nullptr || pair.machine->has_ended();
  }));
}

void SvmPairs::write(KernelModel& model) const {
  const std::size_t num_others = num_classes_ - 1;
  std::vector<double> coefficients(kept_.examples.size() * num_others);
  model.kernel = options_.kernel;
  for (const Pair& pair : machines_) {
    if (pair.machine == nullptr) {  // a class without examples loses
      model.biases.push_back(of_class_[pair.a].count > 0 ? 1 : -1);
      continue;
    }
    model.biases.push_back(pair.machine->bias());
    const std::vector<double> found = pair.machine->coefficients();
    const RowRange &a = of_class_[pair.a], &b = of_class_[pair.b];
    for (std::size_t i = 0; i < a.count; ++i)
      coefficients[(a.first + i) * num_others + pair.b - 1] = found[i];
    for (std::size_t i = 0; i < b.count; ++i)
      coefficients[(b.first + i) * num_others + pair.a] = found[a.count + i];
  }
  model.rows.num_columns = kept_.rows.num_columns;
  for (std::size_t l = 0; l < num_classes_; ++l)
    for (std::size_t row = of_class_[l].first; row < of_class_[l].first + of_class_[l].count; ++row) {
      const auto own = std::span(coefficients).subspan(row * num_others, num_others);
      if (std::all_of(own.begin(), own.end(), [](double coefficient) { return coefficient == 0; })) continue;
      model.classes.push_back(std::uint16_t(l));
      model.coefficients.insert(model.coefficients.end(), own.begin(), own.end());
      append_row(kept_.rows, row, model.rows);
    }
}

void SvmPairs::keep(StateWriter& writer) const {
  for (const Pair& pair : machines_)
    if (pair.machine != nullptr) pair.machine->keep(writer);
}

void SvmPairs::take_back(StateReader& reader) {
  for (Pair& pair : machines_)
    if (pair.machine != nullptr) pair.machine->take_back(reader);
}

}  // namespace mash
