// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "framework/base/result.hpp"
#include "framework/records/records.hpp"

namespace mash {

// Where records and features are kept unless somebody says otherwise.
std::filesystem::path default_database();
std::filesystem::path default_store();

// Free bytes on the disk of the nearest folder above `path` that exists; 0 where the system does not tell.
std::uint64_t free_bytes(std::filesystem::path path);

// The records for reading: `path`, or the default where it is empty. Errors (kInput): there are none yet.
Result<RecordsReader> open_records(const std::filesystem::path& path);

// Whether a file can be written here, found out before the work that ends in it. what: names the file in
// errors, such as "model". Errors (kInput): a folder is in its place, or nothing can be made in its folder.
Status check_output_file(std::string_view what, const std::filesystem::path& file);

// Whether features can be kept in this folder. Errors (kInput): it is a file, or nothing can be made in it.
Status check_store_folder(const std::filesystem::path& store);

}  // namespace mash
