// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/dataset.hpp"

#include <fmt/ranges.h>

#include <array>
#include <cstdlib>

#include "framework/base/file.hpp"
#include "framework/base/hash.hpp"
#include "framework/dataset/readers.hpp"
#include "framework/dataset/split.hpp"

namespace mash {
namespace {

constexpr std::array kFormats{
    DatasetFormat{"digits",
                  "rendered digits 0-9 in other fonts for testing than for training; made on the spot",
                  "size, channels, pose, clutter, noise, inverted, train, test"},
    DatasetFormat{"mnist", "handwritten digits in IDX files, plain or .gz (LeCun, Cortes, Burges 1998)",
                  "path, classes, train, test"},
};
constexpr std::array<Reader, kFormats.size()> kReaders{generate_digits, read_mnist};

// Where data sets are looked for, in this order.
std::vector<std::filesystem::path> data_roots() {
  std::vector<std::filesystem::path> roots;
  if (const char* folder = std::getenv("MASH_DATA"); folder && *folder) roots.emplace_back(folder);
  roots.push_back(user_data_folder() / "datasets");
  return roots;
}

template <class T>
void hash_rows(Sha256& hash, const std::vector<T>& rows) {
  hash.update(fmt::format("{}:", rows.size()));
  hash.update(std::as_bytes(std::span(rows)));
}

void hash_split(Sha256& hash, const Split& split) {
  hash.update(fmt::format("{}:", split.num_examples));
  hash_rows(hash, split.pixels);
  hash_rows(hash, split.values);
  hash_rows(hash, split.labels);
}

void hash_names(Sha256& hash, const std::vector<std::string>& names) {
  hash.update(fmt::format("{}:", names.size()));
  for (const std::string& name : names) hash.update(fmt::format("{}:{}", name.size(), name));
}

// Over the examples themselves: no setting, seed or reader can change them unseen, nor does a path matter.
std::string fingerprint_of(const Dataset& dataset) {
  Sha256 hash;
  hash.update(
      fmt::format("{}x{}x{}:", dataset.shape.width, dataset.shape.height, dataset.shape.num_channels));
  hash_names(hash, dataset.class_names);
  hash_names(hash, dataset.column_names);
  hash_split(hash, dataset.train);
  hash_split(hash, dataset.test);
  return hash.hex();
}

void warn_of_absent_classes(Dataset& dataset) {
  const auto look = [&](const Split& split, std::string_view side) {
    std::vector<bool> present(dataset.num_classes());
    for (const std::uint16_t label : split.labels) present[label] = true;
    for (std::size_t class_idx = 0; class_idx < present.size(); ++class_idx)
      if (!present[class_idx])
        dataset.warnings.push_back(
            fmt::format("class '{}' has no {} examples", dataset.class_names[class_idx], side));
  };
  look(dataset.train, "training");
  look(dataset.test, "test");
}

}  // namespace

std::span<const DatasetFormat> dataset_formats() { return kFormats; }

Result<std::filesystem::path> find_data_file(const std::filesystem::path& path, std::string_view where) {
  std::vector<std::string> places{path.string()};
  if (path.is_relative())
    for (const auto& root : data_roots()) places.push_back((root / path).string());
  std::error_code code;
  for (const std::string& place : places)
    if (std::filesystem::exists(place, code)) return std::filesystem::path(place);
  return input_error("{}: no such file or folder; looked for {}", where, fmt::join(places, ", "));
}

Result<std::filesystem::path> find_data_path(Settings& settings, const ReadRequest& request) {
  MASH_ASSIGN(const std::string path, settings.text("path", ""));
  if (!path.empty()) return find_data_file(path, settings.where("path") + ": path");
  std::vector<std::string> places;
  for (const auto& root : data_roots()) places.push_back((root / request.name).string());
  std::error_code code;
  for (const std::string& place : places)
    if (std::filesystem::exists(place, code)) return std::filesystem::path(place);
  return input_error("data set {}: not found; looked for {}; the key 'path' names another place",
                     request.name, fmt::join(places, ", "));
}

Result<Dataset> load_dataset(std::string_view name, Settings settings, std::uint64_t seed,
                             Progress& progress) {
  std::vector<std::string_view> known;
  for (std::size_t i = 0; i < kFormats.size(); ++i) {
    known.push_back(kFormats[i].name);
    if (kFormats[i].name != name) continue;
    MASH_ASSIGN(const SplitRequest split, read_split_request(settings));
    MASH_ASSIGN(Dataset dataset, kReaders[i](settings, {name, seed, split, progress}));
    dataset.name = name;
    MASH_TRY(apply_split(split, seed, dataset));
    warn_of_absent_classes(dataset);
    dataset.fingerprint = fingerprint_of(dataset);
    return dataset;
  }
  return unknown_name("data set", name, known);
}

}  // namespace mash
