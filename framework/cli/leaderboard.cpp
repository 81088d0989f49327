// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/leaderboard.hpp"

#include "framework/cli/options.hpp"

namespace mash {

Subcommand add_leaderboard(CLI::App& program) {
  struct State {
    OutputOptions output;
    std::string by = "heuristic", database;
    bool csv = false;
  };
  const auto state = std::make_shared<State>();
  CLI::App* app = program.add_subcommand("leaderboard", "Rank what was recorded, best first");
  app->add_option("--by", state->by, "What to rank: heuristic, contributor, experiment or strategy")
      ->capture_default_str();
  add_database_option(*app, state->database);
  app->add_flag("--csv", state->csv, "Print comma-separated values");
  state->output.add_to(*app);
  app->footer("Example:\n  mash leaderboard --by strategy");
  return {app, [state]() -> Status {
            MASH_ASSIGN(const LeaderboardBy by, parse_leaderboard_by(state->by));
            MASH_ASSIGN(const Table table, leaderboard_of(state->database, by));
            fmt::print("{}", state->output.json ? render_json(table) + "\n"
                             : state->csv       ? render_csv(table)
                                                : render_text(table));
            return Done{};
          }};
}

}  // namespace mash
