// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "framework/base/file_lock.hpp"
#include "framework/base/progress.hpp"
#include "framework/families/by_content/value_rows.hpp"

namespace mash {

// The folder of a store with values by content: of each family a folder, which is locked as those of codes
// are.
inline constexpr const char* kByContentFolder = "by_content";

// All that the values of a picture follow from, beside the picture.
struct ValueOrigin {
  std::string heuristic, plugin_sha256, settings;
  std::vector<double> values;  // of its parameters, a drawn seed among them
  ImageShape shape;            // the view is the whole picture
  Content content = Content::kPicture;
};
std::filesystem::path values_folder(const std::filesystem::path& store, const ValueOrigin& origin);

// The values of a family by the content of pictures, in any data set, side and place. While this object
// lives, no process removes them.
class KeptValues {
 public:
  // Opens the values that are there. What is damaged is passed over. Errors: kStopped; the folder cannot be
  // made.
  static Result<KeptValues> open(const std::filesystem::path& folder, std::uint32_t dim,
                                 const StopFlag& stop);

  // The same for one who only asks what is there: nothing is made or locked, and others may remove them.
  static KeptValues look(const std::filesystem::path& folder, std::uint32_t dim);

  bool has(const ContentKey& key) const;
  // Copies the values for the key; false where there are none.
  bool copy(const ContentKey& key, std::span<float> values) const;
  // The number of keys that have no values.
  std::size_t num_missing(std::span<const ContentKey> keys) const;
  // The cost of a picture when its values were computed; 0 where there are none.
  double microseconds_per_image() const;

  // Adds the rows whose keys have none yet, in one file that is there as a whole or not at all. row: gives
  // the values for a place among the keys. Errors (kFailure): the disk's; kStopped.
  Status add(std::span<const ContentKey> keys, double microseconds_per_image, const RowSource& row,
             const StopFlag& stop);

 private:
  void read_files();

  std::filesystem::path folder_;
  std::uint32_t dim_ = 0;
  std::optional<FileLock> use_;  // let go of after the files
  std::vector<ValueRows> files_;
};

// The bytes that all values in such a folder take; 0 where there is none.
std::uint64_t kept_bytes(const std::filesystem::path& folder);

}  // namespace mash
