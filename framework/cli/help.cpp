// SPDX-License-Identifier: Apache-2.0
#include "framework/base/settings.hpp"
#include "framework/cli/options.hpp"
#include "framework/commandline/usage.hpp"

namespace mash {
namespace {

// The help of the command that `words` name, as its --help prints it.
Result<std::string> help_of(const CLI::App& program, const std::vector<std::string>& words) {
  const CLI::App* app = &program;
  std::string before;
  for (const std::string& word : words) {
    const std::vector<std::string> known = visible_commands(*app);
    if (known.empty())
      return input_error("found '{}' too, but {} {} has no commands of its own", word, before,
                         app->get_name());
    if (std::find(known.begin(), known.end(), word) == known.end())
      return unknown_name("command", word, std::vector<std::string_view>(known.begin(), known.end()));
    before += (before.empty() ? "" : " ") + app->get_name();
    app = app->get_subcommand(word);
  }
  // Not App::help, by which the program shows the help of the command that was given, which is this one.
  const std::string name = before.empty() ? app->get_name() : before + " " + app->get_name();
  return app->get_formatter()->make_help(app, name, CLI::AppFormatMode::Normal);
}

}  // namespace

Subcommand add_help(CLI::App& program) {
  const auto words = std::make_shared<std::vector<std::string>>();
  CLI::App* app = program.add_subcommand("help", "Show the help of a command, as its --help does");
  app->add_option("COMMAND", *words, "The command, such as run, or heuristic try; none: the program itself")
      ->type_name("");
  app->footer("Examples:\n  mash help run\n  mash help heuristic try");
  return {app, [words, &program]() -> Status {
            MASH_ASSIGN(const std::string text, help_of(program, *words));
            fmt::print("{}", text);
            return Done{};
          }};
}

}  // namespace mash
