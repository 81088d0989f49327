// SPDX-License-Identifier: Apache-2.0
#include "classifiers/model/model_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "framework/base/utf8.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kFormat = "mash-model";
constexpr int kVersion = 3, kOldestVersion = 2;  // before 3 votes were -1 or +1
constexpr std::size_t kMaxClasses = 65536;
constexpr std::uint64_t kMaxDim = std::uint64_t(1)
                                  << 24;  // of a family, as the interface of heuristics has it
constexpr std::array<std::string_view, 3> kUnits{"", "microseconds", "features"};  // of costs
constexpr int kMaxDepth = 32;  // a model is 5 deep; to print a very deep value would use up the stack

// "+-+" where all votes are -1 or +1, else a list of numbers.
Json to_json(std::span<const double> votes) {
  if (!std::all_of(votes.begin(), votes.end(), [](double vote) { return std::abs(vote) == 1; }))
    return std::vector<double>(votes.begin(), votes.end());
  std::string text;
  for (const double vote : votes) text += vote > 0 ? '+' : '-';
  return text;
}

Json to_json(const Hypothesis& hypothesis, std::size_t num_classes) {
  Json cuts = Json::array();
  for (std::size_t i = 0; i < hypothesis.cuts.size(); ++i) {
    const Cut& cut = hypothesis.cuts[i];
    cuts.push_back({{"family", cut.family_idx},
                    {"feature", cut.feature_idx},
                    {"threshold", cut.always_holds() ? Json() : Json(cut.threshold)}});
    if (!hypothesis.is_tree()) continue;
    cuts.back()["below"] = hypothesis.branches[i].below;
    cuts.back()["above"] = hypothesis.branches[i].above;
  }
  Json votes = to_json(std::span(hypothesis.votes));
  if (hypothesis.is_tree()) {
    votes = Json::array();
    for (std::size_t leaf = 0; leaf < hypothesis.num_cells(); ++leaf)
      votes.push_back(to_json(std::span(hypothesis.votes).subspan(leaf * num_classes, num_classes)));
  }
  return {{"alpha", hypothesis.alpha}, {"cuts", std::move(cuts)}, {"votes", std::move(votes)}};
}

// The beginning of a value's text.
std::string excerpt(const Json& value) { return printable(value.dump(), 40); }

// Reads typed members of one JSON object; the first that is missing or wrong becomes the error.
class Reader {
 public:
  Reader(const Json& object, std::string place) : object_(object), place_(std::move(place)) {
    if (!object.is_object()) fail("", "an object");
  }

  std::string text(const char* key) {
    const Json* value = find(key);
    if (!value || !value->is_string()) return fail(key, "a text"), std::string();
    return value->get<std::string>();
  }
  std::uint32_t count(const char* key, std::uint64_t maximum) {
    const Json* value = find(key);
    if (!value || !value->is_number_unsigned() || value->get<std::uint64_t>() > maximum)
      return fail(key, fmt::format("a whole number from 0 to {}", maximum)), 0;
    return value->get<std::uint32_t>();
  }
  double number(const char* key) {
    const Json* value = find(key);
    if (!value || !value->is_number() || !std::isfinite(value->get<double>()))
      return fail(key, "a number"), 0;
    return value->get<double>();
  }
  const Json& list(const char* key) {
    static const Json empty = Json::array();
    const Json* value = find(key);
    if (!value || !value->is_array()) return fail(key, "a list"), empty;
    return *value;
  }
  std::vector<std::string> texts(const char* key) {
    std::vector<std::string> result;
    for (const Json& item : list(key)) {
      if (!item.is_string()) return fail(key, "a list of texts"), result;
      result.push_back(item.get<std::string>());
    }
    return result;
  }
  std::vector<double> numbers(const char* key) {
    std::vector<double> result;
    for (const Json& item : list(key)) {
      if (!item.is_number()) return fail(key, "a list of numbers"), result;
      result.push_back(item.get<double>());
    }
    return result;
  }
  std::vector<std::uint32_t> indices(const char* key) {
    std::vector<std::uint32_t> result;
    for (const Json& item : list(key)) {
      if (!item.is_number_unsigned() || item.get<std::uint64_t>() > std::numeric_limits<std::uint32_t>::max())
        return fail(key, "a list of whole numbers"), result;
      result.push_back(item.get<std::uint32_t>());
    }
    return result;
  }
  // Where a branch leads: a cut, or a negative number for a leaf.
  std::int32_t place(const char* key) {
    constexpr auto kLimit = double(Hypothesis::kMaxLeaves);
    const Json* value = find(key);
    if (!value || !value->is_number_integer() || std::abs(value->get<double>()) > kLimit)
      return fail(key, "the number of a cut, or -1 - that of a leaf"), 0;
    return value->get<std::int32_t>();
  }
  // The threshold of a cut: a float, or null where it always holds.
  float threshold(const char* key) {
    const Json* value = find(key);
    if (value && value->is_null()) return -std::numeric_limits<float>::infinity();
    if (!value || !value->is_number() || !std::isfinite(value->get<float>()))
      return fail(key, "a number or null"), 0.f;
    return value->get<float>();
  }
  void fail(const char* key, const std::string& expected) {
    if (!error_.message.empty()) return;
    const Json* value = *key && object_.is_object() ? find(key) : nullptr;
    error_ = input_error("{}{}{}: found {}, expected {}", place_, *key ? "/" : "", key,
                         value ? excerpt(*value) : (*key ? "nothing" : excerpt(object_)), expected);
  }
  Status status() const { return error_.message.empty() ? Status(Done{}) : Status(error_); }

 private:
  const Json* find(const char* key) const {
    if (!object_.is_object()) return nullptr;
    const auto found = object_.find(key);
    return found == object_.end() ? nullptr : &*found;
  }
  const Json& object_;
  std::string place_;
  Error error_;
};

Result<ModelFamily> parse_family(const Json& object, std::size_t family_idx) {
  Reader reader(object, fmt::format("/families/{}", family_idx));
  ModelFamily family{reader.text("name"), reader.text("heuristic"), reader.text("version"),
                     reader.numbers("values"), reader.count("dim", kMaxDim)};
  MASH_TRY(reader.status());
  return family;
}

// A vote per class: "+-+" or [0.5, 0, 2].
void parse_votes(const Json& text_or_list, std::size_t num_classes, Reader& reader,
                 std::vector<double>& votes) {
  const std::string expected = fmt::format("{} characters + or -, or as many numbers", num_classes);
  if (text_or_list.is_array()) {
    const auto is_finite = [](const Json& n) { return n.is_number() && std::isfinite(n.get<double>()); };
    if (text_or_list.size() != num_classes ||
        !std::all_of(text_or_list.begin(), text_or_list.end(), is_finite))
      return reader.fail("votes", expected);
    for (const Json& vote : text_or_list) votes.push_back(vote.get<double>());
    return;
  }
  const std::string signs = text_or_list.is_string() ? text_or_list.get<std::string>() : "";
  if (signs.size() != num_classes || signs.find_first_not_of("+-") != std::string::npos)
    return reader.fail("votes", expected);
  for (const char sign : signs) votes.push_back(sign == '+' ? 1 : -1);
}

// A tree has a list of vote vectors, every other hypothesis one.
bool is_list_of_votes(const Json& votes) {
  return votes.is_array() && (votes.empty() || !votes.front().is_number());
}

Result<Cut> parse_cut(Reader& reader, const StrongClassifier& model) {
  Cut cut;
  cut.family_idx = reader.count("family", model.families.empty() ? 0 : model.families.size() - 1);
  MASH_TRY(reader.status());
  const std::uint32_t dim = model.families[cut.family_idx].dim;
  cut.feature_idx = reader.count("feature", dim == 0 ? 0 : dim - 1);
  cut.threshold = reader.threshold("threshold");
  MASH_TRY(reader.status());
  return cut;
}

// Every cut but the first and every leaf is led to once, from an earlier cut.
bool is_whole_tree(const std::vector<Branches>& branches) {
  const auto num_cuts = std::int32_t(branches.size());
  std::vector<bool> cut_seen(branches.size()), leaf_seen(branches.size() + 1);
  for (std::int32_t i = 0; i < num_cuts; ++i)
    for (const std::int32_t next : {branches[std::size_t(i)].below, branches[std::size_t(i)].above}) {
      if (next >= num_cuts || next < -1 - num_cuts || (next >= 0 && next <= i)) return false;
      auto&& seen = next >= 0 ? cut_seen[std::size_t(next)] : leaf_seen[std::size_t(-1 - next)];
      if (seen) return false;
      seen = true;
    }
  return true;  // 2 num_cuts different places: as many as there are but the root
}

Result<Hypothesis> parse_hypothesis(const Json& object, std::size_t idx, const StrongClassifier& model) {
  const std::string place = fmt::format("/hypotheses/{}", idx);
  Reader reader(object, place);
  Hypothesis hypothesis;
  hypothesis.alpha = reader.number("alpha");
  const Json& cuts = reader.list("cuts");
  MASH_TRY(reader.status());
  if (cuts.empty() || cuts.size() >= Hypothesis::kMaxLeaves)
    reader.fail("cuts", fmt::format("1 to {} cuts", Hypothesis::kMaxLeaves - 1));
  const bool is_tree = is_list_of_votes(object.value("votes", Json()));
  for (const Json& item : cuts) {
    Reader cut_reader(item, fmt::format("{}/cuts/{}", place, hypothesis.cuts.size()));
    MASH_ASSIGN(const Cut cut, parse_cut(cut_reader, model));
    hypothesis.cuts.push_back(cut);
    if (is_tree) hypothesis.branches.push_back({cut_reader.place("below"), cut_reader.place("above")});
    MASH_TRY(cut_reader.status());
  }
  if (!is_tree) {
    parse_votes(object.value("votes", Json()), model.num_classes(), reader, hypothesis.votes);
  } else {
    if (!is_whole_tree(hypothesis.branches)) reader.fail("cuts", "cuts that make one tree");
    const Json& leaves = reader.list("votes");
    if (leaves.size() != hypothesis.num_cells())
      reader.fail("votes", fmt::format("{} leaves", hypothesis.num_cells()));
    for (const Json& leaf : leaves) parse_votes(leaf, model.num_classes(), reader, hypothesis.votes);
  }
  MASH_TRY(reader.status());
  return hypothesis;
}

// byte: counted from 1, where the parser gave up.
Error not_json(std::string_view text, std::size_t byte) {
  const std::size_t at = std::min(byte > 0 ? byte - 1 : 0, text.size());
  if (at == text.size())
    return input_error("not a JSON document: it ends in the middle, expected a whole model file");
  const std::string_view before = text.substr(0, at);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t column = at - (before.rfind('\n') + 1) + 1;  // npos + 1 is 0
  return input_error("not a JSON document: line {}, column {}: found '{}', expected a model file", line,
                     column, printable(text.substr(at, 20)));
}

Result<Json> parse_json(std::string_view text) {
  if (const std::size_t prefix = utf8_prefix(text); prefix < text.size())
    return input_error("not a JSON document: found the byte {:#04x} at offset {}, expected UTF-8 text",
                       static_cast<unsigned char>(text[prefix]), prefix);
  bool too_deep = false;
  const auto check_depth = [&](int depth, Json::parse_event_t, Json&) {
    too_deep |= depth > kMaxDepth;
    return !too_deep;
  };
  try {
    Json document = Json::parse(text, check_depth);
    if (too_deep) return input_error("found values nested more than {} deep, expected a model", kMaxDepth);
    return document;
  } catch (const Json::parse_error& error) {
    return not_json(text, error.byte);
  } catch (const Json::exception&) {
    return input_error(
        "not a JSON document of ours: found a number that is too large, expected a model file");
  }
}

Result<ImageShape> parse_shape(const Json& document) {
  const auto image = document.find("image");
  if (image == document.end()) return input_error("/image: found nothing, expected an object");
  Reader reader(*image, "/image");
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

// A table's one family is its columns; every other family looks at images.
Status check_families(const StrongClassifier& model) {
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

Json to_json(const ModelCosts& costs) {
  Json families = Json::array();
  for (const ModelFamilyCosts& family : costs.families)
    families.push_back({{"setup", family.setup}, {"features", family.features}, {"costs", family.costs}});
  return {{"unit", costs.unit}, {"families", std::move(families)}};
}

bool is_cost(double cost) { return cost >= 0 && std::isfinite(cost); }

// needed: the features that cuts ask for.
Result<ModelFamilyCosts> parse_family_costs(const Json& object, std::size_t family_idx, std::uint32_t dim,
                                            const std::vector<std::uint32_t>& needed) {
  Reader reader(object, fmt::format("/costs/families/{}", family_idx));
  ModelFamilyCosts costs{reader.number("setup"), reader.indices("features"), reader.numbers("costs")};
  if (!is_cost(costs.setup)) reader.fail("setup", "a number that is 0 or more");
  const bool increase = std::adjacent_find(costs.features.begin(), costs.features.end(),
                                           std::greater_equal()) == costs.features.end();
  if (!increase || (!costs.features.empty() && costs.features.back() >= dim))
    reader.fail("features", fmt::format("numbers below {} that increase", dim));
  if (!std::includes(costs.features.begin(), costs.features.end(), needed.begin(), needed.end()))
    reader.fail("features", "all features that the hypotheses ask for");
  if (costs.costs.size() != costs.features.size() ||
      !std::all_of(costs.costs.begin(), costs.costs.end(), is_cost))
    reader.fail("costs", fmt::format("{} numbers that are 0 or more", costs.features.size()));
  MASH_TRY(reader.status());
  return costs;
}

// Costs of the member "costs"; nothing where there is none.
Result<std::optional<ModelCosts>> parse_costs(const Json& document, const StrongClassifier& model) {
  const auto member = document.find("costs");
  if (member == document.end()) return std::optional<ModelCosts>();
  Reader reader(*member, "/costs");
  ModelCosts costs{reader.text("unit"), {}};
  if (std::find(kUnits.begin(), kUnits.end(), costs.unit) == kUnits.end())
    reader.fail("unit", "\"microseconds\", \"features\" or an empty text");
  const Json& families = reader.list("families");
  if (families.size() != model.families.size())
    reader.fail("families", fmt::format("{}, one for each family", model.families.size()));
  MASH_TRY(reader.status());
  const auto needed = needed_features(model);
  for (std::size_t k = 0; k < needed.size(); ++k) {
    MASH_ASSIGN(auto parsed, parse_family_costs(families[k], k, model.families[k].dim, needed[k]));
    costs.families.push_back(std::move(parsed));
  }
  return std::optional(std::move(costs));
}

Json to_json(const StrongClassifier& model) {
  Json document;
  document["format"] = kFormat;
  document["version"] = kVersion;
  document["classes"] = model.class_names;
  document["image"] = {
      {"width", model.shape.width}, {"height", model.shape.height}, {"channels", model.shape.num_channels}};
  if (model.shape.num_cameras > 1) document["image"]["cameras"] = model.shape.num_cameras;
  for (const auto& mode : kResizeModes)
    if (mode.value == model.shape.resize) document["image"]["resize"] = mode.name;
  document["columns"] = model.column_names;
  document["families"] = Json::array();
  for (const ModelFamily& family : model.families)
    document["families"].push_back({{"name", family.name},
                                    {"heuristic", family.heuristic},
                                    {"version", family.version},
                                    {"values", family.values},
                                    {"dim", family.dim}});
  if (model.costs) document["costs"] = to_json(*model.costs);
  document["hypotheses"] = Json::array();
  for (const Hypothesis& hypothesis : model.hypotheses)
    document["hypotheses"].push_back(to_json(hypothesis, model.num_classes()));
  return document;
}

}  // namespace

std::string serialise(const Model& model) {
  const Json document = model.visit([](const auto& kind) { return to_json(kind); });
  // One family or hypothesis a line: small diffs, and still a file that a person can read.
  std::string text = "{\n";
  for (auto member = document.begin(); member != document.end(); ++member) {
    text += fmt::format("{}: ", Json(member.key()).dump());
    if (member.key() == "families" || member.key() == "hypotheses") {
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
  MASH_ASSIGN(const Json document, parse_json(text));
  Reader reader(document, "");
  const std::string format = reader.text("format");
  const std::uint32_t version = reader.count("version", std::numeric_limits<std::uint32_t>::max());
  MASH_TRY(reader.status());
  if (format != kFormat) return input_error("/format: found '{}', expected '{}'", format, kFormat);
  if (version < kOldestVersion || version > kVersion)
    return input_error("/version: found {}, expected {} to {}", version, kOldestVersion, kVersion);

  StrongClassifier model;
  model.class_names = reader.texts("classes");
  model.column_names = reader.texts("columns");
  MASH_TRY(reader.status());
  if (model.class_names.empty() || model.class_names.size() > kMaxClasses)
    return input_error("/classes: found {} names, expected 1 to {}", model.class_names.size(), kMaxClasses);
  MASH_ASSIGN(model.shape, parse_shape(document));
  for (const Json& family : reader.list("families")) {
    MASH_ASSIGN(auto parsed, parse_family(family, model.families.size()));
    model.families.push_back(std::move(parsed));
  }
  MASH_TRY(check_families(model));
  for (const Json& hypothesis : reader.list("hypotheses")) {
    if (model.families.empty()) return input_error("/families: found none, expected at least one");
    MASH_ASSIGN(auto parsed, parse_hypothesis(hypothesis, model.hypotheses.size(), model));
    model.hypotheses.push_back(std::move(parsed));
  }
  MASH_TRY(reader.status());
  MASH_ASSIGN(model.costs, parse_costs(document, model));
  return Model(std::move(model));
}

}  // namespace mash
