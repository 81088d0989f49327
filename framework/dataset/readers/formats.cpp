// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/readers/formats.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "framework/base/hash.hpp"
#include "framework/base/require.hpp"
#include "framework/dataset/generators/chess.hpp"
#include "framework/dataset/generators/diagonal.hpp"
#include "framework/dataset/generators/digits.hpp"
#include "framework/dataset/imported.hpp"
#include "framework/dataset/readers/arff.hpp"
#include "framework/dataset/readers/cifar10.hpp"
#include "framework/dataset/readers/csv.hpp"
#include "framework/dataset/readers/folder.hpp"
#include "framework/dataset/readers/libsvm.hpp"
#include "framework/dataset/readers/mnist.hpp"
#include "framework/dataset/readers/stl10.hpp"
#include "framework/dataset/readers/usps.hpp"
#include "framework/dataset/split.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

// The table of formats: name, summary, example, sample, reader, whether it is generated.
constexpr std::array kFormats{
    DatasetFormat{"digits",
                  "rendered digits 0-9, tested in other fonts than trained in; made on the spot, no files",
                  "size: 20, train: 2000", "", generate_digits, true},
    DatasetFormat{"diagonal",
                  "points on two sides of a diagonal of some of their dimensions (Busa-Fekete, Kegl 2010)",
                  "features: 20, relevant: 4", "", generate_diagonal, true},
    DatasetFormat{
        "chess", "points on the fields of a chess board in some of their dimensions (Busa-Fekete, Kegl 2010)",
        "features: 20, relevant: 2", "", generate_chess, true},
    DatasetFormat{"mnist", "handwritten digits in IDX files, plain or .gz (LeCun, Cortes, Burges 1998)",
                  "path: data/mnist", "", read_mnist},
    DatasetFormat{"cifar10",
                  "small colour photographs of ten classes in binary batches, plain or .gz (Krizhevsky 2009)",
                  "path: data/cifar10", "", read_cifar10},
    DatasetFormat{"stl10",
                  "photographs of ten classes, 96x96, in binary files, plain or .gz (Coates, Lee, Ng 2011)",
                  "path: data/stl10", "", read_stl10},
    DatasetFormat{
        "usps",
        "handwritten digits of ZIP codes, tables of 256 grey values (Hastie, Tibshirani, Friedman 2001)",
        "path: data/usps", "", read_usps},
    DatasetFormat{
        "folder",
        "pictures in a folder per class, in train/ and test/ with a folder per class, named by class "
        "(obj1__0.png) or listed in a file; films as folders of numbered pictures",
        "path: my-pictures", "", read_folder},
    DatasetFormat{"csv", "a table of text with a label column, plain or .gz",
                  "path: flowers.csv, label: last", kCsvSample, read_csv},
    DatasetFormat{"libsvm", "sparse rows 'label index:value ...', plain or .gz (Chang, Lin 2011)",
                  "path: points.svm", kLibsvmSample, read_libsvm},
    DatasetFormat{"arff", "an attribute-relation file of Weka, plain or .gz (Witten, Frank 1999)",
                  "path: weather.arff", kArffSample, read_arff},
};

template <class Rows>
void hash_rows(Sha256& hash, const Rows& rows) {
  hash.update(fmt::format("{}:", rows.size()));
  hash.update(std::as_bytes(std::span(rows)));
}

void hash_split(Sha256& hash, const Split& split) {
  hash.update(fmt::format("{}:", split.num_examples));
  if (split.is_endless()) hash.update("without end:");
  hash_rows(hash, split.pixels);
  hash_rows(hash, split.values);
  hash_rows(hash, split.labels);
  if (!split.frames.empty()) hash_rows(hash, split.frames);
}

void hash_names(Sha256& hash, const std::vector<std::string>& names) {
  hash.update(fmt::format("{}:", names.size()));
  for (const std::string& name : names) hash.update(fmt::format("{}:{}", name.size(), name));
}

void warn_of_absent_classes(Dataset& dataset) {
  constexpr std::size_t kMostListed = 10;
  const auto look = [&](const Split& split, std::string_view side) {
    if (split.labels.empty()) return;
    std::vector<bool> present(dataset.num_classes());
    for (const std::uint16_t label : split.labels) present[label] = true;
    std::size_t num_absent = 0;
    for (std::size_t class_idx = 0; class_idx < present.size(); ++class_idx)
      if (!present[class_idx] && ++num_absent <= kMostListed)
        dataset.warnings.push_back(fmt::format("class '{}' has no {} examples",
                                               shortened(dataset.class_names[class_idx], 100), side));
    if (num_absent > kMostListed)
      dataset.warnings.push_back(
          fmt::format("... and {} more classes have no {} examples", num_absent - kMostListed, side));
  };
  look(dataset.train, "training");
  look(dataset.test, "test");
}

// The row of that name, or null.
const DatasetFormat* format_named(std::string_view name) {
  for (const DatasetFormat& format : kFormats)
    if (format.name == name) return &format;
  return nullptr;
}

std::vector<std::string_view> format_names() {
  std::vector<std::string_view> names;
  for (const DatasetFormat& format : kFormats) names.push_back(format.name);
  return names;
}

// The data set that the user imported by this name, where no format has it. Errors (kInput): it is described
// in a way that nobody understands.
Result<std::optional<ImportedDataset>> imported_as(std::string_view name) {
  if (format_named(name)) return std::optional<ImportedDataset>();
  MASH_ASSIGN(auto imported, find_imported(name));
  if (imported && !format_named(imported->format))
    return unknown_name("data format", imported->format, format_names()).at(fmt::format("data set {}", name));
  return imported;
}

Error unknown_data_set(std::string_view name) {
  std::vector<std::string_view> known = format_names();
  const std::vector<std::string> of_user = imported_names();
  known.insert(known.end(), of_user.begin(), of_user.end());
  return unknown_name("data set", name, known);
}

// The keys of all formats.
struct CommonSettings {
  SplitRequest split;
  double validation = 0;
  TestPart test_part = TestPart::kAll;
  std::string title;
};

Result<CommonSettings> read_common(const DatasetFormat& format, Settings& settings) {
  CommonSettings common;
  MASH_ASSIGN(common.split, read_split_request(settings));
  const SplitRequest& split = common.split;
  if (format.is_generated)
    for (const Status& counted :
         {check_count(split.train, split.train_where), check_count(split.test, split.test_where)})
      if (!counted.ok()) MASH_TRY(settings.refuse(counted.error()));
  MASH_ASSIGN(common.validation, settings.real("validation", 0, 0, 0.99));
  MASH_ASSIGN(common.test_part, read_test_part(settings));
  MASH_ASSIGN(common.title, settings.text("title", ""));
  return common;
}

// An unknown key is told before what is wrong without it, as a key that is misspelt is missing too.
Error after_unknown_key(const DatasetFormat& format, const Settings& settings, const Error& error) {
  if (error.kind != ErrorKind::kInput) return error;
  std::vector<std::string_view> keys;
  const std::vector<Settings::Known> known = known_keys(format);
  for (const Settings::Known& key : known) keys.push_back(key.key);
  for (const Settings::Entry& entry : settings.entries())
    if (std::ranges::find(keys, entry.key) == keys.end())
      return unknown_name("key", entry.key, keys).at(fmt::format("data set {}", format.name)).at(entry.where);
  return error;
}

}  // namespace

std::span<const DatasetFormat> dataset_formats() { return kFormats; }

// Over the examples themselves: no setting, seed or reader can change them unseen, nor does a path matter.
std::string fingerprint_of(const Dataset& dataset) {
  Sha256 hash;
  hash.update(
      fmt::format("{}x{}x{}:", dataset.shape.width, dataset.shape.height, dataset.shape.num_channels));
  if (dataset.shape.num_cameras > 1) hash.update(fmt::format("{} cameras:", dataset.shape.num_cameras));
  hash_names(hash, dataset.class_names);
  hash_names(hash, dataset.column_names);
  for (const auto& names : dataset.category_names) hash_names(hash, names);
  hash_split(hash, dataset.train);
  hash_split(hash, dataset.test);
  return hash.hex();
}

Result<Settings> check_dataset_settings(std::string_view name, const Settings& settings) {
  MASH_ASSIGN(const auto imported, imported_as(name));
  if (imported) return check_dataset_settings(imported->format, settings_of(*imported, settings));
  const DatasetFormat* format = format_named(name);
  if (!format) return unknown_data_set(name);
  Settings checked = settings.for_checking();
  MASH_ASSIGN(const CommonSettings common, read_common(*format, checked));
  const Workers this_thread(1);
  const StopFlag never;
  const Result<Dataset> dataset =
      format->read(checked, {name, 0, common.split, {this_thread, no_progress(), no_remarks(), never}});
  if (!dataset.ok() && dataset.error().kind != ErrorKind::kStopped) MASH_TRY(checked.refuse(dataset.error()));
  return checked;
}

std::vector<Settings::Known> known_keys(const DatasetFormat& format) {
  Settings common = Settings().for_checking();
  (void)read_common(format, common);
  const auto is_common = [&](const Settings::Known& known) {
    return std::ranges::find(common.known(), known.key, &Settings::Known::key) != common.known().end();
  };
  const auto checked = check_dataset_settings(format.name, {});
  require(checked.ok(), "known_keys: a row of dataset_formats");
  std::vector<Settings::Known> keys(checked->known().begin(), checked->known().end());
  std::stable_partition(keys.begin(), keys.end(),
                        [&](const Settings::Known& known) { return !is_common(known); });
  for (Settings::Known& known : keys)
    if (format.is_generated && known.kind == Settings::Kind::kAmount) {
      known.kind = Settings::Kind::kInteger;
      known.minimum = 1;
      known.maximum = double(kMaxGenerated);
    }
  return keys;
}

Result<Dataset> load_dataset(std::string_view name, Settings settings, std::uint64_t seed,
                             const WorkContext& work, const TableLayout* layout) {
  MASH_ASSIGN(const auto imported, imported_as(name));
  if (imported) {
    MASH_ASSIGN(Dataset dataset,
                load_dataset(imported->format, settings_of(*imported, settings), seed, work, layout));
    if (!settings_of(*imported, settings).has("title")) dataset.name = name;
    return dataset;
  }
  const DatasetFormat* format = format_named(name);
  if (!format) return unknown_data_set(name);
  MASH_ASSIGN(const CommonSettings common, read_common(*format, settings));
  auto read = format->read(settings, {name, seed, common.split, work, layout});
  if (!read.ok()) return after_unknown_key(*format, settings, read.error());
  Dataset dataset = *std::move(read);
  if (work.stop.raised()) return stopped_by_user();
  if (layout && dataset.is_table())
    if (const Status same = check_layout(*layout, dataset); !same.ok())
      return same.error().at(fmt::format("data set {}", name));
  if (!common.title.empty())
    dataset.name = common.title;
  else if (dataset.name.empty())
    dataset.name = name;
  if (dataset.num_listed == 0) list_examples(dataset);
  MASH_TRY(apply_split(common.split, seed, dataset));
  MASH_TRY(keep_test_part(common.test_part, dataset));
  if (common.validation > 0) {
    MASH_TRY(hold_out(common.validation, seed, dataset));
    dataset.judging_side = "validation";
  }
  warn_of_absent_classes(dataset);
  dataset.fingerprint = fingerprint_of(dataset);
  return dataset;
}

Result<Dataset> load_rows(const std::filesystem::path& file, Settings settings, const WorkContext& work,
                          const TableLayout& layout) {
  settings.add("path", file.string(), file.string());
  std::filesystem::path plain = file;
  if (plain.extension() == ".gz") plain.replace_extension();
  const std::string ending = plain.extension().string();
  const bool is_libsvm = ending == ".svm" || ending == ".libsvm" || ending == ".svmlight";
  if (ending == ".tsv" && !settings.has("delimiter")) settings.add("delimiter", "tab", file.string());
  const DatasetFormat& format = *format_named(is_libsvm ? "libsvm" : ending == ".arff" ? "arff" : "csv");
  MASH_ASSIGN(Dataset dataset, format.read(settings, {format.name, 0, {}, work, &layout}));
  if (work.stop.raised()) return stopped_by_user();
  if (const Status same = check_layout(layout, dataset); !same.ok()) return same.error().at(file.string());
  if (dataset.test.num_examples == 0) std::swap(dataset.train, dataset.test);
  if (dataset.train.num_examples > 0)
    return input_error("{}: found the key 'test_path', expected the rows of one file", file.string());
  return dataset;
}

Json to_json(std::span<const DatasetFormat> formats) {
  Json list = Json::array();
  for (const DatasetFormat& format : formats) {
    std::vector<std::string> keys;
    for (const Settings::Known& known : known_keys(format)) keys.push_back(known.key);
    list.push_back({{"name", format.name},
                    {"summary", format.summary},
                    {"keys", fmt::format("{}", fmt::join(keys, ", "))}});
  }
  return {{"datasets", list}};
}

}  // namespace mash
