// SPDX-License-Identifier: Apache-2.0
#include "framework/families/store_content.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <nlohmann/json.hpp>

#include "framework/base/bounded_json.hpp"
#include "framework/base/file.hpp"
#include "framework/base/store_lock.hpp"
#include "framework/families/by_content/kept_values.hpp"
#include "framework/families/family_file.hpp"

namespace mash {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

constexpr const char* kLabelFile = "about.json";
constexpr const char* kWholeFile = "codes.mash";  // there once the extraction is done
constexpr std::string_view kHalfRemoved = ".pruned-";

// "hog-" and 32 hexadecimal digits, as store_key gives it.
bool is_family(const fs::path& folder) {
  constexpr std::size_t kDigits = 32;
  const std::string name = folder.filename().string();
  return name.size() > kDigits + 1 && name[name.size() - kDigits - 1] == '-' &&
         std::all_of(name.end() - kDigits, name.end(), [](unsigned char c) { return std::isxdigit(c); });
}

std::optional<SystemTime> time_of(const fs::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) return std::nullopt;
  return std::chrono::system_clock::from_time_t(status.st_mtim.tv_sec);
}

// Files that go while one looks are no error.
void add_files(const fs::path& folder, std::size_t& num_files, std::uint64_t& num_bytes) {
  std::error_code code;
  for (fs::recursive_directory_iterator file(folder, code), end; !code && file != end; file.increment(code)) {
    std::error_code gone;
    if (!file->is_regular_file(gone) || file->is_symlink(gone)) continue;
    const std::uintmax_t size = file->file_size(gone);
    if (gone) continue;
    ++num_files;
    num_bytes += size;
  }
}

std::string text_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::optional<StoreLabel> label_in(std::string_view text) {
  const Json json = parse_object(text);
  if (json.empty()) return std::nullopt;
  return StoreLabel{text_of(json, "dataset"), text_of(json, "heuristic"), text_of(json, "version"),
                    text_of(json, "settings"), text_of(json, "plugin_sha256")};
}

// Where there is none: the name of the folder has that of the heuristic.
StoreLabel read_label(const fs::path& folder) {
  if (const auto text = read_file(folder / kLabelFile); text.ok())
    if (auto label = label_in(*text)) return *std::move(label);
  const std::string name = folder.filename().string();
  return {"", name.substr(0, name.rfind('-')), "", "", ""};
}

SystemTime last_use(const fs::path& folder, SystemTime made) {
  SystemTime used = made;
  for (const char* file : {"use", "codes.stamp", "values.part"})
    used = std::max(used, time_of(folder / file).value_or(used));
  return used;
}

Result<StoredEntry> read_entry(const fs::path& folder) {
  StoredEntry entry{folder, read_label(folder), 0, {}, {}};
  std::size_t num_files = 0;
  add_files(folder, num_files, entry.num_bytes);
  const auto codes = time_of(folder / kWholeFile);
  entry.is_whole = codes.has_value();
  entry.made = codes.value_or(time_of(folder).value_or(SystemTime()));
  entry.used = last_use(folder, entry.made);
  MASH_ASSIGN(const auto free, lock_to_remove(folder, FileLock::Missing::kLeave));
  entry.is_in_use = !free.has_value();
  return entry;
}

// A family's values by content: its files are whole, or not there.
Result<StoredEntry> read_values_entry(const fs::path& folder) {
  MASH_ASSIGN(StoredEntry entry, read_entry(folder));
  entry.is_whole = entry.is_by_content = true;
  return entry;
}

Result<std::vector<fs::path>> folders_in(const fs::path& store) {
  std::vector<fs::path> folders;
  std::error_code code;
  fs::directory_iterator entry(store, code);
  if (code) return input_error("store {}: cannot be read: {}", store.string(), code.message());
  for (const fs::directory_iterator end; !code && entry != end; entry.increment(code)) {
    std::error_code gone;
    if (entry->is_directory(gone) && !entry->is_symlink(gone)) folders.push_back(entry->path());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

// Out of the way in one step, then file by file.
Status remove_folder(const fs::path& store, const fs::path& folder) {
  std::error_code code;
  const fs::path aside = store / fmt::format("{}{}-{}", kHalfRemoved, ::getpid(), folder.filename().string());
  fs::rename(folder, aside, code);
  if (!code) fs::remove_all(aside, code);
  if (code) return failure("{}: cannot be removed: {}", folder.string(), code.message());
  return Done{};
}

bool is_wanted(const StoredEntry& entry, const PruneRequest& request, SystemTime now) {
  return (!request.dataset || entry.label.dataset == *request.dataset) &&
         (!request.plugin_sha256 || entry.label.plugin_sha256 == *request.plugin_sha256) &&
         (!request.older_than || now - entry.used >= *request.older_than) &&
         (!request.only_unfinished || !entry.is_whole);
}

}  // namespace

Status write_store_label(const fs::path& folder, const StoreLabel& label) {
  const auto text = read_file(folder / kLabelFile);
  if (text.ok() && label_in(*text) == label) return Done{};
  const Json json{{"dataset", label.dataset},
                  {"heuristic", label.heuristic},
                  {"version", label.version},
                  {"settings", label.settings},
                  {"plugin_sha256", label.plugin_sha256}};
  const std::string content = json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  return write_file_atomically(folder / kLabelFile, content, Flush::kLater);
}

std::uint64_t StoreContent::family_bytes() const {
  std::uint64_t sum = 0;
  for (const StoredEntry& entry : families) sum += entry.num_bytes;
  return sum;
}

std::uint64_t StoreContent::total_bytes() const {
  std::uint64_t sum = family_bytes();
  for (const StoredOther& other : others) sum += other.num_bytes;
  return sum;
}

std::vector<StoredEntry> StoreContent::unfinished() const {
  std::vector<StoredEntry> entries;
  std::ranges::copy_if(families, std::back_inserter(entries),
                       [](const StoredEntry& entry) { return !entry.is_whole && !entry.is_in_use; });
  return entries;
}

std::uint64_t PruneOutcome::removed_bytes() const {
  std::uint64_t sum = 0;
  for (const StoredEntry& entry : removed) sum += entry.num_bytes;
  return sum;
}

Result<StoreContent> read_store(const fs::path& store) {
  StoreContent content;
  MASH_ASSIGN(const auto folders, folders_in(store));
  for (const fs::path& folder : folders) {
    if (is_family(folder)) {
      MASH_ASSIGN(StoredEntry entry, read_entry(folder));
      content.families.push_back(std::move(entry));
    } else if (folder.filename() == kByContentFolder) {
      MASH_ASSIGN(const auto kept, folders_in(folder));
      for (const fs::path& values : kept) {
        if (!is_family(values)) continue;
        MASH_ASSIGN(StoredEntry entry, read_values_entry(values));
        content.families.push_back(std::move(entry));
      }
    } else {
      StoredOther other{folder.filename().string()};
      add_files(folder, other.num_files, other.num_bytes);
      if (other.num_files > 0 || other.name.starts_with(kHalfRemoved))
        content.others.push_back(std::move(other));
    }
  }
  std::stable_sort(content.families.begin(), content.families.end(),
                   [](const StoredEntry& a, const StoredEntry& b) { return a.used > b.used; });
  return content;
}

std::uint64_t store_size(const fs::path& store) {
  std::size_t num_files = 0;
  std::uint64_t num_bytes = 0;
  add_files(store, num_files, num_bytes);
  return num_bytes;
}

Result<PruneOutcome> prune_store(const fs::path& store, const PruneRequest& request, SystemTime now) {
  MASH_ASSIGN(StoreContent content, read_store(store));
  std::error_code code;
  for (const StoredOther& other : content.others)
    if (other.name.starts_with(kHalfRemoved) && !request.dry_run) fs::remove_all(store / other.name, code);
  PruneOutcome outcome;
  outcome.left_bytes = content.family_bytes();
  std::reverse(content.families.begin(), content.families.end());
  for (StoredEntry& entry : content.families) {
    if (!is_wanted(entry, request, now)) continue;
    if (request.most_bytes && outcome.left_bytes <= *request.most_bytes) break;
    std::optional<RemovalLock> locks;
    if (!request.dry_run) {
      auto locked = lock_to_remove(entry.folder, FileLock::Missing::kMake);
      if (!locked.ok() && fs::exists(entry.folder, code)) return locked.error();
      if (!locked.ok()) {  // another process has removed it meanwhile
        outcome.left_bytes -= std::min(outcome.left_bytes, entry.num_bytes);
        continue;
      }
      locks = *std::move(locked);
      entry.is_in_use = !locks.has_value();
      // It may have been used since it was looked at.
      entry.used = last_use(entry.folder, entry.made);
      entry.is_whole = entry.is_by_content || fs::exists(entry.folder / kWholeFile, code);
      if (!entry.is_in_use && !is_wanted(entry, request, now)) continue;
    }
    if (entry.is_in_use) {
      outcome.in_use.push_back(std::move(entry));
      continue;
    }
    if (!request.dry_run) MASH_TRY(remove_folder(store, entry.folder));
    outcome.left_bytes -= std::min(outcome.left_bytes, entry.num_bytes);
    outcome.removed.push_back(std::move(entry));
  }
  return outcome;
}

}  // namespace mash
