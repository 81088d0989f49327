// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/site/serve.hpp"

#include "framework/cli/json_output.hpp"
#include "framework/cli/options.hpp"

namespace mash {
namespace {

enum class Only { kAll, kPrepare, kServer, kRunner };

constexpr std::array<Choice<Only>, 3> kOnly{Choice{"prepare", Only::kPrepare},
                                            Choice{"server", Only::kServer}, Choice{"runner", Only::kRunner}};

// Options on the command line, which win over the settings file.
struct ServeOptions {
  OutputOptions output;
  std::string config;
  std::optional<std::string> folder, address, board;
  std::optional<std::uint16_t> port;
  std::optional<std::size_t> num_seeds;
  std::optional<int> num_runners, num_threads;
  std::vector<std::string> heuristics;
  Only only = Only::kAll;
};

Result<ServeSettings> settings_of(const ServeOptions& options) {
  ServeSettings settings;
  if (!options.config.empty()) {
    MASH_ASSIGN(settings, read_server_settings(options.config));
  }
  if (options.folder) settings.folder = *options.folder;
  settings.reach.address = options.address.value_or(settings.reach.address);
  settings.reach.port = options.port.value_or(settings.reach.port);
  settings.runners.count = options.num_runners.value_or(settings.runners.count);
  settings.runners.num_threads = options.num_threads.value_or(settings.runners.num_threads);
  settings.heuristics.insert(settings.heuristics.begin(), options.heuristics.begin(),
                             options.heuristics.end());
  if (options.num_seeds && !options.board)
    return input_error("--seeds: is of the board that --board names; found no --board");
  if (options.board) settings.boards = {{"", *options.board, options.num_seeds}};
  return settings;
}

Status serve(const ServeOptions& options) {
  MASH_ASSIGN(const ServeSettings settings, settings_of(options));
  MASH_TRY(check_site_programs());
  if (options.only == Only::kServer) return become_part(SitePart::kServer, settings);
  if (options.only == Only::kRunner) return become_part(SitePart::kRunner, settings);
  if (options.only == Only::kAll) MASH_TRY(check_serve_settings(settings));
  const CommandWork work(options.output);
  MASH_TRY(prepare_site(settings, work.context().remarks));
  std::optional<std::string> token;
  if (options.only == Only::kAll) {
    MASH_ASSIGN(token, make_first_operator(settings));
  }
  if (options.output.json)
    print_json({{"folder", settings.folder.string()},
                {"operator_token", token ? nlohmann::ordered_json(*token) : nullptr}},
               -1);
  else if (token)
    fmt::print(
        "The operator's token, which is shown this once: {}\n"
        "It opens the API, and in a browser it is the password of the user 'operator'.\n",
        *token);
  std::fflush(stdout);
  return options.only == Only::kPrepare ? Status(Done{}) : run_site(settings, work.context());
}

void add_board_options(CLI::App& app, ServeOptions& options) {
  app.add_option(
         "--board", options.board,
         "The experiment beside whose heuristics contributions are offered: a file, or the name of one "
         "that comes with the program [demo-board, where the folder has no board]")
      ->type_name("EXPERIMENT");
  app.add_option("--seeds", options.num_seeds,
                 "Use at most N seeds in the offer tests of --board [as it was; of a new board 16]")
      ->type_name("N")
      ->check(within(kMinBoardSeeds, kMaxBoardSeeds));
}

void add_part_options(CLI::App& app, ServeOptions& options) {
  app.add_option("--runners", options.num_runners, "Runners that judge side by side [1]")
      ->type_name("N")
      ->check(within(1, kMaxRunners));
  app.add_option("--threads", options.num_threads, "Threads of each runner; 0 for one per core [0]")
      ->type_name("N")
      ->check(within(0, kMaxThreads));
  add_heuristics_option(app, options.heuristics);
  std::vector<std::string_view> words;
  for (const auto& choice : kOnly) words.push_back(choice.name);
  takes_one_of(app.add_option_function<std::string>(
                   "--only",
                   [&options](const std::string& word) {
                     options.only = std::ranges::find_if(kOnly, [&](const auto& choice) {
                                      return choice.name == word;
                                    })->value;
                   },
                   "For systemd and its like: prepare makes what the folder lacks and ends; server and "
                   "runner become that program"),
               words);
}

}  // namespace

Subcommand add_serve(CLI::App& program) {
  const auto options = std::make_shared<ServeOptions>();
  CLI::App* app = program.add_subcommand(
      "serve", "Run a server that takes heuristics as source, judges them in boxes and ranks them");
  app->add_option("FOLDER", options->folder, "Where it keeps all it has; made if it is not there [mash-site]")
      ->type_name("DIR");
  app->add_option("--config", options->config,
                  "Settings file, which docs/operations.md describes; options given here win over it")
      ->type_name("FILE");
  app->add_option("--address", options->address, "Address to listen on [127.0.0.1]")->type_name("IP");
  app->add_option("--port", options->port, "Port to listen on; 0 takes a free one [8080]")
      ->type_name("N")
      ->check(within(0, 65535));
  add_board_options(*app, *options);
  add_part_options(*app, *options);
  options->output.add_to(*app);
  app->footer(
      "Ctrl-C stops it; the same command continues where it stopped. Started by root, its programs run\n"
      "as the user nobody.\n"
      "Examples:\n"
      "  mash serve my-site --port 8080\n"
      "  mash serve --config server.yaml");
  return {app, [options] { return serve(*options); }};
}

}  // namespace mash
