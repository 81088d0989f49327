// SPDX-License-Identifier: Apache-2.0
#include "framework/isolation/plugin_access.hpp"

#include <sstream>

#include "framework/base/file.hpp"
#include "framework/base/running_program.hpp"
#include "framework/extractors/in_process_host.hpp"
#include "framework/extractors/plugin.hpp"

namespace mash {
namespace {

// Two hosts, and the rule which of them runs a plugin.
class RoutedHost final : public HeuristicHost {
 public:
  RoutedHost(const IsolationSettings& settings, Remarks& remarks)
      : isolation_(settings.isolation),
        describing_(settings.is_wary && isolation_ == Isolation::kNone ? Isolation::kByOrigin : isolation_),
        shipped_(shipped_hashes(installed_heuristic_folders(running_program()))),
        in_process_(remarks),
        isolated_(settings, remarks) {}

  Result<std::vector<HeuristicInfo>> describe(const std::filesystem::path& path, const StopFlag& stop) {
    MASH_ASSIGN(const PluginFile file, read_plugin_file(path));
    return is_here(file.sha256, describing_) ? describe_in_process(file) : isolated_.describe(file, &stop);
  }

  Result<std::unique_ptr<HeuristicInstance>> open(const HeuristicInfo& info, std::span<const double> values,
                                                  std::uint32_t num_cameras = 1) override {
    return is_here(info.plugin_sha256, isolation_) ? in_process_.open(info, values, num_cameras)
                                                   : isolated_.open(info, values, num_cameras);
  }

  bool is_shipped(const HeuristicInfo& info) const override { return shipped_.contains(info.plugin_sha256); }
  void rest() override { isolated_.rest(); }
  std::vector<Incident> take_incidents() override { return isolated_.take_incidents(); }

 private:
  // Whether this isolation leaves a plugin in this process.
  bool is_here(const std::string& plugin_sha256, Isolation isolation) const {
    return isolation == Isolation::kNone ||
           (isolation == Isolation::kByOrigin && shipped_.contains(plugin_sha256));
  }

  Isolation isolation_, describing_;  // of running plugins, and of looking at them
  std::set<std::string> shipped_;
  InProcessHost in_process_;
  IsolatedHost isolated_;
};

}  // namespace

std::set<std::string> shipped_hashes(std::span<const std::filesystem::path> folders) {
  std::set<std::string> hashes;
  for (const std::filesystem::path& folder : folders) {
    const auto text = read_file(folder / "shipped.sha256");
    if (!text.ok()) continue;
    std::istringstream lines(*text);
    for (std::string hash, name; lines >> hash && std::getline(lines, name);) hashes.insert(hash);
  }
  return hashes;
}

PluginAccess access_to_plugins(const IsolationSettings& settings, const WorkContext& work) {
  auto host = std::make_unique<RoutedHost>(settings, work.remarks);
  const auto describe =
      [host = host.get(), &workers = work.workers, &stop = work.stop](
          std::span<const std::filesystem::path> files) -> Result<std::vector<DescribedPlugin>> {
    std::vector<DescribedPlugin> described(files.size(), failure("not looked at"));
    MASH_TRY(workers.try_each(files.size(), stop, [&](std::size_t i) -> Status {
      described[i] = host->describe(files[i], stop);  // which may be an error of the one file
      const bool is_stopped = !described[i].ok() && described[i].error().kind == ErrorKind::kStopped;
      return is_stopped ? Status(described[i].error()) : Done{};
    }));
    return described;
  };
  return {describe, std::move(host)};
}

}  // namespace mash
