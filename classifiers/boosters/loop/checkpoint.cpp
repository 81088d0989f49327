// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/loop/checkpoint.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "classifiers/model/model_file.hpp"
#include "framework/base/state_file.hpp"

namespace mash {

using Json = nlohmann::json;

namespace {

constexpr int kVersion = 9;

Json to_binary(std::span<const double> numbers) {
  const auto bytes = std::as_bytes(numbers);
  const auto* first = reinterpret_cast<const std::uint8_t*>(bytes.data());
  return Json::binary(std::vector<std::uint8_t>(first, first + bytes.size()));
}

std::vector<double> from_binary(const Json& json) {
  const auto& bytes = json.get_binary();
  std::vector<double> numbers(bytes.size() / sizeof(double));
  std::copy(bytes.begin(), bytes.end(), reinterpret_cast<std::uint8_t*>(numbers.data()));
  return numbers;
}

Json to_json(const std::vector<Cut>& cuts) {
  Json json = Json::array();
  for (const Cut& cut : cuts) json.push_back({cut.family_idx, cut.feature_idx, cut.threshold});
  return json;
}

std::vector<Cut> cuts_from(const Json& json) {
  std::vector<Cut> cuts;
  for (const Json& cut : json) cuts.push_back({cut.at(0), cut.at(1), cut.at(2)});
  return cuts;
}

Json to_json(const RunState& state) {
  const TrainingResult& result = state.result;
  Json json{{"round", result.num_rounds},
            {"status", result.status},
            {"model", serialise(state.model)},
            {"loss", state.train_loss_log10},
            {"idle", state.num_idle},
            {"meters", {result.meters.fe, result.meters.ops, result.meters.ue, result.meters.once}},
            {"seconds", result.meters.seconds},
            {"phases", Json::array()},
            {"curve", Json::array()},
            {"families", Json::array()},
            {"events", Json::array()},
            {"looks", Json::array()},
            {"training", to_binary(state.training)},
            {"log", to_binary(state.log.numbers())},
            {"log_counts",
             Json::binary(std::vector<std::uint8_t>(state.log.counts().begin(), state.log.counts().end()))}};
  for (const Phase& phase : kPhases) json["phases"].push_back(result.meters.phases.*phase.seconds);
  for (const CurvePoint& p : result.curve)
    json["curve"].push_back({p.round, p.train_loss_log10, p.train_error, p.test_error, p.cost, p.seconds});
  for (const FamilyUse& use : result.families)
    json["families"].push_back({use.chosen, use.alpha_sum, use.loss_removed});
  for (const RoundEvent& e : state.events)
    json["events"].push_back(
        {e.round, to_json(e.cuts), e.edge, e.alpha, e.train_loss_log10, e.cost, e.seconds});
  for (const FamilyLooks& look : state.looks) json["looks"].push_back({look.offered, look.evaluated});
  return json;
}

void from_json(const Json& json, RunState& state) {
  TrainingResult& result = state.result;
  result.num_rounds = json.at("round");
  result.status = json.at("status");
  state.train_loss_log10 = json.at("loss");
  state.num_idle = json.at("idle");
  const Json& meters = json.at("meters");
  result.meters = {meters.at(0), meters.at(1), meters.at(2), meters.at(3), json.at("seconds"), {}};
  for (std::size_t i = 0; i < kPhases.size(); ++i)
    result.meters.phases.*kPhases[i].seconds = json.at("phases").at(i);
  result.curve.clear();
  for (const Json& p : json.at("curve"))
    result.curve.push_back({p.at(0), p.at(1), p.at(2), p.at(3), p.at(4), p.at(5)});
  result.families.clear();
  for (const Json& use : json.at("families"))
    result.families.push_back({0, 0, use.at(0), use.at(1), use.at(2)});
  state.events.clear();
  for (const Json& e : json.at("events"))
    state.events.push_back({e.at(0), cuts_from(e.at(1)), e.at(2), e.at(3), e.at(4), e.at(5), e.at(6)});
  state.looks.clear();
  state.training = from_binary(json.at("training"));
  for (const Json& look : json.at("looks")) state.looks.push_back({look.at(0), look.at(1)});
  state.log =
      RoundLog(state.result.families.size(), from_binary(json.at("log")), json.at("log_counts").get_binary());
}

}  // namespace

Status save_checkpoint(const std::filesystem::path& path, std::string_view run_key, const RunState& state,
                       std::span<const double> weights) {
  Json json = to_json(state);
  json["version"] = kVersion;
  json["run"] = run_key;
  std::string document;
  Json::to_cbor(json, document);
  return save_state(path, std::move(document), weights);
}

bool load_checkpoint(const std::filesystem::path& path, std::string_view run_key, RunState& state,
                     std::span<double> weights) {
  const auto saved = load_state(path);
  if (!saved || saved->numbers.size() != weights.size()) return false;
  const Json json = Json::from_cbor(saved->document);
  if (json.at("version") != kVersion || json.at("run") != run_key) return false;
  const auto model = parse_model(json.at("model").get<std::string>());
  if (!model.ok() || !model->is_sum()) return false;
  from_json(json, state);
  state.model = model->sum();
  std::copy(saved->numbers.begin(), saved->numbers.end(), weights.begin());
  return true;
}

}  // namespace mash
