// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/leaderboard.hpp"

#include <algorithm>

#include "framework/base/shell_word.hpp"
#include "framework/base/utf8.hpp"
#include "framework/cli/json_output.hpp"
#include "framework/cli/options.hpp"
#include "framework/cli/server_options.hpp"
#include "framework/operations/common/places.hpp"
#include "framework/operations/offers/commands.hpp"
#include "framework/operations/offers/measure_board.hpp"
#include "framework/operations/site/client.hpp"
#include "framework/operations/site/documents.hpp"
#include "framework/render/limit_note.hpp"
#include "framework/reports/leaderboard_legend.hpp"

namespace mash {
namespace {

struct BoardOptions {
  RunOptions run;  // of --measure, except the database and what is printed
  std::string by = "heuristic";
  const CLI::Option* measure = nullptr;  // with it:
  BoardSettings measured;
  bool csv = false, wide = false, together = false;
  std::vector<std::string> columns;  // beside those of a short table
  std::string server, board;         // of a server's leaderboard

  // Whether all columns are printed; else those that fit a terminal.
  bool shows_all() const { return csv || wide; }
};

void add_server_options(CLI::App& app, BoardOptions& options) {
  CLI::Option* server =
      app.add_option("--server", options.server,
                     "Show the leaderboard of this server: of heuristics or contributors; such as "
                     "https://mash.example.org")
          ->type_name("URL");
  app.add_option("--board", options.board, "Which of the server's boards [the first that is open]")
      ->type_name("NAME")
      ->needs(server);
}

// Options that would have no effect are refused.
void add_measure_options(CLI::App& app, BoardOptions& options) {
  BoardSettings& measured = options.measured;
  CLI::Option* measure =
      app.add_option(
             "--measure", measured.experiment,
             "First offer each heuristic of this experiment beside the others, judged by the test "
             "side, and record it for the board: each with 16 seeds, then those whose ranks are least "
             "certain with more; a file, or the name of one that comes with the program")
          ->type_name("EXPERIMENT");
  app.add_option("--seconds", measured.seconds,
                 "Stop all offer tests together after S seconds, but not before the first 4 seeds of each. "
                 "The same command, given again, continues")
      ->type_name("S")
      ->check(within(1, 1'000'000))
      ->capture_default_str();
  app.add_option("--seeds", measured.most_seeds,
                 "Use at most N seeds; the gain is computed after 4, 8, 16, 32, 64 and 128 of them")
      ->type_name("N")
      ->check(within(4, 128))
      ->capture_default_str();
  options.measure = measure;
  for (const char* option : {"--seconds", "--seeds", "--heuristics", "--isolation", "--patience", "--set",
                             "--seed", "--threads", "--store", "--store-limit", "--family-limit", "--strict"})
    app.get_option(option)->needs(measure);
}

Status measure(const BoardOptions& options) {
  const RunOptions& run = options.run;
  BoardSettings settings = options.measured;
  settings.overrides = run.overrides();
  settings.seed = run.seed;
  MASH_ASSIGN(settings.workspace, run.workspace());
  const CommandWork work(run.output, run.num_threads);
  return measure_board(settings, work.context());
}

// Columns that are shown where they say something.
Table without_empty_columns(Table table) {
  for (const char* key : {"settings", "copy_of", "beyond", "beyond_others", "beyond_at", "beyond_remark",
                          "limited_by", "wanted_pictures", "narrowed_by"})
    table = without_empty_column(std::move(table), key);
  return table;
}

// all: of the table, with the columns that the note is made of.
void print_leaderboard(const BoardOptions& options, const Table& table, const Table& all) {
  if (options.csv) {
    fmt::print("{}", render_csv(table));
    return;
  }
  const std::string note = limit_note(all);
  fmt::print("{}{}{}", render_text(without_empty_columns(table)), note, note.empty() ? "" : "\n");
}

Status print_local(const BoardOptions& options, LeaderboardBy by, const Table& table) {
  MASH_ASSIGN(const Table shown,
              options.shows_all() ? Result<Table>(table) : short_leaderboard(table, by, options.columns));
  print_leaderboard(options, shown, table);
  if (!options.csv && !options.run.output.quiet) fmt::print("{}", leaderboard_legend(table, by));
  return Done{};
}

// The command that shows the boards of the server in $MASH_SERVER, as the end of a hint; "" where none is
// there. Records of this machine are shown without regard to it.
std::string server_hint() {
  const std::string server = server_of_environment();
  if (server.empty()) return "";
  return fmt::format("; mash leaderboard --server {} shows the server's boards",
                     printable(shell_word(server)));
}

Result<RecordsReader> open_shown_records(const BoardOptions& options) {
  auto records = open_records(options.run.database);
  if (records.ok() || records.error().kind != ErrorKind::kInput || !options.run.database.empty())
    return records;
  return Error{ErrorKind::kInput, records.error().message + server_hint()};
}

// The line below the short table of a server's board: its unit, and how one sees what it leaves out.
std::string site_legend(const Table& all, const Table& shown) {
  if (all.rows.empty() || shown.columns.size() == all.columns.size()) return "";
  const bool has_shares = std::ranges::any_of(shown.columns, &Column::is_estimate);
  return fmt::format("{}All columns: --wide\n", has_shares ? "%: of the log-loss. " : "");
}

Status show_server_board(const BoardOptions& options, const CLI::App& app) {
  constexpr std::string_view kTaken[] = {"--server", "--board",    "--by",   "--csv",    "--json",
                                         "--quiet",  "--together", "--wide", "--columns"};
  MASH_TRY(refuse_other_options(app, "--server", kTaken));
  if (options.by != "heuristic" && options.by != "contributor")
    return input_error("--by: found {} beside --server, expected heuristic or contributor", options.by);
  const CommandWork work(options.run.output);
  MASH_ASSIGN(ServerClient client, ServerClient::open({options.server}, {}, work.context()));
  MASH_ASSIGN(const auto document, client.leaderboard({options.board, options.by, options.together}));
  if (options.run.output.json) {
    print_json(document);
    return Done{};
  }
  const Table table = leaderboard_table(document);
  MASH_ASSIGN(const Table shown,
              options.shows_all() ? Result<Table>(table) : short_site_leaderboard(table, options.columns));
  print_leaderboard(options, shown, table);
  if (!options.run.output.quiet) fmt::print("{}", site_legend(table, shown));
  return Done{};
}

// Commands that the board tells find the records and plugins where this one does.
void add_places(const WorkspaceSettings& places, Table& table) {
  const std::size_t column = place_of_column(table, "narrowed_by");
  if (column >= table.columns.size()) return;
  for (std::vector<Cell>& row : table.rows)
    if (auto* command = std::get_if<std::string>(&row[column])) *command += options_of(places);
}

Status show_board(const BoardOptions& options) {
  MASH_ASSIGN(const LeaderboardBy by, parse_leaderboard_by(options.by));
  if (options.measure->count() > 0) {
    if (by != LeaderboardBy::kHeuristic)
      return input_error(
          "--measure: found --by {} beside it, expected heuristic: the offers rank nothing else", options.by);
    MASH_TRY(measure(options));
  }
  MASH_ASSIGN(const RecordsReader records, open_shown_records(options));
  MASH_ASSIGN(Table table, leaderboard(records, by, options.together ? RankForm::kTogether : RankForm::kOwn));
  MASH_ASSIGN(const WorkspaceSettings places, options.run.workspace());
  add_places(places, table);
  if (!table.hint.empty() && options.run.database.empty()) table.hint += server_hint();
  if (!options.run.output.json) return print_local(options, by, table);
  fmt::print("{}\n", render_json(table));
  return Done{};
}

}  // namespace

Subcommand add_leaderboard(CLI::App& program) {
  const auto options = std::make_shared<BoardOptions>();
  CLI::App* app = program.add_subcommand("leaderboard", "Rank what was recorded, best first");
  constexpr std::string_view kRanked[] = {"heuristic", "contributor", "experiment", "strategy"};
  takes_one_of(app->add_option("--by", options->by,
                               "What to rank; strategy: a booster, weak learner and sampler together")
                   ->capture_default_str(),
               kRanked);
  CLI::Option* csv = app->add_flag("--csv", options->csv, "Print comma-separated values, all columns");
  app->add_flag("--together", options->together,
                "Show sets of ranks that hold all ranks at once with 95 %, for claims about many of them, "
                "such as the ten best; without it each holds its own with 95 %");
  options->run.add_to(*app);
  CLI::Option* wide =
      app->add_flag("--wide", options->wide, "Print all columns, however wide the table becomes");
  CLI::Option* columns =
      app->add_option("--columns", options->columns,
                      "Print these columns too, separated by commas: keys of --json, such as version,chosen")
          ->type_name("KEY")
          ->delimiter(',');
  columns->excludes(wide);
  for (CLI::Option* option : {wide, columns}) option->excludes(csv)->excludes(app->get_option("--json"));
  add_measure_options(*app, *options);
  add_server_options(*app, *options);
  app->footer(
      "Examples:\n"
      "  mash leaderboard --by strategy\n"
      "  mash leaderboard --columns version,author\n"
      "  mash leaderboard --together\n"
      "  mash leaderboard --measure demo --seconds 300\n"
      "  mash leaderboard --server https://mash.example.org\n"
      "Heuristics of a pool are ranked by credit, their shares of what the pool removes of the log-loss,\n"
      "where mash report RUN measured it; else by what they gain beside all others (mash heuristic try\n"
      "--help says how an offer test finds it); those that were never offered by their share of α, the\n"
      "weights of the votes, in the runs that two were both in. Contributors are ranked by share of α,\n"
      "experiments and strategies by test error. A rank such as 2-4 is a set, which holds the true rank\n"
      "with 95 %. With --measure the gain is that on the test side. For heuristics that were not measured\n"
      "so, the board shows what mash heuristic try or mash report found on a held-out part of the\n"
      "training side.");
  return {app, [options, app]() -> Status {
            return options->server.empty() ? show_board(*options) : show_server_board(*options, *app);
          }};
}

}  // namespace mash
