// SPDX-License-Identifier: Apache-2.0
#include "framework/extractors/catalogue.hpp"

#include <algorithm>

#include "framework/extractors/guard.hpp"
#include "framework/extractors/plugin.hpp"

namespace mash {
namespace {

// The guard's calls put together as extraction wants them.
class InProcessInstance final : public HeuristicInstance {
 public:
  explicit InProcessInstance(std::unique_ptr<GuardedHeuristic> heuristic)
      : heuristic_(std::move(heuristic)) {}

  Result<std::uint32_t> dim(mash_size_t view_size) override { return heuristic_->dim(view_size); }

  Status extract(const mash_image_t& image, const mash_view_t& view, std::span<const std::uint32_t> indices,
                 std::span<float> out) override {
    MASH_TRY(heuristic_->prepare(image, view));
    const Status computed = heuristic_->compute(indices, out);
    const Status released = heuristic_->release();
    return computed.ok() ? released : computed;
  }

  std::uint64_t num_faults() const override { return heuristic_->num_faults(); }
  std::span<const Fault> first_faults() const override { return heuristic_->first_faults(); }

 private:
  std::unique_ptr<GuardedHeuristic> heuristic_;
};

// The shared libraries of a folder, by name; folders and files of other names are no plugins.
Result<std::vector<std::filesystem::path>> plugin_files(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code code;
  for (std::filesystem::directory_iterator entry(folder, code), end; !code && entry != end;
       entry.increment(code))
    if (entry->path().extension() == ".so") files.push_back(entry->path());
  if (code) return input_error("cannot be searched: {}", code.message());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

class Catalogue::InProcessHost final : public HeuristicHost {
 public:
  Result<std::unique_ptr<HeuristicInstance>> open(const HeuristicInfo& info,
                                                  std::span<const double> values) override {
    const auto found = entries_.find(info.id);
    if (found == entries_.end()) return failure("heuristic '{}' is not of this catalogue", info.id);
    const Entry& entry = found->second;
    MASH_ASSIGN(auto guarded, GuardedHeuristic::create(entry.plugin, entry.heuristic_idx, values));
    return std::unique_ptr<HeuristicInstance>(std::make_unique<InProcessInstance>(std::move(guarded)));
  }

  void add(const std::string& id, std::shared_ptr<const Plugin> plugin, std::size_t heuristic_idx) {
    entries_.emplace(id, Entry{std::move(plugin), heuristic_idx});
  }

 private:
  struct Entry {
    std::shared_ptr<const Plugin> plugin;
    std::size_t heuristic_idx;
  };
  std::map<std::string, Entry> entries_;
};

Catalogue::Catalogue() : host_(std::make_unique<InProcessHost>()) {}
Catalogue::Catalogue(Catalogue&&) noexcept = default;
Catalogue& Catalogue::operator=(Catalogue&&) noexcept = default;
Catalogue::~Catalogue() = default;

Catalogue Catalogue::scan(std::span<const std::filesystem::path> folders) {
  Catalogue catalogue;
  catalogue.search(folders);
  return catalogue;
}

Result<Catalogue> Catalogue::open(std::span<const std::string> files_and_folders) {
  std::vector<std::filesystem::path> folders;
  std::vector<std::filesystem::path> files;
  for (const std::string& path : files_and_folders) {
    std::error_code code;
    if (std::filesystem::is_directory(path, code))
      folders.emplace_back(path);
    else
      files.emplace_back(path);
  }
  Catalogue catalogue = Catalogue::scan({});
  for (const auto& file : files) MASH_TRY(catalogue.add(file));
  catalogue.search(heuristic_folders(folders));
  return catalogue;
}

void Catalogue::search(std::span<const std::filesystem::path> folders) {
  for (const std::filesystem::path& folder : folders) {
    const auto files = plugin_files(folder);
    if (!files.ok()) {
      refused_.push_back({folder, files.error().message});
      continue;
    }
    for (const std::filesystem::path& file : *files)
      if (const Status status = add_plugin(file); !status.ok())
        refused_.push_back({file, status.error().message});
  }
}

Status Catalogue::add(const std::filesystem::path& file) {
  const Status status = add_plugin(file);
  if (!status.ok()) return status.error().at(file.string());
  return Done{};
}

// All of the plugin's heuristics or none. Errors do not name the file.
Status Catalogue::add_plugin(const std::filesystem::path& file) {
  MASH_ASSIGN(const std::shared_ptr<const Plugin> plugin, Plugin::load(file));
  std::vector<HeuristicInfo> merged = heuristics_;
  for (const HeuristicInfo& info : plugin->infos()) {
    const auto place =
        std::lower_bound(merged.begin(), merged.end(), info.id,
                         [](const HeuristicInfo& other, const std::string& id) { return other.id < id; });
    if (place != merged.end() && place->id == info.id)
      return input_error("duplicate id: heuristic '{}' is already defined by {}", info.id,
                         place->plugin.string());
    merged.insert(place, info);
  }
  for (std::size_t i = 0; i < plugin->infos().size(); ++i) host_->add(plugin->infos()[i].id, plugin, i);
  heuristics_ = std::move(merged);
  return Done{};
}

HeuristicHost& Catalogue::host() { return *host_; }

Result<const HeuristicInfo*> Catalogue::find(std::string_view id) const {
  for (const HeuristicInfo& info : heuristics_)
    if (info.id == id) return &info;
  for (const RefusedPlugin& refused : refused_)
    if (refused.file.stem() == id)
      return input_error("heuristic '{}' is not available: {} was refused: {}", id, refused.file.string(),
                         refused.reason);
  std::vector<std::string_view> known;
  for (const HeuristicInfo& info : heuristics_) known.push_back(info.id);
  return unknown_name("heuristic", id, known);
}

}  // namespace mash
