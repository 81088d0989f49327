// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/dry_run_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "framework/base/amounts.hpp"
#include "framework/base/number.hpp"
#include "framework/base/part_of_progress.hpp"
#include "framework/cli/dataset.hpp"
#include "framework/render/wording.hpp"

namespace mash {
namespace {

// "200", or "198 to 203": of the classes.
std::string per_class(const Split& split, std::size_t num_classes) {
  std::vector<std::size_t> counts(num_classes);
  for (const std::uint16_t label : split.labels) ++counts[label];
  const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
  return *least == *most ? fmt::format("{}", *least) : fmt::format("{} to {}", *least, *most);
}

void print_dataset(const Dataset& dataset) {
  const ImageShape& shape = dataset.shape;
  fmt::print("data: {} training and {} {} examples, {}\n{}: of each {} for training, {} for {}\n",
             amount_of(dataset.train), dataset.test.num_examples, dataset.judging_side,
             dataset.is_table() ? counted(dataset.column_names.size(), "column")
                                : fmt::format("{}x{} pixels, {}", shape.width, shape.height,
                                              shape.num_channels == 1 ? "grey" : "colour"),
             counted(dataset.num_classes(), "class", "classes"),
             per_class(dataset.train, dataset.num_classes()), per_class(dataset.test, dataset.num_classes()),
             dataset.judging_side == "test" ? "testing" : dataset.judging_side);
}

std::string state_of_family(const FamilyForecast& family) {
  switch (family.kept) {
    case FamilyForecast::Kept::kStored: return "in the store";
    case FamilyForecast::Kept::kMissing: {
      constexpr double kLongSetUp = 1;  // seconds
      const std::string set_up =
          family.setup_seconds < kLongSetUp ? "" : fmt::format(" ({:.2g} s set-up)", family.setup_seconds);
      return fmt::format("to extract, {:.2g} s{}", family.extract_seconds, set_up);
    }
    case FamilyForecast::Kept::kLazy: return "on demand";
  }
  return "";
}

void print_families(const DryRun& forecast) {
  fmt::print("\n{:<28} {:>9} {:>12} {:>12}  {}\n", "family", "features", "µs/picture", "on disk", "state");
  for (const FamilyForecast& family : forecast.families)
    fmt::print(
        "{:<28} {:>9} {:>12} {:>12}  {}\n", family.name, family.dim,
        std::isnan(family.microseconds_per_image) ? "unknown" : in_digits(family.microseconds_per_image, 3),
        family.store_bytes > 0 ? bytes_in_words(family.store_bytes) : "", state_of_family(family));
  fmt::print("\n{} of {}\n", counted(forecast.num_features(), "feature"),
             counted(forecast.families.size(), "family", "families"));
}

void print_training(const DryRun& forecast) {
  const TrainingForecast& training = forecast.training;
  if (training.rounds_measured == 0)
    fmt::print("training: not measured: {}\n", training.reason);
  else
    fmt::print("training: about {} for {} of {}, by the first {} on {} of {} examples\n",
               rough_duration(training.seconds), counted(training.num_trainings, "training"),
               counted(*forecast.rounds, "round"), counted(training.rounds_measured, "round"),
               training.num_measured_on, forecast.dataset->train.num_examples);
}

}  // namespace

void print_text(const DryRun& forecast) {
  const Experiment& experiment = forecast.experiment;
  fmt::print(
      "{}: {} on {}, {}{}\n", experiment.name, experiment.learner().name, forecast.dataset->name,
      experiment.has_booster() ? fmt::format("weak learner {}, sampler {}, ", experiment.weak.name,
                                             describe_part(experiment.sampler))
                               : "",
      experiment.runs == 1 ? fmt::format("seed {}", experiment.seed) : counted(experiment.runs, "seed"));
  print_dataset(*forecast.dataset);
  print_families(forecast);
  fmt::print("disk: {} to add to {}, and {} more for a while; limit {}, free {}\n",
             bytes_in_words(forecast.bytes_to_store()), forecast.store.string(),
             bytes_in_words(forecast.scratch_bytes), bytes_in_words(forecast.store_limit),
             bytes_in_words(forecast.store_free));
  const MemoryForecast& memory = forecast.memory;
  fmt::print(
      "memory: about {}: program {}, examples {}, codes {}, extraction {}, training {}\n        = {}\n",
      bytes_in_words(memory.total()), bytes_in_words(memory.program), bytes_in_words(memory.dataset),
      bytes_in_words(memory.store), bytes_in_words(memory.extraction), bytes_in_words(memory.training),
      memory.formula);
  if (memory.reading > memory.computed())
    fmt::print("        Reading the examples took more: {}\n", bytes_in_words(memory.reading));
  if (forecast.bytes_to_store() > 0)
    fmt::print("extraction: about {} on {}, by the first pictures of each family\n",
               rough_duration(forecast.extract_seconds()),
               counted(std::size_t(forecast.num_threads), "thread"));
  print_training(forecast);
  for (const std::string& warning : forecast.warnings) fmt::print("warning: {}\n", harmless(warning));
  fmt::print("nothing was kept\n");
}

}  // namespace mash
