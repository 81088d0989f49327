// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/json.hpp"

#include <nlohmann/json.hpp>

#include "framework/checks/roots.hpp"

namespace mash {

using namespace checks;

namespace {

using Json = nlohmann::ordered_json;

std::string_view type_name(ParameterInfo::Type type) {
  switch (type) {
    case ParameterInfo::Type::kInteger: return "integer";
    case ParameterInfo::Type::kReal: return "real";
    case ParameterInfo::Type::kChoice: return "choice";
  }
  return "";
}

Json refused_json(std::span<const RefusedPlugin> plugins) {
  Json list = Json::array();
  for (const RefusedPlugin& refused : plugins)
    list.push_back({{"file", refused.file.string()}, {"reason", refused.reason}});
  return list;
}

Json first_look_json(const FirstLook& look) {
  Json json{{"id", look.info.id}, {"version", look.info.version}};
  json["dim"] = look.dim.ok() ? Json(*look.dim) : Json();
  if (!look.dim.ok()) {
    json["dim_error"] = look.dim.error().message;
    return json;
  }
  json["microseconds_per_image"] = look.microseconds_per_image;
  json["faults"] = look.num_faults;
  if (look.num_faults > 0) json["first_fault"] = look.first_fault;
  return json;
}

Json report_json(const CheckReport& report) {
  Json json{{"heuristic", report.heuristic.empty() ? Json() : Json(report.heuristic)},
            {"plugin", report.plugin.string()},
            {"passed", report.passed()},
            {"cause", report.passed() ? Json() : Json(cause_of(report))},
            {"log", report.log},
            {"checks", Json::array()}};
  for (const CheckResult& result : report.results) {
    json["checks"].push_back({{"id", result.check->id},
                              {"level", level_name(result.check->level)},
                              {"result", outcome_name(result.found.outcome)},
                              {"evidence", result.found.evidence},
                              {"advice", advice_of(result)},
                              {"follows_from", result.follows_from ? Json(result.follows_from->id) : Json()},
                              {"seconds", result.seconds}});
    if (!result.found.place.empty()) json["checks"].back()["place"] = result.found.place;
  }
  return json;
}

std::vector<std::size_t> class_counts(const Split& split, std::size_t num_classes) {
  std::vector<std::size_t> counts(num_classes);
  for (const std::uint16_t label : split.labels) ++counts[label];
  return counts;
}

}  // namespace

Json to_json(std::span<const ImagePrediction> predictions) {
  Json list = Json::array();
  for (const ImagePrediction& prediction : predictions)
    list.push_back({{"class", prediction.class_name},
                    {"margin", prediction.margin},
                    {"scores", prediction.scores},
                    {"image", prediction.image}});
  return {{"predictions", list}};
}

Json to_json(const DatasetToPredict& dataset, const DatasetPrediction& prediction) {
  Json json{{"dataset", prediction.dataset},
            {"examples", prediction.classes.size()},
            {"test_error", prediction.test_error}};
  if (!dataset.perturbation.empty()) json["perturbation"] = dataset.perturbation;
  const PredictionSeconds& seconds = prediction.seconds;
  if (seconds.extract) json["extract_seconds"] = *seconds.extract;
  if (seconds.read) json["read_seconds"] = *seconds.read;
  json["seconds"] = seconds.classify;
  json["predictions"] = prediction.classes;
  return json;
}

Json to_json(const ListedHeuristic& heuristic) {
  const HeuristicInfo& info = heuristic.info;
  Json json{{"id", info.id},
            {"version", info.version},
            {"author", info.author},
            {"summary", info.summary},
            {"license", info.license},
            {"looks_back", info.looks_back},
            {"plugin", info.plugin.string()},
            {"sha256", info.plugin_sha256}};
  json["dim"] = heuristic.dim.ok() ? Json(*heuristic.dim) : Json();
  if (!heuristic.dim.ok()) json["dim_error"] = heuristic.dim.error().message;
  json["parameters"] = Json::array();
  for (const ParameterInfo& parameter : info.parameters) {
    Json one{{"id", parameter.id}, {"summary", parameter.summary}, {"type", type_name(parameter.type)}};
    if (parameter.type == ParameterInfo::Type::kChoice) {
      one["default"] = parameter.choices[std::size_t(parameter.default_value)];
      one["choices"] = parameter.choices;
    } else {
      one["default"] = parameter.default_value;
      one["minimum"] = parameter.minimum;
      one["maximum"] = parameter.maximum;
    }
    json["parameters"].push_back(std::move(one));
  }
  return json;
}

Json to_json(const HeuristicList& list) {
  Json json{{"view", {list.view.width, list.view.height}}, {"heuristics", Json::array()}};
  for (const ListedHeuristic& heuristic : list.heuristics) json["heuristics"].push_back(to_json(heuristic));
  json["refused"] = refused_json(list.refused);
  return json;
}

Json to_json(const BuildResult& build) {
  Json json{{"view", {kFirstView.width, kFirstView.height}}, {"plugins", Json::array()}};
  for (const BuiltPlugin& plugin : build.plugins) {
    Json heuristics = Json::array();
    for (const FirstLook& look : plugin.heuristics) heuristics.push_back(first_look_json(look));
    json["plugins"].push_back({{"file", plugin.file.string()}, {"heuristics", std::move(heuristics)}});
  }
  json["messages"] = Json::array();
  for (const CompilerMessage& message : build.messages)
    json["messages"].push_back({{"file", message.file},
                                {"line", message.line},
                                {"column", message.column},
                                {"kind", message.kind},
                                {"text", message.text}});
  json["tested"] = build.tested;
  json["seconds"] = build.seconds;
  return json;
}

Json to_json(const NewProject& project) {
  Json json{{"id", project.id},
            {"from", project.kind},
            {"author", project.author},
            {"folder", project.folder.string()},
            {"files", Json::array()}};
  for (const std::filesystem::path& file : project.files) json["files"].push_back(file.string());
  return json;
}

Json to_json(std::span<const CheckReport> reports) {
  if (reports.size() == 1) return report_json(reports[0]);
  Json json{{"passed", true}, {"heuristics", Json::array()}};
  for (const CheckReport& report : reports) {
    json["passed"] = json["passed"].get<bool>() && report.passed();
    json["heuristics"].push_back(report_json(report));
  }
  return json;
}

Json to_json(std::span<const Check* const> checks) {
  Json list = Json::array();
  for (const Check* check : checks)
    list.push_back({{"id", check->id},
                    {"level", level_name(check->level)},
                    {"worst", outcome_name(check->worst)},
                    {"what", check->what},
                    {"advice", check->advice}});
  return {{"checks", list}};
}

Json to_json(const Dataset& dataset) {
  Json json{{"name", dataset.name},
            {"fingerprint", dataset.fingerprint},
            {"train", dataset.train.num_examples},
            {"endless", dataset.train.is_endless()},
            {"test", dataset.test.num_examples},
            {"width", dataset.shape.width},
            {"height", dataset.shape.height},
            {"channels", dataset.shape.num_channels},
            {"cameras", dataset.shape.num_cameras},
            {"sequences", num_sequences(dataset)},
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

Json to_json(std::span<const DatasetFormat> formats) {
  Json list = Json::array();
  for (const DatasetFormat& format : formats)
    list.push_back({{"name", format.name}, {"summary", format.summary}, {"keys", format.keys}});
  return {{"datasets", list}};
}

Json to_json(const SystemReport& report) {
  const MachineInfo& machine = report.machine;
  Json json{{"version", MASH_VERSION},    {"cpu", machine.cpu},
            {"cores", machine.num_cores}, {"memory_bytes", machine.memory_bytes},
            {"os", machine.os},           {"scan_instruction_set", machine.instruction_set}};
  json["instruction_sets"] = report.instruction_sets;
  json["database"] = report.database.string();
  json["store"] = report.store.string();
  json["store_free_bytes"] = report.store_free_bytes;
  json["data"] = report.data ? Json(*report.data) : Json();
  json["heuristic_folders"] = Json::array();
  for (const auto& folder : report.heuristic_folders) json["heuristic_folders"].push_back(folder.string());
  json["heuristics"] = report.num_heuristics;
  json["refused_plugins"] = refused_json(report.refused);
  json["sdk"] = report.sdk ? Json(report.sdk->string()) : Json();
  json["box"] = Json::array();
  for (const BoxLayer& layer : report.box)
    json["box"].push_back({{"layer", layer.name},
                           {"needed", layer.is_needed},
                           {"active", layer.is_active},
                           {"finding", layer.finding}});
  // What holds where neither the experiment nor --isolation says anything.
  json["isolation"] = "none for the heuristics that come with mash, process for all others";
  return json;
}

}  // namespace mash
