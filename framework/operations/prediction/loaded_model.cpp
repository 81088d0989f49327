// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/prediction/loaded_model.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "classifiers/model/model_file.hpp"
#include "classifiers/serving/known_examples.hpp"
#include "classifiers/serving/probe.hpp"
#include "framework/base/file.hpp"
#include "framework/dataset/imported.hpp"
#include "framework/dataset/picture_block.hpp"
#include "framework/dataset/readers/formats.hpp"
#include "framework/dataset/readers/usps.hpp"

namespace mash {
namespace {

constexpr std::size_t kMostClasses = 10;  // that a message names

// The size that the model's pictures were brought to, where they were.
std::optional<Resize> resize_of(const ImageShape& shape) {
  if (shape.resize == ResizeMode::kNone) return std::nullopt;
  return Resize{shape.width, shape.height, shape.resize};
}

// The settings of a folder of pictures, with the size and channels that the model needs where neither the
// user nor the import says anything of them; those of USPS, as pictures or columns, likewise.
Result<Settings> settings_for(const DatasetToPredict& wanted, const ImageShape& shape) {
  Settings settings = wanted.settings;
  MASH_ASSIGN(const auto imported, find_imported(wanted.name));
  const Settings all = imported ? settings_of(*imported, settings) : settings;
  const std::string_view format = imported ? std::string_view(imported->format) : wanted.name;
  if (format == "usps" && !all.has("form"))
    settings.add("form", shape.width > 0 ? std::string(kPictures) : "columns", "the model");
  if (format != "folder" || shape.width == 0) return settings;
  const bool is_resized = all.has("resize") || all.has("resize.width") || all.has("resize.height");
  if (shape.resize != ResizeMode::kNone && !is_resized) {
    settings.add("resize.width", std::to_string(shape.width), "the model");
    settings.add("resize.height", std::to_string(shape.height), "the model");
    for (const auto& mode : kResizeModes)
      if (mode.value == shape.resize) settings.add("resize.mode", std::string(mode.name), "the model");
  }
  if (!all.has("channels")) settings.add("channels", shape.num_channels == 1 ? "grey" : "rgb", "the model");
  return settings;
}

// Whether a file that is no table has the ending of none.
bool is_named_as_picture(const std::filesystem::path& file) {
  static constexpr std::string_view kTables[] = {".csv",  ".tsv", ".txt", ".data",   ".dat",
                                                 ".arff", ".gz",  ".svm", ".libsvm", ".svmlight"};
  return std::ranges::find(kTables, file.extension().string()) == std::end(kTables);
}

// Warns where the test side holds examples that the model has learned. Where the model was trained on the
// training side itself, equal examples are the data set's own.
void warn_of_seen(const Model& model, Dataset& dataset, Remarks& remarks) {
  if (dataset.test.labels.empty()) return;
  const SeenExamples seen = seen_examples(model, dataset.test);
  if (seen.num_seen == 0 || known_examples(model, dataset.train) == model.head().trained_on) return;
  const std::string how_many =
      model.head().trained_on->has_all()
          ? fmt::format("{} of {} test examples equal ones", seen.num_seen, dataset.test.num_examples)
          : fmt::format(
                "about {:.0f} % of the test examples ({} of {} that the model's file can tell of) "
                "equal ones",
                100 * double(seen.num_seen) / double(seen.num_told), seen.num_seen, seen.num_told);
  dataset.warnings.push_back(fmt::format(
      "data set {}: {} that the model was trained on; the error on these says nothing of new examples",
      dataset.name, how_many));
  remarks.warn(dataset.warnings.back());
}

// "hog (7 of 30 codes differ, 12 of 30 values)"
std::string in_words(const ChangedFamily& family) {
  return fmt::format("{} ({} of {} codes differ, {} of {} values)", family.name, family.num_other_codes,
                     family.num_values, family.num_other_values, family.num_values);
}

// A warning about test examples of classes that the model does not have. Errors (kInput): it has none of
// them.
Status compare_classes(const Model& model, const Dataset& dataset, Remarks& remarks) {
  const std::set<std::string_view> known(model.class_names().begin(), model.class_names().end());
  std::set<std::string_view> others;
  std::size_t num_others = 0;
  for (const std::uint16_t label : dataset.test.labels)
    if (const std::string& name = dataset.class_names[label]; !known.contains(name)) {
      others.insert(name);
      ++num_others;
    }
  if (num_others == 0) return Done{};
  const std::vector<std::string_view> names(others.begin(), others.end());
  if (num_others == dataset.test.labels.size())
    return input_error("data set {}: found the classes {}, expected those of the model: {}", dataset.name,
                       listed(names, kMostClasses), listed(model.class_names(), kMostClasses));
  remarks.warn(
      fmt::format("data set {}: {} of {} test examples are of classes that the model does not have; they "
                  "count as errors: {}",
                  dataset.name, num_others, dataset.test.labels.size(), listed(names, kMostClasses)));
  return Done{};
}

}  // namespace

Result<Model> read_model(const std::filesystem::path& path) {
  MASH_ASSIGN(const std::string text, read_file(path));
  auto model = parse_model(text);
  if (!model.ok()) return model.error().at(path.string());
  return model;
}

Status check_heuristics(const Model& model, std::string_view name, const ChangedHeuristics& treatment,
                        Catalogue& catalogue, Remarks& remarks) {
  const bool is_computed = model.shape().width > 0 && model.scorer()->num_values() > 0;
  if (is_computed && !model.head().probe)
    remarks.warn(
        fmt::format("{}: a model file of an earlier version, without values that tell whether its heuristics "
                    "have changed since it was trained",
                    name));
  const auto changed = changed_families(model, catalogue);
  if (!changed.ok()) return changed.error().at(name);
  if (changed->empty()) return Done{};
  std::vector<std::string> families;
  for (const ChangedFamily& family : *changed) families.push_back(in_words(family));
  const std::string found = fmt::format(
      "{}: found heuristics of the same version that have changed since the model was trained: {}", name,
      fmt::join(families, ", "));
  if (!treatment.are_taken)
    return input_error("{}; expected the features that it was trained with{}", found, treatment.advice);
  remarks.warn(found);
  return Done{};
}

Result<LoadedModel> load_model(const ModelSource& source, const WorkContext& work) {
  MASH_ASSIGN(Model model, read_model(source.model));
  if (model.shape().width == 0 && !model.head().category_names)
    work.remarks.warn(
        fmt::format("{}: a model file of an earlier version, which does not say what stands behind the codes "
                    "of names; columns "
                    "of names are numbered by the names of the table that is predicted",
                    source.model.string()));
  MASH_ASSIGN(Catalogue catalogue, open_catalogue(source.plugins, work));
  warn_of_refused(catalogue, work.remarks);
  LoadedModel loaded{source.model.string(), std::move(model), std::move(catalogue)};
  MASH_TRY(check_heuristics(loaded.model, loaded.name, source.changed, loaded.catalogue, work.remarks));
  return loaded;
}

Result<std::optional<Perturbation>> perturbation_of(const DatasetToPredict& wanted) {
  if (wanted.perturbation.empty()) return std::optional<Perturbation>();
  MASH_ASSIGN(const Perturbation perturbation, parse_perturbation(wanted.perturbation));
  return std::optional(perturbation);
}

Result<ReadPictures> read_pictures_for(const LoadedModel& loaded, const PicturesToPredict& pictures,
                                       const WorkContext& work) {
  const ImageShape& shape = loaded.model.shape();
  if (shape.width == 0)
    return input_error("{}: was trained on a table, not on images; expected tables or a data set to predict",
                       loaded.name);
  PictureOptions options;
  options.resize = resize_of(shape);
  options.advice_for_sizes = ", as those that the model was trained on (without resize)";
  options.skip_broken = options.skip_other_sizes = pictures.skip_broken;
  options.advice_for_broken = pictures.advice_for_broken;
  std::vector<PictureEntry> entries;
  for (const std::string& path : pictures.paths)
    entries.push_back({path, 0, std::uint32_t(entries.size()), 0});
  ImageShape colour = shape;
  colour.num_channels = 3;
  work.progress.start("reading images", entries.size(), "images");
  MASH_ASSIGN(PictureBlock block, read_pictures(entries, colour, options, work));
  work.progress.finish();
  if (block.entries.empty())
    return input_error("none of the {} pictures can be classified: {}", entries.size(), block.broken.at(0));
  if (shape.num_channels == 1) turn_grey(block.split);
  ReadPictures read{std::move(block.split), reasons_of(block, entries.size())};
  return read;
}

Result<Dataset> read_rows_for(const LoadedModel& loaded, const std::filesystem::path& table,
                              const Settings& settings, const WorkContext& work) {
  if (loaded.model.shape().width > 0)
    return input_error("{}: was trained on images, not on a table; expected images to predict", loaded.name);
  Result<Dataset> rows = load_rows(table, settings, work, loaded.model.head().layout());
  if (!rows.ok() && rows.error().kind == ErrorKind::kInput && is_named_as_picture(table))
    return input_error("{} ({} was trained on a table, not on images)", rows.error().message, loaded.name);
  if (rows.ok())
    for (const std::string& warning : rows->warnings) work.remarks.warn(warning);
  return rows;
}

Result<Dataset> read_dataset_for(const Model& model, const DatasetToPredict& wanted,
                                 const std::optional<Perturbation>& perturbation, const WorkContext& work) {
  MASH_ASSIGN(const Settings settings, settings_for(wanted, model.shape()));
  const TableLayout layout = model.head().layout();
  MASH_ASSIGN(Dataset dataset, load_dataset(wanted.name, settings, wanted.seed, work,
                                            model.shape().width == 0 ? &layout : nullptr));
  for (const std::string& warning : dataset.warnings) work.remarks.warn(warning);
  if (!dataset.shape.has_pixels_of(model.shape()) ||
      dataset.column_names.size() != model.column_names().size())
    return input_error(
        "data set {}: found {}x{}x{} images and {} columns, the model was trained on {}x{}x{} and {}",
        wanted.name, dataset.shape.width, dataset.shape.height, dataset.shape.num_channels,
        dataset.column_names.size(), model.shape().width, model.shape().height, model.shape().num_channels,
        model.column_names().size());
  if (dataset.shape.num_cameras != model.shape().num_cameras)
    return input_error("data set {}: found images from {} cameras, the model was trained on {}", wanted.name,
                       dataset.shape.num_cameras, model.shape().num_cameras);
  MASH_TRY(compare_classes(model, dataset, work.remarks));
  if (wanted.counts_errors) warn_of_seen(model, dataset, work.remarks);
  if (perturbation) {
    if (dataset.is_table())
      return input_error("perturbation: data set {} is a table, expected images", wanted.name);
    perturb(dataset.test, dataset.shape, *perturbation, wanted.seed);
  }
  return dataset;
}

Status check_labels(const Dataset& dataset) {
  if (!dataset.test.labels.empty()) return Done{};
  return input_error("data set {}: found no labels, expected a label for each test example", dataset.name);
}

}  // namespace mash
