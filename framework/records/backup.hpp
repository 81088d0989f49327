// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "framework/base/result.hpp"

// Copies of a whole database, mostly a server's.
namespace mash {

// Writes the database, as it is at one moment, into a new file and checks that copy. Other programs may use
// the database meanwhile. Only its owner may read the copy: it holds hashes of passwords. At every moment the
// copy is either whole or absent. Returns its size in bytes. Errors (kInput): there is no such database, or
// something is at `copy`; kFailure: the copy is damaged, the disk is full.
Result<std::uint64_t> backup_records(const std::filesystem::path& database,
                                     const std::filesystem::path& copy);

// Checks the copy, brings it up to this program's schema and puts it in the place of the database. The file
// belongs to the same user as before. The database that was there is kept under another path, which is
// returned. REQUIRES: this process does not have the database open. Errors (kInput): the copy is no database
// of ours, is damaged or in use; a program uses the database (the message names it).
Result<std::optional<std::filesystem::path>> restore_records(const std::filesystem::path& copy,
                                                             const std::filesystem::path& database);

}  // namespace mash
