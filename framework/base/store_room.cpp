// SPDX-License-Identifier: Apache-2.0
#include "framework/base/store_room.hpp"

#include <fmt/format.h>

#include <system_error>
#include <utility>

#include "framework/base/amounts.hpp"

namespace mash {

std::uint64_t free_bytes(std::filesystem::path path) {
  std::error_code code;
  path = std::filesystem::absolute(path, code);
  while (!std::filesystem::exists(path, code) && path.has_relative_path()) path = path.parent_path();
  const auto space = std::filesystem::space(path, code);
  return code ? 0 : space.available;
}

std::string StoreRoom::in_words() const {
  return fmt::format("store {}: its disk has {} of free space, expected at least {}", store.string(),
                     bytes_in_words(free_bytes), bytes_in_words(wanted_bytes));
}

StoreRoom store_room(const std::filesystem::path& store, std::uint64_t wanted_bytes) {
  return {store, free_bytes(store), wanted_bytes};
}

}  // namespace mash
