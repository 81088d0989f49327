// SPDX-License-Identifier: Apache-2.0
#include "framework/commandline/manual.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "framework/base/file.hpp"
#include "framework/commandline/usage.hpp"

namespace mash {
namespace {

// A text as troff prints it: no character of it is a command.
std::string plain(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (escaped.empty() && (c == '.' || c == '\'')) escaped += "\\&";
    if (c == '\\')
      escaped += "\\e";
    else if (c == '-')
      escaped += "\\-";
    else
      escaped += c;
  }
  return escaped;
}

// An argument of a macro, which blanks would end.
std::string macro_argument(std::string_view text) {
  std::string escaped;
  for (const char c : plain(text)) escaped += c == '"' ? "\\(dq" : std::string(1, c);
  return '"' + escaped + '"';
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

// "mash heuristic try", with something else between the names.
std::string path_of(const CLI::App& app, std::string_view between) {
  const CLI::App* parent = app.get_parent();
  return parent ? fmt::format("{}{}{}", path_of(*parent, between), between, app.get_name()) : app.get_name();
}

// "N, 1 to 9 [7]": what an option takes, as --help has it.
std::string value_of(const CLI::Option& option) {
  if (option.get_expected_max() == 0) return "";
  std::string type = option.get_type_name();
  if (const auto colon = type.find(':'); colon != std::string::npos) type.replace(colon, 1, ", ");
  if (option.get_expected_max() == CLI::detail::expected_max_vector_size && option.get_positional())
    type += " ...";
  if (!option.get_default_str().empty()) type += fmt::format(" [{}]", option.get_default_str());
  return type;
}

std::string names_of(const CLI::Option& option) {
  if (option.get_positional()) return option.get_name();
  std::string names;
  for (const std::string& name : option.get_snames()) names += (names.empty() ? "-" : ", -") + name;
  for (const std::string& name : option.get_lnames()) names += (names.empty() ? "--" : ", --") + name;
  return names;
}

std::string list_of(std::string_view word, const std::set<CLI::Option*>& options) {
  std::set<std::string> names;  // in an order that is always the same
  for (const CLI::Option* option : options) names.insert(option->get_name());
  return names.empty() ? "" : fmt::format("{} {}.", word, fmt::join(names, ", "));
}

std::string sentence(std::string text) {
  if (!text.empty() && text.back() != '.') text += '.';
  return text;
}

void add_option(const CLI::Option& option, std::string& page) {
  const std::string value = value_of(option);
  page += fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", plain(names_of(option)),
                      value.empty() ? "" : " \\fI" + plain(value) + "\\fR",
                      plain(sentence(option.get_description())));
  std::vector<std::string> notes{list_of("Needs", option.get_needs()),
                                 list_of("Not together with", option.get_excludes())};
  if (option.get_required()) notes.insert(notes.begin(), "Required.");
  for (const std::string& note : notes)
    if (!note.empty()) page += plain(note) + "\n";
}

void add_options(const CLI::App& app, std::string& page) {
  const auto arguments = arguments_of(app);
  if (!arguments.empty()) page += ".SH ARGUMENTS\n";
  for (const CLI::Option* argument : arguments) add_option(*argument, page);
  page += ".SH OPTIONS\n";
  for (const CLI::Option* option : app.get_options())
    if (!option->get_positional() && !option->get_group().empty()) add_option(*option, page);
}

void add_synopsis(const CLI::App& app, std::string& page) {
  page += fmt::format(".SH SYNOPSIS\n.B {}\n", plain(path_of(app, " ")));
  if (!commands_of(app).empty()) {
    page += ".I COMMAND\n[\\fIOPTIONS\\fR]\n";
    return;
  }
  page += "[\\fIOPTIONS\\fR]\n";
  for (const CLI::Option* argument : arguments_of(app)) {
    const std::string dots =
        argument->get_expected_max() == CLI::detail::expected_max_vector_size ? " ..." : "";
    const std::string text = "\\fI" + plain(argument->get_name()) + "\\fR" + dots;
    page += (argument->get_required() ? text : "[" + text + "]") + "\n";
  }
}

void add_commands(const CLI::App& app, int section, std::string& page) {
  const auto commands = commands_of(app);
  if (!commands.empty()) page += ".SH COMMANDS\n";
  for (const CLI::App* command : commands)
    page += fmt::format(".TP\n\\fB{}\\fR({})\n{}\n", plain(path_of(*command, "-")), section,
                        plain(command->get_description()));
}

// The text below the options in --help: examples in a section of their own, all else as notes.
class Footer {
 public:
  void add(const std::string& line) {
    const bool is_literal = line.starts_with("  ");
    if (is_literal != is_literal_) *section_ += is_literal ? ".nf\n.RS 4\n" : ".RE\n.fi\n";
    const bool was_literal = std::exchange(is_literal_, is_literal);
    if (line == "Example:" || line == "Examples:")
      section_ = &examples_;
    else if (is_literal)
      *section_ += plain(line.substr(2)) + "\n";
    else if (!line.empty())
      add_note(line, was_literal);
  }

  // The sections, when all lines were added.
  std::string text() {
    if (std::exchange(is_literal_, false)) *section_ += ".RE\n.fi\n";
    std::string text;
    if (!notes_.empty()) text += ".SH NOTES\n" + notes_;
    if (!examples_.empty()) text += ".SH EXAMPLES\n" + examples_;
    return text;
  }

 private:
  void add_note(const std::string& line, bool was_literal) {
    section_ = &notes_;
    if (line.ends_with(':')) {
      notes_ += ".SS " + macro_argument(line.substr(0, line.size() - 1)) + "\n";
      return;
    }
    if (was_literal && !notes_.empty()) notes_ += ".PP\n";
    notes_ += plain(line) + "\n";
  }

  std::string notes_, examples_;
  std::string* section_ = &notes_;
  bool is_literal_ = false;  // in lines that begin with blanks, which are shown as they are
};

void add_environment(std::span<const EnvironmentVariable> variables, std::string& page) {
  if (!variables.empty()) page += ".SH ENVIRONMENT\n";
  for (const EnvironmentVariable& variable : variables)
    page += fmt::format(".TP\n.B {}\n{}\n", plain(variable.name), plain(variable.meaning));
}

// The page of the command above, and those of the commands beside it.
void add_others(const CLI::App& app, int section, std::string& page) {
  std::string others;
  const auto add = [&](const CLI::App& other) {
    others += fmt::format("{}.BR {} ({})", others.empty() ? "" : ",\n", plain(path_of(other, "-")), section);
  };
  const CLI::App* parent = app.get_parent();
  if (parent) add(*parent);
  for (const CLI::App* sibling : parent ? commands_of(*parent) : std::vector<const CLI::App*>())
    if (sibling != &app && parent->get_parent()) add(*sibling);
  if (!others.empty()) page += ".SH SEE ALSO\n" + others + "\n";
}

std::string page_of(const CLI::App& app, const ManualSettings& settings) {
  const std::string name = path_of(app, "-");
  std::string title = name;
  for (char& c : title) c = 'a' <= c && c <= 'z' ? char(c - 'a' + 'A') : c;
  std::string page = fmt::format(".TH {} {} {} {} MASH\n.SH NAME\n{} \\- {}\n", macro_argument(title),
                                 settings.section, MASH_RELEASE_DATE, macro_argument("mash " MASH_VERSION),
                                 plain(name), plain(app.get_description()));
  add_synopsis(app, page);
  page += ".SH DESCRIPTION\n" + plain(sentence(app.get_description())) + "\n";
  add_commands(app, settings.section, page);
  add_options(app, page);
  Footer footer;
  for (const std::string& line : lines_of(app.get_footer())) footer.add(line);
  page +=
      footer.text() +
      ".SH EXIT STATUS\n.TP\n.B 0\nSuccess.\n.TP\n.B 1\nThe work failed.\n.TP\n.B 2\nWrong usage or input.\n";
  add_environment(settings.environment, page);
  add_others(app, settings.section, page);
  return page;
}

void add_pages(const CLI::App& app, const ManualSettings& settings, std::vector<ManualPage>& pages) {
  pages.push_back({fmt::format("{}.{}", path_of(app, "-"), settings.section), page_of(app, settings)});
  for (const CLI::App* command : commands_of(app)) add_pages(*command, settings, pages);
}

}  // namespace

std::vector<ManualPage> manual_pages(const CLI::App& program, const ManualSettings& settings) {
  std::vector<ManualPage> pages;
  add_pages(program, settings, pages);
  return pages;
}

std::optional<Status> write_manual_if_asked(const CLI::App& program, const ManualSettings& settings, int argc,
                                            char** argv) {
  if (argc != 3 || std::string_view(argv[1]) != "--manual") return std::nullopt;
  for (const ManualPage& page : manual_pages(program, settings)) {
    const Status written = write_file_atomically(std::filesystem::path(argv[2]) / page.name, page.text);
    if (!written.ok()) return written;
  }
  return Status(Done{});
}

}  // namespace mash
