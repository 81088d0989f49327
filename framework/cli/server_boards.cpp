// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/server_boards.hpp"

#include <unistd.h>

#include <nlohmann/json.hpp>

#include "framework/base/utc_time.hpp"
#include "framework/cli/json_output.hpp"
#include "framework/operations/offers/measure_board.hpp"
#include "framework/operations/site/grades.hpp"
#include "framework/records/site/known_pictures.hpp"
#include "framework/records/submissions.hpp"

namespace mash {
namespace {

Status show_boards(const AdminState& state) {
  MASH_ASSIGN(const RecordsReader records, open_site_to_read(state.folder));
  MASH_ASSIGN(const auto boards, list_boards(records));
  std::string text = fmt::format("{:<24} {:>7} {:>5} {:>7} {:<6} {:>10}  {:<20}  {}\n", "board", "version",
                                 "seeds", "ladder", "copies", "heuristics", "since", "times");
  for (const auto& [board, num_entries, copies] : boards) {
    const std::string times = times_in_words(board.terms, moment_now());
    text += fmt::format("{:<24} {:>7} {:>5} {:>7} {:<6} {:>10}  {:<20}  {}\n", board.name, board.version,
                        board.num_seeds, ladder_step_text(board), word_of(copies), num_entries,
                        board.created_at, times.empty() ? "–" : times);
  }
  return print_admin(state, to_json(boards), text);
}

// Changes the words and times of a board that is there.
Result<ConfiguredBoard> put_terms(const AdminState& state, Records& records) {
  if (state.num_seeds || state.ladder_step)
    return input_error("--{}: expected an EXPERIMENT beside it, found none",
                       state.num_seeds ? "seeds" : "ladder-step");
  MASH_ASSIGN(const Board board, named_board(records, state.board.name));
  return change_terms(records, {board, state.board.terms, state.board.copies});
}

// Measured with the features and trainings of the site, which its runners use too.
Result<BoardResolution> resolution_of(const AdminState& state, const Board& board) {
  WorkspaceSettings workspace;
  workspace.heuristics = state.heuristics;
  workspace.database = database_in(state.folder);
  workspace.store = store_in(state.folder);
  workspace.forgets_names = true;
  const CommandWork work(state.output);
  return measure_resolution(board, workspace, work.context());
}

// Nothing where no experiment is given, and the board that is there is to be changed.
Result<std::optional<DescribedBoard>> described_of(const AdminState& state) {
  if (state.board.experiment.empty()) {
    if (state.measures) return input_error("--measure: expected an EXPERIMENT beside it, found none");
    return std::optional<DescribedBoard>();
  }
  SiteBoard settings = state.board;
  settings.num_seeds = state.num_seeds;
  settings.ladder_step = state.ladder_step;
  MASH_ASSIGN(DescribedBoard described, described_board(settings));
  return std::optional(std::move(described));
}

// Remarks for the operator on a board that an experiment describes.
void tell_of_board(const AdminState& state, const ConfiguredBoard& put) {
  const CommandWork work(state.output, 1, true);
  Remarks& remarks = work.context().remarks;
  if (put.former)
    remarks.tell(new_version_remark(put) +
                 ". Where server.yaml names the board, change it there too: the next start makes the board "
                 "that the file describes");
  if (const std::string known = remark_on_known_pictures(put.board); !known.empty()) remarks.tell(known);
}

Status put_one_board(const AdminState& state) {
  MASH_ASSIGN(const auto described, described_of(state));
  MASH_ASSIGN(Records records, open_site(state.folder));
  std::optional<BoardResolution> resolution;
  if (state.measures) {
    MASH_TRY(check_leaves_usable_files(state.folder, ::geteuid()));
    MASH_ASSIGN(const Board wanted, wanted_board(records, *described));
    MASH_ASSIGN(resolution, resolution_of(state, wanted));
  }
  MASH_ASSIGN(const ConfiguredBoard put,
              described ? configure_board(records, *described) : put_terms(state, records));
  if (described) tell_of_board(state, put);
  nlohmann::ordered_json json = to_json(put);
  json["resolution"] = resolution ? to_json(*resolution) : nlohmann::ordered_json();
  return print_admin(state, json,
                     fmt::format("{}: {}\n{}{}", put.board.name, board_in_words(put.board),
                                 resolution ? in_words(*resolution) : "", resolution ? "\n" : ""));
}

Status rerun_one_board(const AdminState& state) {
  MASH_ASSIGN(Records records, open_site(state.folder));
  MASH_ASSIGN(const Board board, named_board(records, state.name));
  MASH_ASSIGN(const BoardRerun rerun, rerun_board(records, board.name));
  return print_admin(state,
                     {{"board", board.name},
                      {"version", board.version},
                      {"num_submissions", rerun.num_submissions},
                      {"left_out", rerun.left_out}},
                     fmt::format("{}: {}\n", board.name, told(rerun, board.version)));
}

Status show_grades(const AdminState& state) {
  MASH_ASSIGN(const RecordsReader records, open_site_to_read(state.folder));
  MASH_ASSIGN(const Grades grades, read_grades(records, state.name, state.points));
  const CommandWork work(state.output, 1, true);
  for (const std::string& remark : remarks_on(grades)) work.context().remarks.tell(remark);
  if (state.output.json)
    print_json(to_json(grades));
  else
    fmt::print("{}", render_csv(without_formulas(grades_table(grades))));
  return Done{};
}

void add_experiment_options(AdminCommands& commands, CLI::App& put) {
  AdminState& state = commands.state();
  put.add_option(
         "EXPERIMENT", state.board.experiment,
         "An experiment file, or the name of one that comes with the program; without it, the options "
         "below change the words, times and rule for copies of a board that is there, and nothing else")
      ->type_name("");
  put.add_option("--seeds", state.num_seeds,
                 "Use at most N seeds in its offer tests [as it was; of a new board 16]")
      ->type_name("N")
      ->check(within(kMinBoardSeeds, kMaxBoardSeeds));
  put.add_option("--ladder-step", state.ladder_step,
                 "Show the gain of a new version only where it beats the best before it by X per cent of the "
                 "log-loss, so that nobody learns the hidden pictures by trying; 0: show all [as it was; of "
                 "a new board the error of the placebo's gain in each test, or 0 where everybody can have the "
                 "pictures]")
      ->type_name("X")
      ->check(within(0.0, kMaxLadderStep));
}

void add_resolution_options(AdminCommands& commands, CLI::App& put) {
  CLI::Option* measure = put.add_flag(
      "--measure", commands.state().measures,
      "First measure what it can tell apart, with eight seeds of its own heuristics, and print it. Runners "
      "measure it too, while nothing waits, and print it in their log");
  add_heuristics_option(put, commands.state().heuristics);
  put.get_option("--heuristics")->needs(measure);
}

// Each keeps what the board has where it is left out, and takes it away where it is ''.
void add_terms_options(AdminCommands& commands, CLI::App& put) {
  TermsChange& terms = commands.state().board.terms;
  // An empty text is given too.
  const auto add = [&](const char* name, std::optional<std::string>& text, const char* type,
                       const char* what) {
    put.add_option_function<std::string>(
           name, [&text](const std::string& given) { text = given; }, what)
        ->type_name(type);
  };
  add("--title", terms.title, "TEXT", "What its pages are headed by; '' takes this and the next ones away");
  add("--notice", terms.notice, "TEXT", "A line for contributors, on its pages and the form to submit");
  add("--contact", terms.contact, "TEXT", "Whom contributors may ask");
  add("--opens", terms.opens, "TIME",
      "Take nothing before this time, which names its zone: 2026-12-01T08:00+01:00");
  add("--closes", terms.closes, "TIME", "Take nothing from this time on; what waits is still judged");
  add("--points", terms.points, "SCALE",
      "Points for gains, for mash server grades and its pages: '0=1, 2=3' is 1 from a gain of 0 %, 3 from 2 "
      "%");
  put.add_option("--attempts-a-day", terms.attempts_a_day,
                 "Take at most N submissions of each contributor in 24 hours; 0: any number")
      ->type_name("N")
      ->check(within<std::int64_t>(0, kMostAttemptsADay));
  SiteBoard& board = commands.state().board;
  takes_one_of(
      put.add_option_function<std::string>(
          "--copies", [&board](const std::string& word) { board.copies = *parse_copies_rule(word); },
          "What becomes of a heuristic with the features of another one, to the bit: it is shown as "
          "their copy, or rejected; a change holds at once, for all versions [as it was; of a new board "
          "mark]"),
      std::array<std::string_view, 2>{word_of(CopiesRule::kMark), word_of(CopiesRule::kRefuse)});
}

}  // namespace

void add_board_commands(AdminCommands& commands) {
  commands.command("list", "The boards, in their newest versions", "mash server board list", show_boards);
  CLI::App& put = commands.command(
      "put", "Make a board, or its next version where it differs from the newest, or change its times",
      "mash server board put digits demo --seeds 16\n  mash server board put digits --closes "
      "2026-12-15T23:59+01:00",
      put_one_board);
  put.add_option("NAME", commands.state().board.name,
                 "Name of the board, which is part of its address: letters, digits, '.', '_' and '-'")
      ->required();
  add_experiment_options(commands, put);
  add_resolution_options(commands, put);
  add_terms_options(commands, put);
}

void add_judging_commands(AdminCommands& commands) {
  commands.add_name(
      commands.command("rerun",
                       "Judge again, on a board's newest version, what was published on its earlier ones",
                       "mash server rerun digits", rerun_one_board),
      "The board");
  CLI::App& grades = commands.command(
      "grades", "Print as CSV the points of each contributor to a board, by the gain of their best heuristic",
      "mash server grades digits --points '1=1, 2=3, 5=6'", show_grades);
  commands.add_name(grades, "The board");
  grades
      .add_option("--points", commands.state().points,
                  "Points for gains, in place of those of the board: '0=1, 2=3' is 1 from a gain of 0 %, 3 "
                  "from 2 %, and none below")
      ->type_name("SCALE");
}

}  // namespace mash
