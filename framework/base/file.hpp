// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "framework/base/result.hpp"

namespace mash {

// Sizes of files that are read whole: those of people and programs; texts that people write; data, which may
// take what memory there is.
inline constexpr std::uint64_t kMostFileBytes = std::uint64_t(1) << 30;
inline constexpr std::uint64_t kMostTextBytes = std::uint64_t(16) << 20;
inline constexpr std::uint64_t kAnyFileBytes = UINT64_MAX;

// The whole file as bytes in a string. Errors: kInput where it cannot be read, or has more bytes; a pipe or a
// device has at most 64 MiB.
Result<std::string> read_file(const std::filesystem::path& path, std::uint64_t most_bytes = kMostFileBytes);

// When a file that is written reaches the disk itself.
enum class Flush {
  kNow,
  kLater  // when the system finds time: a power cut may leave half a file, which its reader must notice
};

// Replaces `path` by `content` so that at every moment, with Flush::kNow a power cut included, the old or the
// new file is whole: written beside it, flushed to disk, renamed. The folder is made if it is missing.
Status write_file_atomically(const std::filesystem::path& path, std::string_view content,
                             Flush flush = Flush::kNow);

// Where a file of this name is written: the target of a link. Errors (kInput): it is a device, a pipe or
// another thing that no file replaces.
Result<std::filesystem::path> replaceable(const std::filesystem::path& path);

// As write_file_atomically for a name that a user gave: a link is followed, and a device or a pipe is written
// into.
Status write_output(const std::filesystem::path& path, std::string_view content);

// A file mapped into memory. Movable; unmapped on destruction.
class MappedFile {
 public:
  MappedFile() = default;
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  // Maps an existing file for reading.
  static Result<MappedFile> open(const std::filesystem::path& path);
  // Makes (or resizes) a file of `size` bytes and maps it for reading and writing; its disk space is
  // reserved, so that a full disk is an error here and not a crash later.
  static Result<MappedFile> create(const std::filesystem::path& path, std::size_t size);
  // The same without a file: memory of zeros, which is given back with the object.
  static Result<MappedFile> in_memory(std::size_t size);

  std::span<const std::byte> bytes() const { return {data_, size_}; }
  std::span<std::byte> writable() const { return {data_, size_}; }  // REQUIRES: made by create
  std::size_t size() const { return size_; }

  // Writes changes through to the disk and waits for it.
  Status sync();
  // Tells the kernel that [offset, offset + size) is about to be written: all pages at once, and not with an
  // interruption for each. Where the kernel cannot, nothing changes.
  void prepare(std::size_t offset, std::size_t size) const;
  // Tells the kernel that [offset, offset + size) is not needed in memory for now; the content is kept.
  void forget(std::size_t offset, std::size_t size) const;

 private:
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

// Removes the files of a folder that nobody has written to for `age`: what runs that were never taken up
// again have left. Where something cannot be removed it stays.
void remove_old_files(const std::filesystem::path& folder, std::chrono::hours age);

// Removes the files of a folder that were written longest ago, until all of its files together have at most
// this many bytes. Where something cannot be removed it stays.
void remove_oldest_files(const std::filesystem::path& folder, std::uint64_t most_bytes);

// The user's own folder for MASH's files of one kind: $XDG_DATA_HOME/mash or $XDG_CACHE_HOME/mash and their
// defaults.
std::filesystem::path user_data_folder();
std::filesystem::path user_cache_folder();

}  // namespace mash
