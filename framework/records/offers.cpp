// SPDX-License-Identifier: Apache-2.0
#include "framework/records/offers.hpp"

#include <algorithm>
#include <sstream>

#include "framework/base/hash.hpp"
#include "framework/records/internal/connection.hpp"
#include "framework/records/internal/offer_rows.hpp"

namespace mash {
namespace {

std::string together_key_of(const OfferRow& offer) {
  std::vector<std::string> names = offer.pool;
  names.insert(names.end(), offer.newcomer.begin(), offer.newcomer.end());
  return family_set_key(names);
}

// One a line.
std::string joined(std::span<const std::string> names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : "\n") + name;
  return text;
}

std::vector<std::string> names_in(const std::string& text) {
  std::vector<std::string> names;
  std::istringstream lines(text);
  for (std::string name; std::getline(lines, name);) names.push_back(name);
  return names;
}

void bind_identity(SQLite::Statement& insert, const OfferRow& offer) {
  insert.bind(":heuristic", offer.heuristic);
  insert.bind(":version", offer.version);
  insert.bind(":settings", offer.settings);
  insert.bind(":sha256", offer.plugin_sha256);
  insert.bind(":fingerprint", offer.dataset_fingerprint);
  insert.bind(":dataset", offer.dataset);
  insert.bind(":side", offer.side);
  insert.bind(":pool_key", family_set_key(offer.pool));
  insert.bind(":together_key", together_key_of(offer));
  insert.bind(":pool", joined(offer.pool));
  insert.bind(":experiment", offer.experiment);
  insert.bind(":base", offer.base);
  insert.bind(":trained_by", offer.trained_by);
  insert.bind(":first_seed", std::int64_t(offer.first_seed));
  insert.bind(":procedure", offer.procedure);
}

void bind_figures(SQLite::Statement& insert, const OfferRow& offer) {
  insert.bind(":num_seeds", std::int64_t(offer.num_seeds));
  insert.bind(":gain", offer.gain);
  insert.bind(":standard_error", offer.standard_error);
  insert.bind(":low", offer.low);
  insert.bind(":high", offer.high);
  insert.bind(":relevant", offer.relevant);
  insert.bind(":placebo_gain", offer.placebo_gain);
  insert.bind(":num_wins", std::int64_t(offer.num_wins));
  insert.bind(":num_duels", std::int64_t(offer.num_duels));
  insert.bind(":win_index", offer.win_index);
  insert.bind(":speed_up", offer.speed_up);
  insert.bind(":finding", offer.finding);
  if (offer.alpha_share)
    insert.bind(":alpha_share", *offer.alpha_share);
  else
    insert.bind(":alpha_share");
  insert.bind(":seconds", offer.seconds);
  insert.bind(":nearest", offer.nearest);
  insert.bind(":nearest_cka", offer.nearest_cka);
}

std::vector<PastOffer> all_rows(SQLite::Statement& row) {
  std::vector<PastOffer> offers;
  while (row.executeStep()) offers.push_back(rows::past_offer(row));
  return offers;
}

}  // namespace

PastOffer rows::past_offer(SQLite::Statement& row) {
  const auto text = [&](const char* column) { return row.getColumn(column).getString(); };
  const auto real = [&](const char* column) { return row.getColumn(column).getDouble(); };
  const auto integer = [&](const char* column) { return row.getColumn(column).getInt64(); };
  PastOffer past{text("measured_at"), {}};
  OfferRow& offer = past.offer;
  offer.heuristic = text("heuristic");
  offer.version = text("version");
  offer.settings = text("settings");
  offer.plugin_sha256 = text("plugin_sha256");
  offer.dataset_fingerprint = text("dataset_fingerprint");
  offer.dataset = text("dataset");
  offer.side = text("side");
  offer.pool = names_in(text("pool"));
  offer.experiment = text("experiment");
  offer.base = text("base");
  offer.trained_by = text("trained_by");
  offer.first_seed = std::uint64_t(integer("first_seed"));
  offer.procedure = int(integer("procedure"));
  offer.num_seeds = std::size_t(integer("num_seeds"));
  offer.gain = real("gain");
  offer.standard_error = real("standard_error");
  offer.low = real("low");
  offer.high = real("high");
  offer.relevant = real("relevant");
  offer.placebo_gain = real("placebo_gain");
  offer.num_wins = std::uint64_t(integer("num_wins"));
  offer.num_duels = std::uint64_t(integer("num_duels"));
  offer.win_index = real("win_index");
  offer.speed_up = real("speed_up");
  offer.finding = text("finding");
  if (!row.getColumn("alpha_share").isNull()) offer.alpha_share = real("alpha_share");
  offer.seconds = real("seconds");
  offer.nearest = text("nearest");
  offer.nearest_cka = real("nearest_cka");
  return past;
}

std::string family_set_key(std::span<const std::string> names) {
  std::vector<std::string> sorted(names.begin(), names.end());
  std::sort(sorted.begin(), sorted.end());
  return sha256(joined(sorted)).substr(0, 32);
}

Status keep_offer(Records& records, const OfferRow& offer) {
  return write_records(records, [&](SQLite::Database& database) -> Status {
    SQLite::Statement insert(database, R"sql(
      INSERT INTO offer_tests
        (heuristic, version, settings, plugin_sha256, dataset_fingerprint, dataset, side, pool_key, together_key,
         pool, experiment, base, trained_by, first_seed, num_seeds, gain, standard_error, low, high, relevant,
         placebo_gain, num_wins, num_duels, win_index, speed_up, finding, alpha_share, seconds, procedure,
         nearest, nearest_cka, updated)
      VALUES (:heuristic, :version, :settings, :sha256, :fingerprint, :dataset, :side, :pool_key, :together_key,
              :pool, :experiment, :base, :trained_by, :first_seed, :num_seeds, :gain, :standard_error, :low, :high,
              :relevant, :placebo_gain, :num_wins, :num_duels, :win_index, :speed_up, :finding, :alpha_share,
              :seconds, :procedure, :nearest, :nearest_cka, (SELECT COALESCE(MAX(updated), 0) + 1 FROM offer_tests))
      ON CONFLICT (heuristic, version, settings, plugin_sha256, dataset_fingerprint, side, pool_key, base, trained_by,
                   first_seed) DO UPDATE SET
        dataset = excluded.dataset, pool = excluded.pool, experiment = excluded.experiment,
        num_seeds = excluded.num_seeds, gain = excluded.gain, standard_error = excluded.standard_error,
        low = excluded.low, high = excluded.high, relevant = excluded.relevant,
        placebo_gain = excluded.placebo_gain, num_wins = excluded.num_wins, num_duels = excluded.num_duels,
        win_index = excluded.win_index, speed_up = excluded.speed_up, finding = excluded.finding,
        alpha_share = COALESCE(excluded.alpha_share, alpha_share), seconds = MAX(seconds, excluded.seconds),
        nearest = excluded.nearest, nearest_cka = excluded.nearest_cka,
        measured_at = excluded.measured_at, updated = excluded.updated
      WHERE excluded.num_seeds >= offer_tests.num_seeds)sql");
    bind_identity(insert, offer);
    bind_figures(insert, offer);
    insert.exec();
    return Done{};
  });
}

Result<std::vector<PastOffer>> past_offers(const RecordsReader& records, const OfferRow& offer) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::vector<PastOffer>> {
    SQLite::Statement row(database, R"sql(
      SELECT * FROM (
        SELECT *, MIN(id) OVER build AS first_id, MAX(updated) OVER build AS last_look FROM offer_tests
        WHERE heuristic = ? AND dataset_fingerprint = ? AND side = ? AND pool_key = ? AND procedure = ?
        WINDOW build AS (PARTITION BY version, settings, plugin_sha256))
      WHERE updated = last_look ORDER BY first_id)sql");
    SQLite::bind(row, offer.heuristic, offer.dataset_fingerprint, offer.side, family_set_key(offer.pool),
                 offer.procedure);
    return all_rows(row);
  });
}

Result<std::vector<PastOffer>> latest_offers(const RecordsReader& records,
                                             const std::string& dataset_fingerprint, std::string_view side,
                                             const std::string& together_key) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::vector<PastOffer>> {
    SQLite::Statement row(database, R"sql(
      SELECT * FROM latest_offers WHERE dataset_fingerprint = ? AND side = ? AND together_key = ? AND procedure = ?
      ORDER BY heuristic)sql");
    SQLite::bind(row, dataset_fingerprint, std::string(side), together_key, kOfferProcedure);
    return all_rows(row);
  });
}

}  // namespace mash
