// SPDX-License-Identifier: Apache-2.0
#include "classifiers/model/sum_json.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "classifiers/model/json_reader.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 3> kUnits{"", "microseconds", "features"};  // of costs

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

// A vote per class: "+-+" or [0.5, 0, 2].
void parse_votes(const Json& text_or_list, std::size_t num_classes, JsonReader& reader,
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

Result<Cut> parse_cut(JsonReader& reader, const StrongClassifier& model) {
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
  JsonReader reader(object, place);
  Hypothesis hypothesis;
  hypothesis.alpha = reader.number("alpha");
  const Json& cuts = reader.list("cuts");
  MASH_TRY(reader.status());
  if (cuts.empty() || cuts.size() >= Hypothesis::kMaxLeaves)
    reader.fail("cuts", fmt::format("1 to {} cuts", Hypothesis::kMaxLeaves - 1));
  const bool is_tree = is_list_of_votes(object.value("votes", Json()));
  for (const Json& item : cuts) {
    JsonReader cut_reader(item, fmt::format("{}/cuts/{}", place, hypothesis.cuts.size()));
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
  JsonReader reader(object, fmt::format("/costs/families/{}", family_idx));
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
  JsonReader reader(*member, "/costs");
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

}  // namespace

void put_keys(const StrongClassifier& model, Json& document) {
  if (model.costs) document["costs"] = to_json(*model.costs);
  document["hypotheses"] = Json::array();
  for (const Hypothesis& hypothesis : model.hypotheses)
    document["hypotheses"].push_back(to_json(hypothesis, model.num_classes()));
}

Result<StrongClassifier> parse_sum(const Json& document, ModelHead head) {
  StrongClassifier model{std::move(head), {}, {}};
  JsonReader reader(document, "");
  for (const Json& hypothesis : reader.list("hypotheses")) {
    if (model.families.empty()) return input_error("/families: found none, expected at least one");
    MASH_ASSIGN(auto parsed, parse_hypothesis(hypothesis, model.hypotheses.size(), model));
    model.hypotheses.push_back(std::move(parsed));
  }
  MASH_TRY(reader.status());
  if (const double bound = score_bound(model); !(bound <= kLargestScore))
    return input_error(
        "/hypotheses: found weights (alpha) and votes with which scores reach {:g}, expected at most {:g}",
        bound, kLargestScore);
  MASH_ASSIGN(model.costs, parse_costs(document, model));
  return model;
}

}  // namespace mash
