// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "framework/cli/options.hpp"
#include "framework/operations/site/admin.hpp"

// Subcommands of `mash server`: acts on the database of a site.
namespace mash {

// Arguments of one of them; each uses its own.
struct AdminState {
  OutputOptions output;
  std::string folder = "mash-site";
  std::string name, new_name, role = std::string(kContributorRole), quota, scope = "submit", url, file;
  bool password_from_stdin = false, removes_published = false, lists_invitations = false;
  int days = 0;
  SiteBoard board;
  bool measures = false;                // what the board can tell apart
  std::vector<std::string> heuristics;  // of boards, beside the usual ones
  std::optional<std::size_t> num_seeds;
  std::optional<double> ladder_step;
  std::optional<std::string> points;
};

// Prints one of both, by --json.
Status print_admin(const AdminState& state, const nlohmann::ordered_json& json, const std::string& text);

// Adds commands with the options that all of them take.
class AdminCommands {
 public:
  explicit AdminCommands(CLI::App& parent) : parent_(&parent) {}

  CLI::App& command(const char* name, const char* summary, const char* example,
                    Status (*run)(const AdminState&));
  // That of the command that was added last.
  AdminState& state() { return *state_; }

  CLI::App& group(const char* name, const char* summary, const char* example);
  void turn_to(CLI::App& parent) { parent_ = &parent; }

  void add_name(CLI::App& app, const char* what);
  void add_days(CLI::App& app, int days, int most);

  std::vector<Subcommand> subcommands;

 private:
  CLI::App* parent_;
  std::shared_ptr<AdminState> state_;
};

}  // namespace mash
