// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "framework/base/result.hpp"
#include "framework/base/work_context.hpp"

namespace mash {

// Settings of a contributor's new project.
struct NewProjectSettings {
  std::string name;            // of all of it: "run-length"
  std::string kind = "blank";  // what it starts from
  std::filesystem::path parent = ".";
  std::string author;  // empty: this_user()
};

// A new project. Its source, class, plugin and id have its name.
struct NewProject {
  std::string id, kind, author;
  std::filesystem::path folder;
  std::vector<std::filesystem::path> files;
};

// Makes a project with source, test and build rules, whole or not at all. Errors (kInput): the name is no id
// or is taken, the kind is unknown, or the folder is not empty; kFailure: the project cannot be written;
// kStopped.
Result<NewProject> make_project(const NewProjectSettings& settings, const WorkContext& work);

// Kinds that a project can start from.
std::vector<std::string_view> project_kinds();

// The name of the user who is logged in; the full name where the machine knows it.
std::string this_user();

// The document that --json prints; its keys are a contract.
nlohmann::ordered_json to_json(const NewProject& project);

}  // namespace mash
