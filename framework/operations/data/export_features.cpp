// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/data/export_features.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "framework/base/file.hpp"
#include "framework/dataset/image_file.hpp"
#include "framework/dataset/picture_block.hpp"
#include "framework/dataset/readers/formats.hpp"
#include "framework/families/computed_again.hpp"
#include "framework/families/value_extractor.hpp"
#include "framework/operations/common/places.hpp"
#include "framework/operations/data/npz_writer.hpp"
#include "framework/operations/data/picture_paths.hpp"
#include "framework/operations/experiment/families.hpp"
#include "framework/operations/training/workspace.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBandBytes = std::size_t(64) << 20;  // of values in memory

// Examples whose features are computed.
struct Examples {
  Dataset dataset;
  std::vector<std::string> pictures;                      // their names; empty for a data set
  std::optional<std::vector<BrokenPicture>> broken = {};  // where such pictures are skipped
};

// The pictures as the training side of a data set, grey where all are. Its warnings name those that are left
// out.
Result<Examples> examples_of_pictures(const FeaturesToExport& wanted, const WorkContext& work) {
  MASH_ASSIGN(const std::vector<std::string> files, picture_paths(wanted.pictures, work.remarks));
  std::vector<PictureEntry> entries;
  for (const std::string& file : files) entries.push_back({file, 0, std::uint32_t(entries.size()), 0});
  PictureOptions options;
  options.skip_broken = options.skip_other_sizes = wanted.skip_broken;
  if (!wanted.skip_broken) options.advice_for_broken = wanted.advice_for_broken;
  Examples examples;
  Dataset& dataset = examples.dataset;
  MASH_ASSIGN(dataset.shape, shape_of_pictures(entries, options));
  work.progress.start("reading images", files.size(), "images");
  MASH_ASSIGN(PictureBlock block, read_pictures(entries, dataset.shape, options, work));
  work.progress.finish();
  if (wanted.skip_broken) examples.broken.emplace();
  const auto reasons = reasons_of(block, files.size());
  for (std::size_t i = 0; i < files.size(); ++i)
    if (reasons[i])
      examples.broken->push_back({files[i], *reasons[i]});
    else
      examples.pictures.push_back(files[i]);
  dataset.warnings = warnings_of_broken(block.broken, block.broken.size(), wanted.skip_called);
  if (block.all_grey) turn_grey(block.split);
  dataset.shape.num_channels = block.all_grey ? 1 : 3;
  dataset.train = std::move(block.split);
  return examples;
}

Result<Examples> examples_of(const FeaturesToExport& wanted, const Experiment& experiment,
                             const WorkContext& work) {
  if (wanted.dataset.empty()) return examples_of_pictures(wanted, work);
  MASH_ASSIGN(Dataset dataset, load_dataset(wanted.dataset, dataset_settings(experiment), wanted.seed, work));
  return Examples{std::move(dataset), {}};
}

// The name of each image of a data set, where it has one; none where no image has.
std::vector<std::optional<std::string>> names_of_images(const Dataset& dataset) {
  if (dataset.is_table() || (dataset.train.files.empty() && dataset.test.files.empty())) return {};
  std::vector<std::optional<std::string>> names;
  for (const Split* side : {&dataset.train, &dataset.test})
    for (std::size_t n = 0; n < side->num_examples; ++n) {
      const std::string name = example_name(dataset, *side, n);
      names.push_back(name.empty() ? std::nullopt : std::optional(name));
    }
  return names;
}

// The examples of both sides in one order, and their features.
struct Features {
  const Dataset& dataset;
  const std::vector<std::string>& pictures;  // names; empty for a data set
  std::vector<FamilySpec> specs;
  std::vector<ValueExtractor> extractors;
  std::vector<std::optional<std::string>> names;  // of the images of a data set, some of which have none

  std::size_t num_train() const { return dataset.train.num_examples; }
  std::size_t num_examples() const { return num_train() + dataset.test.num_examples; }

  // A row for each example in [begin, end).
  Status extract(std::size_t family, std::size_t begin, std::size_t end, std::span<float> out,
                 const WorkContext& work) const {
    const ValueExtractor& extractor = extractors[family];
    const std::size_t middle = std::clamp(num_train(), begin, end), size = (middle - begin) * extractor.dim();
    const std::string& name = specs[family].name;
    for (const bool is_train : {true, false}) {
      const std::size_t first = is_train ? begin : middle - num_train(),
                        last = is_train ? middle : end - num_train();
      if (is_train ? begin == middle : middle == end) continue;
      const Status status =
          extractor.extract(is_train ? dataset.train : dataset.test, first, last,
                            is_train ? out.first(size) : out.subspan(size), work.workers, work.stop);
      if (!status.ok())
        return status.error().kind == ErrorKind::kStopped ? status : status.error().at("family " + name);
    }
    return Done{};
  }
};

// Errors: the heuristic's own; its features follow from more than the picture.
Result<ValueExtractor> extractor_of(const FamilySpec& spec, HeuristicHost& host, const Dataset& dataset,
                                    const WorkContext& work) {
  MASH_ASSIGN(auto extractor, ValueExtractor::open(host, spec, dataset.shape, dataset.column_names.size()));
  if (!dataset.is_table() && !host.is_shipped(spec.heuristic))
    MASH_TRY(compare_computed_twice(spec, extractor.dim(), {host, dataset, work}));
  return extractor;
}

Status open_families(const Experiment& experiment, Catalogue& catalogue, Features& features,
                     const WorkContext& work) {
  MASH_ASSIGN(std::vector<FamilySpec> specs, experiment_families(experiment, features.dataset, catalogue));
  for (FamilySpec& spec : specs) {
    auto extractor = extractor_of(spec, catalogue.host(), features.dataset, work);
    if (!extractor.ok() && spec.named) return extractor.error().at("family " + spec.name);
    if (!extractor.ok()) {
      work.remarks.warn(fmt::format("family {} left out: {}", spec.name, extractor.error().message));
      continue;
    }
    features.extractors.push_back(*std::move(extractor));
    features.specs.push_back(std::move(spec));
  }
  if (features.specs.empty()) return input_error("no heuristic has features on these images");
  return Done{};
}

std::vector<std::optional<std::string>> feature_names(const Features& features) {
  std::vector<std::optional<std::string>> names;
  for (std::size_t k = 0; k < features.specs.size(); ++k)
    for (std::uint32_t i = 0; i < features.extractors[k].dim(); ++i)
      names.push_back(fmt::format("{}/{}", features.specs[k].name, i));
  return names;
}

std::string_view side_of(const Features& features, std::size_t example) {
  return example < features.num_train() ? "train" : "test";
}

std::uint16_t label_of(const Features& features, std::size_t example) {
  return example < features.num_train() ? features.dataset.train.labels[example]
                                        : features.dataset.test.labels[example - features.num_train()];
}

// Facts of the examples and features beside their values, under the names that no family may have.
DataTable arrays_beside(const Features& features) {
  DataTable table;
  std::vector<std::optional<std::string>> families, sides;
  for (const FamilySpec& spec : features.specs) families.push_back(spec.name);
  table.columns.push_back({"families", families});
  table.columns.push_back({"names", feature_names(features)});
  if (!features.pictures.empty()) {
    table.columns.push_back({"pictures", std::vector<std::optional<std::string>>(features.pictures.begin(),
                                                                                 features.pictures.end())});
    return table;
  }
  std::vector<std::int64_t> labels;
  for (std::size_t n = 0; n < features.num_examples(); ++n) {
    labels.push_back(label_of(features, n));
    sides.push_back(std::string(side_of(features, n)));
  }
  table.columns.push_back({"labels", labels});
  table.columns.push_back({"split", sides});
  if (!features.names.empty()) table.columns.push_back({"pictures", features.names});
  const auto& classes = features.dataset.class_names;
  table.columns.push_back(
      {"classes", std::vector<std::optional<std::string>>(classes.begin(), classes.end())});
  return table;
}

std::size_t band_rows(std::size_t num_values) {
  return std::clamp<std::size_t>(kBandBytes / (sizeof(float) * std::max<std::size_t>(num_values, 1)), 64,
                                 8192);
}

Status write_npz(const Features& features, const fs::path& output, const WorkContext& work) {
  const DataTable beside = arrays_beside(features);
  for (const FamilySpec& spec : features.specs)
    for (const DataColumn& column : beside.columns)
      if (column.name == spec.name)
        return input_error("family {}: an array of the file has this name; expected another, or csv",
                           spec.name);
  MASH_ASSIGN(NpzWriter file, NpzWriter::open(output));
  for (const DataColumn& column : beside.columns) MASH_TRY(file.add(column.name, column.values));
  for (std::size_t k = 0; k < features.specs.size(); ++k) {
    const std::size_t dim = features.extractors[k].dim(), num_rows = band_rows(dim);
    MASH_TRY(file.begin(features.specs[k].name, "<f4", std::array{features.num_examples(), dim}));
    work.progress.start("exporting " + features.specs[k].name, features.num_examples(), "images");
    std::vector<float> values;
    for (std::size_t n = 0; n < features.num_examples(); n += num_rows) {
      const std::size_t end = std::min(n + num_rows, features.num_examples());
      values.resize((end - n) * dim);
      MASH_TRY(features.extract(k, n, end, values, work));
      MASH_TRY(file.write(std::as_bytes(std::span(values))));
      work.progress.advance(end - n);
    }
    work.progress.finish();
  }
  return file.close();
}

std::string csv_header(const Features& features) {
  std::string header = features.pictures.empty() ? "split,label" : "picture";
  if (!features.names.empty()) header += ",picture";
  for (const auto& name : feature_names(features)) header += ',' + csv_field(*name);
  return header + "\r\n";
}

// The lines of the examples from `begin` on. values: those of each family.
std::string csv_lines(const Features& features, std::size_t begin, std::size_t end,
                      const std::vector<std::vector<float>>& values) {
  fmt::memory_buffer lines;
  const auto out = std::back_inserter(lines);
  for (std::size_t n = begin; n < end; ++n) {
    if (features.pictures.empty())
      fmt::format_to(out, "{},{}", side_of(features, n),
                     csv_field(features.dataset.class_names[label_of(features, n)]));
    else
      fmt::format_to(out, "{}", csv_field(features.pictures[n]));
    if (!features.names.empty()) fmt::format_to(out, ",{}", csv_field(features.names[n].value_or("")));
    for (std::size_t k = 0; k < values.size(); ++k) {
      const std::size_t dim = features.extractors[k].dim();
      for (const float value : std::span(values[k]).subspan((n - begin) * dim, dim))
        std::isnan(value) ? fmt::format_to(out, ",") : fmt::format_to(out, ",{}", value);
    }
    fmt::format_to(out, "\r\n");
  }
  return fmt::to_string(lines);
}

Status write_csv_lines(const Features& features, std::ofstream& file, const WorkContext& work) {
  std::size_t num_values = 0;
  for (const ValueExtractor& extractor : features.extractors) num_values += extractor.dim();
  file << csv_header(features);
  work.progress.start("exporting features", features.num_examples(), "images");
  std::vector<std::vector<float>> values(features.specs.size());
  // As text, a value takes some three times the bytes.
  const std::size_t num_rows = band_rows(4 * num_values);
  for (std::size_t n = 0; n < features.num_examples(); n += num_rows) {
    const std::size_t end = std::min(n + num_rows, features.num_examples());
    for (std::size_t k = 0; k < values.size(); ++k) {
      values[k].resize((end - n) * features.extractors[k].dim());
      MASH_TRY(features.extract(k, n, end, values[k], work));
    }
    file << csv_lines(features, n, end, values);
    work.progress.advance(end - n);
  }
  work.progress.finish();
  return Done{};
}

Status write_csv(const Features& features, const fs::path& output, const WorkContext& work) {
  std::error_code code;
  if (output.has_parent_path()) fs::create_directories(output.parent_path(), code);
  MASH_ASSIGN(const fs::path place, replaceable(output));
  const fs::path part = place.string() + ".part";
  std::ofstream file(part, std::ios::binary);
  const Status status = write_csv_lines(features, file, work);
  file.close();
  if (status.ok() && file) fs::rename(part, place, code);
  if (status.ok() && file && !code) return Done{};
  const Error error = status.ok() ? failure("{}: cannot be written", output.string()) : status.error();
  fs::remove(part, code);
  return error;
}

}  // namespace

Result<FeatureExport> export_features(const FeaturesToExport& wanted, const PluginPlaces& plugins,
                                      DataFormat format, const fs::path& output, const WorkContext& work) {
  MASH_ASSIGN(Experiment experiment, parse_experiment("dataset: " + std::string(kColumnsFamily), "",
                                                      {{"heuristics=" + wanted.heuristics}, wanted.called}));
  experiment.seed = wanted.seed;
  experiment.dataset = {wanted.dataset, wanted.settings, "data set " + wanted.dataset};
  experiment.asks_for_heuristics = !experiment.all_heuristics || !experiment.heuristics.empty();
  MASH_TRY(check_output_file("output", output));
  MASH_ASSIGN(Catalogue catalogue, open_catalogue(plugins, work));
  warn_of_refused(catalogue, work.remarks);
  MASH_ASSIGN(const Examples examples, examples_of(wanted, experiment, work));
  MASH_TRY(refuse_endless(examples.dataset, "data set " + wanted.dataset));
  for (const std::string& warning : examples.dataset.warnings) work.remarks.warn(warning);
  Features features{examples.dataset, examples.pictures, {}, {}, names_of_images(examples.dataset)};
  MASH_TRY(open_families(experiment, catalogue, features, work));
  MASH_TRY(format == DataFormat::kNpz ? write_npz(features, output, work)
                                      : write_csv(features, output, work));
  FeatureExport result{
      features.num_train(), features.num_examples() - features.num_train(), examples.broken, {}};
  for (std::size_t k = 0; k < features.specs.size(); ++k)
    result.families.push_back({features.specs[k].name, features.specs[k].heuristic.version,
                               features.specs[k].settings, features.extractors[k].dim()});
  return result;
}

nlohmann::ordered_json to_json(const FeatureExport& features) {
  auto families = nlohmann::ordered_json::array();
  for (const ExportedFamily& family : features.families)
    families.push_back({{"name", family.name},
                        {"version", family.version},
                        {"settings", family.settings},
                        {"dim", family.dim}});
  nlohmann::ordered_json json{
      {"train", features.num_train}, {"test", features.num_test}, {"families", families}};
  if (!features.broken) return json;
  json["broken"] = nlohmann::ordered_json::array();
  for (const BrokenPicture& picture : *features.broken)
    json["broken"].push_back({{"broken", picture.reason}, {"image", picture.image}});
  return json;
}

}  // namespace mash
