// SPDX-License-Identifier: Apache-2.0
#include "framework/records/offer_details.hpp"

#include <fmt/ranges.h>

#include <cmath>
#include <span>
#include <sstream>

#include "framework/records/internal/blobs.hpp"
#include "framework/records/internal/connection.hpp"
#include "framework/records/internal/offer_rows.hpp"

namespace mash {
namespace {

std::string lines_of(std::span<const std::string> names) { return fmt::format("{}", fmt::join(names, "\n")); }

std::optional<std::int64_t> find_offer(SQLite::Database& database, const OfferRow& offer) {
  SQLite::Statement query(database, R"sql(
    SELECT id FROM offer_tests
    WHERE heuristic = ? AND version = ? AND settings = ? AND plugin_sha256 = ? AND dataset_fingerprint = ? AND
          side = ? AND pool_key = ? AND base = ? AND trained_by = ? AND first_seed = ?)sql");
  SQLite::bind(query, offer.heuristic, offer.version, offer.settings, offer.plugin_sha256,
               offer.dataset_fingerprint, offer.side, family_set_key(offer.pool), offer.base,
               offer.trained_by, std::int64_t(offer.first_seed));
  if (!query.executeStep()) return std::nullopt;
  return query.getColumn(0).getInt64();
}

void put_judges(SQLite::Database& database, std::int64_t offer_id, const OfferDetails& details) {
  SQLite::Statement insert(database,
                           "INSERT INTO offer_judges (offer_id, class_names, labels) "
                           "VALUES (:offer, :classes, :labels) ON CONFLICT DO NOTHING");
  insert.bind(":offer", offer_id);
  insert.bind(":classes", lines_of(details.class_names));
  rows::bind_blob(insert, ":labels", details.labels);
  insert.exec();
}

void put_seed(SQLite::Database& database, std::int64_t offer_id, const OfferSeed& seed) {
  SQLite::Statement insert(database,
                           "INSERT INTO offer_details (offer_id, seed, gain, losses) "
                           "VALUES (:offer, :seed, :gain, :losses) ON CONFLICT DO NOTHING");
  insert.bind(":offer", offer_id);
  insert.bind(":seed", std::int64_t(seed.seed));
  insert.bind(":gain", seed.gain);
  rows::bind_blob(insert, ":losses", seed.losses);
  insert.exec();
}

// Whether losses that are kept as floats are those of the sums.
bool have_sums(const LossCells& cells, const LossSums& sums) {
  constexpr double kOfFloats = 1e-5;  // relative
  const std::size_t num_examples = sums.of_examples.size();
  if (cells.num_seeds != sums.of_seeds.size() || cells.values.size() != cells.num_seeds * num_examples)
    return false;
  for (std::size_t s = 0; s < cells.num_seeds; ++s) {
    double sum = 0;
    for (std::size_t n = 0; n < num_examples; ++n) sum += cells.values[s * num_examples + n];
    if (std::abs(sum - sums.of_seeds[s]) > kOfFloats * std::abs(sums.of_seeds[s])) return false;
  }
  return true;
}

// The losses of the first seeds of a kept test.
LossCells first_losses(SQLite::Database& database, std::int64_t offer_id, std::size_t num_seeds) {
  SQLite::Statement row(database,
                        "SELECT losses FROM offer_details WHERE offer_id = ? ORDER BY seed LIMIT ?");
  SQLite::bind(row, offer_id, std::int64_t(num_seeds));
  LossCells cells;
  while (row.executeStep()) {
    const auto losses = rows::values_in<float>(row.getColumn(0));
    cells.values.insert(cells.values.end(), losses.begin(), losses.end());
    ++cells.num_seeds;
  }
  return cells;
}

// The first column of a query's rows, in words.
std::string listed(SQLite::Statement& query) {
  std::string names;
  while (query.executeStep()) names += (names.empty() ? "" : ", ") + query.getColumn(0).getString();
  return names;
}

Error no_offer_error(SQLite::Database& database, const std::string& heuristic, const std::string& version) {
  SQLite::Statement versions(
      database, "SELECT version FROM offer_tests WHERE heuristic = ? GROUP BY version ORDER BY MIN(id)");
  versions.bind(1, heuristic);
  if (const std::string known = listed(versions); !known.empty())
    return input_error("{}@{}: no offer test of this version is recorded; those of {} are: {}", heuristic,
                       version, heuristic, known);
  SQLite::Statement heuristics(database, "SELECT DISTINCT heuristic FROM offer_tests ORDER BY heuristic");
  const std::string known = listed(heuristics);
  return input_error("{}@{}: no offer test of {} is recorded; the heuristics that have one: {}", heuristic,
                     version, heuristic, known.empty() ? "none" : known);
}

}  // namespace

std::map<std::size_t, GainSums> rows::offer_sums(SQLite::Database& database, std::int64_t offer_id) {
  SQLite::Statement row(database,
                        "SELECT num_seeds, gain, of_seeds, of_examples FROM offer_sums WHERE offer_id = ?");
  row.bind(1, offer_id);
  std::map<std::size_t, GainSums> sums;
  while (row.executeStep())
    sums[std::size_t(row.getColumn(0).getInt64())] = {
        row.getColumn(1).getDouble(),
        {values_in<double>(row.getColumn(2)), values_in<double>(row.getColumn(3))}};
  return sums;
}

Status keep_offer_details(Records& records, const OfferRow& offer, const OfferDetails& details) {
  return write_records(records, [&](SQLite::Database& database) -> Status {
    const auto offer_id = find_offer(database, offer);
    if (!offer_id) return failure("the offer test of {} {} is not recorded", offer.heuristic, offer.version);
    put_judges(database, *offer_id, details);
    for (const OfferSeed& seed : details.seeds) put_seed(database, *offer_id, seed);
    return Done{};
  });
}

Status keep_offer_sums(Records& records, const OfferRow& offer, std::size_t num_seeds, const GainSums& sums) {
  return write_records(records, [&](SQLite::Database& database) -> Status {
    const auto offer_id = find_offer(database, offer);
    if (!offer_id) return failure("the offer test of {} {} is not recorded", offer.heuristic, offer.version);
    SQLite::Statement insert(database, "INSERT OR REPLACE INTO offer_sums VALUES (?, ?, ?, ?, ?)");
    SQLite::bind(insert, *offer_id, std::int64_t(num_seeds), sums.gain);
    rows::bind_blob(insert, 4, sums.z.of_seeds);
    rows::bind_blob(insert, 5, sums.z.of_examples);
    insert.exec();
    return Done{};
  });
}

Result<LossCells> read_judging_losses(const RecordsReader& records, std::int64_t submission_id,
                                      const LossSums& sums) {
  return read_records(records, [&](SQLite::Database& database) -> Result<LossCells> {
    SQLite::Statement offer(database, R"sql(
      SELECT o.id FROM submissions s JOIN offer_tests o ON o.heuristic = s.heuristic AND o.version = s.version
      WHERE s.id = ? AND o.side = ? AND o.procedure = ? ORDER BY o.updated DESC)sql");
    SQLite::bind(offer, submission_id, std::string(kTestSide), kOfferProcedure);
    while (offer.executeStep()) {
      LossCells cells = first_losses(database, offer.getColumn(0).getInt64(), sums.of_seeds.size());
      if (have_sums(cells, sums)) return cells;
    }
    return LossCells();
  });
}

Result<std::vector<KeptOffer>> offers_of_version(const RecordsReader& records, const std::string& heuristic,
                                                 const std::string& version) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::vector<KeptOffer>> {
    SQLite::Statement row(database, R"sql(
      SELECT o.*, (SELECT COUNT(*) FROM offer_details d WHERE d.offer_id = o.id) AS num_detailed
      FROM offer_tests o WHERE heuristic = ? AND version = ? ORDER BY updated DESC, id DESC)sql");
    SQLite::bind(row, heuristic, version);
    std::vector<KeptOffer> offers;
    while (row.executeStep())
      offers.push_back({row.getColumn("id").getInt64(), row.getColumn("pool_key").getString(),
                        std::size_t(row.getColumn("num_detailed").getInt64()), rows::past_offer(row)});
    if (offers.empty()) return no_offer_error(database, heuristic, version);
    return offers;
  });
}

Result<OfferDetails> read_offer_details(const RecordsReader& records, std::int64_t offer_id) {
  return read_records(records, [&](SQLite::Database& database) -> Result<OfferDetails> {
    OfferDetails details;
    SQLite::Statement judges(database, "SELECT class_names, labels FROM offer_judges WHERE offer_id = ?");
    judges.bind(1, offer_id);
    if (judges.executeStep()) {
      std::istringstream lines(judges.getColumn(0).getString());
      for (std::string name; std::getline(lines, name);) details.class_names.push_back(name);
      details.labels = rows::values_in<std::uint16_t>(judges.getColumn(1));
    }
    SQLite::Statement row(database,
                          "SELECT seed, gain, losses FROM offer_details WHERE offer_id = ? ORDER BY seed");
    row.bind(1, offer_id);
    while (row.executeStep())
      details.seeds.push_back({std::uint64_t(row.getColumn(0).getInt64()), row.getColumn(1).getDouble(),
                               rows::values_in<float>(row.getColumn(2))});
    return details;
  });
}

}  // namespace mash
