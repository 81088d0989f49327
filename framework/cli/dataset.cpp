// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/dataset.hpp"

#include <algorithm>

#include "framework/base/file.hpp"
#include "framework/base/utf8.hpp"
#include "framework/cli/json_output.hpp"
#include "framework/cli/options.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/dataset/duplicates.hpp"
#include "framework/dataset/published.hpp"
#include "framework/dataset/readers/formats.hpp"
#include "framework/dataset/source.hpp"
#include "framework/operations/common/places.hpp"
#include "framework/operations/experiment/keys.hpp"
#include "framework/render/wording.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

struct DatasetState {
  OutputOptions output;
  DatasetOptions dataset;
  std::string name;
  std::string files;  // --files; empty: no list is wanted
};

Status list_datasets(const DatasetState& options) {
  if (options.output.json) {
    Json json = to_json(dataset_formats());
    MASH_ASSIGN(json["imported"], imported_json());
    print_json(json);
    return Done{};
  }
  for (const ExperimentPart& part : experiment_parts()) {
    if (part.section != "dataset") continue;
    fmt::print("{:<10} {}\n{:<10} keys: {}\n", part.name, part.summary, "", keys_in_a_line(part.keys));
    if (find_published(part.name)) fmt::print("{:<10} mash dataset get {} downloads it\n", "", part.name);
  }
  return print_imported();
}

// ", 12 sequences from 2 cameras", or nothing.
std::string sequences_in_words(const Dataset& dataset) {
  if (!dataset.has_sequences()) return "";
  const std::uint32_t num_cameras = dataset.shape.num_cameras;
  return fmt::format(", {} sequences{}", num_sequences(dataset),
                     num_cameras == 1 ? "" : fmt::format(" from {} cameras", num_cameras));
}

constexpr std::size_t kMostListed = 100;  // columns or classes

// "... and 39,900 more", where some are not listed.
void print_rest(std::size_t count, std::string_view what) {
  if (count > kMostListed) fmt::print("... and {} more {}; --json has all\n", count - kMostListed, what);
}

void print_columns(const Dataset& dataset) {
  const std::vector<ColumnSummary> columns = column_summaries(dataset);
  if (columns.empty()) return;
  fmt::print("{:<24} {:>8} {:>8} {:>8}\n", "column", "kind", "distinct", "missing");
  for (std::size_t i = 0; i < std::min(columns.size(), kMostListed); ++i)
    fmt::print("{:<24} {:>8} {:>8} {:>8}\n", printable(columns[i].name, 100),
               columns[i].has_names ? "names" : "numbers", columns[i].num_distinct, columns[i].num_missing);
  print_rest(columns.size(), "columns");
  fmt::print("\n");
}

Status show_dataset(const DatasetState& options) {
  if (!options.files.empty()) MASH_TRY(check_output_file("--files", options.files));
  const CommandWork work(options.output, 0, true);
  MASH_ASSIGN(const Settings settings, options.dataset.read());
  MASH_ASSIGN(const Dataset dataset,
              load_dataset(options.name, settings, options.dataset.seed, work.context()));
  MASH_ASSIGN(const auto duplicates, find_duplicates(dataset, work.context().workers, work.context().stop));
  if (!options.files.empty()) MASH_TRY(write_output(options.files, checksum_list(dataset.sources)));
  if (options.output.json) {
    Json json = to_json(dataset);
    json["duplicates"] = to_json(duplicates);
    print_json(json);
    return Done{};
  }
  fmt::print("{}: {} training and {} {} examples, {}{}\nfingerprint {}\n\n", dataset.name,
             amount_of(dataset.train), dataset.test.num_examples, dataset.judging_side,
             dataset.is_table() ? fmt::format("{} columns", dataset.column_names.size())
                                : fmt::format("{}x{} pixels, {}", dataset.shape.width, dataset.shape.height,
                                              dataset.shape.num_channels == 1 ? "grey" : "colour"),
             sequences_in_words(dataset), dataset.fingerprint);
  print_columns(dataset);
  const std::size_t width = std::max<std::size_t>(8, dataset.judging_side.size());
  fmt::print("{:<24} {:>8} {:>{}}\n", "class", "train", dataset.judging_side, width);
  const auto train = class_counts(dataset.train, dataset.num_classes()),
             test = class_counts(dataset.test, dataset.num_classes());
  for (std::size_t l = 0; l < std::min(dataset.num_classes(), kMostListed); ++l)
    fmt::print("{:<24} {:>8} {:>{}}\n", printable(dataset.class_names[l], 100), train[l], test[l], width);
  print_rest(dataset.num_classes(), "classes");
  if (dataset.sources.size() > kMaxListedFiles)
    fmt::print("{}; --files FILE writes their list\n", files_in_a_line(dataset.sources));
  else
    fmt::print("{}", checksum_list(dataset.sources));
  fmt::print("duplicates: {}\n", count_in_words(duplicates));
  for (const std::string& warning : dataset.warnings) fmt::print("warning: {}\n", harmless(warning));
  if (duplicates)
    for (const std::string& warning : warnings_of(*duplicates))
      fmt::print("warning: {}\n", harmless(warning));
  if (const Status trainable = check_classes(dataset); !trainable.ok())
    fmt::print("warning: {}\n", harmless(trainable.error().message));
  return Done{};
}

}  // namespace

std::string amount_of(const Split& side) {
  return side.is_endless() ? fmt::format("endless ({} in memory)", side.num_examples)
                           : fmt::format("{}", side.num_examples);
}

std::vector<Subcommand> add_dataset(CLI::App& program) {
  CLI::App* parent =
      program.add_subcommand("dataset", "Data sets: list, show, download, and give a name to your own");
  parent->require_subcommand(1);
  parent->footer("Example:\n  mash dataset list");
  const auto options = std::make_shared<DatasetState>();
  CLI::App* list_app = parent->add_subcommand("list", "All data sets and file formats, with their settings");
  options->output.add_to(*list_app);
  list_app->footer("Example:\n  mash dataset list");
  CLI::App* show_app =
      parent->add_subcommand("show", "Read a data set and show its sizes, classes and checksums");
  options->output.add_to(*show_app);
  show_app->add_option("NAME", options->name, "A data set or format that mash dataset list shows")
      ->type_name("DATASET")
      ->required();
  options->dataset.add_to(*show_app);
  show_app
      ->add_option("--files", options->files,
                   "Write the list of the data set's files there, a line each with its SHA-256, as sha256sum "
                   "--check reads it")
      ->type_name("FILE");
  show_app->footer(
      "Examples:\n  mash dataset show csv --set path=iris.csv --set label=last\n"
      "  mash dataset show folder --set path=pictures --files pictures.sha256");
  return {{list_app, [options] { return list_datasets(*options); }},
          {show_app, [options] { return show_dataset(*options); }},
          add_dataset_get(*parent),
          add_dataset_import(*parent)};
}

}  // namespace mash
