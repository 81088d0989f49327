// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/workshop/new_project.hpp"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "framework/base/settings.hpp"
#include "framework/base/utf8.hpp"
#include "framework/extractors/catalogue.hpp"
#include "framework/operations/common/plugins.hpp"
#include "framework/operations/common/whole_folder.hpp"
#include "framework/operations/workshop/templates.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

namespace fs = std::filesystem;

constexpr std::string_view kCommon = "common";

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

// "row_means": the source of a kind, without .cpp. It says what the template computes.
std::string source_for_kind(std::string_view kind) {
  for (const TemplateFile& file : template_files())
    if (file.kind == kind && file.name.ends_with(".cpp")) return fs::path(file.name).stem();
  throw std::logic_error("source_for_kind: the kind has no C++ source");
}

// "RunLength" of run-length or run_length. A class cannot begin with a digit: "H3d" of 3d.
std::string class_of(std::string_view name) {
  std::string text;
  bool begins_word = true;
  for (const char c : name) {
    const bool is_letter = c >= 'a' && c <= 'z', is_between = c == '-' || c == '_';
    if (text.empty() && !is_letter) text = "H";
    if (!is_between) text += is_letter && begins_word ? char(c - 'a' + 'A') : c;
    begins_word = is_between;
  }
  return text;
}

// The source of a template with the project's names: those of what the template computes are replaced.
std::string renamed(std::string text, const std::string& computes, const std::string& project) {
  std::string name = class_of(project);
  while (text.find(name) != std::string::npos && name != class_of(computes)) name += "Features";
  return replaced(std::move(text), class_of(computes), name);
}

std::string project_name_of(std::string_view template_name, const std::string& source) {
  if (template_name == "gitignore") return ".gitignore";
  return replaced(std::string(template_name), "source_test", source + "_test");
}

std::vector<NewFile> project_files(const NewProjectSettings& settings) {
  const std::string computes = source_for_kind(settings.kind);
  const std::string source = replaced(settings.name, "-", "_");
  std::vector<NewFile> files;
  for (const TemplateFile& file : template_files()) {
    const bool is_replaced = std::any_of(
        template_files().begin(), template_files().end(),
        [&](const TemplateFile& own) { return own.kind == settings.kind && own.name == file.name; });
    if (file.kind != settings.kind && (file.kind != kCommon || is_replaced)) continue;
    const bool is_source = file.kind == settings.kind && fs::path(file.name).stem() == computes;
    const std::string name = is_source ? source + ".cpp" : project_name_of(file.name, source);
    const std::string author = name.ends_with(".cpp") ? escaped(settings.author) : settings.author;
    std::string text =
        is_source ? renamed(std::string(file.text), computes, settings.name) : std::string(file.text);
    for (const auto& [mark, value] : {std::pair("@NAME@", settings.name),
                                      {"@SOURCE@", source},
                                      {"@ID@", settings.name},
                                      {"@AUTHOR@", author}})
      text = replaced(std::move(text), mark, value);
    files.push_back({name, std::move(text)});
  }
  std::sort(files.begin(), files.end(), [](const NewFile& a, const NewFile& b) { return a.name < b.name; });
  return files;
}

Status check_name(const std::string& name) {
  const auto is_word = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  if (!std::all_of(name.begin(), name.end(), [&](char c) { return is_word(c) || c == '-'; }) ||
      name.empty() || !is_word(name[0]))
    return input_error("name '{}': expected small letters, digits and '-', a letter or digit first", name);
  if (name.ends_with("-test"))
    return input_error("name '{}': its source would be taken for that of a test; choose another", name);
  // Words of the experiment file, and names that CMake keeps for itself.
  for (const std::string_view reserved :
       {"all", "columns", "clean", "help", "install", "package", "preinstall", "test"})
    if (name == reserved) return input_error("name '{}': it is reserved; choose another", name);
  return Done{};
}

Status check_kind(const std::string& kind) {
  const auto known = project_kinds();
  if (std::find(known.begin(), known.end(), kind) == known.end())
    return unknown_name("kind of project", kind, known);
  return Done{};
}

// Ids are unique: with two of the same, one would hide the other.
Status check_is_new(const NewProjectSettings& settings, const WorkContext& work) {
  MASH_ASSIGN(const Catalogue catalogue,
              open_catalogue({}, {work.workers, work.progress, no_remarks(), work.stop}));
  for (const HeuristicInfo& info : catalogue.heuristics())
    if (info.id == settings.name)
      return input_error("name '{}': there is a heuristic of the id {}, in {}; choose another", settings.name,
                         info.id, info.plugin.string());
  return Done{};
}

Status check_author(const std::string& author) {
  if (author.empty() || std::any_of(author.begin(), author.end(), is_control))
    return input_error("author: expected one line of text");
  return Done{};
}

}  // namespace

Result<NewProject> make_project(const NewProjectSettings& wanted, const WorkContext& work) {
  NewProjectSettings settings = wanted;
  if (settings.author.empty()) settings.author = this_user();
  const fs::path folder = (settings.parent / settings.name).lexically_normal();
  MASH_TRY(check_name(settings.name));
  MASH_TRY(check_kind(settings.kind));
  MASH_TRY(check_author(settings.author));
  MASH_TRY(check_new_folder(folder));
  MASH_TRY(check_is_new(settings, work));
  const std::vector<NewFile> files = project_files(settings);
  MASH_TRY(write_new_folder(folder, files));
  NewProject project{settings.name, settings.kind, settings.author, folder, {}};
  for (const NewFile& file : files) project.files.push_back(folder / file.name);
  return project;
}

std::vector<std::string_view> project_kinds() {
  std::vector<std::string_view> names;
  for (const TemplateFile& file : template_files())
    if (file.kind != kCommon && (names.empty() || names.back() != file.kind)) names.push_back(file.kind);
  return names;
}

std::string this_user() {
  passwd entry{};
  passwd* user = nullptr;
  std::array<char, 4096> buffer{};
  if (::getpwuid_r(::getuid(), &entry, buffer.data(), buffer.size(), &user) != 0 || user == nullptr)
    return "unknown";
  const std::string_view full_name = user->pw_gecos ? user->pw_gecos : "";
  const std::string_view first = full_name.substr(0, full_name.find(','));
  return std::string(first.empty() ? user->pw_name : first);
}

Json to_json(const NewProject& project) {
  Json json{{"id", project.id},
            {"from", project.kind},
            {"author", project.author},
            {"folder", project.folder.string()},
            {"files", Json::array()}};
  for (const std::filesystem::path& file : project.files) json["files"].push_back(file.string());
  return json;
}

}  // namespace mash
