// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstring>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "framework/base/random.hpp"
#include "framework/base/work_context.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/families/feature_set.hpp"
#include "tests/support/fake_host.hpp"
#include "tests/support/scratch_folder.hpp"

namespace mash::testing {

// Images of 4 bytes that hold the number of their example, counted through both sides, training first.
inline Dataset numbered_images(std::vector<std::uint16_t> train_labels,
                               std::vector<std::uint16_t> test_labels, std::size_t num_classes) {
  Dataset dataset;
  dataset.name = "numbered";
  dataset.shape = {4, 1, 1};
  for (std::size_t l = 0; l < num_classes; ++l) dataset.class_names.push_back(std::to_string(l));
  dataset.train.labels = std::move(train_labels);
  dataset.test.labels = std::move(test_labels);
  std::uint32_t number = 0;
  for (Split* split : {&dataset.train, &dataset.test}) {
    split->num_examples = split->labels.size();
    split->pixels.resize(split->num_examples * sizeof number);
    for (std::size_t n = 0; n < split->num_examples; ++n, ++number)
      std::memcpy(&split->pixels[n * sizeof number], &number, sizeof number);
  }
  dataset.fingerprint = fmt::format("numbered-{}", number);
  return dataset;
}

// A table; values are rows of as many columns as there are.
inline Dataset table(std::vector<float> train_values, std::vector<std::uint16_t> train_labels,
                     std::size_t num_classes, std::vector<float> test_values = {},
                     std::vector<std::uint16_t> test_labels = {}) {
  Dataset dataset;
  dataset.name = "table";
  for (std::size_t l = 0; l < num_classes; ++l) dataset.class_names.push_back(std::to_string(l));
  const std::size_t num_columns = train_values.size() / train_labels.size();
  for (std::size_t j = 0; j < num_columns; ++j) dataset.column_names.push_back(fmt::format("c{}", j));
  dataset.train = {train_labels.size(), {}, std::move(train_values), std::move(train_labels)};
  dataset.test = {test_labels.size(), {}, std::move(test_values), std::move(test_labels)};
  dataset.fingerprint = "table";
  return dataset;
}

// A data set with its features, and all that training needs, in a store of its own.
class World {
 public:
  // A table with its columns.
  explicit World(Dataset examples, int num_threads = 1, bool keep_values = false)
      : dataset(std::move(examples)), workers(num_threads) {
    store.keep_values = keep_values;
    specs = {columns_family()};
    open();
  }
  // Numbered images with these families.
  World(Dataset examples, std::vector<FakeFamily> families, int num_threads = 1, bool keep_values = false)
      : dataset(std::move(examples)), workers(num_threads) {
    store.keep_values = keep_values;
    for (FakeFamily& family : families) specs.push_back(host.add(std::move(family)));
    open();
  }

  ExtractionContext context() { return {host, dataset, work}; }
  const FeatureSet& features() const { return *features_; }

  ScratchFolder folder;
  StoreSettings store{folder / "store", ~std::uint64_t(0), false, false};
  Dataset dataset;
  FakeHost host;
  Workers workers;
  StopFlag stop;
  WorkContext work{workers, no_progress(), no_remarks(), stop};
  std::vector<FamilySpec> specs;

 private:
  void open() {
    auto set = FeatureSet::open(specs, store, context());
    if (!set.ok()) throw std::runtime_error(set.error().message);
    features_ = *std::move(set);
  }
  std::optional<FeatureSet> features_;
};

inline std::vector<std::uint16_t> random_labels(std::size_t num_examples, std::size_t num_classes,
                                                std::uint64_t seed) {
  RandomStream stream(seed, "test.labels");
  std::vector<std::uint16_t> labels(num_examples);
  for (auto& label : labels) label = std::uint16_t(stream.below(num_classes));
  return labels;
}

// Learnable: column j of an example of class c is normal about c where j % 3 == 0, else about 0, rounded to
// 1/8, with one value in fifty missing. A quarter as many test examples.
inline Dataset learnable_table(std::size_t num_train, std::size_t num_columns, std::size_t num_classes,
                               std::uint64_t seed) {
  RandomStream stream(seed, "test.table");
  const auto values_of = [&](const std::vector<std::uint16_t>& labels) {
    std::vector<float> values;
    for (const std::uint16_t label : labels)
      for (std::size_t j = 0; j < num_columns; ++j) {
        const double centre = j % 3 == 0 ? double(label) * (j % 2 ? 1 : -1) : 0;
        const auto value = float(std::round(8 * (centre + 1.5 * stream.normal())) / 8);
        values.push_back(stream.below(50) == 0 ? std::numeric_limits<float>::quiet_NaN() : value);
      }
    return values;
  };
  const auto train = random_labels(num_train, num_classes, seed),
             test = random_labels(num_train / 4, num_classes, seed + 1);
  auto train_values = values_of(train), test_values = values_of(test);
  return table(std::move(train_values), train, num_classes, std::move(test_values), test);
}

}  // namespace mash::testing
