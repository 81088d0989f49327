// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace mash {

// A file as its publisher gives it out.
struct PublishedFile {
  std::string_view name;
  std::uint64_t num_bytes;
  std::string_view sha256;
};

// A data set that can be downloaded: one whose files and checksums are known for certain.
struct PublishedDataset {
  std::string_view name;                        // of the format that reads it
  std::span<const std::string_view> addresses;  // of the folder with its files; the publisher's comes first
  std::span<const PublishedFile> files;
};

std::span<const PublishedDataset> published_datasets();

// Null: there is none of that name.
const PublishedDataset* find_published(std::string_view name);

}  // namespace mash
