// SPDX-License-Identifier: Apache-2.0
#include "framework/base/file.hpp"
#include "framework/cli/json_output.hpp"
#include "framework/cli/options.hpp"
#include "framework/operations/common/places.hpp"
#include "framework/operations/prediction/budget_curve.hpp"
#include "framework/operations/prediction/budget_model.hpp"
#include "framework/operations/prediction/measure_costs.hpp"
#include "framework/render/wording.hpp"

namespace mash {
namespace {

struct BudgetOptions {
  OutputOptions output;
  std::string path;  // --output
  PluginPlaces plugins;
  ChangedHeuristics changed;
  // costs
  std::string experiment;
  std::vector<std::string> settings;
  double seconds = 10;
  // model and curve
  std::string model, costs;
  HypothesisOrder order = HypothesisOrder::kWorth;
  std::size_t num_examples = 1000;
  int num_threads = 0;
  std::string dataset, svg;
  DatasetOptions dataset_options;
  std::vector<double> budgets;
};

constexpr const char* kCosts =
    "What features cost: the file that mash budget costs writes, or one of your own; without it the costs "
    "in the model; if it has none, each feature costs 1";

void add_output_file(CLI::App& command, BudgetOptions& options) {
  command.add_option("--output,-o", options.path, "The file to write")->type_name("FILE")->required();
}

Table measured_table(const MeasuredCosts& costs) {
  Table table{"",
              {{"family", "family"},
               {"dim", "features", Format::kCount},
               {"setup", "set-up", Format::kDecimal},
               {"feature", "each feature", Format::kDecimal}},
              {},
              ""};
  for (const TimedFamily& family : costs.families)
    table.rows.push_back(
        {family.name, std::int64_t(family.timing.dim), family.timing.setup, family.timing.feature});
  return table;
}

Status costs(const BudgetOptions& options) {
  MASH_TRY(check_file_in_folder("--output", options.path));
  const CommandWork work(options.output);
  MASH_ASSIGN(const Experiment experiment,
              read_experiment(options.experiment, Overrides{options.settings, "--set"}));
  PluginPlaces plugins = options.plugins;
  if (plugins.isolation == Isolation::kByOrigin) plugins.isolation = experiment.isolation;
  if (plugins.patience == 1) plugins.patience = experiment.patience;
  MASH_ASSIGN(const MeasuredCosts measured,
              measure_costs(experiment, plugins, options.seconds, work.context()));
  MASH_TRY(write_output(options.path, costs_table(measured)));
  if (options.output.json) {
    auto json = to_json(measured);
    json["output"] = options.path;
    print_json(json);
    return Done{};
  }
  fmt::print("{}\nMicroseconds of one thread, on images of {}; written to {}\n",
             render_text(measured_table(measured)), measured.dataset, options.path);
  return Done{};
}

Status budget_model_command(const BudgetOptions& options) {
  MASH_TRY(check_file_in_folder("--output", options.path));
  BudgetModelSettings settings{options.model, options.costs, options.order};
  const bool by_decisions = options.order == HypothesisOrder::kDecisions;
  if (by_decisions && options.dataset.empty())
    return input_error("--order decisions: expected --dataset, whose training examples it looks at");
  if (!by_decisions && !options.dataset.empty())
    return input_error("--dataset: has no effect without --order decisions");
  settings.dataset.name = options.dataset;
  MASH_ASSIGN(settings.dataset.settings, options.dataset_options.read());
  settings.dataset.seed = options.dataset_options.seed;
  settings.num_examples = options.num_examples;
  settings.plugins = options.plugins;
  settings.changed = options.changed;
  const CommandWork work(options.output, options.num_threads);
  MASH_ASSIGN(const BudgetModel made, budget_model(settings, work.context()));
  MASH_TRY(write_output(options.path, made.file));
  if (options.output.json) {
    auto json = to_json(made);
    json["output"] = options.path;
    print_json(json);
    return Done{};
  }
  fmt::print("{}: {}, at most {:.4g}{}{} for an example\n", options.path,
             counted(made.num_hypotheses, "hypothesis", "hypotheses"), made.price,
             made.unit.empty() ? "" : " ", made.unit);
  return Done{};
}

Status curve(const BudgetOptions& options) {
  if (!options.svg.empty()) MASH_TRY(check_output_file("--svg", options.svg));
  MASH_ASSIGN(const Settings settings, options.dataset_options.read());
  const CommandWork work(options.output);
  const DatasetToPredict dataset{options.dataset, settings, options.dataset_options.seed, {}, ""};
  MASH_ASSIGN(const BudgetCurve found, budget_curve({options.model, options.plugins, options.changed},
                                                    dataset, options.costs, options.budgets, work.context()));
  if (!options.svg.empty()) MASH_TRY(write_output(options.svg, budget_curve_svg(found)));
  if (options.output.json)
    print_json(to_json(found));
  else
    fmt::print("{}", render_text(table_of(found)));
  return Done{};
}

Subcommand add_budget_costs(CLI::App& parent) {
  const auto options = std::make_shared<BudgetOptions>();
  CLI::App* app = parent.add_subcommand(
      "costs", "Measure what the features of an experiment's heuristics cost on its images, in microseconds");
  add_experiment_argument(*app, options->experiment);
  add_output_file(*app, *options);
  add_experiment_settings(*app, options->settings);
  app->add_option("--seconds", options->seconds, "How long to measure, all heuristics together")
      ->check(within(0.01, 3600.0))
      ->type_name("SECONDS")
      ->capture_default_str();
  options->output.add_to(*app);
  add_plugin_options(*app, options->plugins);
  app->footer(
      "Examples:\n"
      "  mash budget costs demo -o costs.csv\n"
      "  mash run demo --set booster.name=budgeted --set booster.costs=costs.csv --set booster.budget=100\n"
      "Measure on an idle machine. One thread is shown one image after the other, and computes some "
      "features\n"
      "of each heuristic one at a time, as prediction within a budget does.");
  return {app, [options] { return costs(*options); }};
}

void add_order_options(CLI::App& app, BudgetOptions& options) {
  constexpr std::string_view kOrders[] = {"worth", "decisions", "kept"};
  takes_one_of(app.add_option_function<std::string>(
                      "--order",
                      [&options](const std::string& name) {
                        options.order = name == "kept"        ? HypothesisOrder::kKept
                                        : name == "decisions" ? HypothesisOrder::kDecisions
                                                              : HypothesisOrder::kWorth;
                      },
                      "In which order hypotheses are evaluated: by how much each can change the scores for "
                      "its cost (worth), by how many training examples of --dataset become certain through "
                      "each, divided by its cost "
                      "(decisions), or as they are (kept)")
                   ->default_str("worth"),
               kOrders);
  CLI::Option* dataset =
      app.add_option("--dataset", options.dataset,
                     "For --order decisions: look at the training side of this data set, best the one that "
                     "the model was trained on")
          ->type_name("DATASET");
  options.dataset_options.add_to(app);
  app.add_option("--examples", options.num_examples, "How many of its examples to look at, at most")
      ->check(within(std::size_t(1), std::size_t(1'000'000)))
      ->type_name("N")
      ->capture_default_str();
  for (const char* option : {"--set", "--seed", "--examples"}) app.get_option(option)->needs(dataset);
  add_threads_option(app, options.num_threads);
}

Subcommand add_budget_model(CLI::App& parent) {
  const auto options = std::make_shared<BudgetOptions>();
  CLI::App* app = parent.add_subcommand(
      "model",
      "Write costs into a model's file, and put those hypotheses first that can change the scores most for "
      "their cost");
  app->add_option("MODEL", options->model, "The model file that mash run --model wrote")
      ->type_name("FILE")
      ->required();
  add_output_file(*app, *options);
  app->add_option("--costs", options->costs, kCosts)->type_name("FILE");
  add_order_options(*app, *options);
  options->output.add_to(*app);
  add_plugin_options(*app, options->plugins);
  add_changed_heuristics_option(*app, options->changed);
  app->footer(
      "Examples:\n"
      "  mash budget model model.json --costs costs.csv -o cheap.json\n"
      "  mash predict cheap.json --dataset mnist --budget 100\n"
      "  mash budget model model.json --order decisions --dataset mnist -o early.json\n"
      "  mash predict early.json --dataset mnist --stop-early\n"
      "The class of a picture is that of the sum of all hypotheses, in any order; how early it is certain\n"
      "depends on the order.");
  return {app, [options] { return budget_model_command(*options); }};
}

Subcommand add_budget_curve(CLI::App& parent) {
  const auto options = std::make_shared<BudgetOptions>();
  CLI::App* app = parent.add_subcommand(
      "curve", "The test error of a model within one budget after the other, and what was spent");
  app->add_option("MODEL", options->model, "The model file that mash run or mash budget model wrote")
      ->type_name("FILE")
      ->required();
  app->add_option("--dataset", options->dataset, "Classify the test side of this data set")
      ->type_name("DATASET")
      ->required();
  options->dataset_options.add_to(*app);
  app->add_option("--costs", options->costs, kCosts)->type_name("FILE");
  app->add_option("--budgets", options->budgets,
                  "The budgets, such as 10,20,50 [what the whole model costs, half of that, and so on]")
      ->delimiter(',')
      ->check(within(0.0, 1e300))
      ->type_name("LIST");
  app->add_option("--svg", options->svg, "Write a picture of the curve too")->type_name("FILE");
  options->output.add_to(*app);
  add_plugin_options(*app, options->plugins);
  add_changed_heuristics_option(*app, options->changed);
  app->footer(
      "Example:\n"
      "  mash budget curve cheap.json --dataset mnist --budgets 5,10,20,50,100,200,500,1000 --svg curve.svg\n"
      "One thread classifies, so that the time beside each budget is what one example takes.");
  return {app, [options] { return curve(*options); }};
}

}  // namespace

std::vector<Subcommand> add_budget(CLI::App& program) {
  CLI::App* parent = program.add_subcommand(
      "budget", "Classify within a budget: measure costs, order a model by them, see what each budget buys");
  parent->require_subcommand(1);
  parent->footer("Example:\n  mash budget costs demo -o costs.csv");
  return {add_budget_costs(*parent), add_budget_model(*parent), add_budget_curve(*parent)};
}

}  // namespace mash
