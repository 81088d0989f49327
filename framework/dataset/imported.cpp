// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/imported.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "framework/base/bounded_json.hpp"
#include "framework/base/file.hpp"
#include "framework/base/utf8.hpp"
#include "framework/dataset/data_path.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::string_view kEnding = ".json";

bool is_place(std::string_view key) { return key == "path" || key == "test_path"; }

bool is_list_of_texts(const Json& value) {
  return value.is_array() && std::ranges::all_of(value, [](const Json& item) { return item.is_string(); });
}

Result<ImportedDataset> read_description(std::string_view name, const fs::path& file) {
  MASH_ASSIGN(const std::string text, read_file(file));
  const auto parsed = parse_json<Json>(text);
  const auto wrong = [&](std::string_view expected) {
    return input_error("{}: is no description of a data set, expected {}", file.string(), expected);
  };
  if (!parsed.ok() || !parsed->is_object()) return wrong("a JSON object");
  const Json& json = *parsed;
  ImportedDataset imported;
  imported.name = name;
  if (!json.contains("format") || !json["format"].is_string()) return wrong("a text 'format'");
  imported.format = json["format"].get<std::string>();
  const Json settings = json.value("settings", Json::object());
  if (!settings.is_object()) return wrong("'settings' as an object");
  const auto resolved = [&](const fs::path& place) {
    return (fs::absolute(file).parent_path() / place).lexically_normal().string();
  };
  const std::string where = fmt::format("data set {}", name);
  for (const auto& [key, value] : settings.items()) {
    if (value.is_string()) {
      const auto text = value.get<std::string>();
      imported.settings.add(key, is_place(key) ? resolved(text) : text, where);
    } else if (is_list_of_texts(value)) {
      imported.settings.add_list(key, value.get<std::vector<std::string>>(), where);
    } else {
      return wrong(fmt::format("a text or a list of texts at 'settings.{}'", key));
    }
  }
  const auto count = [&](const char* key) {
    return json.contains(key) && json[key].is_number_unsigned() ? json[key].get<std::uint64_t>() : 0;
  };
  imported.num_train = count("train");
  imported.num_test = count("test");
  imported.num_classes = count("classes");
  return imported;
}

}  // namespace

bool is_dataset_name(std::string_view name) {
  return !name.empty() && name.size() <= 100 && name.front() != '.' &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                  c == '_' || c == '.';
         });
}

fs::path description_path(std::string_view name) {
  return user_dataset_folder() / (std::string(name) + std::string(kEnding));
}

Result<std::optional<ImportedDataset>> find_imported(std::string_view name) {
  if (!is_dataset_name(name)) return std::optional<ImportedDataset>();
  for (const fs::path& root : data_roots()) {
    const fs::path file = root / (std::string(name) + std::string(kEnding));
    std::error_code code;
    if (!fs::is_regular_file(file, code)) continue;
    MASH_ASSIGN(ImportedDataset imported, read_description(name, file));
    return std::optional(std::move(imported));
  }
  return std::optional<ImportedDataset>();
}

std::vector<std::string> imported_names() {
  std::set<std::string> names;
  for (const fs::path& root : data_roots()) {
    std::error_code code;
    for (fs::directory_iterator entry(root, code), end; !code && entry != end; entry.increment(code)) {
      const std::string name = entry->path().stem().string();
      if (entry->path().extension() == kEnding && is_dataset_name(name) &&
          read_description(name, entry->path()).ok())
        names.insert(name);
    }
  }
  return {names.begin(), names.end()};
}

Settings settings_of(const ImportedDataset& imported, const Settings& given) {
  Settings settings = imported.settings;
  for (const Settings::Entry& entry : given.entries()) settings.add(entry);
  return settings;
}

Json to_json(const Settings::Entry& setting) {
  return setting.items ? Json(*setting.items) : Json(setting.value);
}

Status write_description(const ImportedDataset& imported) {
  Json settings = Json::object();
  for (const Settings::Entry& entry : imported.settings.entries()) {
    if (!is_utf8(entry.value))
      return input_error("{}: found '{}', expected a text in UTF-8", entry.key, printable(entry.value));
    settings[entry.key] = to_json(entry);
  }
  const Json json{{"format", imported.format},
                  {"settings", settings},
                  {"train", imported.num_train},
                  {"test", imported.num_test},
                  {"classes", imported.num_classes}};
  return write_file_atomically(description_path(imported.name), json.dump(2) + "\n");
}

}  // namespace mash
