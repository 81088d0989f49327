// SPDX-License-Identifier: Apache-2.0
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "framework/base/file.hpp"
#include "framework/base/shell_word.hpp"
#include "framework/base/utf8.hpp"
#include "framework/cli/heuristic.hpp"
#include "framework/cli/json_output.hpp"
#include "framework/cli/templates.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kCommon = "common";

struct NewOptions {
  OutputOptions output;
  std::string name, kind = "blank", folder = ".", author;
};

// A file of the project: its name and content.
struct ProjectFile {
  std::string name, text;
};

std::vector<std::string_view> kinds() {
  std::vector<std::string_view> names;
  for (const TemplateFile& file : template_files())
    if (file.kind != kCommon && (names.empty() || names.back() != file.kind)) names.push_back(file.kind);
  return names;
}

std::string replaced(std::string text, std::string_view mark, std::string_view value) {
  for (std::size_t place = 0; (place = text.find(mark, place)) != std::string::npos; place += value.size())
    text.replace(place, mark.size(), value);
  return text;
}

// As the inside of a C++ string literal.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string project_name_of(std::string_view template_name, const std::string& name) {
  constexpr std::string_view kHeuristic = "heuristic";
  if (template_name == "gitignore") return ".gitignore";
  if (!template_name.starts_with(kHeuristic)) return std::string(template_name);
  return name + std::string(template_name.substr(kHeuristic.size()));
}

std::vector<ProjectFile> project_files(const NewOptions& options) {
  std::vector<ProjectFile> files;
  for (const TemplateFile& file : template_files()) {
    const bool is_replaced = std::any_of(
        template_files().begin(), template_files().end(),
        [&](const TemplateFile& own) { return own.kind == options.kind && own.name == file.name; });
    if (file.kind != options.kind && (file.kind != kCommon || is_replaced)) continue;
    const std::string name = project_name_of(file.name, options.name);
    const std::string author = name.ends_with(".cpp") ? escaped(options.author) : options.author;
    files.push_back(
        {name, replaced(replaced(std::string(file.text), "@NAME@", options.name), "@AUTHOR@", author)});
  }
  std::sort(files.begin(), files.end(),
            [](const ProjectFile& a, const ProjectFile& b) { return a.name < b.name; });
  return files;
}

// Whoever is logged in, by the full name where the machine knows it.
std::string this_user() {
  const passwd* user = ::getpwuid(::getuid());
  if (user == nullptr) return "unknown";
  const std::string_view full_name = user->pw_gecos ? user->pw_gecos : "";
  const std::string_view first = full_name.substr(0, full_name.find(','));
  return std::string(first.empty() ? user->pw_name : first);
}

Status check_name(const std::string& name) {
  const auto is_word = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  if (!std::all_of(name.begin(), name.end(), [&](char c) { return is_word(c) || c == '-'; }) ||
      name.empty() || !is_word(name[0]))
    return input_error("NAME '{}': expected small letters, digits and '-', a letter or digit first", name);
  // Words of the experiment file, and names that CMake keeps for itself.
  for (const std::string_view reserved :
       {"all", "columns", "clean", "help", "install", "package", "preinstall", "test"})
    if (name == reserved) return input_error("NAME '{}': it is reserved; choose another", name);
  return Done{};
}

Status check_kind(const std::string& kind) {
  const auto known = kinds();
  if (std::find(known.begin(), known.end(), kind) == known.end()) return unknown_name("--from", kind, known);
  return Done{};
}

// Ids are unique: with two of the same, one would hide the other.
Status check_is_new(const std::string& name) {
  const Catalogue catalogue = Catalogue::scan(heuristic_folders({}));
  for (const HeuristicInfo& info : catalogue.heuristics())
    if (info.id == name)
      return input_error("NAME '{}': there is a heuristic of this id, in {}; choose another", name,
                         info.plugin.string());
  return Done{};
}

Status check_author(const std::string& author) {
  if (author.empty() || std::any_of(author.begin(), author.end(), is_control))
    return input_error("--author: expected one line of text");
  return Done{};
}

Status check_folder(const fs::path& folder) {
  std::error_code code;
  if (!fs::exists(fs::symlink_status(folder, code))) return Done{};
  if (!fs::is_directory(folder, code))
    return input_error("{}: is a file, expected a folder that is new or empty", folder.string());
  if (!fs::is_empty(folder, code))
    return input_error("{}: is not empty, expected a folder that is new or empty", folder.string());
  return Done{};
}

// The whole project or nothing: written beside its place, then renamed.
Status write_project(const fs::path& folder, const std::vector<ProjectFile>& files) {
  std::error_code code;
  fs::path temporary = folder;
  temporary += fmt::format(".{}.tmp", ::getpid());
  Status status = [&]() -> Status {
    fs::create_directories(temporary, code);
    if (code) return failure("{}: cannot be made: {}", folder.string(), code.message());
    for (const ProjectFile& file : files) MASH_TRY(write_file_atomically(temporary / file.name, file.text));
    if (::rename(temporary.c_str(), folder.c_str()) != 0)
      return failure("{}: cannot be made: {}", folder.string(), std::strerror(errno));
    return Done{};
  }();
  if (!status.ok()) fs::remove_all(temporary, code);
  return status;
}

Status make(NewOptions options) {
  if (options.author.empty()) options.author = this_user();
  const fs::path folder = (fs::path(options.folder) / options.name).lexically_normal();
  MASH_TRY(check_name(options.name));
  MASH_TRY(check_kind(options.kind));
  MASH_TRY(check_author(options.author));
  MASH_TRY(check_folder(folder));
  MASH_TRY(check_is_new(options.name));
  const std::vector<ProjectFile> files = project_files(options);
  MASH_TRY(write_project(folder, files));

  nlohmann::ordered_json json{{"id", options.name},
                              {"from", options.kind},
                              {"author", options.author},
                              {"folder", folder.string()},
                              {"files", nlohmann::ordered_json::array()}};
  for (const ProjectFile& file : files) json["files"].push_back((folder / file.name).string());
  if (options.output.json) {
    print_json(json);
    return Done{};
  }
  for (const ProjectFile& file : files) fmt::print("{}\n", (folder / file.name).string());
  if (!options.output.quiet)
    fmt::print("\nNext:\n  mash heuristic build {0} --test\n  mash heuristic watch {0}\n",
               shell_word(folder.string()));
  return Done{};
}

}  // namespace

Subcommand add_heuristic_new(CLI::App& parent) {
  const auto options = std::make_shared<NewOptions>();
  CLI::App* app =
      parent.add_subcommand("new", "Start a heuristic: a project with source, test and build rules");
  app->add_option("NAME", options->name, "Of the folder, and the id of the heuristic")->required();
  app->add_option("--from", options->kind, fmt::format("What to start from: {}", fmt::join(kinds(), ", ")))
      ->type_name("KIND")
      ->capture_default_str();
  app->add_option("--dir", options->folder, "Where to make the project's folder")
      ->type_name("DIR")
      ->capture_default_str();
  app->add_option("--author", options->author, "Of the heuristic [" + this_user() + "]")->type_name("TEXT");
  options->output.add_to(*app);
  app->footer("Example:\n  mash heuristic new my-edges --from hog --author 'Ada Lovelace'");
  return {app, [options] { return make(*options); }};
}

}  // namespace mash
