// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string_view>

#include "framework/base/result.hpp"
#include "framework/base/settings.hpp"
#include "framework/base/work_context.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/dataset/reader.hpp"

namespace mash {

// One row of the table of data sets.
struct DatasetFormat {
  std::string_view name;     // of its files too: readers/NAME.hpp or generators/NAME.hpp
  std::string_view summary;  // what it is, with its source
  std::string_view example;  // settings as an experiment file has them beside the name
  // The content of a small sound file, with which `example` works, where the format is one of single files of
  // text; the tests begin with it. Else empty.
  std::string_view sample;
  Reader read;
  bool is_generated = false;  // as many examples as `train` and `test` say are made; nothing is divided
};

// In the order in which they are shown to the user.
std::span<const DatasetFormat> dataset_formats();

// The keys of a row of that table as its reader reads them: its own, then those of all formats.
std::vector<Settings::Known> known_keys(const DatasetFormat& format);

// Reads the data set `name`, a format or one that the user imported, as `settings` say (keys: those of the
// format, and path, train, test). path: file or folder; a relative one is also looked for below $MASH_DATA
// and <user's data folder>/datasets.
//   Without the key: $MASH_DATA/<name>, then <user's data folder>/datasets/<name>.
// train, test: "n" takes the first n examples in published order, "0.8" a seeded part with the classes in
//   their proportions, "30 per class" a seeded choice of that number of each class. Without them each
//   published side is whole; what is published in one piece is divided 0.8 to 0.2, and a warning says so.
// validation: "0.2" puts a seeded part of the training side, with the classes in their proportions, in place
//   of the test side.
// title: the name that people see, in place of that of the format or folder.
// seed: of generators and fractional splits.
// layout: the columns of the model that a table is read for; of the data set's own columns it gets these.
// Errors: kInput for an unknown name or key, a missing file and any error inside one; the message names the
// file and the place in it, what was found and what was expected; a table lacks a column of the layout;
// kStopped.
Result<Dataset> load_dataset(std::string_view name, Settings settings, std::uint64_t seed,
                             const WorkContext& work, const TableLayout* layout = nullptr);

// Reads all rows of a file of text for a model, undivided, as the test side of a data set: by the format that
// the file's name ends with (.arff, .svm, .libsvm, .svmlight, each also .gz), else csv (.tsv: with tabs).
// Errors: as load_dataset.
Result<Dataset> load_rows(const std::filesystem::path& file, Settings settings, const WorkContext& work,
                          const TableLayout& layout);

// Dataset::fingerprint, for callers that have made a data set themselves.
std::string fingerprint_of(const Dataset& dataset);

// Looks at the settings alone and opens nothing: `problems` of what it gives are all that is wrong with them,
// `known` the keys of the format. Errors (kInput): an unknown name.
Result<Settings> check_dataset_settings(std::string_view name, const Settings& settings);

// The output of `mash dataset list --json`; its keys are a contract.
nlohmann::ordered_json to_json(std::span<const DatasetFormat> formats);

}  // namespace mash
