// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/json_output.hpp"
#include "framework/cli/options.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

struct State {
  OutputOptions output;
  DatasetOptions dataset;
  std::string name;
};

Status list(const State& options) {
  Json json = Json::array();
  for (const DatasetFormat& format : dataset_formats()) {
    if (!options.output.json)
      fmt::print("{:<10} {}\n{:<10} keys: {}\n", format.name, format.summary, "", format.keys);
    json.push_back({{"name", format.name}, {"summary", format.summary}, {"keys", format.keys}});
  }
  if (options.output.json) print_json({{"datasets", json}});
  return Done{};
}

std::vector<std::size_t> class_counts(const Split& split, std::size_t num_classes) {
  std::vector<std::size_t> counts(num_classes);
  for (const std::uint16_t label : split.labels) ++counts[label];
  return counts;
}

Json to_json(const Dataset& dataset) {
  Json json{{"name", dataset.name},
            {"fingerprint", dataset.fingerprint},
            {"train", dataset.train.num_examples},
            {"test", dataset.test.num_examples},
            {"width", dataset.shape.width},
            {"height", dataset.shape.height},
            {"channels", dataset.shape.num_channels},
            {"columns", dataset.column_names},
            {"classes", Json::array()},
            {"sources", Json::array()},
            {"warnings", dataset.warnings}};
  const auto train = class_counts(dataset.train, dataset.num_classes()),
             test = class_counts(dataset.test, dataset.num_classes());
  for (std::size_t l = 0; l < dataset.num_classes(); ++l)
    json["classes"].push_back({{"name", dataset.class_names[l]}, {"train", train[l]}, {"test", test[l]}});
  for (const SourceFile& source : dataset.sources)
    json["sources"].push_back(
        {{"path", source.path.string()}, {"sha256", source.sha256}, {"bytes", source.num_bytes}});
  return json;
}

Status show(const State& options) {
  const auto progress = options.output.progress();
  MASH_ASSIGN(const Dataset dataset, options.dataset.load(options.name, *progress));
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
  CLI::App* parent = program.add_subcommand("dataset", "Data sets that can be read or made");
  parent->require_subcommand(1);
  parent->footer("Example:\n  mash dataset list");
  const auto options = std::make_shared<State>();
  CLI::App* list_app = parent->add_subcommand("list", "All formats, with their settings");
  options->output.add_to(*list_app);
  list_app->footer("Example:\n  mash dataset list");
  CLI::App* show_app =
      parent->add_subcommand("show", "Reads a data set and shows its sizes, classes and checksums");
  options->output.add_to(*show_app);
  show_app->add_option("NAME", options->name, "As mash dataset list shows it")->required();
  options->dataset.add_to(*show_app);
  show_app->footer("Example:\n  mash dataset show csv --set path=iris.csv --set label=last");
  return {{list_app, [options] { return list(*options); }}, {show_app, [options] { return show(*options); }}};
}

}  // namespace mash
