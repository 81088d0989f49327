// SPDX-License-Identifier: Apache-2.0
#include "classifiers/model/model_file.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>

#include "classifiers/model/gaussian_json.hpp"
#include "classifiers/model/json_reader.hpp"
#include "classifiers/model/kernel_json.hpp"
#include "classifiers/model/linear_json.hpp"
#include "classifiers/model/neighbours_json.hpp"
#include "classifiers/model/probe_json.hpp"
#include "classifiers/model/sum_json.hpp"
#include "classifiers/model/tree_json.hpp"
#include "framework/base/settings.hpp"
#include "framework/base/utf8.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kFormat = "mash-model";
// Before 3 votes were -1 or +1, before 4 all were sums, before 5 tables had no names behind codes, and images
// neither a probe nor a range of pixels.
constexpr int kVersion = 5, kOldestVersion = 2;
constexpr int kFirstWithKind = 4;
constexpr std::array<std::string_view, 7> kLists{"categories", "families", "hypotheses", "inputs",
                                                 "examples",   "vectors",  "steps"};  // of objects
constexpr std::size_t kMaxClasses = 65536;
constexpr std::uint64_t kMaxDim = std::uint64_t(1)
                                  << 24;  // of a family, as the interface of heuristics has it

Result<ModelFamily> parse_family(const Json& object, std::size_t family_idx) {
  JsonReader reader(object, fmt::format("/families/{}", family_idx));
  ModelFamily family{reader.text("name"), reader.text("heuristic"), reader.text("version"),
                     reader.numbers("values"), reader.count("dim", kMaxDim)};
  MASH_TRY(reader.status());
  return family;
}

Result<std::optional<PixelRange>> parse_pixel_range(const Json& image) {
  if (!image.contains("darkest")) return std::optional<PixelRange>();
  JsonReader reader(image, "/image");
  const std::uint32_t darkest = reader.count("darkest", 255), brightest = reader.count("brightest", 255);
  if (darkest > brightest) reader.fail("brightest", "a number that is not below 'darkest'");
  MASH_TRY(reader.status());
  return std::optional(PixelRange{std::uint8_t(darkest), std::uint8_t(brightest)});
}

Result<ImageShape> parse_shape(const Json& document) {
  const auto image = document.find("image");
  if (image == document.end()) return input_error("/image: found nothing, expected an object");
  JsonReader reader(*image, "/image");
  ImageShape shape{reader.count("width", 1u << 20), reader.count("height", 1u << 20),
                   reader.count("channels", 3)};
  if (image->contains("cameras")) shape.num_cameras = reader.count("cameras", kMaxCameras);
  if (image->contains("resize")) {
    const std::string mode = reader.text("resize");
    MASH_TRY(reader.status());
    for (const auto& choice : kResizeModes)
      if (mode == choice.name) shape.resize = choice.value;
    if (shape.resize == ResizeMode::kNone)
      return input_error("/image/resize: found '{}', expected stretch, fit or crop", printable(mode));
  }
  MASH_TRY(reader.status());
  const bool image_given = shape.width > 0 && shape.height > 0 &&
                           (shape.num_channels == 1 || shape.num_channels == 3) && shape.num_cameras > 0;
  if (!image_given && shape != ImageShape())
    return input_error(
        "/image: found {}x{} pixels of {} channels from {} cameras, expected 1 or 3 channels and a camera at "
        "least, or no image for a table",
        shape.width, shape.height, shape.num_channels, shape.num_cameras);
  return shape;
}

// The examples that it was trained on; nothing where the file does not say it.
Result<std::optional<KnownExamples>> parse_trained_on(const Json& document) {
  const auto member = document.find("trained_on");
  if (member == document.end()) return std::optional<KnownExamples>();
  constexpr std::uint64_t kLargestDigest = (std::uint64_t(1) << 48) - 1;
  JsonReader reader(*member, "/trained_on");
  KnownExamples known{reader.count("examples", std::numeric_limits<std::uint32_t>::max()), {}};
  const Json& digests = reader.list("digests");
  MASH_TRY(reader.status());
  for (const Json& digest : digests) {
    const bool is_digest = digest.is_number_unsigned() && digest.get<std::uint64_t>() <= kLargestDigest;
    if (!is_digest || (!known.digests.empty() && known.digests.back() >= digest.get<std::uint64_t>()))
      return input_error("/trained_on/digests/{}: expected whole numbers below 2^48 that increase",
                         known.digests.size());
    known.digests.push_back(digest.get<std::uint64_t>());
  }
  if (known.digests.size() > std::min<std::uint64_t>(known.num_examples, kMostDigests))
    return input_error("/trained_on/digests: found {}, expected no more than examples ({}) and {}",
                       known.digests.size(), known.num_examples, kMostDigests);
  return std::optional(std::move(known));
}

std::optional<std::string> first_repeated(std::span<const std::string> names) {
  std::set<std::string_view> seen;
  for (const std::string& name : names)
    if (!seen.insert(name).second) return name;
  return std::nullopt;
}

// A table's one family is its columns; every other family looks at images.
Status check_families(const ModelHead& model) {
  const bool is_table = model.shape == ImageShape();
  if (is_table == model.column_names.empty())
    return input_error("/columns: found {} names and {}, expected either an image or columns",
                       model.column_names.size(), is_table ? "no image" : "an image");
  for (std::size_t k = 0; k < model.families.size(); ++k) {
    const ModelFamily& family = model.families[k];
    if (is_table != (family.heuristic == kColumnsFamily))
      return input_error("/families/{}/heuristic: found '{}' in a model of {}", k, family.heuristic,
                         is_table ? "a table" : "images");
    if (is_table && family.dim != model.column_names.size())
      return input_error("/families/{}/dim: found {}, expected {} as there are columns", k, family.dim,
                         model.column_names.size());
  }
  return Done{};
}

// The names behind the codes of the columns that hold codes; other columns have none.
Result<CategoryNames> parse_categories(const Json& list, const std::vector<std::string>& columns) {
  std::unordered_map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < columns.size(); ++i) places.emplace(columns[i], i);
  CategoryNames categories(columns.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    JsonReader reader(list[i], fmt::format("/categories/{}", i));
    const std::string column = reader.text("column");
    std::vector<std::string> names = reader.texts("names");
    MASH_TRY(reader.status());
    const auto place = places.find(column);
    if (place == places.end())
      return input_error("/categories/{}/column: found '{}', expected one of {}", i, printable(column),
                         listed(columns));
    if (names.empty() || std::set(names.begin(), names.end()).size() < names.size())
      return input_error("/categories/{}/names: found {} names, expected different ones, one at least", i,
                         names.size());
    if (!categories[place->second].empty())
      return input_error("/categories/{}/column: found '{}' a second time, expected each column once", i,
                         printable(column));
    categories[place->second] = std::move(names);
  }
  return categories;
}

void put_table_keys(const ModelHead& head, Json& document) {
  if (!head.label_name.empty()) document["label"] = head.label_name;
  if (!head.missing.empty()) document["missing"] = head.missing;
  if (!head.category_names) return;
  Json& categories = document["categories"] = Json::array();
  for (std::size_t i = 0; i < head.column_names.size(); ++i)
    if (const auto& names = (*head.category_names)[i]; !names.empty())
      categories.push_back({{"column", head.column_names[i]}, {"names", names}});
}

Json head_json(const Model& model) {
  const ModelHead& head = model.head();
  Json document;
  document["format"] = kFormat;
  document["version"] = kVersion;
  document["kind"] = model.kind();
  document["classes"] = head.class_names;
  document["image"] = {
      {"width", head.shape.width}, {"height", head.shape.height}, {"channels", head.shape.num_channels}};
  if (head.shape.num_cameras > 1) document["image"]["cameras"] = head.shape.num_cameras;
  for (const auto& mode : kResizeModes)
    if (mode.value == head.shape.resize) document["image"]["resize"] = mode.name;
  if (head.pixel_range) {
    document["image"]["darkest"] = head.pixel_range->darkest;
    document["image"]["brightest"] = head.pixel_range->brightest;
  }
  document["columns"] = head.column_names;
  put_table_keys(head, document);
  document["families"] = Json::array();
  for (const ModelFamily& family : head.families)
    document["families"].push_back({{"name", family.name},
                                    {"heuristic", family.heuristic},
                                    {"version", family.version},
                                    {"values", family.values},
                                    {"dim", family.dim}});
  if (head.probe) document["probe"] = json_of(*head.probe);
  if (head.trained_on)
    document["trained_on"] = {{"examples", head.trained_on->num_examples},
                              {"digests", head.trained_on->digests}};
  return document;
}

Result<ModelHead> parse_head(const Json& document) {
  JsonReader reader(document, "");
  ModelHead head;
  head.class_names = reader.texts("classes");
  head.column_names = reader.texts("columns");
  MASH_TRY(reader.status());
  if (head.class_names.empty() || head.class_names.size() > kMaxClasses)
    return input_error("/classes: found {} names, expected 1 to {}", head.class_names.size(), kMaxClasses);
  if (document.contains("label")) head.label_name = reader.text("label");
  if (document.contains("missing")) head.missing = reader.texts("missing");
  if (document.contains("categories")) {
    MASH_ASSIGN(head.category_names, parse_categories(reader.list("categories"), head.column_names));
    MASH_TRY(reader.status());
  }
  if (const auto twice = first_repeated(head.class_names))
    return input_error("/classes: found '{}' twice, expected a name of its own for each class", *twice);
  if (const auto twice = first_repeated(head.column_names))
    return input_error("/columns: found '{}' twice, expected a name of its own for each column", *twice);
  MASH_ASSIGN(head.shape, parse_shape(document));
  MASH_ASSIGN(head.pixel_range, parse_pixel_range(document["image"]));
  MASH_ASSIGN(head.trained_on, parse_trained_on(document));
  for (const Json& family : reader.list("families")) {
    MASH_ASSIGN(auto parsed, parse_family(family, head.families.size()));
    head.families.push_back(std::move(parsed));
  }
  MASH_TRY(reader.status());
  MASH_TRY(check_families(head));
  return head;
}

// How the keys behind the head of each kind are read.
template <class Part, Result<Part> (*parse_part)(const Json&, ModelHead)>
Result<Model> parse_as(const Json& document, ModelHead head) {
  MASH_ASSIGN(Part part, parse_part(document, std::move(head)));
  return Model(std::move(part));
}
struct Kind {
  std::string_view name;
  Result<Model> (*parse)(const Json& document, ModelHead head);
};
constexpr std::array kKinds{Kind{GaussianModel::kKind, parse_as<GaussianModel, parse_gaussian>},
                            Kind{KernelModel::kKind, parse_as<KernelModel, parse_kernel>},
                            Kind{LinearModel::kKind, parse_as<LinearModel, parse_linear>},
                            Kind{NeighboursModel::kKind, parse_as<NeighboursModel, parse_neighbours>},
                            Kind{StrongClassifier::kKind, parse_as<StrongClassifier, parse_sum>},
                            Kind{TreeModel::kKind, parse_as<TreeModel, parse_tree>}};

Result<const Kind*> find_kind(std::string_view name) {
  std::vector<std::string_view> known;
  for (const Kind& kind : kKinds) {
    if (kind.name == name) return &kind;
    known.push_back(kind.name);
  }
  return unknown_name("kind of model", name, known).at("/kind");
}

}  // namespace

std::string serialise(const Model& model) {
  Json document = head_json(model);
  model.visit([&](const auto& of_kind) { put_keys(of_kind, document); });
  // One family, hypothesis or input a line: small diffs, and still a file that a person can read.
  std::string text = "{\n";
  for (auto member = document.begin(); member != document.end(); ++member) {
    text += fmt::format("{}: ", Json(member.key()).dump());
    if (std::find(kLists.begin(), kLists.end(), member.key()) != kLists.end()) {
      text += "[";
      for (std::size_t i = 0; i < member->size(); ++i) text += (i ? ",\n  " : "\n  ") + (*member)[i].dump();
      text += "\n]";
    } else {
      text += member->dump();
    }
    text += std::next(member) == document.end() ? "\n" : ",\n";
  }
  return text + "}\n";
}

Result<Model> parse_model(std::string_view text) {
  MASH_ASSIGN(const Json document, parse_model_json(text));
  JsonReader reader(document, "");
  const std::string format = reader.text("format");
  const std::uint32_t version = reader.count("version", std::numeric_limits<std::uint32_t>::max());
  MASH_TRY(reader.status());
  if (format != kFormat) return input_error("/format: found '{}', expected '{}'", format, kFormat);
  if (version < kOldestVersion || version > kVersion)
    return input_error("/version: found {}, expected {} to {}", version, kOldestVersion, kVersion);

  const std::string kind =
      version < kFirstWithKind ? std::string(StrongClassifier::kKind) : reader.text("kind");
  MASH_TRY(reader.status());
  MASH_ASSIGN(const Kind* found, find_kind(kind));
  MASH_ASSIGN(ModelHead head, parse_head(document));
  MASH_ASSIGN(Model model, found->parse(document, std::move(head)));
  MASH_ASSIGN(auto probe, parse_probe(document, model.needed_features()));
  if (probe) model.set_probe(*std::move(probe));
  return model;
}

}  // namespace mash
