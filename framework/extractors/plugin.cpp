// SPDX-License-Identifier: Apache-2.0
#include "framework/extractors/plugin.hpp"

// Without this Boost.DLL 1.74 takes its own file system library for paths and errors.
#define BOOST_DLL_USE_STD_FS
#include <dlfcn.h>

#include <boost/dll/shared_library.hpp>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>

#include "framework/base/scratch_folder.hpp"
#include "framework/base/utf8.hpp"
#include "framework/extractors/arithmetic_scope.hpp"
#include "framework/extractors/descriptor.hpp"
#include "framework/extractors/plugin_file.hpp"

namespace mash {
namespace {

// The process's own folder for copies of plugins; removed at exit.
class CopyFolder {
 public:
  // Calls load(path) with a file of this content, named by it: the loader tells libraries apart by path. The
  // file is gone afterwards; what is loaded stays. [any thread, one at a time]
  template <class Load>
  Status with_copy(const PluginFile& file, const Load& load) {
    const std::lock_guard lock(mutex_);
    if (!folder_.ok()) return folder_.error().at("plugins");
    const std::filesystem::path path = *folder_ / (file.sha256 + ".so");
    std::ofstream stream(path, std::ios::binary);
    stream.write(file.content.data(), std::streamsize(file.content.size()));
    stream.close();
    if (!stream) return failure("{}: cannot be written: {}", path.string(), std::strerror(errno));
    Status status = load(path);
    std::error_code code;
    std::filesystem::remove(path, code);
    return status;
  }

 private:
  std::mutex mutex_;
  Result<ScratchFolder> folder_ = ScratchFolder::make("plugins");
};

CopyFolder& copy_folder() {
  static CopyFolder folder;
  return folder;
}

}  // namespace

// Its constructors and destructors leave the arithmetic of the thread as it was: -ffast-math links one that
// sets flush-to-zero.
class Plugin::Library {
 public:
  Library() = default;
  ~Library() {
    const ArithmeticScope scope;
    library_.unload();
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  Status load(const std::filesystem::path& path) {
    const ArithmeticScope scope;
    namespace dll = boost::dll;
    dll::fs::error_code code;
    library_.load(path, dll::load_mode::rtld_now | dll::load_mode::rtld_local, code);
    if (!code) return Done{};
    const char* reason = ::dlerror();
    return input_error("the loader refuses it: {}", printable(reason ? reason : code.message().c_str()));
  }

  // Imported as an object: asked for a pointer-to-function type, Boost.DLL would import a variable of that
  // type.
  const mash_plugin_info_t* entry() const {
    const std::string symbol(kPluginSymbol);
    return library_.has(symbol) ? &library_.get<const mash_plugin_info_t>(symbol) : nullptr;
  }

 private:
  boost::dll::shared_library library_;
};

Plugin::Plugin(std::unique_ptr<Library> library) : library_(std::move(library)) {}
Plugin::~Plugin() = default;

Result<std::shared_ptr<const Plugin>> Plugin::load(const std::filesystem::path& path) {
  MASH_ASSIGN(const PluginFile file, read_plugin_file(path));
  return load(file);
}

Result<std::shared_ptr<const Plugin>> Plugin::load(const PluginFile& file) {
  MASH_TRY(check_plugin_elf(file.content));
  auto library = std::make_unique<Library>();
  MASH_TRY(
      copy_folder().with_copy(file, [&](const std::filesystem::path& copy) { return library->load(copy); }));
  return understood(file, std::move(library));
}

Result<std::shared_ptr<const Plugin>> Plugin::load(const PluginFile& file,
                                                   const std::filesystem::path& loadable) {
  MASH_TRY(check_plugin_elf(file.content));
  auto library = std::make_unique<Library>();
  MASH_TRY(library->load(loadable));
  return understood(file, std::move(library));
}

Result<std::shared_ptr<const Plugin>> Plugin::understood(const PluginFile& file,
                                                         std::unique_ptr<Library> library) {
  const mash_plugin_info_t* entry = library->entry();
  if (entry == nullptr) return input_error("no symbol '{}' once loaded", kPluginSymbol);
  const std::shared_ptr<Plugin> plugin(new Plugin(std::move(library)));
  MASH_TRY(plugin->read_infos(*entry));
  for (HeuristicInfo& info : plugin->infos_) {
    info.plugin = file.path;
    info.plugin_sha256 = file.sha256;
  }
  return std::shared_ptr<const Plugin>(plugin);
}

Status Plugin::read_infos(const mash_plugin_info_t& entry) {
  const ArithmeticScope scope;  // get_extension is the plugin's
  // Again, in memory: a file's section table, which was read before, need not tell where the loader puts
  // things.
  MASH_TRY(check_handshake(entry));
  if (entry.heuristics == nullptr) return input_error("the table of heuristics is null");
  for (std::uint32_t i = 0; i < entry.num_heuristics; ++i) {
    const mash_heuristic_t* descriptor = entry.heuristics[i];
    if (descriptor == nullptr) return input_error("heuristic {} of the plugin is null", i);
    MASH_ASSIGN(HeuristicInfo info, read_descriptor(*descriptor));
    info.idx_in_plugin = i;
    descriptors_.push_back(descriptor);
    infos_.push_back(std::move(info));
  }
  return Done{};
}

Result<std::vector<HeuristicInfo>> describe_in_process(const PluginFile& file) {
  MASH_ASSIGN(const std::shared_ptr<const Plugin> plugin, Plugin::load(file));
  return plugin->infos();
}

}  // namespace mash
