// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "framework/cli/heuristic.hpp"
#include "framework/cli/heuristic_compile.hpp"
#include "framework/cli/json_output.hpp"
#include "framework/dataset/generators/digits.hpp"
#include "framework/families/image_planes.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

constexpr mash_size_t kTrialSize = {28, 28};
constexpr std::size_t kNumTrialImages = 20;
constexpr double kTrialSeconds = 0.5;  // a slow heuristic is shown fewer

struct BuildOptions {
  OutputOptions output;
  std::string place = ".", out;
  bool test = false;
};

// What a heuristic did with a few rendered digits.
struct Trial {
  HeuristicInfo info;
  Result<std::uint32_t> dim = 0;
  double microseconds_per_image = 0;
  std::uint64_t num_faults = 0;
  std::string first_fault;
};

// With its default settings. Errors: it cannot be opened, or gives no features for a view that it accepts.
Result<Trial> try_on_digits(const HeuristicInfo& info, HeuristicHost& host) {
  Trial trial;
  trial.info = info;
  MASH_ASSIGN(const auto values, parameter_values(info, {}));
  MASH_ASSIGN(const auto instance, host.open(info, values));
  trial.dim = instance->dim(kTrialSize);
  if (!trial.dim.ok()) return trial;
  DigitsSettings digits;
  digits.shape = {kTrialSize.width, kTrialSize.height, 1};
  ImagePlanes planes(digits.shape);
  std::vector<std::uint8_t> pixels(digits.shape.num_bytes());
  std::vector<float> features(*trial.dim);
  double seconds = 0;
  std::size_t num_images = 0;
  for (; num_images < kNumTrialImages && seconds < kTrialSeconds; ++num_images) {
    render_digit(digits, DigitsSide::kTrain, 1, num_images, pixels);
    const mash_image_t& image = planes.show(pixels);
    const SecondsScope scope(seconds);
    if (const Status status = instance->extract(image, planes.view(), {}, features); !status.ok())
      return failure("heuristic '{}': {}", info.id, status.error().message);
  }
  trial.microseconds_per_image = seconds * 1e6 / double(num_images);
  trial.num_faults = instance->num_faults();
  if (!instance->first_faults().empty()) trial.first_fault = instance->first_faults()[0].message;
  return trial;
}

// All heuristics of a plugin, loaded as any plugin is. Errors (kFailure): the plugin is refused.
Result<std::vector<Trial>> try_plugin(const std::filesystem::path& plugin) {
  Catalogue catalogue = Catalogue::scan({});
  if (const Status status = catalogue.add(plugin); !status.ok())
    return failure("refused: {}", status.error().message);
  std::vector<Trial> trials;
  for (const HeuristicInfo& info : catalogue.heuristics()) {
    MASH_ASSIGN(Trial trial, try_on_digits(info, catalogue.host()));
    trials.push_back(std::move(trial));
  }
  return trials;
}

Json to_json(const Trial& trial) {
  Json json{{"id", trial.info.id}, {"version", trial.info.version}};
  json["dim"] = trial.dim.ok() ? Json(*trial.dim) : Json();
  if (!trial.dim.ok()) {
    json["dim_error"] = trial.dim.error().message;
    return json;
  }
  json["microseconds_per_image"] = trial.microseconds_per_image;
  json["faults"] = trial.num_faults;
  if (trial.num_faults > 0) json["first_fault"] = trial.first_fault;
  return json;
}

Status build(const BuildOptions& options) {
  MASH_ASSIGN(const HeuristicSource source, find_heuristic_source(options.place));
  if (!options.out.empty()) MASH_TRY(check_output_file("--out", options.out));
  const Stopwatch watch;
  MASH_ASSIGN(const CompiledHeuristic compiled, compile_heuristic(source, options.out, options.test));
  const double seconds = watch.seconds();
  if (!options.output.quiet) fmt::print(stderr, "{}", compiled.warnings);

  Json json{{"view", {kTrialSize.width, kTrialSize.height}}, {"plugins", Json::array()}};
  std::string text;
  for (const std::filesystem::path& plugin : compiled.plugins) {
    MASH_ASSIGN(const std::vector<Trial> trials, try_plugin(plugin));
    json["plugins"].push_back({{"file", plugin.string()}, {"heuristics", Json::array()}});
    for (const Trial& trial : trials) {
      json["plugins"].back()["heuristics"].push_back(to_json(trial));
      text += describe_trial(json["plugins"].back()["heuristics"].back()) + "\n";
    }
    text += fmt::format("{}\n", plugin.string());
  }
  json["tested"] = options.test;
  json["seconds"] = seconds;
  if (options.output.json) {
    print_json(json);
    return Done{};
  }
  fmt::print("{}", text);
  if (!options.output.quiet) fmt::print("built {}in {:.1f} s\n", options.test ? "and tested " : "", seconds);
  return Done{};
}

}  // namespace

std::string describe_trial(const nlohmann::ordered_json& trial) {
  const std::string name =
      fmt::format("{} {}", trial["id"].get<std::string>(), trial["version"].get<std::string>());
  const std::string size = fmt::format("{}x{} pixels", kTrialSize.width, kTrialSize.height);
  if (trial["dim"].is_null())
    return fmt::format("{}: none on {}: {}", name, size, trial["dim_error"].get<std::string>());
  std::string text =
      fmt::format("{}: {} features on {}, {:.3g} µs per image", name, trial["dim"].get<std::uint32_t>(), size,
                  trial["microseconds_per_image"].get<double>());
  if (trial.contains("first_fault"))
    text += fmt::format("; {} values are not finite: {}", trial["faults"].get<std::uint64_t>(),
                        trial["first_fault"].get<std::string>());
  return text;
}

Subcommand add_heuristic_build(CLI::App& parent) {
  const auto options = std::make_shared<BuildOptions>();
  CLI::App* app = parent.add_subcommand("build", "Compile a heuristic, load it, and show it a few digits");
  app->add_option("PLACE", options->place,
                  "A folder with a CMakeLists.txt, which is built in its folder build; or a C++ source")
      ->type_name("DIR|FILE.cpp")
      ->capture_default_str();
  app->add_option("--out", options->out, "Put the plugin here [beside the source; with CMake, in DIR/build]")
      ->type_name("FILE.so");
  app->add_flag("--test", options->test, "Also run the project's tests, or FILE_test.cpp beside FILE.cpp");
  options->output.add_to(*app);
  app->footer(
      "Examples:\n  mash heuristic build my-edges --test\n  mash heuristic build edges.cpp --out "
      "plugins/edges.so\n"
      "A source is compiled by $CXX (or c++) with $CXXFLAGS and $LDFLAGS. The SDK is looked for where the\n"
      "program is installed, or in $MASH_SDK.");
  return {app, [options] { return build(*options); }};
}

}  // namespace mash
