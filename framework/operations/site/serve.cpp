// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/site/serve.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "framework/base/child_process.hpp"
#include "framework/base/running_program.hpp"
#include "framework/base/secrets.hpp"
#include "framework/base/shell_word.hpp"
#include "framework/operations/site/admin.hpp"
#include "framework/operations/site/restart_policy.hpp"
#include "framework/records/site/known_pictures.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;

constexpr uid_t kNobody = 65534;
constexpr int kTokenDays = 3650;
constexpr double kLookSeconds = 0.2;

Status make_folders(const fs::path& folder) {
  std::error_code code;
  // Run by root, all that is in it is given to nobody.
  if (::geteuid() == 0 && fs::is_directory(folder, code) && !fs::exists(database_in(folder), code) &&
      !fs::is_empty(folder, code))
    return input_error(
        "folder {}: holds other things and no mash.db: expected a new folder, or that of a server",
        folder.string());
  fs::create_directories(store_in(folder), code);
  if (code) return input_error("folder {}: cannot be made: {}", folder.string(), code.message());
  fs::permissions(folder, fs::perms::owner_all, code);  // it will hold hashes of passwords
  return Done{};
}

fs::path program_of(SitePart part) {
  return running_program().parent_path() / (part == SitePart::kServer ? "mash-server" : "mash-runner");
}

std::vector<std::string> arguments_of(SitePart part, const ServeSettings& settings) {
  std::vector<std::string> arguments =
      part == SitePart::kServer ? server_options(settings) : runner_options(settings);
  arguments.insert(arguments.begin(), program_of(part).string());
  return arguments;
}

// One of the programs; begun again when it ends.
class RunningPart {
 public:
  RunningPart(SitePart part, const ServeSettings& settings) : name_(program_of(part).filename().string()) {
    command_.arguments = arguments_of(part, settings);
    command_.shares_output = true;
    command_.group = ChildCommand::Group::kOwn;
    command_.patience_seconds = 10;
    if (part == SitePart::kRunner) command_.niceness = settings.runners.niceness;
    if (::geteuid() == 0) command_.user = ChildUser{kNobody};
  }

  // Errors (kFailure): it cannot be started, or ends again and again.
  Status look_after(Remarks& remarks) {
    if (child_ && !child_->has_ended()) return Done{};
    if (child_) MASH_TRY(take_leave(remarks));
    if (since_end_.seconds() < wait_seconds_) return Done{};
    MASH_ASSIGN(ChildProcess child, ChildProcess::start(command_));
    child_.emplace(std::move(child));
    since_start_ = {};
    return Done{};
  }

 private:
  Status take_leave(Remarks& remarks) {
    const double seconds = since_start_.seconds();
    const ExitStatus status = child_->wait().status;
    child_.reset();
    since_end_ = {};
    const std::optional<double> wait = policy_.wait_after(seconds, status.signal == SIGKILL);
    if (!wait)
      return failure("{}: ended {} times right after its start, the last time with {}", name_,
                     RestartPolicy::kMaxFirstEnds, status.describe());
    wait_seconds_ = *wait;
    remarks.warn(
        fmt::format("{}: ended with {}; it is begun again in {:.1f} s", name_, status.describe(), *wait));
    return Done{};
  }

  std::string name_;
  ChildCommand command_;
  std::optional<ChildProcess> child_;
  Stopwatch since_start_, since_end_;
  double wait_seconds_ = 0;
  RestartPolicy policy_;
};

// Errors (kInput): a folder above it, one that is there, lets only its owner in.
Status check_way_for_nobody(const fs::path& folder) {
  for (fs::path above = folder.parent_path();; above = above.parent_path()) {
    std::error_code code;
    const fs::file_status status = fs::status(above, code);
    if (fs::exists(status) && (status.permissions() & fs::perms::others_exec) == fs::perms::none)
      return input_error(
          "folder {}: run by root, the programs of a server become nobody, whom {} does not let in: choose "
          "another place, or run this as a user of its own",
          folder.string(), above.string());
    if (above == above.parent_path()) return Done{};
  }
}

// Gives the folder to the user that the programs become.
Status give_away(const fs::path& folder) {
  if (::geteuid() != 0) return Done{};
  MASH_TRY(check_way_for_nobody(folder));
  std::error_code code;
  if (::lchown(folder.c_str(), kNobody, kNobody) != 0)
    return failure("folder {}: cannot be given to nobody", folder.string());
  for (fs::recursive_directory_iterator it(folder, code), end; !code && it != end; it.increment(code))
    if (::lchown(it->path().c_str(), kNobody, kNobody) != 0)
      return failure("{}: cannot be given to nobody", it->path().string());
  return Done{};
}

// Errors (kInput) name the line of the settings file: those of described_board; two have the same name.
Result<std::vector<DescribedBoard>> described_boards(const std::vector<SiteBoard>& settings) {
  std::vector<DescribedBoard> boards;
  for (const SiteBoard& one : settings) {
    const std::string place = one.where.empty() ? "boards" : one.where;
    const auto board = described_board(one);
    if (!board.ok()) return board.error().at(place);
    const std::string& name = board->board.name;
    if (std::ranges::any_of(boards, [&](const DescribedBoard& other) { return other.board.name == name; }))
      return input_error("{}: two boards are called '{}'; give one of them another name", place, name);
    boards.push_back(*board);
  }
  return boards;
}

// The remark on a new version that a start makes. where: in the settings file; empty: an option asks for it.
std::string start_remark(const ConfiguredBoard& put, const std::string& where) {
  const std::string remark = new_version_remark(put);
  if (where.empty()) return remark;
  return fmt::format(
      "{}: {}. This file says so: what mash server board put changes stays only where it is changed here too",
      where, remark);
}

// In a build folder the programs of a site are a target of their own.
std::string how_to_get_it(const fs::path& program) {
  const fs::path build = program.parent_path().parent_path();
  if (fs::exists(build / "CMakeCache.txt"))
    return fmt::format("cmake --build {} --target server", shell_word(build.string()));
  return "install the package mash-server, or the component server of MASH's build";
}

}  // namespace

Status check_serve_settings(const ServeSettings& settings) {
  if (const auto boards = described_boards(settings.boards); !boards.ok()) return boards.error();
  std::error_code code;
  const fs::path folder = fs::weakly_canonical(fs::absolute(settings.folder, code), code);
  return ::geteuid() == 0 && !code ? check_way_for_nobody(folder) : Status(Done{});
}

Status prepare_site(const ServeSettings& settings, Remarks& remarks) {
  MASH_ASSIGN(std::vector<DescribedBoard> boards, described_boards(settings.boards));
  MASH_TRY(make_folders(settings.folder));
  MASH_ASSIGN(Records records, Records::open(database_in(settings.folder)));
  if (boards.empty()) {
    MASH_ASSIGN(const auto there, read_boards(records));
    if (there.empty()) {
      MASH_ASSIGN(boards, described_boards({{"demo", "demo-board"}}));
    }
  }
  for (std::size_t i = 0; i < boards.size(); ++i) {
    MASH_ASSIGN(const ConfiguredBoard put, configure_board(records, boards[i]));
    if (put.former) remarks.tell(start_remark(put, settings.boards.at(i).where));
  }
  MASH_ASSIGN(const auto there, read_boards(records));
  for (const Board& board : there)
    if (const std::string known = remark_on_known_pictures(board); !known.empty()) remarks.tell(known);
  return Done{};
}

Result<std::optional<std::string>> make_first_operator(const ServeSettings& settings) {
  MASH_ASSIGN(Records records, Records::open(database_in(settings.folder)));
  MASH_ASSIGN(const auto users, read_users(records));
  if (std::ranges::any_of(users, [](const User& user) { return user.role == kOperatorRole; }))
    return std::optional<std::string>();
  MASH_ASSIGN(const std::int64_t id, add_user(records, {0, "operator", std::string(kOperatorRole), ""}));
  const std::string token = make_secret();
  MASH_ASSIGN(
      [[maybe_unused]] const std::int64_t token_id,
      add_token(records, id, {.scope = Scope::kOperate, .label = "made with the site"}, token, kTokenDays));
  return std::optional(token);
}

Status run_site(const ServeSettings& settings, const WorkContext& work) {
  std::error_code code;
  const fs::path folder = fs::canonical(settings.folder, code);  // not a link to it, nor "site/"
  if (code) return failure("folder {}: {}", settings.folder.string(), code.message());
  MASH_TRY(give_away(folder));
  std::vector<RunningPart> parts;
  parts.reserve(1 + std::size_t(settings.runners.count));
  parts.emplace_back(SitePart::kServer, settings);
  for (int i = 0; i < settings.runners.count; ++i) parts.emplace_back(SitePart::kRunner, settings);
  while (!work.stop.raised()) {
    for (RunningPart& part : parts) MASH_TRY(part.look_after(work.remarks));
    ::usleep(useconds_t(1e6 * kLookSeconds));
  }
  return Done{};
}

Status check_site_programs() {
  for (const SitePart part : {SitePart::kServer, SitePart::kRunner})
    if (const fs::path program = program_of(part); ::access(program.c_str(), X_OK) != 0)
      return failure("{}: not there; a site needs it: {}", program.string(), how_to_get_it(program));
  return Done{};
}

Error become_part(SitePart part, const ServeSettings& settings) {
  std::vector<std::string> arguments = arguments_of(part, settings);
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  if (part == SitePart::kRunner && settings.runners.niceness != 0) {
    errno = 0;
    if (::nice(settings.runners.niceness) == -1 && errno != 0)
      return failure("niceness {}: {}", settings.runners.niceness, std::strerror(errno));
  }
  ::execv(pointers[0], pointers.data());
  return failure("{}: cannot be started: {}", arguments[0], std::strerror(errno));
}

}  // namespace mash
