// SPDX-License-Identifier: Apache-2.0
// A stranger's database that is merged into ours.
#include "framework/records/merge.hpp"

#include "framework/records/kept_runs.hpp"
#include "tests/fuzz/database.hpp"

namespace mash::fuzz {

bool take(std::string_view input) {
  static const std::string before = database_of("ours", "WAL");
  const std::filesystem::path ours = write("ours.db", before), theirs = write("theirs.db", input);
  const auto merged = merge_records({&theirs, 1}, ours);
  MASH_PROMISE(num_files() == 2);
  MASH_PROMISE(*read_file(theirs) == input);
  if (!is_taken(merged)) {
    MASH_PROMISE(*read_file(ours) == before);
    return false;
  }
  MASH_PROMISE(is_whole(ours));
  const auto records = Records::open_read_only(ours);
  MASH_PROMISE(records.ok() && list_runs(*records, {}).ok());
  return true;
}

std::vector<std::string> seeds() { return {database_of("theirs", "WAL"), database_of("theirs", "DELETE")}; }

}  // namespace mash::fuzz
