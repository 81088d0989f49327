// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/server_commands.hpp"

#include "framework/cli/json_output.hpp"

namespace mash {

Status print_admin(const AdminState& state, const nlohmann::ordered_json& json, const std::string& text) {
  if (state.output.json)
    print_json(json);
  else
    fmt::print("{}", harmless(text));
  return Done{};
}

CLI::App& AdminCommands::command(const char* name, const char* summary, const char* example,
                                 Status (*run)(const AdminState&)) {
  const auto state = std::make_shared<AdminState>();
  CLI::App* app = parent_->add_subcommand(name, summary);
  state->output.add_to(*app);
  app->add_option("--folder", state->folder, "The folder of the site")
      ->type_name("DIR")
      ->capture_default_str();
  const bool are_several = std::string_view(example).find('\n') != std::string_view::npos;
  app->footer(fmt::format("Example{}:\n  {}", are_several ? "s" : "", example));
  subcommands.push_back({app, [state, run] { return run(*state); }});
  state_ = state;
  return *app;
}

CLI::App& AdminCommands::group(const char* name, const char* summary, const char* example) {
  CLI::App* app = parent_->add_subcommand(name, summary);
  app->require_subcommand(1);
  app->footer(fmt::format("Example:\n  {}", example));
  return *app;
}

void AdminCommands::add_name(CLI::App& app, const char* what) {
  app.add_option("NAME", state().name, what)->required();
}

void AdminCommands::add_days(CLI::App& app, int days, int most) {
  state().days = days;
  app.add_option("--days", state().days, "How long it holds")
      ->type_name("N")
      ->check(within(1, most))
      ->capture_default_str();
}

}  // namespace mash
