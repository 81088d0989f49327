// SPDX-License-Identifier: Apache-2.0
#include "framework/base/store_room.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "framework/base/amounts.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;

bool may_not_write(const fs::path& path) {
  return ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0 && errno == EACCES;
}

// The first of the store's folders, down to the second below it, and of the locks in them; "": there is none.
fs::path first_closed(const fs::path& store) {
  if (may_not_write(store)) return store;
  std::error_code code;
  fs::recursive_directory_iterator it(store, code);
  for (const fs::recursive_directory_iterator end; !code && it != end; it.increment(code)) {
    const fs::path& path = it->path();
    std::error_code gone;  // it may be, by now
    const bool is_folder = it->is_directory(gone),
               is_lock = path.filename() == "lock" || path.filename() == "use";
    if ((is_folder || is_lock) && may_not_write(path)) return path;
    if (it.depth() == 1) it.disable_recursion_pending();
  }
  return {};
}

}  // namespace

std::uint64_t free_bytes(std::filesystem::path path) {
  std::error_code code;
  path = std::filesystem::absolute(path, code);
  while (!std::filesystem::exists(path, code) && path.has_relative_path()) path = path.parent_path();
  const auto space = std::filesystem::space(path, code);
  return code ? 0 : space.available;
}

std::string StoreRoom::in_words() const {
  if (!closed.empty())
    return fmt::format(
        "store {}: nothing can be written to {}, expected all of it to belong to the user of the runners "
        "(chown -R)",
        store.string(), closed.string());
  return fmt::format("store {}: its disk has {} of free space, expected at least {}", store.string(),
                     bytes_in_words(free_bytes), bytes_in_words(wanted_bytes));
}

StoreRoom store_room(const std::filesystem::path& store, std::uint64_t wanted_bytes) {
  return {store, free_bytes(store), wanted_bytes, first_closed(store)};
}

}  // namespace mash
