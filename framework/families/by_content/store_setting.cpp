// SPDX-License-Identifier: Apache-2.0
#include "framework/families/by_content/store_setting.hpp"

#include "framework/base/bounded_json.hpp"
#include "framework/base/file.hpp"

namespace mash {
namespace {

constexpr const char* kSettingsFile = "settings.json";
constexpr const char* kKeep = "keep";

}  // namespace

bool keeps_values(const std::filesystem::path& store) {
  const auto text = read_file(store / kSettingsFile, kMostTextBytes);
  if (!text.ok()) return false;
  const nlohmann::json settings = parse_object(*text);
  const auto values = settings.find("values");
  return values != settings.end() && *values == kKeep;
}

Status set_keeps_values(const std::filesystem::path& store, bool keeps) {
  const nlohmann::json settings{{"values", keeps ? kKeep : "drop"}};
  return write_file_atomically(store / kSettingsFile, settings.dump() + "\n");
}

}  // namespace mash
