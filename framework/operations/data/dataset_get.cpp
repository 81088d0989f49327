// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/data/dataset_get.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "framework/base/file_lock.hpp"
#include "framework/base/lower_case.hpp"
#include "framework/base/settings.hpp"
#include "framework/base/utf8.hpp"
#include "framework/dataset/data_path.hpp"
#include "framework/dataset/imported.hpp"
#include "framework/dataset/published.hpp"
#include "framework/dataset/readers/formats.hpp"
#include "framework/operations/data/archive.hpp"
#include "framework/operations/data/dataset_import.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;

Error system_error(const fs::path& path, std::string_view what, const std::error_code& code) {
  return failure("{}: {}: {}", path.string(), what, code.message());
}

bool is_sha256(std::string_view text) {
  return text.size() == 64 && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

Error not_offered(const std::string& name) {
  std::vector<std::string_view> offered;
  for (const PublishedDataset& published : published_datasets()) offered.push_back(published.name);
  const auto formats = dataset_formats();
  const bool is_format = std::any_of(formats.begin(), formats.end(),
                                     [&](const DatasetFormat& format) { return format.name == name; });
  Error error = unknown_name("data set to download", name, offered);
  if (is_format)
    error.message = fmt::format(
        "data set {} is not offered for download: no checksum of its files is known here for certain; known: "
        "{}",
        name, fmt::join(offered, ", "));
  return error;
}

std::vector<std::string> files_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code code;
  for (fs::directory_iterator entry(folder, code), end; !code && entry != end; entry.increment(code))
    names.push_back(entry->path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

// The folder that is the whole data set: `folder`, or the only thing in it, if that is a folder.
fs::path without_wrapping(const fs::path& folder) {
  const std::vector<std::string> names = files_in(folder);
  std::error_code code;
  if (names.size() == 1 && fs::is_directory(folder / names[0], code)) return folder / names[0];
  return folder;
}

// A data set on its way into its folder, in a hidden folder beside that.
class Getting {
 public:
  Getting(const DatasetToGet& dataset, const DownloadSettings& settings, const WorkContext& work)
      : dataset_(dataset),
        settings_(settings),
        work_(work),
        folder_(user_dataset_folder() / dataset.name),
        draft_(user_dataset_folder() / (".get-" + dataset.name)),
        files_(draft_ / "files") {}

  Result<GotDataset> run() {
    std::error_code code;
    if (fs::exists(folder_, code)) return check_there();
    fs::create_directories(draft_, code);
    if (code) return system_error(draft_, "cannot be made", code);
    MASH_ASSIGN(const auto lock, FileLock::try_lock(draft_ / "lock", FileLock::Kind::kExclusive));
    if (!lock) return failure("data set {}: another process is getting it", dataset_.name);
    if (fs::exists(folder_, code)) {  // another process has just got it
      fs::remove_all(draft_, code);
      return check_there();
    }
    fs::create_directories(files_, code);
    if (code) return system_error(files_, "cannot be made", code);
    start_progress();
    GotDataset got{dataset_.name, folder_, false, 0, {}};
    for (const FileToGet& file : dataset_.files) {
      MASH_ASSIGN(const std::uint64_t received, get_file(file));
      got.num_received += received;
    }
    work_.progress.finish();
    MASH_ASSIGN(const fs::path whole, assemble());
    fs::rename(whole, folder_, code);
    if (code) return system_error(folder_, "cannot be put in its place", code);
    fs::remove_all(draft_, code);
    got.files = files_in(folder_);
    return got;
  }

 private:
  // Each published file is known; what an archive held is not.
  Result<GotDataset> check_there() const {
    const auto other = [&](std::string_view what) {
      return input_error("{}: is there already, and {}; move it away to get data set {}", folder_.string(),
                         what, dataset_.name);
    };
    for (const FileToGet& file : dataset_.files) {
      if (is_archive_name(file.name)) return other("cannot be compared with the archive");
      const auto found = sha256_of_file(folder_ / file.name);
      if (!found.ok()) return other(fmt::format("lacks {}", file.name));
      if (*found != file.remote.sha256) return other(fmt::format("its {} is another file", file.name));
    }
    return GotDataset{dataset_.name, folder_, true, 0, files_in(folder_)};
  }

  void start_progress() const {
    std::uint64_t num_bytes = 0;
    for (const FileToGet& file : dataset_.files) num_bytes += file.remote.num_bytes.value_or(0);
    if (num_bytes > 0)
      work_.progress.start(fmt::format("getting {}", dataset_.name), std::size_t(num_bytes / 1024), "KiB");
  }

  Result<std::uint64_t> get_file(const FileToGet& file) const {
    const fs::path path = files_ / file.name;
    std::error_code code;
    if (fs::exists(path, code)) {  // of an earlier call
      const auto found = sha256_of_file(path);
      if (found.ok() && *found == file.remote.sha256) {
        work_.progress.advance(std::size_t(file.remote.num_bytes.value_or(0) / 1024));
        return std::uint64_t(0);
      }
    }
    work_.progress.note(file.name);
    const auto received = download(file.remote, path, settings_, work_);
    if (!received.ok() && received.error().kind != ErrorKind::kStopped)
      return received.error().at(fmt::format("data set {}: {}", dataset_.name, file.name));
    return received;
  }

  Result<fs::path> assemble() const {
    const fs::path whole = draft_ / "whole";
    std::error_code code;
    fs::remove_all(whole, code);  // of an earlier call
    fs::create_directories(whole, code);
    if (code) return system_error(whole, "cannot be made", code);
    for (const FileToGet& file : dataset_.files) {
      if (is_archive_name(file.name)) {
        MASH_TRY(unpack_archive(files_ / file.name, whole, work_.stop));
        continue;
      }
      fs::create_hard_link(files_ / file.name, whole / file.name, code);
      if (code) fs::copy_file(files_ / file.name, whole / file.name, code);
      if (code) return system_error(whole / file.name, "cannot be written", code);
    }
    return without_wrapping(whole);
  }

  const DatasetToGet& dataset_;
  const DownloadSettings& settings_;
  const WorkContext& work_;
  fs::path folder_, draft_, files_;  // files_: as they come
};

}  // namespace

Result<DatasetToGet> published_to_get(const std::string& name, const std::vector<std::string>& mirrors) {
  const PublishedDataset* published = find_published(name);
  if (published == nullptr) return not_offered(name);
  std::vector<std::string> folders(published->addresses.begin(), published->addresses.end());
  if (!mirrors.empty()) folders.clear();
  for (const std::string& mirror : mirrors) {
    const auto address = read_http_address(mirror);
    if (!address.ok()) return address.error().at("mirror");
    folders.push_back(fmt::format("{}/{}", address->text, name));
  }
  DatasetToGet dataset{name, {}};
  for (const PublishedFile& file : published->files) {
    FileToGet& wanted = dataset.files.emplace_back();
    wanted.name = file.name;
    wanted.remote = {{}, std::string(file.sha256), file.num_bytes};
    for (const std::string& folder : folders)
      wanted.remote.addresses.push_back(fmt::format("{}/{}", folder, file.name));
  }
  return dataset;
}

Result<DatasetToGet> address_to_get(const std::string& address, const std::string& name,
                                    const std::string& sha256) {
  const std::string file = address.substr(address.find_last_of('/') + 1);
  const std::size_t host = address.find("//"),
                    path = host == address.npos ? host : address.find('/', host + 2);
  if (!read_http_address(address).ok() || path == address.npos || !is_dataset_name(file))
    return input_error(
        "'{}': expected the address of a file that begins with http:// or https:// and ends with the file's "
        "name, such as https://example.org/pets.tar.gz",
        printable(address));
  MASH_TRY(check_new_dataset_name(name));
  const std::string digits = in_lower_case(sha256);
  if (!is_sha256(digits))
    return input_error("sha256 '{}': expected 64 hexadecimal digits, as the publisher gives them", sha256);
  return DatasetToGet{name, {{file, {{address}, digits, {}}}}};
}

Result<GotDataset> get_dataset(const DatasetToGet& dataset, const DownloadSettings& settings,
                               const WorkContext& work) {
  return Getting(dataset, settings, work).run();
}

nlohmann::ordered_json to_json(const GotDataset& got) {
  return {{"dataset", got.name},
          {"folder", got.folder.string()},
          {"was_there", got.was_there},
          {"received_bytes", got.num_received},
          {"files", got.files}};
}

}  // namespace mash
