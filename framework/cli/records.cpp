// SPDX-License-Identifier: Apache-2.0
#include "framework/base/amounts.hpp"
#include "framework/cli/json_output.hpp"
#include "framework/cli/options.hpp"
#include "framework/operations/common/places.hpp"
#include "framework/operations/upkeep/kept_records.hpp"
#include "framework/render/table.hpp"
#include "framework/render/wording.hpp"

namespace mash {
namespace {

struct RecordsOptions {
  OutputOptions output;
  std::string database, dataset, older_than;
  std::vector<std::int64_t> numbers;
  std::vector<std::string> files;
  bool trials = false, all = false, dry_run = false;
};

Result<RunChoice> choice_of(const RecordsOptions& options) {
  RunChoice choice{options.trials, options.numbers};
  if (!options.dataset.empty()) choice.dataset = options.dataset;
  if (!options.older_than.empty()) {
    const auto age = parse_age(options.older_than);
    if (!age.ok()) return age.error().at("--older-than");
    choice.older_than = *age;
  }
  return choice;
}

// list: of these runs; null where only they are told.
Table records_table(const std::vector<KeptRun>& runs, const RecordsList* list = nullptr) {
  Table table{"",
              {{"number", "number", Format::kCount},
               {"name", "name"},
               {"dataset", "data set"},
               {"strategy", "booster, weak learner, sampler"},
               {"rounds", "rounds", Format::kCount},
               {"num_rounds", "done", Format::kCount},
               {"seed", "seed"},
               {"test_error", "test error", Format::kPercent},
               {"judged_by", "judged by"},
               {"status", "status"},
               {"started_at", "began"},
               {"settings", "differs by"}},
              {},
              ""};
  std::vector<std::string> numbers, differences;
  for (const KeptRun& run : runs) numbers.push_back(std::to_string(run.number));
  if (list != nullptr) differences = differences_in_words(list->settings, numbers);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const KeptRun& run = runs[i];
    const auto& booster = run.booster;
    const std::string differs = i < differences.size() ? differences[i] : "";
    const bool is_validation = list != nullptr && list->judging_sides[i] == "validation";
    table.rows.push_back(
        {run.number, run.name, run.dataset,
         booster ? fmt::format("{}, {}, {}", booster->booster, booster->weak, booster->sampler) : run.learner,
         booster ? Cell(booster->rounds) : Cell(), run.num_rounds ? Cell(*run.num_rounds) : Cell(),
         std::to_string(run.seed), run.test_error ? Cell(*run.test_error) : Cell(),
         is_validation ? Cell("validation side") : Cell(),
         run.pid ? fmt::format("running (process {})", *run.pid) : run.status, run.started_at,
         differs.empty() ? Cell() : Cell(differs)});
  }
  return without_empty_column(without_empty_column(std::move(table), "settings"), "judged_by");
}

std::string counted_runs(std::size_t count, bool trials) { return counted(count, trials ? "trial" : "run"); }

Status list_kept_runs(const RecordsOptions& options) {
  MASH_ASSIGN(const RunChoice choice, choice_of(options));
  MASH_ASSIGN(const RecordsList list, list_records(options.database, choice));
  if (options.output.json) {
    print_json(to_json(list));
    return Done{};
  }
  if (!list.runs.empty()) fmt::print("{}\n", render_text(records_table(list.runs, &list)));
  fmt::print("{}: {}, {}", list.database.string(), counted_runs(list.runs.size(), choice.trials),
             bytes_in_words(list.num_bytes));
  if (list.num_others > 0)
    fmt::print("; and {}{}", counted_runs(list.num_others, !choice.trials),
               choice.trials ? "" : ", which --trials lists");
  fmt::print("\n");
  return Done{};
}

Status prune_runs(const RecordsOptions& options) {
  MASH_ASSIGN(const RunChoice choice, choice_of(options));
  const bool has_condition = !choice.numbers.empty() || choice.dataset || choice.older_than;
  if (options.all == has_condition)
    return input_error("expected --all alone, or numbers, --older-than or --dataset; found {}",
                       has_condition ? "--all with others" : "none of them");
  const CommandWork work(options.output, 1, true);
  MASH_ASSIGN(const RecordsPrune prune,
              prune_records(options.database, choice, options.dry_run, work.context().remarks));
  if (options.output.json) {
    print_json(to_json(prune, options.dry_run));
    return Done{};
  }
  if (!prune.runs.removed.empty()) fmt::print("{}\n", render_text(records_table(prune.runs.removed)));
  for (const KeptRun& run : prune.runs.running)
    fmt::print("stays, as process {} is training it: {} {}\n", *run.pid,
               run.is_trial ? "trial" : "experiment", run.number);
  const std::string what = counted_runs(prune.runs.removed.size(), choice.trials);
  if (options.dry_run)
    fmt::print("{} would be removed\n", what);
  else
    fmt::print("{} removed; the database takes {}, {} before\n", what, bytes_in_words(prune.bytes_after),
               bytes_in_words(prune.bytes_before));
  return Done{};
}

Status merge(const RecordsOptions& options) {
  const std::vector<std::filesystem::path> files(options.files.begin(), options.files.end());
  const CommandWork work(options.output, 1, true);
  MASH_ASSIGN(const MergedRecords merged,
              merge_records_into(options.database, files, work.context().remarks));
  if (options.output.json) {
    print_json(to_json(merged));
    return Done{};
  }
  fmt::print("{}, {} and {} added; {} {} there already\n", counted_runs(merged.num_runs, false),
             counted_runs(merged.num_trials, true), counted(merged.num_offers, "offer test"),
             merged.num_known, merged.num_known == 1 ? "was" : "were");
  return Done{};
}

void add_conditions(CLI::App& command, RecordsOptions& options, const char* older_than) {
  command.add_flag("--trials", options.trials,
                   "Trials in place of experiments: trainings on some of the families, for reports");
  command.add_option("--dataset", options.dataset, "Those on this data set")->type_name("DATASET");
  command.add_option("--older-than", options.older_than, older_than)->type_name("AGE");
}

CLI::App& add_command(CLI::App& parent, RecordsOptions& options, const char* name, const char* summary) {
  CLI::App& command = *parent.add_subcommand(name, summary);
  add_database_option(command, options.database);
  options.output.add_to(command);
  return command;
}

}  // namespace

std::vector<Subcommand> add_records(CLI::App& program) {
  CLI::App* parent =
      program.add_subcommand("records", "What the database of records keeps: list, remove, merge");
  parent->require_subcommand(1);
  parent->footer("Example:\n  mash records list");
  const auto options = std::make_shared<RecordsOptions>();
  CLI::App& list_app = add_command(*parent, *options, "list",
                                   "The recorded runs, one for each seed, or the trials, with their numbers");
  add_conditions(list_app, *options, "Those that ended at least this long ago, such as 12h, 30d or 2w");
  list_app.footer("Examples:\n  mash records list\n  mash records list --trials --json");
  CLI::App& prune_app = add_command(*parent, *options, "prune",
                                    "Remove runs, or trials, and give their space back to the disk");
  prune_app.add_option("NUMBER", options->numbers, "Numbers that mash records list shows")
      ->type_name("N")
      ->check(within(std::int64_t(1), INT64_MAX));
  add_conditions(prune_app, *options, "Those that ended at least this long ago, such as 12h, 30d or 2w");
  prune_app.add_flag("--all", options->all, "All of them");
  prune_app.add_flag("--dry-run,-n", options->dry_run, "Say what would go, and remove nothing");
  prune_app.footer(
      "With several conditions, only what meets all of them is removed.\n"
      "Examples:\n  mash records prune 3 4\n  mash records prune --trials --older-than 30d --dry-run");
  CLI::App& merge_app = add_command(*parent, *options, "merge",
                                    "Add the records of other databases, under new numbers; what this one "
                                    "holds already is not added again");
  merge_app.add_option("FILE", options->files, "Databases to add; they are not changed")
      ->type_name("FILE")
      ->required();
  merge_app.footer("Example:\n  mash records merge laptop.db server.db --db all.db");
  return {{&list_app, [options] { return list_kept_runs(*options); }},
          {&prune_app, [options] { return prune_runs(*options); }},
          {&merge_app, [options] { return merge(*options); }}};
}

}  // namespace mash
