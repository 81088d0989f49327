// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

#include "framework/base/result.hpp"
#include "framework/records/records.hpp"

namespace mash {

// Default places of records and features.
std::filesystem::path default_database();
std::filesystem::path default_store();

// Opens the records to read: those at `path`, or the default ones where it is empty. Errors (kInput): there
// are no records yet.
Result<RecordsReader> open_records(const std::filesystem::path& path);

// Checks that a file can be written here, before the work that makes it. what: a word for the file in errors,
// such as "model". Errors (kInput): a folder is in its place, or nothing can be written in its folder.
Status check_output_file(std::string_view what, const std::filesystem::path& file);
// The same for a file whose folder is not made: a model's, which is misspelt more often than new.
Status check_file_in_folder(std::string_view what, const std::filesystem::path& file);

// Checks that features can be kept in this folder. Errors (kInput): it is a file, or nothing can be written
// in it.
Status check_store_folder(const std::filesystem::path& store);

}  // namespace mash
