// SPDX-License-Identifier: Apache-2.0
#include "framework/isolation/shared_block.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

namespace mash {
namespace {

constexpr int kSizeSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

Error no_memory(std::string_view what) { return failure("{} for a worker: {}", what, std::strerror(errno)); }

Result<OwnedDescriptor> memory_file(std::string_view name) {
  OwnedDescriptor file(::memfd_create(std::string(name).c_str(), MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (file.number() < 0) return no_memory("no shared memory");
  return file;
}

}  // namespace

OwnedDescriptor::~OwnedDescriptor() {
  if (number_ >= 0) ::close(number_);
}

OwnedDescriptor::OwnedDescriptor(OwnedDescriptor&& other) noexcept
    : number_(std::exchange(other.number_, -1)) {}

OwnedDescriptor& OwnedDescriptor::operator=(OwnedDescriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

SharedBlock::SharedBlock(OwnedDescriptor descriptor, std::span<std::byte> bytes, std::span<std::byte> pages)
    : descriptor_(std::move(descriptor)), bytes_(bytes), pages_(pages) {}

SharedBlock::SharedBlock(SharedBlock&& other) noexcept
    : descriptor_(std::move(other.descriptor_)),
      bytes_(std::exchange(other.bytes_, {})),
      pages_(std::exchange(other.pages_, {})) {}

SharedBlock::~SharedBlock() {
  if (!pages_.empty()) ::munmap(pages_.data(), pages_.size());
}

Result<SharedBlock> SharedBlock::make(std::size_t num_bytes, WorkerMay may) {
  MASH_ASSIGN(OwnedDescriptor file, memory_file("mash-shared"));
  if (::ftruncate(file.number(), off_t(num_bytes)) != 0) return no_memory("no shared memory");
  void* memory = ::mmap(nullptr, num_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.number(), 0);
  if (memory == MAP_FAILED) return no_memory("no shared memory");
  const std::span bytes(static_cast<std::byte*>(memory), num_bytes);
  SharedBlock block(std::move(file), bytes, bytes);
  // The mapping above stays writable.
  const int seals = kSizeSeals | (may == WorkerMay::kRead ? F_SEAL_FUTURE_WRITE : 0);
  if (::fcntl(block.descriptor(), F_ADD_SEALS, seals) != 0)
    return no_memory("shared memory cannot be sealed");
  return block;
}

Result<SharedBlock> SharedBlock::attach(int descriptor, WorkerMay may) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || status.st_size <= 0) return no_memory("no shared memory");
  const auto page = std::size_t(::sysconf(_SC_PAGESIZE)), size = std::size_t(status.st_size);
  if (size % page != 0) return failure("shared memory of {} bytes, expected whole pages", size);
  void* around =
      ::mmap(nullptr, size + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (around == MAP_FAILED) return no_memory("no room");
  const std::span pages(static_cast<std::byte*>(around), size + 2 * page);
  SharedBlock block(OwnedDescriptor(), pages.subspan(page, size), pages);
  const int access = may == WorkerMay::kRead ? PROT_READ : PROT_READ | PROT_WRITE;
  if (::mmap(block.bytes_.data(), size, access, MAP_SHARED | MAP_FIXED, descriptor, 0) == MAP_FAILED)
    return no_memory("no shared memory");
  return block;
}

Result<OwnedDescriptor> opened_again(const OwnedDescriptor& file) {
  OwnedDescriptor again(::open(fmt::format("/proc/self/fd/{}", file.number()).c_str(), O_RDONLY | O_CLOEXEC));
  if (again.number() < 0) return no_memory("no second descriptor of a file in memory");
  return again;
}

Result<OwnedDescriptor> sealed_file(std::string_view name, std::string_view content) {
  MASH_ASSIGN(OwnedDescriptor file, memory_file(name));
  while (!content.empty()) {
    const ssize_t num_bytes = ::write(file.number(), content.data(), content.size());
    if (num_bytes < 0 && errno == EINTR) continue;
    if (num_bytes <= 0) return no_memory("no file in memory");
    content.remove_prefix(std::size_t(num_bytes));
  }
  if (::fcntl(file.number(), F_ADD_SEALS, kSizeSeals | F_SEAL_WRITE) != 0)
    return no_memory("a file in memory cannot be sealed");
  return file;
}

}  // namespace mash
