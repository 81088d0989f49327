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

struct Format {
  DatasetFormat shown;
  Reader read;
};

constexpr std::array kFormats{
    Format{
        {"digits", "rendered digits 0-9, tested in other fonts than trained in; made on the spot, no files",
         "size, channels, pose, clutter, noise, inverted, train, test, validation"},
        generate_digits},
    Format{
        {"diagonal", "points on two sides of a diagonal of some of their dimensions (Busa-Fekete, Kegl 2010)",
         "features, relevant, noise, train, test, validation"},
        generate_diagonal},
    Format{{"chess",
            "points on the fields of a chess board in some of their dimensions (Busa-Fekete, Kegl 2010)",
            "features, relevant, levels, train, test, validation"},
           generate_chess},
    Format{{"mnist", "handwritten digits in IDX files, plain or .gz (LeCun, Cortes, Burges 1998)",
            "path, classes, train, test, validation"},
           read_mnist},
    Format{{"cifar10",
            "small colour photographs of ten classes in binary batches, plain or .gz (Krizhevsky 2009)",
            "path, train, test, validation"},
           read_cifar10},
    Format{{"usps",
            "handwritten digits of ZIP codes, tables of 256 grey values (Hastie, Tibshirani, Friedman 2001)",
            "path, smooth, train, test, validation"},
           read_usps},
    Format{{"folder", "pictures in a folder per class, or in train/ and test/ with a folder per class",
            "path, channels, train, test, validation"},
           read_image_folder},
    Format{
        {"csv", "a table of text with a label column, plain or .gz",
         "path, test_path, label, delimiter, header, missing, ignore, nominal, skip_lines, test_skip_lines, "
         "label_strip, train, test, validation"},
        read_csv},
    Format{{"libsvm", "sparse rows 'label index:value ...', plain or .gz (Chang, Lin 2011)",
            "path, test_path, columns, train, test, validation"},
           read_libsvm},
    Format{{"arff", "an attribute-relation file of Weka, plain or .gz (Witten, Frank 1999)",
            "path, test_path, label, missing, ignore, nominal, label_strip, train, test, validation"},
           read_arff},
};

constexpr auto kShownFormats = [] {
  std::array<DatasetFormat, kFormats.size()> shown;
  for (std::size_t i = 0; i < shown.size(); ++i) shown[i] = kFormats[i].shown;
  return shown;
}();

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

Result<std::filesystem::path> find_data_file(const std::filesystem::path& path, std::string_view where) {
  std::vector<std::string> places{path.string()};
  if (path.is_relative())
    for (const auto& root : data_roots()) places.push_back((root / path).string());
  std::error_code code;
  for (const std::string& place : places)
    if (std::filesystem::exists(place, code)) return std::filesystem::path(place);
  return input_error("{}: no such file or folder; looked for {}", where, fmt::join(places, ", "));
}

}  // namespace

std::span<const DatasetFormat> dataset_formats() { return kShownFormats; }

bool is_at_hand(std::string_view name) {
  std::error_code code;
  const auto roots = data_roots();
  return std::any_of(roots.begin(), roots.end(),
                     [&](const auto& root) { return std::filesystem::exists(root / name, code); });
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

Result<TablePaths> find_table_paths(Settings& settings, const ReadRequest& request) {
  TablePaths paths;
  MASH_ASSIGN(const std::string train, settings.text("path", ""));
  MASH_ASSIGN(const std::string test, settings.text("test_path", ""));
  if (train.empty())
    return input_error("data set {}: found no key 'path', expected it to name the table", request.name);
  MASH_ASSIGN(paths.train, find_data_file(train, settings.where("path") + ": path"));
  if (!test.empty()) {
    MASH_ASSIGN(paths.test, find_data_file(test, settings.where("test_path") + ": test_path"));
  }
  return paths;
}

Result<Dataset> load_dataset(std::string_view name, Settings settings, std::uint64_t seed,
                             Progress& progress) {
  std::vector<std::string_view> known;
  for (const Format& format : kFormats) {
    known.push_back(format.shown.name);
    if (format.shown.name != name) continue;
    MASH_ASSIGN(const SplitRequest split, read_split_request(settings));
    MASH_ASSIGN(const double validation, settings.real("validation", 0, 0, 0.99));
    MASH_ASSIGN(Dataset dataset, format.read(settings, {name, seed, split, progress}));
    dataset.name = name;
    MASH_TRY(apply_split(split, seed, dataset));
    if (validation > 0) MASH_TRY(hold_out(validation, seed, dataset));
    warn_of_absent_classes(dataset);
    dataset.fingerprint = fingerprint_of(dataset);
    return dataset;
  }
  return unknown_name("data set", name, known);
}

}  // namespace mash
