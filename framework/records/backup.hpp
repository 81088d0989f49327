// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "framework/base/result.hpp"

// Copies of a whole database, that of a server above all.
namespace mash {

// Writes one moment of the database into a new file, beside any number of programs that use it, and checks
// the copy. Only its owner may read it: it holds hashes of passwords. At every moment there is the whole copy
// or none. Returns its bytes. Errors (kInput): there is no such database, or something is at `copy`;
// kFailure: the copy is damaged, the disk is full.
Result<std::uint64_t> backup_records(const std::filesystem::path& database,
                                     const std::filesystem::path& copy);

// Puts the copy, checked and brought up to this program's schema, in the place of the database, which belongs
// to the same user as before. What was there is kept: returns where. REQUIRES: this process has the database
// not open. Errors (kInput): the copy is no database of ours, is damaged or in use; a program uses the
// database, and which.
Result<std::optional<std::filesystem::path>> restore_records(const std::filesystem::path& copy,
                                                             const std::filesystem::path& database);

}  // namespace mash
