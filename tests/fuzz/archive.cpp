// SPDX-License-Identifier: Apache-2.0
// Archives that were downloaded.
#include "framework/operations/data/archive.hpp"

#include "tests/fuzz/dataset_file.hpp"
#include "tests/support/tar.hpp"
#include "tests/support/zip.hpp"

namespace mash::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostBytes = 1 << 20;

// All that lies in the folder: plain files and folders.
std::uint64_t bytes_below(const fs::path& unpacked) {
  std::uint64_t sum = 0;
  for (const auto& entry : fs::recursive_directory_iterator(unpacked)) {
    MASH_PROMISE(entry.is_directory() || entry.is_regular_file());
    MASH_PROMISE(!entry.is_symlink());
    if (entry.is_regular_file()) sum += entry.file_size();
  }
  return sum;
}

}  // namespace

bool take(std::string_view input) {
  const fs::path unpacked = folder() / "unpacked";
  fs::remove_all(unpacked);
  fs::create_directory(unpacked);
  const std::string file = write("archive", input);
  static const StopFlag never;
  const Status status = unpack_archive(file, unpacked, never, kMostBytes);
  if (!status.ok()) MASH_PROMISE(!status.error().message.empty() && is_utf8(status.error().message));
  MASH_PROMISE(bytes_below(unpacked) <= kMostBytes);
  const auto num_beside = std::distance(fs::directory_iterator(folder()), fs::directory_iterator());
  MASH_PROMISE(num_beside == 2);  // the archive and the folder
  return status.ok();
}

std::vector<std::string> seeds() {
  using testing::tar_entry;
  return {testing::tar(tar_entry("pets/", "", '5') + tar_entry("pets/cat/1.png", "x") +
                       tar_entry("__MACOSX/._1.png", "y") + tar_entry("pets/\xc3\xa4.txt", "z")),
          testing::zip_of("pets/cat/1.png", "x"), testing::zip_of("pets/\xc3\xa4.png", "yz")};
}

}  // namespace mash::fuzz
