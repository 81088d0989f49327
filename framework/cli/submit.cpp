// SPDX-License-Identifier: Apache-2.0
#include "framework/base/file.hpp"
#include "framework/base/licences.hpp"
#include "framework/base/utf8.hpp"
#include "framework/cli/json_output.hpp"
#include "framework/cli/options.hpp"
#include "framework/cli/server_options.hpp"
#include "framework/cli/submission_wait.hpp"
#include "framework/operations/experiment/heuristic_settings.hpp"
#include "framework/operations/site/documents.hpp"
#include "framework/records/submissions.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;

struct SubmitOptions {
  OutputOptions output;
  ServerOptions server;
  std::string file, licence, board;
  std::vector<std::string> own;  // --setting
  bool is_private = false, no_wait = false;
  double most_seconds = kMostSecondsToWait;
};

Result<SourceToSubmit> read_source(const SubmitOptions& options) {
  if (const Status licence = check_licence(options.licence); !licence.ok())
    return licence.error().at("--licence");
  const fs::path path = options.file;
  std::error_code code;
  if (fs::is_directory(path, code))
    return input_error("{}: is a folder, expected the C++ source of a heuristic", options.file);
  MASH_ASSIGN(std::string text, read_file(path, kMostSourceBytes));
  if (text.empty()) return input_error("{}: is empty, expected the C++ source of a heuristic", options.file);
  MASH_TRY(check_utf8(text, options.file));
  MASH_ASSIGN(Settings settings, parse_heuristic_settings({options.own, "--setting"}));
  return SourceToSubmit{path.filename().string(), std::move(text),    options.licence, options.board,
                        options.is_private,       std::move(settings)};
}

Status submit(const SubmitOptions& options) {
  MASH_ASSIGN(const SourceToSubmit source, read_source(options));
  MASH_ASSIGN(ServerAccess access, options.server.access(true));
  ServerWork work(options.output);
  MASH_ASSIGN(ServerClient client, ServerClient::open(std::move(access), {}, work.context()));
  MASH_ASSIGN(const auto made, client.submit(source));
  const auto id = made["id"].get<std::int64_t>();
  const std::string page = printable(client.address_of(text_at(made, "page")));
  const std::string board = printable(text_at(made, "board"));
  const std::string for_board = board.empty() ? "" : " for the board " + board;
  if (const std::string intake = describe_intake(made); !intake.empty()) work.context().remarks.tell(intake);
  if (!options.no_wait) {
    work.context().remarks.tell(fmt::format("submission {}{}: {}", id, for_board, page));
    return wait_and_print(client, id, options.most_seconds, options.output, work);
  }
  if (options.output.json)
    print_json(made);
  else
    fmt::print("Submission {}{} is {}\n  {:<10}{}\n", id, for_board, harmless(text_at(made, "state")), "page",
               page);
  return Done{};
}

}  // namespace

Subcommand add_submit(CLI::App& program) {
  const auto options = std::make_shared<SubmitOptions>();
  CLI::App* app = program.add_subcommand(
      "submit", "Hand a heuristic in to a server, wait until it is judged, and show its place");
  app->add_option("FILE", options->file,
                  "The C++ source of the heuristic; the server says how large it may be")
      ->type_name("FILE.cpp")
      ->required();
  options->server.add_to(*app);
  app->add_option("--licence", options->licence,
                  "Licence of the source, as the SPDX name of a free one, such as Apache-2.0; everybody can "
                  "read the source once it is published")
      ->type_name("NAME")
      ->required();
  app->add_option("--board", options->board, "The board that it is for [the first that is open]")
      ->type_name("NAME");
  add_setting_option(*app, options->own);
  app->add_flag("--private", options->is_private,
                "Until it is published, show it only to you and the operators of the server; without this "
                "option everybody sees it from the start");
  CLI::Option* no_wait = app->add_flag("--no-wait", options->no_wait,
                                       "End as soon as the server has it; mash status shows how it goes");
  app->add_option("--timeout", options->most_seconds,
                  "Stop waiting after this many seconds; the submission itself continues")
      ->type_name("SECONDS")
      ->check(within(1, 1'000'000))
      ->capture_default_str()
      ->excludes(no_wait);
  options->output.add_to(*app);
  app->footer(
      "Exit code 0: it was published, or with --no-wait handed in; 1: it was rejected, failed or was\n"
      "cancelled, the time is over, or the server cannot be reached; 2: wrong usage, or the server does\n"
      "not take it.\n"
      "Examples:\n"
      "  mash submit row_means.cpp --licence MIT --server https://mash.example.org --token-file "
      "~/.mash-token\n"
      "  mash submit row_means.cpp --licence MIT --setting levels=8");
  return {app, [options]() { return submit(*options); }};
}

}  // namespace mash
