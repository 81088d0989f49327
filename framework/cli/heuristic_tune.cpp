// SPDX-License-Identifier: Apache-2.0
#include "framework/base/file.hpp"
#include "framework/cli/heuristic.hpp"
#include "framework/cli/json_output.hpp"
#include "framework/cli/trial_options.hpp"
#include "framework/operations/common/places.hpp"
#include "framework/operations/experiment/heuristic_settings.hpp"
#include "framework/operations/offers/tune.hpp"

namespace mash {
namespace {

struct TuneOptions {
  TrialOptions trial;  // its --setting may have several values
  std::uint32_t seeds = std::uint32_t(kRaceLooks.back());
  double seconds = 300;
  std::string html;

  Result<TuneSettings> settings() const {
    MASH_ASSIGN(std::vector<Settings> variants, parse_variants({trial.own, "--setting"}));
    TrialOptions without = trial;
    without.own.clear();
    MASH_ASSIGN(TrySettings tried, without.settings());
    tried.seeds = seeds;
    return TuneSettings{std::move(tried), std::move(variants), seconds};
  }
};

Status tune(const TuneOptions& options) {
  const OutputOptions& output = options.trial.run.output;
  MASH_ASSIGN(const TuneSettings settings, options.settings());
  if (!options.html.empty()) MASH_TRY(check_output_file("--html", options.html));
  const CommandWork work(output, options.trial.run.num_threads);
  const auto on_failed = [&](const auto& report) { options.trial.show_failed(report); };
  MASH_ASSIGN(const HeuristicTuning tuning,
              output.result_of(tune_heuristic(settings, work.context(), on_failed)));
  if (!options.html.empty())
    MASH_TRY(write_output(options.html, tuning_page(tuning, MASH_VERSION).html.markup));
  if (output.json) {
    nlohmann::ordered_json json = to_json(tuning);
    json["html"] = options.html.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(options.html);
    print_json(json);
    return Done{};
  }
  fmt::print("{}", render_text(tuning));
  if (!options.html.empty() && !output.quiet) fmt::print("\nThe page: {}\n", options.html);
  return Done{};
}

constexpr const char* kTuneFooter =
    "All combinations of the values are variants, 100 at most. Each is offered beside the pool, as\n"
    "mash heuristic try does; after 8 seeds the worse half is out, and after 16 the worse half of the rest.\n"
    "The variants are compared on one half of the held-out pictures; the gain of the best is measured on\n"
    "the other half, with seeds that did not choose it. Without --setting of a parameter it keeps its "
    "default.\n"
    "Examples:\n"
    "  mash heuristic tune hog --setting cell=4,7,8 --setting bins=6..9\n"
    "  mash heuristic tune ./mine.so --setting levels=2,4,8,16 --against demo --seconds 600 --html "
    "mine.html\n"
    "Features and trainings are kept: the same command, given again, continues.";

}  // namespace

Subcommand add_heuristic_tune(CLI::App& parent) {
  const auto options = std::make_shared<TuneOptions>();
  CLI::App* app =
      parent.add_subcommand("tune", "Compare settings of a heuristic, and measure what the best ones gain");
  add_heuristic_argument(*app, options->trial.heuristic)->required();
  options->trial.add_to(*app);
  app->get_option("--setting")
      ->description(
          "Values of a setting to compare, such as levels=2,4,8 or grid=2..4 (may be repeated); mash "
          "heuristic "
          "show lists the settings")
      ->type_name("NAME=VALUES");
  app->add_option(
         "--seconds", options->seconds,
         "Stop offering after S seconds, about two thirds of them for the comparison, but not before "
         "the first 4 seeds; what was left out is said")
      ->type_name("S")
      ->check(within(1, 1'000'000))
      ->capture_default_str();
  app->add_option(
         "--seeds", options->seeds,
         "Compare by at most N seeds, at least 4; they are looked at after 4, 8, 16 and 32 of them. The "
         "best is measured by as many others, at most 16")
      ->type_name("N")
      ->check(within(1, 1000))
      ->capture_default_str();
  app->add_option("--html", options->html, "Write a page too, with gains against costs")->type_name("FILE");
  app->footer(kTuneFooter);
  return {app, [options] { return tune(*options); }};
}

}  // namespace mash
