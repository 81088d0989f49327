// SPDX-License-Identifier: Apache-2.0
// A copy that takes the place of a server's database.
#include "framework/records/accounts.hpp"
#include "framework/records/backup.hpp"
#include "tests/fuzz/database.hpp"

namespace mash::fuzz {

bool take(std::string_view input) {
  static const std::string before = database_of("the site's", "WAL");
  const std::filesystem::path site = write("mash.db", before), copy = write("copy.db", input);
  const auto kept = restore_records(copy, site);
  MASH_PROMISE(*read_file(copy) == input);
  if (!is_taken(kept)) {
    MASH_PROMISE(num_files() == 2);
    MASH_PROMISE(*read_file(site) == before);
    return false;
  }
  MASH_PROMISE(num_files() == 3 && *kept);
  MASH_PROMISE(*read_file(**kept) == before);
  std::filesystem::remove(**kept);
  MASH_PROMISE(is_whole(site));
  const auto records = Records::open(site);
  MASH_PROMISE(records.ok() && read_users(*records).ok());
  return true;
}

// As mash server backup makes it, and as it lies on the disk of a site that has ended.
std::vector<std::string> seeds() { return {database_of("a copy", "DELETE"), database_of("a copy", "WAL")}; }

}  // namespace mash::fuzz
