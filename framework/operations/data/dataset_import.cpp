// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/data/dataset_import.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "framework/base/number.hpp"
#include "framework/base/settings.hpp"
#include "framework/dataset/data_path.hpp"
#include "framework/dataset/readers/formats.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;

struct Sign {
  std::string_view beginning, ending;  // of a file's name without .gz
  std::string_view format;
};
constexpr std::array<Sign, 5> kInFolders{{{"", "train-images-idx3-ubyte", "mnist"},
                                          {"", "train-images.idx3-ubyte", "mnist"},
                                          {"data_batch", ".bin", "cifar10"},
                                          {"train_X", ".bin", "stl10"},
                                          {"zip.train", "", "usps"}}};
constexpr std::array<Sign, 7> kOfFiles{{{"", ".csv", "csv"},
                                        {"", ".data", "csv"},
                                        {"", ".txt", "csv"},
                                        {"", ".arff", "arff"},
                                        {"", ".svm", "libsvm"},
                                        {"", ".svmlight", "libsvm"},
                                        {"", ".libsvm", "libsvm"}}};

std::string name_without_gz(const fs::path& file) {
  std::string name = file.filename().string();
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  return name;
}

template <class Signs>
std::optional<std::string> format_by(const Signs& signs, const std::string& name) {
  for (const Sign& sign : signs)
    if (name.starts_with(sign.beginning) && name.ends_with(sign.ending)) return std::string(sign.format);
  return std::nullopt;
}

std::vector<std::string_view> format_names() {
  std::vector<std::string_view> names;
  for (const DatasetFormat& format : dataset_formats()) names.push_back(format.name);
  return names;
}

// A copy of the files in the user's folder of data sets, not yet under its name there. Removed with this
// unless it was kept.
class Copy {
 public:
  Copy(std::string name, fs::path from)
      : from_(std::move(from)),
        folder_(user_dataset_folder() / name),
        draft_(user_dataset_folder() / fmt::format(".import-{}-{}", name, ::getpid())) {}
  Copy(const Copy&) = delete;
  Copy& operator=(const Copy&) = delete;
  ~Copy() {
    std::error_code code;
    fs::remove_all(draft_, code);
  }

  // Whether nothing is in the way.
  Status check_place() const {
    std::error_code code;
    if (fs::exists(folder_ / kUnfinished, code)) fs::remove_all(folder_, code);
    if (fs::exists(folder_, code))
      return input_error(
          "{}: is there already, expected nothing of that name; without a copy of the files it can "
          "be imported as it is",
          folder_.string());
    const fs::path from = fs::weakly_canonical(from_, code),
                   to = fs::weakly_canonical(user_dataset_folder(), code);
    if (std::mismatch(from.begin(), from.end(), to.begin(), to.end()).first == from.end())
      return input_error("{}: found the folder of all your data sets ({}) in it, expected a folder outside",
                         from.string(), to.string());
    return Done{};
  }
  // Folder in folder: what it is in itself keeps its name, which may tell the format.
  Status make() {
    std::error_code code;
    remove_left();
    fs::create_directories(draft_, code);
    if (!code && !std::ofstream(draft_ / kUnfinished)) code = std::make_error_code(std::errc::io_error);
    if (!code) fs::copy(from_, draft_ / from_.filename(), fs::copy_options::recursive, code);
    if (code) return failure("{}: cannot be copied: {}", from_.string(), code.message());
    return Done{};
  }
  Status keep() {
    std::error_code code;
    fs::rename(draft_, folder_, code);
    if (code) return failure("{}: cannot be put in its place: {}", folder_.string(), code.message());
    return Done{};
  }
  // When the description has been written.
  void finish() const {
    std::error_code code;
    fs::remove(folder_ / kUnfinished, code);
  }
  fs::path later() const { return folder_ / from_.filename(); }

 private:
  // Lies beside the copied files until they are described: where a process was ended before, the copy counts
  // for nothing.
  static constexpr const char* kUnfinished = ".mash-import-unfinished";

  // Removes what processes left that were ended while they copied this data set.
  void remove_left() const {
    const std::string name = draft_.filename().string();
    const std::string beginning = name.substr(0, name.rfind('-') + 1);
    std::error_code code;
    for (fs::directory_iterator entry(user_dataset_folder(), code), end; !code && entry != end;
         entry.increment(code)) {
      const std::string other = entry->path().filename().string();
      if (!other.starts_with(beginning)) continue;
      const auto process = number_in<pid_t>(std::string_view(other).substr(beginning.size()));
      if (!process || *process <= 0) continue;
      std::error_code ignored;
      if (::kill(*process, 0) != 0 && errno == ESRCH) fs::remove_all(entry->path(), ignored);
    }
  }

  fs::path from_, folder_, draft_;
};

// An absolute path, also of a second file that the settings name.
std::string absolute_path(const fs::path& path) {
  std::string text = fs::absolute(path).lexically_normal().string();
  if (text.size() > 1 && text.ends_with('/')) text.pop_back();
  return text;
}

Result<std::string> format_of(const ImportSettings& settings, const fs::path& path) {
  if (settings.format.empty()) return guess_format(path);
  const auto known = format_names();
  if (std::find(known.begin(), known.end(), settings.format) == known.end())
    return unknown_name("format", settings.format, known);
  return settings.format;
}

Status check_settings(const ImportSettings& settings) {
  if (settings.path.empty() || fs::path(absolute_path(settings.path)).filename().empty())
    return input_error("'{}': expected the path of a file or folder that has a name", settings.path.string());
  if (settings.settings.has("path"))
    return input_error("{}: the path is given by itself", settings.settings.where("path"));
  if (settings.copies && settings.settings.has("test_path"))
    return input_error("{}: one file or folder is copied, and no second one; import them where they are",
                       settings.settings.where("test_path"));
  return Done{};
}

}  // namespace

Status check_new_dataset_name(const std::string& name) {
  if (!is_dataset_name(name))
    return input_error("name '{}': expected letters, digits, '-', '_' and '.', not at the beginning", name);
  const auto formats = format_names();
  if (std::find(formats.begin(), formats.end(), name) != formats.end())
    return input_error("name {}: is that of a format; expected another one", name);
  std::error_code code;
  if (fs::exists(description_path(name), code))
    return input_error("name {}: is taken by {}; remove that to use it again", name,
                       description_path(name).string());
  return Done{};
}

Result<std::string> guess_format(const fs::path& path) {
  std::error_code code;
  if (!fs::exists(path, code)) return input_error("{}: no such file or folder", path.string());
  if (!fs::is_directory(path, code)) {
    if (const auto format = format_by(kOfFiles, name_without_gz(path))) return *format;
    return input_error("{}: its name does not tell its format, which must be said: {}", path.string(),
                       fmt::join(format_names(), ", "));
  }
  for (fs::directory_iterator entry(path, code), end; !code && entry != end; entry.increment(code))
    if (const auto format = format_by(kInFolders, name_without_gz(entry->path()))) return *format;
  return std::string("folder");
}

Result<ImportResult> import_dataset(const ImportSettings& settings, const WorkContext& work) {
  MASH_TRY(check_new_dataset_name(settings.name));
  MASH_TRY(check_settings(settings));
  const fs::path from = absolute_path(settings.path);
  MASH_ASSIGN(const std::string format, format_of(settings, from));
  ImportedDataset imported{settings.name, format};
  std::optional<Copy> copy;
  if (settings.copies) {
    copy.emplace(settings.name, from);
    MASH_TRY(copy->check_place());
  }
  Settings read;
  read.add("path", from.string(), "path");
  for (Settings::Entry entry : settings.settings.entries()) {
    if (entry.key == "test_path") entry.value = absolute_path(entry.value);
    read.add(std::move(entry));
  }
  MASH_ASSIGN(Dataset dataset, load_dataset(format, read, settings.seed, work));
  for (const std::string& warning : dataset.warnings) work.remarks.warn(warning);
  dataset.name = settings.name;
  if (const Status learnable = check_classes(dataset); !learnable.ok())
    work.remarks.warn(learnable.error().message);
  MASH_ASSIGN(auto duplicates, find_duplicates(dataset, work.workers, work.stop));
  if (!duplicates) work.remarks.tell("equal examples: " + count_in_words(duplicates));
  if (duplicates)
    for (const std::string& warning : warnings_of(*duplicates)) work.remarks.warn(warning);
  imported.num_train = dataset.train.num_examples;
  imported.num_test = dataset.test.num_examples;
  imported.num_classes = dataset.num_classes();
  const fs::path place = copy ? copy->later() : from;
  const std::string written =
      copy ? place.lexically_relative(user_dataset_folder()).string() : place.string();
  imported.settings = read;
  imported.settings.add("path", written, "path");
  if (copy) MASH_TRY(copy->make());
  if (copy) MASH_TRY(copy->keep());
  MASH_TRY(write_description(imported));
  if (copy) copy->finish();
  return ImportResult{std::move(imported), std::move(dataset), place, std::move(duplicates)};
}

nlohmann::ordered_json to_json(const ImportResult& result) {
  nlohmann::ordered_json json = to_json(result.dataset);
  json["duplicates"] = to_json(result.duplicates);
  json["format"] = result.imported.format;
  json["path"] = result.place.string();
  json["description"] = description_path(result.imported.name).string();
  return json;
}

}  // namespace mash
