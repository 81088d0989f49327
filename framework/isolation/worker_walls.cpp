// SPDX-License-Identifier: Apache-2.0
#include "framework/isolation/worker_walls.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "framework/base/file.hpp"
#include "framework/extractors/plugin_file.hpp"
#include "framework/isolation/box.hpp"
#include "framework/isolation/landlock.hpp"
#include "framework/isolation/worker_messages.hpp"

namespace mash {
namespace {

// Places that a plugin and its libraries may read in a box.
const std::array<std::filesystem::path, 5> kBoxPlaces{"/usr", "/etc/ld.so.cache", "/dev", "/tmp", kBoxFolder};

}  // namespace

Status close_walls(const WorkerWalls& walls) {
  if (walls.isolation == Isolation::kProcess) return forbid_programs();
  if (walls.isolation != Isolation::kBox) return Done{};
  MASH_TRY(read_only_below(kBoxPlaces));
  return allow_loading(walls.threads);
}

Result<std::shared_ptr<const Plugin>> load_behind_walls(const PluginFile& file, const WorkerWalls& walls) {
  const bool is_box = walls.isolation == Isolation::kBox;
  const std::string path = is_box ? "/tmp/plugin.so" : fmt::format("/proc/self/fd/{}", kPluginDescriptor);
  if (is_box) {
    MASH_TRY(write_file_atomically(path, file.content, Flush::kLater));
    ::close(kPluginDescriptor);
  }
  MASH_TRY(close_walls(walls));
  MASH_ASSIGN(auto plugin, Plugin::load(file, path));
  if (is_box) {
    settle_libraries();
    MASH_TRY(allow_computing(walls.threads));
  }
  return plugin;
}

std::string with_word_on_walls(std::string error, const WorkerWalls& walls) {
  const bool is_box = walls.isolation == Isolation::kBox;
  if (!is_box && walls.isolation != Isolation::kProcess) return error;
  const char* words = std::strerror(is_box ? EACCES : EPERM);
  if (error.find(words) == std::string::npos) return error;
  return error + (is_box ? "; in a box a heuristic can start no thread, process or program, and open no file "
                           "once it is loaded"
                         : "; a heuristic can start no process and no program, nor take shared memory");
}

}  // namespace mash
