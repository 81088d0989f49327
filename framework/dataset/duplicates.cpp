// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/duplicates.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <unordered_map>

#include "framework/base/hash.hpp"
#include "framework/base/utf8.hpp"

namespace mash {
namespace {

constexpr std::size_t kMostBytes = std::size_t(8) << 30;
constexpr std::size_t kExamplesPerTask = 256;

std::size_t bytes_of(const Split& side) { return side.pixels.size() + sizeof(float) * side.values.size(); }

// Examples of both sides, numbered through them.
class BothSides {
 public:
  explicit BothSides(const Dataset& dataset) : dataset_(dataset) {}

  std::size_t count() const { return dataset_.train.num_examples + dataset_.test.num_examples; }
  bool is_training(std::size_t n) const { return n < dataset_.train.num_examples; }

  std::string digest(std::size_t n) const {
    Sha256 hash;
    if (dataset_.is_table()) {
      const std::size_t num_columns = dataset_.column_names.size();
      const auto row = std::span(side(n).values).subspan(place(n) * num_columns, num_columns);
      std::vector<float> values(row.begin(), row.end());
      for (float& value : values) {
        if (std::isnan(value)) value = std::numeric_limits<float>::quiet_NaN();
        if (value == 0) value = 0;  // of -0
      }
      hash.update(std::as_bytes(std::span(values)));
    } else {
      hash.update(std::as_bytes(side(n).image(place(n), dataset_.shape)));
    }
    return hash.hex();
  }

  // Nothing where a table has no labels.
  std::optional<std::uint16_t> label(std::size_t n) const {
    if (side(n).labels.empty()) return std::nullopt;
    return side(n).labels[place(n)];
  }

  std::string name(std::size_t n) const {
    std::vector<std::string> facts;
    if (const auto label_idx = label(n))
      facts.push_back(fmt::format("class {}", shortened(printable(dataset_.class_names[*label_idx]), 100)));
    if (side(n).has_a_file_each()) facts.push_back(dataset_.sources[side(n).files[place(n)]].path.string());
    std::string text = fmt::format("{} example {}", is_training(n) ? "training" : "test", place(n) + 1);
    for (std::size_t i = 0; i < facts.size(); ++i) text += (i == 0 ? " (" : ", ") + facts[i];
    return text + (facts.empty() ? "" : ")");
  }

 private:
  const Split& side(std::size_t n) const { return is_training(n) ? dataset_.train : dataset_.test; }
  std::size_t place(std::size_t n) const { return is_training(n) ? n : n - dataset_.train.num_examples; }

  const Dataset& dataset_;
};

std::string examples_in_words(std::size_t count, std::string_view kind, std::string_view verb) {
  return fmt::format("{} {}example{} equal{} {}", count, kind, count == 1 ? "" : "s", count == 1 ? "s" : "",
                     verb);
}

}  // namespace

Result<std::optional<Duplicates>> find_duplicates(const Dataset& dataset, const Workers& workers,
                                                  const StopFlag& stop) {
  if (dataset.train.is_endless() || dataset.test.is_endless() ||
      bytes_of(dataset.train) + bytes_of(dataset.test) > kMostBytes)
    return std::optional<Duplicates>();
  const BothSides examples(dataset);
  std::vector<std::string> digests(examples.count());
  MASH_TRY(workers.try_blocks(digests.size(), kExamplesPerTask, stop,
                              [&](std::size_t begin, std::size_t end) -> Status {
                                for (std::size_t n = begin; n < end; ++n) digests[n] = examples.digest(n);
                                return Done{};
                              }));
  Duplicates found;
  std::unordered_map<std::string_view, std::size_t> first_of;  // place of the first equal one
  for (std::size_t n = 0; n < digests.size(); ++n) {
    const auto [place, is_new] = first_of.emplace(digests[n], n);
    if (is_new) continue;
    const std::size_t first = place->second;
    ++found.num_repeated;
    if (examples.is_training(first) && !examples.is_training(n)) {
      ++found.num_across_sides;
      if (!found.across_sides) found.across_sides = {examples.name(n), examples.name(first)};
    }
    if (examples.label(n) && examples.label(first) && examples.label(n) != examples.label(first)) {
      ++found.num_across_classes;
      if (!found.across_classes) found.across_classes = {examples.name(n), examples.name(first)};
    }
  }
  return std::optional(found);
}

std::vector<std::string> warnings_of(const Duplicates& duplicates) {
  std::vector<std::string> warnings;
  if (duplicates.across_sides)
    warnings.push_back(
        fmt::format("{}, such as {} and {}; errors on them say nothing of new examples",
                    examples_in_words(duplicates.num_across_sides, "test ", "a training example"),
                    duplicates.across_sides->first, duplicates.across_sides->second));
  if (duplicates.across_classes)
    warnings.push_back(fmt::format(
        "{}, such as {} and {}", examples_in_words(duplicates.num_across_classes, "", "one of another class"),
        duplicates.across_classes->first, duplicates.across_classes->second));
  return warnings;
}

std::string count_in_words(const std::optional<Duplicates>& duplicates) {
  if (!duplicates) return "not looked for: the examples never end or are more than 8 GiB";
  if (duplicates->num_repeated == 0) return "none";
  return examples_in_words(duplicates->num_repeated, "", "an earlier one");
}

nlohmann::ordered_json to_json(const std::optional<Duplicates>& duplicates) {
  if (!duplicates) return nullptr;
  const auto pair = [](const std::optional<Duplicates::Pair>& pair) {
    return pair ? nlohmann::ordered_json{pair->first, pair->second} : nlohmann::ordered_json();
  };
  return {{"examples", duplicates->num_repeated},
          {"across_sides", duplicates->num_across_sides},
          {"across_sides_such_as", pair(duplicates->across_sides)},
          {"across_classes", duplicates->num_across_classes},
          {"across_classes_such_as", pair(duplicates->across_classes)}};
}

}  // namespace mash
