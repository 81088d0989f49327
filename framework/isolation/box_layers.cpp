// SPDX-License-Identifier: Apache-2.0
#include "framework/isolation/box_layers.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <map>
#include <optional>
#include <sstream>

#include "framework/base/running_program.hpp"
#include "framework/base/scratch_folder.hpp"
#include "framework/isolation/box.hpp"
#include "framework/isolation/box_probe.hpp"
#include "framework/isolation/control_group.hpp"
#include "framework/isolation/landlock.hpp"
#include "framework/isolation/worker_process.hpp"

namespace mash {
namespace {

constexpr double kProbeSeconds = 30;
constexpr GroupLimits kProbeGroup{std::uint64_t(256) << 20, 32};

// A layer: what it keeps out, and what to do where it does not hold.
struct Row {
  const char* name;
  bool is_needed;
  const char* keeps_out;
  const char* cure;
};
constexpr const char* kNamespaceCure =
    "let users make namespaces: sysctl kernel.unprivileged_userns_clone=1, user.max_user_namespaces above "
    "0 and, with AppArmor, kernel.apparmor_restrict_unprivileged_userns=0; in a container, allow them there";
constexpr Row kRows[] = {
    {"namespaces", true, "other processes, the network, the name of the machine", kNamespaceCure},
    {"user", true, "files of the user that starts it, where that is root", "start as a user without rights"},
    {"files", true, "every file but the system's programs and libraries; nothing can be written to disk",
     kNamespaceCure},
    {"system-calls", true, "all calls of the kernel that computing does not need; attacks end the process",
     "a kernel with CONFIG_SECCOMP_FILTER"},
    {"limits", true, "memory, time, files and processes without bound", "install the package util-linux"},
    {"landlock", false, "files, once more, by rules of the process itself",
     "a kernel from 5.13 on, started with landlock among its lsm="},
};

// The probe's answer and its end.
struct Probe {
  std::optional<Error> error;               // no box could be made
  std::map<std::string, std::string> open;  // by layer; "" where it held
  bool was_killed_for_starting_a_program = false;
};

Result<ChildResult> run_probe(const ControlGroup* group) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return failure("this program is built with sanitizers, which need what a box refuses");
#endif
  MASH_ASSIGN(const std::filesystem::path worker, find_worker_program(worker_folders(running_program())));
  MASH_ASSIGN(const ScratchFolder closed, ScratchFolder::make("probe"));
  const int folder = ::open(closed.path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  ChildCommand command;
  command.arguments = {worker.string(), kProbeRequest};
  command.descriptors = {folder};
  command.group = ChildCommand::Group::kOwn;
  command.patience_seconds = 0;
  command.limits.wall_seconds = kProbeSeconds;
  command.limits.address_bytes = kProbeAddressBytes;
  command.limits.open_files = kProbeOpenFiles;
  command.limits.processes = 4;
  command.limits.core_bytes = 0;
  auto in_box = boxed(std::move(command), {});
  if (in_box.ok() && group) group->take_in(*in_box);
  auto child = in_box.ok() ? ChildProcess::start(*std::move(in_box)) : in_box.error();
  ::close(folder);
  if (!child.ok()) return child.error();
  return child->wait();
}

Probe probe_box(const ControlGroup* group) {
  Probe probe;
  const auto result = run_probe(group);
  if (!result.ok()) {
    probe.error = result.error();
    return probe;
  }
  std::istringstream lines(result->out);
  for (std::string layer, what; lines >> layer && std::getline(lines, what);)
    probe.open[layer] = what == " held" ? "" : what.substr(what.find(':') + 2);
  probe.was_killed_for_starting_a_program = result->status.exit_code == 128 + SIGSYS;
  if (probe.open.empty())
    probe.error = failure("no box could be made: {} {}", result->status.describe(), result->err);
  return probe;
}

BoxLayer layer_of(const Row& row, const Probe& probe) {
  BoxLayer layer{row.name, row.is_needed, false, {}};
  const std::string name = row.name;
  std::string open = "it was not tried";
  if (probe.error)
    open = probe.error->message;
  else if (const auto found = probe.open.find(name); found != probe.open.end())
    open = found->second;
  // A user who is not root stays the same, and has no more rights than that.
  if (name == "user" && !probe.error && ::geteuid() != 0) open.clear();
  if (name == "system-calls" && open.empty() && !probe.was_killed_for_starting_a_program)
    open = "it was not ended for starting a program";
  layer.is_active = open.empty();
  layer.finding = layer.is_active ? row.keeps_out : fmt::format("{}; cure: {}", open, row.cure);
  if (name == "landlock" && layer.is_active)
    layer.finding += fmt::format(" (version {})", landlock_version());
  return layer;
}

std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

constexpr const char* kControlGroups = "control-groups";

}  // namespace

std::vector<BoxLayer> try_box_layers() {
  auto group = ControlGroup::make(kProbeGroup);
  Probe probe = probe_box(group.ok() ? &*group : nullptr);
  const bool is_entered = group.ok() && !probe.error;
  if (probe.error && group.ok())
    probe = probe_box(nullptr);  // perhaps it is the group that cannot be entered
  if (probe.error) probe.error->message = trimmed(probe.error->message);
  std::vector<BoxLayer> layers;
  for (const Row& row : kRows) layers.push_back(layer_of(row, probe));
  BoxLayer groups{kControlGroups, false, is_entered, {}};
  if (is_entered) {
    groups.finding = "memory and processes of a whole box without bound";
    if (::geteuid() == 0)
      groups.finding += "; for root only: what mash serve starts as root runs as nobody, who can make none";
  } else {
    groups.finding = fmt::format(
        "{}; a program in a box has a bound of memory and a box one of programs, all boxes "
        "together have none",
        group.ok() ? "the group cannot be entered" : group.error().message);
  }
  layers.push_back(std::move(groups));
  return layers;
}

const std::vector<BoxLayer>& box_layers() {
  static const std::vector<BoxLayer> layers = try_box_layers();
  return layers;
}

Status check_box() {
  for (const BoxLayer& layer : box_layers())
    if (layer.is_needed && !layer.is_active)
      return failure("nothing can be run in a box here: {}: {}", layer.name, layer.finding);
  return Done{};
}

std::optional<ControlGroup> make_box_group(const GroupLimits& limits) {
  if (!std::ranges::any_of(box_layers(), [](const BoxLayer& layer) {
        return layer.name == kControlGroups && layer.is_active;
      }))
    return std::nullopt;
  auto group = ControlGroup::make(limits);
  return group.ok() ? std::optional(*std::move(group)) : std::nullopt;
}

}  // namespace mash
