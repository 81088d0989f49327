// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/json_output.hpp"
#include "framework/cli/options.hpp"
#include "framework/dataset/readers/formats.hpp"
#include "framework/operations/json.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

struct State {
  OutputOptions output;
  DatasetOptions dataset;
  std::string name;
};

Status list(const State& options) {
  if (options.output.json) {
    print_json(to_json(dataset_formats()));
    return Done{};
  }
  for (const DatasetFormat& format : dataset_formats())
    fmt::print("{:<10} {}\n{:<10} keys: {}\n", format.name, format.summary, "", format.keys);
  return Done{};
}

Status show(const State& options) {
  const CommandWork work(options.output, 1, true);
  MASH_ASSIGN(const Settings settings, options.dataset.read());
  MASH_ASSIGN(const Dataset dataset,
              load_dataset(options.name, settings, options.dataset.seed, work.context().progress));
  const Json json = to_json(dataset);
  if (options.output.json) {
    print_json(json);
    return Done{};
  }
  fmt::print("{}: {} training and {} test examples, {}\nfingerprint {}\n\n{:<24} {:>8} {:>8}\n", dataset.name,
             dataset.train.num_examples, dataset.test.num_examples,
             dataset.is_table() ? fmt::format("{} columns", dataset.column_names.size())
                                : fmt::format("{}x{} pixels, {}", dataset.shape.width, dataset.shape.height,
                                              dataset.shape.num_channels == 1 ? "grey" : "colour"),
             dataset.fingerprint, "class", "train", "test");
  for (const Json& one : json["classes"])
    fmt::print("{:<24} {:>8} {:>8}\n", one["name"].get<std::string>(), one["train"].get<std::size_t>(),
               one["test"].get<std::size_t>());
  for (const SourceFile& source : dataset.sources)
    fmt::print("{}  {}\n", source.sha256, source.path.string());
  for (const std::string& warning : dataset.warnings) fmt::print("warning: {}\n", warning);
  return Done{};
}

}  // namespace

std::vector<Subcommand> add_dataset(CLI::App& program) {
  CLI::App* parent = program.add_subcommand("dataset", "Data sets that can be read or generated");
  parent->require_subcommand(1);
  parent->footer("Example:\n  mash dataset list");
  const auto options = std::make_shared<State>();
  CLI::App* list_app = parent->add_subcommand("list", "All data sets and file formats, with their settings");
  options->output.add_to(*list_app);
  list_app->footer("Example:\n  mash dataset list");
  CLI::App* show_app =
      parent->add_subcommand("show", "Read a data set and show its sizes, classes and checksums");
  options->output.add_to(*show_app);
  show_app->add_option("NAME", options->name, "A data set or format that mash dataset list shows")
      ->required();
  options->dataset.add_to(*show_app);
  show_app->footer("Example:\n  mash dataset show csv --set path=iris.csv --set label=last");
  return {{list_app, [options] { return list(*options); }}, {show_app, [options] { return show(*options); }}};
}

}  // namespace mash
