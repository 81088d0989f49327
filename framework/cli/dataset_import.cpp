// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/data/dataset_import.hpp"

#include "framework/cli/dataset.hpp"
#include "framework/cli/json_output.hpp"
#include "framework/render/wording.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

struct ImportOptions {
  OutputOptions output;
  DatasetOptions dataset;
  std::string path, name, format;
  bool copies = false;
};

Status import(const ImportOptions& options) {
  MASH_ASSIGN(Settings settings, options.dataset.read());
  const CommandWork work(options.output, 0, true);
  const ImportSettings wanted{options.path,        options.name,   options.format,
                              std::move(settings), options.copies, options.dataset.seed};
  MASH_ASSIGN(const ImportResult result, import_dataset(wanted, work.context()));
  if (options.output.json) {
    print_json(to_json(result));
    return Done{};
  }
  const Dataset& dataset = result.dataset;
  fmt::print("{}: {} training and {} test examples of {}, read as {} from {}\n", dataset.name,
             dataset.train.num_examples, dataset.test.num_examples,
             counted(dataset.num_classes(), "class", "classes"), result.imported.format,
             harmless(result.place.string()));
  fmt::print("An experiment takes it by its name: dataset: {{name: {}}}\n", dataset.name);
  return Done{};
}

Result<std::vector<ImportedDataset>> all_imported() {
  std::vector<ImportedDataset> all;
  for (const std::string& name : imported_names()) {
    MASH_ASSIGN(auto imported, find_imported(name));
    if (imported) all.push_back(*std::move(imported));
  }
  return all;
}

}  // namespace

Result<Json> imported_json() {
  MASH_ASSIGN(const auto all, all_imported());
  Json rows = Json::array();
  for (const ImportedDataset& imported : all) {
    Json settings = Json::object();
    for (const Settings::Entry& entry : imported.settings.entries()) settings[entry.key] = to_json(entry);
    rows.push_back({{"name", imported.name},
                    {"format", imported.format},
                    {"settings", settings},
                    {"train", imported.num_train},
                    {"test", imported.num_test},
                    {"classes", imported.num_classes}});
  }
  return rows;
}

Status print_imported() {
  MASH_ASSIGN(const auto all, all_imported());
  if (!all.empty()) fmt::print("\nimported:\n");
  for (const ImportedDataset& imported : all)
    fmt::print("{:<10} {} training and {} test examples, {}; {} {}\n", imported.name, imported.num_train,
               imported.num_test, counted(imported.num_classes, "class", "classes"), imported.format,
               harmless(imported.settings.peek("path").value_or("")));
  return Done{};
}

Subcommand add_dataset_import(CLI::App& parent) {
  const auto options = std::make_shared<ImportOptions>();
  CLI::App* app = parent.add_subcommand(
      "import",
      "Give data of your own a name: read them once, and note where they are and how they are read");
  app->add_option("PATH", options->path,
                  "A folder of pictures, a table (CSV, ARFF, LIBSVM), a folder of IDX files")
      ->type_name("")
      ->required();
  app->add_option("--name", options->name, "The name: letters, digits, '-', '_' and '.'")
      ->type_name("NAME")
      ->required();
  app->add_option("--format", options->format,
                  "One that mash dataset list shows [told by the names of the files]")
      ->type_name("FORMAT");
  app->add_flag("--copy", options->copies, "Copy the files to the user's folder of data sets");
  options->dataset.add_to(*app);
  options->output.add_to(*app);
  app->footer(
      "Examples:\n  mash dataset import pictures --name pets\n"
      "  mash dataset import iris.csv --name iris --set label=last --copy");
  return {app, [options] { return import(*options); }};
}

}  // namespace mash
