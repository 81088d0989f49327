// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/data/archive.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <locale.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <memory>

#include "framework/base/amounts.hpp"
#include "framework/base/store_room.hpp"
#include "framework/base/utf8.hpp"
#include "framework/dataset/source.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;

struct CloseRead {
  void operator()(archive* open) const { archive_read_free(open); }
};
using OpenArchive = std::unique_ptr<archive, CloseRead>;

constexpr std::size_t kBlock = std::size_t(1) << 16;
constexpr std::uint64_t kBytesBetweenLooks = std::uint64_t(1) << 26;  // at the free space of the disk
constexpr std::size_t kMostEntries = 10'000'000;

Error stopped() { return {ErrorKind::kStopped, "stopped; the same command continues from here"}; }

// In the locale of this program, "C", libarchive has no names that are not ASCII; this is one for the thread,
// for as long as it lives.
class Utf8Locale {
 public:
  Utf8Locale() : own_(::newlocale(LC_CTYPE_MASK, "C.UTF-8", locale_t())), before_(::uselocale(own_)) {}
  Utf8Locale(const Utf8Locale&) = delete;
  Utf8Locale& operator=(const Utf8Locale&) = delete;
  ~Utf8Locale() {
    ::uselocale(before_);
    if (own_) ::freelocale(own_);
  }

 private:
  locale_t own_, before_;
};

class Unpacking {
 public:
  Unpacking(const fs::path& file, const fs::path& folder, const StopFlag& stop, std::uint64_t max_bytes)
      : file_(file), folder_(folder), stop_(stop), max_bytes_(max_bytes), archive_(archive_read_new()) {}

  Status run() {
    if (!archive_) return failure("libarchive cannot be started");
    archive_read_support_filter_all(archive_.get());
    archive_read_support_format_tar(archive_.get());
    archive_read_support_format_zip(archive_.get());
    if (archive_read_open_filename(archive_.get(), file_.c_str(), kBlock) != ARCHIVE_OK) return unsound();
    archive_entry* entry = nullptr;
    int code = ARCHIVE_OK;
    for (; (code = archive_read_next_header(archive_.get(), &entry)) == ARCHIVE_OK || code == ARCHIVE_WARN;)
      MASH_TRY(put(entry));
    return code == ARCHIVE_EOF ? Status(Done{}) : unsound();
  }

 private:
  Status unsound() const {
    const char* reason = archive_error_string(archive_.get());
    return input_error("{}: cannot be unpacked: {}", file_.string(),
                       reason ? printable(reason) : "unknown reason");
  }

  Status put(archive_entry* entry) {
    if (stop_.raised()) return stopped();
    if (++num_entries_ > kMostEntries)
      return input_error("{}: has more than {} files and folders", file_.string(), kMostEntries);
    const char* name = archive_entry_pathname(entry);
    if (name == nullptr || *name == '\0') return input_error("{}: an entry has no name", file_.string());
    const fs::path path = fs::path(name).lexically_normal();
    const auto refused = [&](std::string_view why) {
      return input_error("{}: the entry '{}' {}", file_.string(), printable(name), why);
    };
    if (std::ranges::any_of(path, [](const fs::path& part) { return is_left_by_a_system(part.string()); }))
      return Done{};
    if (path.is_absolute() || *path.begin() == "..") return refused("leads out of the folder");
    if (archive_entry_hardlink(entry) != nullptr || archive_entry_symlink(entry) != nullptr)
      return refused("is a link, expected plain files and folders");
    std::error_code code;
    const auto type = archive_entry_filetype(entry);
    if (type == AE_IFDIR) {
      fs::create_directories(folder_ / path, code);
      return code ? refused("cannot be made: " + code.message()) : Status(Done{});
    }
    if (type != AE_IFREG) return refused("is neither a file nor a folder");
    fs::create_directories((folder_ / path).parent_path(), code);
    if (code) return refused("cannot be made: " + code.message());
    return write(folder_ / path);
  }

  Status write(const fs::path& path) {
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    std::array<char, kBlock> block;
    for (;;) {
      const la_ssize_t size = archive_read_data(archive_.get(), block.data(), block.size());
      if (size < 0) return unsound();
      if (size == 0) break;
      if (stop_.raised()) return stopped();
      num_bytes_ += std::uint64_t(size);
      if (num_bytes_ > max_bytes_)
        return input_error("{}: unpacks to more than {} bytes", file_.string(), max_bytes_);
      if (num_bytes_ / kBytesBetweenLooks != (num_bytes_ - std::uint64_t(size)) / kBytesBetweenLooks)
        MASH_TRY(check_room());
      out.write(block.data(), size);
    }
    out.close();
    if (!out) return failure("{}: cannot be written; is the disk full?", path.string());
    return Done{};
  }

  // A small archive may unpack to more than any disk has.
  Status check_room() const {
    const std::uint64_t free = free_bytes(folder_);  // 0 where the system does not tell
    if (free == 0 || free >= kUsualFreeDisk) return Done{};
    return failure("{}: {} are unpacked, and the disk has {} of free space left, expected at least {}",
                   file_.string(), bytes_in_words(num_bytes_), bytes_in_words(free),
                   bytes_in_words(kUsualFreeDisk));
  }

  const fs::path &file_, &folder_;
  const StopFlag& stop_;
  const Utf8Locale locale_;
  std::uint64_t max_bytes_, num_bytes_ = 0;
  std::size_t num_entries_ = 0;
  OpenArchive archive_;
};

}  // namespace

bool is_archive_name(std::string_view name) {
  constexpr std::array<std::string_view, 8> kEndings{".tar",    ".tar.gz",  ".tgz",     ".tar.bz2",
                                                     ".tar.xz", ".tar.zst", ".tar.lz4", ".zip"};
  return std::any_of(kEndings.begin(), kEndings.end(),
                     [&](std::string_view ending) { return name.ends_with(ending); });
}

Status unpack_archive(const fs::path& archive, const fs::path& folder, const StopFlag& stop,
                      std::uint64_t max_bytes) {
  return Unpacking(archive, folder, stop, max_bytes).run();
}

}  // namespace mash
