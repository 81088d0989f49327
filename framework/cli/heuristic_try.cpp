// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/heuristic.hpp"
#include "framework/cli/json_output.hpp"
#include "framework/cli/trial_options.hpp"
#include "framework/operations/offers/exhaustive_trial.hpp"
#include "framework/operations/offers/first_answer.hpp"
#include "framework/operations/offers/offer.hpp"

namespace mash {
namespace {

struct TryOptions {
  TrialOptions trial;
  bool exhaustive = false, each_look = false, first_answer = false;
  std::optional<std::uint32_t> rounds, seeds;
  double seconds = 60;
  std::optional<double> precision;
  std::optional<std::string> replace;
  std::string judge = "held-out", columns;

  Result<TrySettings> settings() const {
    MASH_ASSIGN(TrySettings tried, trial.settings());
    tried.columns = columns;
    return tried;
  }
  Result<ExhaustiveTrySettings> exhaustive_settings() const {
    MASH_ASSIGN(TrySettings tried, settings());
    tried.seeds = seeds.value_or(5);
    return ExhaustiveTrySettings{std::move(tried), rounds.value_or(300)};
  }
  Result<OfferTrySettings> offer_settings() const {
    MASH_ASSIGN(TrySettings tried, settings());
    tried.seeds = seeds.value_or(precision ? kSeedsForPrecision : kUsualSeeds);
    return OfferTrySettings{std::move(tried), seconds, judge == "test" ? Judges::kTest : Judges::kHeldOut,
                            replace, precision};
  }
};

template <class Found>
void print_trial(const OutputOptions& output, const Found& found) {
  if (output.json)
    print_json(to_json(found));
  else
    fmt::print("{}", render_text(found));
}

// The document of an offer in one line.
void print_line(const HeuristicOffer& offer, bool has_ended) {
  nlohmann::ordered_json json = to_json(offer);
  json["ended"] = has_ended;
  print_json(json, -1);
  std::fflush(stdout);
}

Status try_one(const TryOptions& options) {
  const OutputOptions& output = options.trial.run.output;
  const CommandWork work(output, options.trial.run.num_threads);
  const auto on_failed = [&](const auto& report) { options.trial.show_failed(report); };
  if (options.exhaustive) {
    MASH_ASSIGN(const ExhaustiveTrySettings settings, options.exhaustive_settings());
    MASH_ASSIGN(const ExhaustiveTrial trial,
                output.result_of(try_exhaustively(settings, work.context(), on_failed)));
    print_trial(output, trial);
    return Done{};
  }
  if (options.first_answer) {
    MASH_ASSIGN(const TrySettings settings, options.settings());
    MASH_ASSIGN(const FirstAnswer answer,
                output.result_of(give_first_answer(settings, work.context(), on_failed)));
    print_trial(output, answer);
    return Done{};
  }
  OfferObserver observer;
  observer.on_first_answer = [&](const FirstAnswer& answer) {
    work.context().remarks.tell(render_text(answer));
  };
  if (options.each_look) observer.on_look = [](const HeuristicOffer& offer) { print_line(offer, false); };
  MASH_ASSIGN(const OfferTrySettings settings, options.offer_settings());
  MASH_ASSIGN(const HeuristicOffer offer,
              output.result_of(offer_heuristic(settings, work.context(), on_failed, observer)));
  if (options.each_look)
    print_line(offer, true);
  else
    print_trial(output, offer);
  return Done{};
}

constexpr const char* kFooter =
    "An offer test trains 60 rounds after a common beginning. In each, the best of 32 features of the\n"
    "heuristic competes with the best of 128 of the pool, which is all other heuristics, or those of\n"
    "--against. The gain is what the rounds that the heuristic wins take off the log-loss on held-out\n"
    "training pictures.\n"
    "Examples:\n  mash heuristic try my-heuristic\n"
    "  mash heuristic try my-heuristic --first-answer\n"
    "  mash heuristic try hog --dataset digits --set dataset.train=2000\n"
    "  mash heuristic try ./mine.so --against demo --seconds 300 --seeds 128\n"
    "  mash heuristic try my-heuristic --precision 0.5 --seconds 600\n"
    "  mash heuristic try my-heuristic --replace hog\n"
    "  mash heuristic try hog --setting cell=7 --setting bins=12 --first-seed 1001\n"
    "  mash heuristic try --columns embeddings.npy --dataset my-pictures\n"
    "Features and trainings are kept: the next version of a heuristic is tried faster.";

void add_columns_option(CLI::App& app, CLI::Option& heuristic, TryOptions& options) {
  app.add_option(
         "--columns", options.columns,
         "In the place of a heuristic: a NumPy file with a row of numbers for each picture of the data "
         "set, in listed order, or with the names of the pictures in FILE.names.txt beside FILE.npy")
      ->type_name("FILE.npy")
      ->excludes(&heuristic)
      ->excludes(app.get_option("--setting"));
}

void add_seed_and_judge_options(CLI::App& app, CLI::Option& exhaustive, TryOptions& options) {
  app.add_option("--first-seed", options.trial.first_seed,
                 "The first seed of the trainings, in place of --seed, which makes generated data and random "
                 "splits too: other seeds on the same data")
      ->type_name("N")
      ->check(within(std::int64_t(0), INT64_MAX));
  constexpr std::string_view kJudges[] = {"held-out", "test"};
  takes_one_of(
      app.add_option("--judge", options.judge,
                     "Which pictures judge: held-out, a part of the training side, or test, the test side, "
                     "as on leaderboards. While variants are still tried, test should not be used")
          ->capture_default_str()
          ->excludes(&exhaustive),
      kJudges);
}

void add_first_answer_option(CLI::App& app, TryOptions& options) {
  CLI::Option* first_answer = app.add_flag(
      "--first-answer", options.first_answer,
      "Stop after a first answer, which comes in seconds: on at most 6000 training pictures, beside the "
      "families of the pool that are computed in 5 seconds. Without this option it is told too, on stderr, "
      "where features are long in coming, and the full test goes on");
  for (const char* other :
       {"--exhaustive", "--each-look", "--replace", "--precision", "--judge", "--seeds", "--seconds"})
    first_answer->excludes(app.get_option(other));
}

}  // namespace

Subcommand add_heuristic_try(CLI::App& parent) {
  const auto options = std::make_shared<TryOptions>();
  CLI::App* app = parent.add_subcommand(
      "try", "Offer a heuristic beside a pool of others: what it adds, where, and what to try next");
  CLI::Option* heuristic = add_heuristic_argument(*app, options->trial.heuristic);
  options->trial.add_to(*app);
  add_columns_option(*app, *heuristic, *options);
  CLI::Option* seconds =
      app->add_option("--seconds", options->seconds,
                      "Stop training after S seconds, but not before the first 4 seeds; the result is that "
                      "of the last complete look. The same command, given again, continues")
          ->type_name("S")
          ->check(within(1, 1'000'000))
          ->capture_default_str();
  app->add_option("--seeds", options->seeds,
                  "Use at most N seeds, at least 4; the gain is computed after 4, 8, 16, 32, 64 and 128 of "
                  "them, each time a look [64; with --precision 128; with --exhaustive 5, at least 2]")
      ->type_name("N")
      ->check(within(1, 1000));
  auto* exhaustive =
      app->add_flag("--exhaustive", options->exhaustive,
                    "Train whole models with and without it instead, and compare their log-loss on the "
                    "held-out pictures; with --against, by all settings of that experiment");
  seconds->excludes(exhaustive);
  app->add_option("--precision", options->precision,
                  "Go on until the gain is known to within P per cent of the log-loss to either side, no "
                  "matter what it is, or the seeds or seconds are used up, and say which")
      ->type_name("P")
      ->check(within(0.001, 1000.0))
      ->excludes(exhaustive);
  app->add_option("--rounds", options->rounds, "Rounds of each of these trainings [300]")
      ->type_name("N")
      ->check(within(1, 10'000'000))
      ->needs(exhaustive);
  app->add_option(
         "--replace", options->replace,
         "Ask too whether it could take the place of this heuristic, or of the nearest one: both are "
         "offered beside the others; --seconds is for each of the two tests")
      ->type_name("HEURISTIC|nearest")
      ->excludes(exhaustive);
  add_seed_and_judge_options(*app, *exhaustive, *options);
  app->add_flag(
         "--each-look", options->each_look,
         "With --json: a document in one line after each look, and one at the end, which has \"ended\": true")
      ->excludes(exhaustive);
  add_first_answer_option(*app, *options);
  app->footer(kFooter);
  return {
      app, [options]() -> Status {
        if (options->each_look && !options->trial.run.output.json)
          return input_error("--each-look: expected --json beside it; looks are told on stderr without it");
        if (options->trial.heuristic.empty() && options->columns.empty())
          return input_error("HEURISTIC is required: expected one to try, or columns by --columns FILE.npy");
        return try_one(*options);
      }};
}

}  // namespace mash
