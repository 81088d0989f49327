// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/leaderboard.hpp"

#include "framework/cli/options.hpp"

namespace mash {

Subcommand add_leaderboard(CLI::App& program) {
  struct State {
    OutputOptions output;
    std::string by = "heuristic", database;
    bool csv = false;
  };
  const auto state = std::make_shared<State>();
  CLI::App* app = program.add_subcommand("leaderboard", "Rank what the records know of");
  app->add_option("--by", state->by, "heuristic, contributor, experiment or strategy")->capture_default_str();
  app->add_option("--db", state->database, "Database of records [" + default_database().string() + "]")
      ->type_name("FILE");
  app->add_flag("--csv", state->csv, "Comma-separated values");
  state->output.add_to(*app);
  app->footer("Example:\n  mash leaderboard --by strategy");
  return {app, [state]() -> Status {
            MASH_ASSIGN(const LeaderboardBy by, parse_leaderboard_by(state->by));
            MASH_ASSIGN(const RecordsReader records, open_records(state->database));
            MASH_ASSIGN(const Table table, leaderboard(records, by));
            fmt::print("{}", state->output.json ? render_json(table) + "\n"
                             : state->csv       ? render_csv(table)
                                                : render_text(table));
            return Done{};
          }};
}

}  // namespace mash
