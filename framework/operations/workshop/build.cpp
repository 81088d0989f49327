// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/workshop/build.hpp"

#include <nlohmann/json.hpp>

#include "framework/dataset/generators/digits.hpp"
#include "framework/extractors/catalogue.hpp"
#include "framework/families/image_planes.hpp"
#include "framework/operations/common/places.hpp"
#include "framework/operations/common/plugins.hpp"
#include "framework/operations/workshop/boxed_compile.hpp"
#include "framework/operations/workshop/compile.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

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

constexpr std::size_t kNumImages = 20;
constexpr double kMaxSeconds = 0.5;  // a slow heuristic is shown fewer

// Errors: it cannot be opened, or gives no features for a view that it does not refuse; kStopped.
Result<FirstLook> look_at(const HeuristicInfo& info, HeuristicHost& host, const StopFlag& stop) {
  FirstLook look;
  look.info = info;
  MASH_ASSIGN(const auto values, parameter_values(info, {}));
  auto opened = host.open(info, values);
  look.dim = opened.ok() ? (*opened)->dim(kFirstView) : opened.error();
  if (!look.dim.ok()) {
    if (is_refusal(look.dim.error())) return look;
    return failure("{}", look.dim.error().message);
  }
  HeuristicInstance& instance = **opened;
  instance.heed(stop);
  DigitsSettings digits;
  digits.shape = {kFirstView.width, kFirstView.height, 1};
  ImagePlanes planes(digits.shape);
  std::vector<std::uint8_t> pixels(digits.shape.num_bytes());
  std::vector<float> features(*look.dim);
  const Stopwatch watch;
  double seconds = 0;
  std::size_t num_images = 0;
  for (; num_images < kNumImages && watch.seconds() < kMaxSeconds; ++num_images) {
    if (stop.raised()) return Error{ErrorKind::kStopped, "stopped"};
    render_digit(digits, DigitsSide::kTrain, 1, num_images, pixels);
    const mash_image_t& image = planes.show(pixels);
    const CostWatch cost(instance);
    if (const Status status = instance.extract(image, planes.view(), {}, features); !status.ok())
      return status.error().kind == ErrorKind::kStopped ? status.error()
                                                        : failure("{}", status.error().message);
    seconds += cost.seconds();
  }
  look.microseconds_per_image = seconds * 1e6 / double(num_images);
  look.num_faults = instance.num_faults();
  if (!instance.first_faults().empty()) look.first_fault = instance.first_faults()[0].message;
  return look;
}

// All heuristics of a plugin, loaded as any plugin is. Errors: the plugin is refused (kFailure); kStopped.
Result<BuiltPlugin> look_at_plugin(const std::filesystem::path& file, Isolation isolation,
                                   const WorkContext& work) {
  Catalogue catalogue(access_to_plugins(PluginPlaces{{}, isolation}, work));
  const Status added = catalogue.add(file);
  if (work.stop.raised()) return stopped_by_user();
  if (!added.ok()) return failure("refused: {}", added.error().message);
  BuiltPlugin plugin{file, {}};
  for (const HeuristicInfo& info : catalogue.heuristics()) {
    MASH_ASSIGN(FirstLook look, look_at(info, catalogue.host(), work.stop));
    plugin.heuristics.push_back(std::move(look));
  }
  return plugin;
}

// Gives the plugins.
Result<std::vector<std::filesystem::path>> compile_place(const BuildSettings& settings,
                                                         const WorkContext& work, BuildResult& result) {
  MASH_ASSIGN(const HeuristicSource source, find_heuristic_source(settings.place));
  if (!settings.out.empty()) MASH_TRY(check_output_file("out", settings.out));
  const SecondsScope scope(result.seconds);
  if (!settings.box) {
    auto compiled = compile_heuristic(source, settings.out, settings.test, work.stop);
    result.diagnostics = std::move(compiled.diagnostics);
    return std::move(compiled.result);
  }
  if (settings.test)
    return input_error("{}: its tests are not run: a box is for its heuristics, not for programs of its own",
                       source.place.string());
  BoxedCompilation compiled =
      compile_in_box(source, settings.out, {.source_bytes = settings.source_bytes}, work.stop);
  result.diagnostics = to_text(compiled.messages);
  result.messages = std::move(compiled.messages);
  MASH_TRY(compiled.status);
  return std::vector{std::move(compiled.plugin)};
}

Status build(const BuildSettings& settings, const WorkContext& work, BuildResult& result) {
  MASH_ASSIGN(const auto files, compile_place(settings, work, result));
  const Isolation isolation = settings.box ? Isolation::kBox : Isolation::kByOrigin;
  for (const std::filesystem::path& file : files) {
    MASH_ASSIGN(BuiltPlugin plugin, look_at_plugin(file, isolation, work));
    result.plugins.push_back(std::move(plugin));
  }
  return Done{};
}

}  // namespace

BuildResult build_heuristic(const BuildSettings& settings, const WorkContext& work) {
  BuildResult result;
  result.tested = settings.test;
  result.status = build(settings, work, result);
  return result;
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

}  // namespace mash
