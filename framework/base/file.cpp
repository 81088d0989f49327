// SPDX-License-Identifier: Apache-2.0
#include "framework/base/file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

namespace mash {
namespace {

constexpr std::uint64_t kMostPipeBytes = std::uint64_t(64) << 20;

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  bool ok() const { return fd_ >= 0; }

 private:
  int fd_;
};

Error system_error(const std::filesystem::path& path, std::string_view what) {
  return failure("{}: {}: {}", path.string(), what, std::strerror(errno));
}

Status write_all(int fd, std::string_view content, const std::filesystem::path& path) {
  while (!content.empty()) {
    const ssize_t written = ::write(fd, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return system_error(path, "cannot be written");
    content.remove_prefix(std::size_t(written));
  }
  return Done{};
}

std::filesystem::path user_folder(const char* variable, const char* below_home) {
  if (const char* folder = std::getenv(variable); folder && *folder)
    return std::filesystem::path(folder) / "mash";
  const char* home = std::getenv("HOME");
  return std::filesystem::path(home && *home ? home : ".") / below_home / "mash";
}

}  // namespace

Result<std::string> read_file(const std::filesystem::path& path, std::uint64_t most_bytes) {
  std::error_code code;
  if (std::filesystem::is_directory(path, code))
    return input_error("{}: is a folder, expected a file", path.string());
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.ok()) return input_error("{}: cannot be read: {}", path.string(), std::strerror(errno));
  struct stat found {};
  const bool has_size = ::fstat(file.get(), &found) == 0 && S_ISREG(found.st_mode);
  if (!has_size) most_bytes = std::min(most_bytes, kMostPipeBytes);
  if (has_size && std::uint64_t(found.st_size) > most_bytes)
    return input_error("{}: found {} bytes, expected at most {}", path.string(), found.st_size, most_bytes);
  // A stream takes a read that fails in the middle for the end of the file.
  std::string content;
  for (;;) {
    constexpr std::size_t kBlock = 1 << 16;
    const std::size_t size = content.size();
    content.resize(size + kBlock);
    const ssize_t num_read = ::read(file.get(), content.data() + size, kBlock);
    if (num_read < 0 && errno != EINTR)
      return input_error("{}: cannot be read: {}", path.string(), std::strerror(errno));
    content.resize(size + std::size_t(std::max<ssize_t>(num_read, 0)));
    if (content.size() > most_bytes)
      return input_error("{}: found more than {} bytes, expected no more", path.string(), most_bytes);
    if (num_read == 0) return content;
  }
}

Status write_file_atomically(const std::filesystem::path& path, std::string_view content, Flush flush) {
  std::error_code code;
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), code);
  static std::atomic<unsigned> num_written{0};  // two threads may write to one path
  const std::filesystem::path temporary =
      path.string() + fmt::format(".{}.{}.tmp", ::getpid(), ++num_written);
  Status status = [&]() -> Status {
    const Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    if (!file.ok()) return system_error(path, "cannot be written");
    MASH_TRY(write_all(file.get(), content, path));
    if (flush == Flush::kNow && ::fsync(file.get()) != 0) return system_error(path, "cannot be written");
    return Done{};
  }();
  if (status.ok() && ::rename(temporary.c_str(), path.c_str()) != 0)
    status = system_error(path, "cannot be replaced");
  if (!status.ok()) ::unlink(temporary.c_str());
  return status;
}

Result<std::filesystem::path> replaceable(const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  if (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status))
    return input_error("{}: is a device or a pipe, expected a file", path.string());
  constexpr int kMostLinks = 40;  // as many as Linux follows
  fs::path target = path;
  for (int i = 0; i < kMostLinks && fs::is_symlink(fs::symlink_status(target, code)); ++i)
    target = target.parent_path() / fs::read_symlink(target, code);
  return target;
}

Status write_output(const std::filesystem::path& path, std::string_view content) {
  if (const auto place = replaceable(path); place.ok()) return write_file_atomically(*place, content);
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file.ok()) return system_error(path, "cannot be written");
  return write_all(file.get(), content, path);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

MappedFile::~MappedFile() {
  if (data_) ::munmap(data_, size_);
}

Result<MappedFile> MappedFile::open(const std::filesystem::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat info {};
  if (!file.ok() || ::fstat(file.get(), &info) != 0) return system_error(path, "cannot be opened");
  MappedFile mapped;
  if (info.st_size == 0) return mapped;
  void* data = ::mmap(nullptr, std::size_t(info.st_size), PROT_READ, MAP_SHARED, file.get(), 0);
  if (data == MAP_FAILED) return system_error(path, "cannot be mapped");
  mapped.data_ = static_cast<std::byte*>(data);
  mapped.size_ = std::size_t(info.st_size);
  return mapped;
}

Result<MappedFile> MappedFile::create(const std::filesystem::path& path, std::size_t size) {
  const Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!file.ok()) return system_error(path, "cannot be created");
  if (::ftruncate(file.get(), off_t(size)) != 0) return system_error(path, "cannot be resized");
  MappedFile mapped;
  if (size == 0) return mapped;
  if (const int code = ::posix_fallocate(file.get(), 0, off_t(size)); code != 0) {
    errno = code;
    return system_error(path, "no room on the disk");
  }
  void* data = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  if (data == MAP_FAILED) return system_error(path, "cannot be mapped");
  mapped.data_ = static_cast<std::byte*>(data);
  mapped.size_ = size;
  return mapped;
}

Result<MappedFile> MappedFile::in_memory(std::size_t size) {
  MappedFile mapped;
  if (size == 0) return mapped;
  void* data = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) return failure("{} bytes of memory: {}", size, std::strerror(errno));
  ::madvise(data, size, MADV_HUGEPAGE);  // fewer faults; where it is refused, all works as well
  mapped.data_ = static_cast<std::byte*>(data);
  mapped.size_ = size;
  return mapped;
}

Status MappedFile::sync() {
  if (data_ && ::msync(data_, size_, MS_SYNC) != 0)
    return failure("cannot be written to disk: {}", std::strerror(errno));
  return Done{};
}

namespace {

std::size_t page_size() { return std::size_t(::sysconf(_SC_PAGESIZE)); }

}  // namespace

void MappedFile::prepare(std::size_t offset, std::size_t size) const {
#ifdef MADV_POPULATE_WRITE
  const std::size_t begin = offset / page_size() * page_size();
  if (size > 0) ::madvise(data_ + begin, offset + size - begin, MADV_POPULATE_WRITE);
#endif
}

void MappedFile::forget(std::size_t offset, std::size_t size) const {
  const std::size_t page = page_size();
  const std::size_t begin = (offset + page - 1) / page * page;
  const std::size_t end = (offset + size) / page * page;
  if (begin < end) ::madvise(data_ + begin, end - begin, MADV_DONTNEED);
}

void remove_old_files(const std::filesystem::path& folder, std::chrono::hours age) {
  std::error_code code;
  const auto oldest = std::filesystem::file_time_type::clock::now() - age;
  for (std::filesystem::directory_iterator file(folder, code), end; !code && file != end;
       file.increment(code)) {
    std::error_code unknown;  // a file that cannot be looked at stays
    const auto written = file->last_write_time(unknown);
    if (!unknown && file->is_regular_file(unknown) && written < oldest)
      std::filesystem::remove(file->path(), unknown);
  }
}

void remove_oldest_files(const std::filesystem::path& folder, std::uint64_t most_bytes) {
  struct Kept {
    std::filesystem::file_time_type written;
    std::filesystem::path path;
    std::uint64_t num_bytes;
  };
  std::vector<Kept> files;
  std::uint64_t sum = 0;
  std::error_code code;
  for (std::filesystem::directory_iterator file(folder, code), end; !code && file != end;
       file.increment(code)) {
    std::error_code unknown;  // a file that cannot be looked at stays
    if (!file->is_regular_file(unknown)) continue;
    const std::uintmax_t num_bytes = file->file_size(unknown);
    if (unknown) continue;
    files.push_back({file->last_write_time(unknown), file->path(), num_bytes});
    sum += num_bytes;
  }
  std::ranges::sort(files, {}, &Kept::written);
  for (const Kept& file : files) {
    if (sum <= most_bytes) return;
    if (std::filesystem::remove(file.path, code)) sum -= file.num_bytes;
  }
}

std::filesystem::path user_data_folder() { return user_folder("XDG_DATA_HOME", ".local/share"); }
std::filesystem::path user_cache_folder() { return user_folder("XDG_CACHE_HOME", ".cache"); }

}  // namespace mash
