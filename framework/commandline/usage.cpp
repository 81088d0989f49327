// SPDX-License-Identifier: Apache-2.0
#include "framework/commandline/usage.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iostream>

#include "framework/base/program_end.hpp"
#include "framework/base/settings.hpp"
#include "framework/base/suggestion.hpp"
#include "framework/base/utf8.hpp"

namespace mash {
namespace {

// The part of the command line read before the error: "mash server user add", the commands on the way and
// what none of them took.
struct Place {
  std::string command;
  const CLI::App* app = nullptr;     // the command
  const CLI::App* before = nullptr;  // one above it, where something that is not its own stands before it
  std::vector<std::string> unread;   // of `before`, or else of the command
};

Place place_of(const CLI::App& program) {
  Place place{program.get_name(), &program, nullptr, {}};
  for (;;) {
    const std::vector<std::string> unread = place.app->remaining();
    // App::get_subcommands() const: those that were given.
    const std::vector<CLI::App*> given = place.app->get_subcommands();
    if (!unread.empty() && place.unread.empty()) {
      place.unread = unread;
      if (!given.empty()) place.before = place.app;
    }
    if (given.empty()) return place;
    place.app = given.front();
    place.command += " " + place.app->get_name();
  }
}

std::vector<std::string_view> views(const std::vector<std::string>& names) {
  return {names.begin(), names.end()};
}

std::string unknown_command(const Place& place) {
  std::vector<std::string> names = visible_commands(*place.app);
  const std::string known = fmt::format("{}", fmt::join(names, ", "));
  for (const std::string& option : visible_options(*place.app)) names.push_back(option);
  const std::string question = did_you_mean(place.unread[0], views(names));
  return fmt::format("unknown command '{}'; {}{}known: {}", printable(place.unread[0]), question,
                     question.empty() ? "" : " ", known);
}

std::string unknown_option(const Place& place) {
  const std::string name = place.unread[0].substr(0, place.unread[0].find('='));
  const std::vector<std::string> options = visible_options(*place.app);
  if (place.before && std::find(options.begin(), options.end(), name) != options.end())
    return fmt::format("{} stands before the command that it belongs to, expected {} {}", name, place.command,
                       name);
  return unknown_name("option", printable(name), views(options)).message;
}

std::string unread_words(const Place& place) {
  const std::string& word = place.unread[0];
  if (word.size() > 1 && word[0] == '-') return unknown_option(place);
  if (place.app->get_require_subcommand_min() > 0) return unknown_command(place);
  std::vector<std::string> names;
  for (const CLI::Option* argument : arguments_of(*place.app)) names.push_back(argument->get_name());
  return fmt::format("found '{}' too, but {} takes {}", printable(word), place.command,
                     names.empty() ? "options only" : fmt::format("{} and options", fmt::join(names, " ")));
}

bool take_away(std::string& text, std::string_view end) {
  if (!text.ends_with(end)) return false;
  text.resize(text.size() - end.size());
  return true;
}

// The text between two marks; nothing where it does not begin and go on so.
std::string between(const std::string& text, std::string_view begin, std::string_view end) {
  const auto stop = text.find(end, begin.size());
  return text.starts_with(begin) && stop != std::string::npos ? text.substr(begin.size(), stop - begin.size())
                                                              : "";
}

// The kind of an option's value, as its help has it: "N", "FILE".
std::string kind_of(const CLI::App& app, const std::string& name) {
  const CLI::Option* option = app.get_option_no_throw(name);
  const std::string kind = option ? option->get_type_name() : "";
  return kind.empty() ? "a value" : kind.substr(0, kind.find(':'));
}

// CLI11 puts what it knows into a text, and into nothing else.
std::string option_message(const CLI::App& app, const CLI::Error& error) {
  std::string text = error.what();
  if (error.get_name() == "RequiredError" && text.ends_with("subcommand is required"))
    return fmt::format("expected a command; known: {}", fmt::join(visible_commands(app), ", "));
  const std::string unconverted = between(text, "Could not convert: ", " = ");
  if (const CLI::Option* option = app.get_option_no_throw(unconverted);
      option && option->get_expected_max() == 0)
    return unconverted + ": takes no value";
  if (!unconverted.empty())
    return fmt::format("{}: found '{}', expected {}", unconverted, text.substr(text.find(" = ") + 3),
                       kind_of(app, unconverted));
  if (take_away(text, ": Should be true/false or a number") ||
      take_away(text, ": too many inputs for a flag") ||
      take_away(text, " was given a disallowed flag override"))
    return text + ": takes no value";
  const std::string name = text.substr(0, text.find(": "));
  const std::string rest = text.substr(std::min(text.size(), name.size()));
  if (error.get_name() == "ArgumentMismatch") {
    if (rest.starts_with(": At Most 1 required"))
      return fmt::format("{}: found {} times, expected once", name, rest.substr(rest.rfind(' ') + 1));
    return fmt::format("{}: found nothing behind it, expected {}", name, kind_of(app, name));
  }
  if (const auto middle = text.find(" excludes "); error.get_name() == "ExcludesError" && middle != text.npos)
    return fmt::format("found both {} and {}, expected one of them", text.substr(0, middle),
                       text.substr(middle + std::string_view(" excludes ").size()));
  // "x is required", "x requires y", and what validators of our own say.
  return text;
}

// Refuses a file or folder whose name is empty: that of a variable that was not set, mostly.
void refuse_empty_names(const CLI::App& app) {
  constexpr std::array<std::string_view, 3> kPlaces{"FILE", "DIR", "PATH"};
  for (const CLI::Option* option : app.get_options()) {
    const std::vector<std::string>& given = option->results();
    if (std::find(kPlaces.begin(), kPlaces.end(), option->get_type_name()) != kPlaces.end() &&
        std::find(given.begin(), given.end(), "") != given.end())
      throw CLI::ValidationError(option->get_name(),
                                 "found an empty name, expected a " + option->get_type_name());
  }
}

class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    std::string text = CLI::Formatter::make_option_opts(option);
    constexpr std::string_view kMore = " ...";
    const auto more = text.find(kMore);
    if (more != text.npos && !option->get_positional() && !option->get_allow_extra_args())
      text.erase(more, kMore.size());
    return text;
  }
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_formatter() { return std::make_shared<HelpFormatter>(); }

std::vector<std::string> visible_commands(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    if (!command->get_group().empty()) names.push_back(command->get_name());
  return names;
}

std::vector<std::string> visible_options(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    if (!option->get_group().empty())
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

std::vector<const CLI::Option*> arguments_of(const CLI::App& app) {
  return app.get_options([](const CLI::Option* option) { return option->get_positional(); });
}

std::string usage_message(const CLI::App* program, const CLI::Error& error) {
  const Place place = place_of(*program);
  // A misspelt option may be why a required one is missing.
  // (CLI11 gives errors of the first kind the name of the command.)
  const bool is_unread = !place.unread.empty() && (dynamic_cast<const CLI::ExtrasError*>(&error) ||
                                                   dynamic_cast<const CLI::RequiredError*>(&error));
  return fmt::format("{}: {}\n{} --help says more\n", program->get_name(),
                     is_unread ? unread_words(place) : option_message(*place.app, error), place.command);
}

std::optional<int> read_command_line(CLI::App& program, int argc, char** argv) {
  constexpr int kExitFailure = 1, kExitInput = 2;
  program.failure_message(usage_message);
  try {
    program.parse(argc, argv);
    refuse_empty_names(*place_of(program).app);
  } catch (const CLI::ParseError& error) {
    const int code = program.exit(error);
    std::cout.flush();  // the help
    if (code != 0) return kExitInput;
    if (std::cout.good() && flush_output().ok()) return 0;
    print_error_text(program.get_name() + ": the output cannot be written\n");
    return kExitFailure;
  }
  return std::nullopt;
}

}  // namespace mash
