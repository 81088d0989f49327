// SPDX-License-Identifier: Apache-2.0
#include "framework/records/internal/merged_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace mash {
namespace {

// Tables of a run, which are taken over with it as they are.
constexpr std::array<std::string_view, 11> kRunTables{"families",  "faults",      "rounds",      "cuts",
                                                      "curve",     "test_errors", "test_scores", "phases",
                                                      "incidents", "predictions", "settings"};

constexpr std::array<std::string_view, 25> kMergedTables{
    "classes",       "credit_parts",     "credits",     "curve",         "cuts",
    "dataset_files", "datasets",         "experiments", "families",      "faults",
    "heuristics",    "heuristic_trials", "incidents",   "offer_details", "offer_judges",
    "offer_sums",    "offer_tests",      "phases",      "predictions",   "robustness",
    "rounds",        "settings",         "test_errors", "test_rows",     "test_scores"};

constexpr std::array<std::string_view, 22> kSiteTables{"users",
                                                       "invitations",
                                                       "tokens",
                                                       "boards",
                                                       "board_copies",
                                                       "board_pages",
                                                       "board_terms",
                                                       "former_names",
                                                       "submissions",
                                                       "submission_events",
                                                       "submission_findings",
                                                       "submission_settings",
                                                       "judgements",
                                                       "judgement_features",
                                                       "judgement_losses",
                                                       "judgement_samples",
                                                       "compared_submissions",
                                                       "likenesses",
                                                       "released_answers",
                                                       "together_gains",
                                                       "beyond_gains",
                                                       "runners"};

// Columns that make two rows of offer_tests the same test.
constexpr std::array<std::string_view, 10> kOfferKey{
    "heuristic", "version",  "settings", "plugin_sha256", "dataset_fingerprint",
    "side",      "pool_key", "base",     "trained_by",    "first_seed"};

// The numbers that rows of `source` have here. known: what is here already.
constexpr const char* kNumbersSql = R"sql(
CREATE TEMP TABLE known AS
SELECT s.id AS old, MAX(m.id) AS new,
       m.status IN ('interrupted', 'stopped') AND s.status NOT IN ('interrupted', 'stopped') AS is_further
FROM source.experiments s JOIN main.experiments m
  ON m.run_key = s.run_key AND m.started_at = s.started_at AND m.pid = s.pid
     AND m.process_start = s.process_start AND m.boot_id = s.boot_id AND m.trial = s.trial
GROUP BY s.id;

CREATE TEMP TABLE taken (old INTEGER PRIMARY KEY, new INTEGER NOT NULL);
INSERT INTO taken SELECT old, new FROM known WHERE is_further;
INSERT INTO taken
SELECT id, MAX((SELECT COALESCE(MAX(seq), 0) FROM main.sqlite_sequence WHERE name = 'experiments'),
               (SELECT COALESCE(MAX(id), 0) FROM main.experiments)) + ROW_NUMBER() OVER (ORDER BY id)
FROM source.experiments WHERE trial = 0 AND id NOT IN (SELECT old FROM known);
INSERT INTO taken
SELECT id, (SELECT MIN(0, COALESCE(MIN(id), 0)) FROM main.experiments) - ROW_NUMBER() OVER (ORDER BY id DESC)
FROM source.experiments WHERE trial = 1 AND id NOT IN (SELECT old FROM known);
-- Only now, as the numbers of new rows go on from those that are there.
DELETE FROM main.experiments WHERE id IN (SELECT new FROM known WHERE is_further);
)sql";

constexpr const char* kNumberOfDatasets =
    R"sql((SELECT m.id FROM source.datasets s JOIN main.datasets m USING (fingerprint)
    WHERE s.id = t.dataset_id))sql";
constexpr const char* kNumberOfHeuristics = R"sql((SELECT m.id FROM source.heuristics s
    JOIN main.heuristics m USING (name, version, plugin_sha256) WHERE s.id = t.heuristic_id))sql";

// Later looks of the same test have more seeds; the order of all looks is that of their times.
constexpr const char* kOffersOrderSql = R"sql(
UPDATE main.offer_tests SET updated = o.place
FROM (SELECT id, ROW_NUMBER() OVER (ORDER BY measured_at, updated, id) AS place FROM main.offer_tests) o
WHERE o.id = offer_tests.id
)sql";

using Replacements = std::vector<std::pair<std::string_view, std::string>>;  // column, expression

class Merge {
 public:
  explicit Merge(SQLite::Database& database) : database_(database) {}

  MergedRecords run() {
    drop_numbers();
    database_.exec(kNumbersSql);
    add_shared();
    MergedRecords merged;
    merged.num_known = count("known WHERE NOT is_further");
    merged.num_runs = count("taken WHERE new > 0");
    merged.num_trials = count("taken WHERE new < 0");
    insert("experiments", {{"id", "n.new"}, {"dataset_id", kNumberOfDatasets}},
           "JOIN taken n ON n.old = t.id");
    for (const std::string_view table : kRunTables) {
      Replacements replaced{{"experiment_id", "n.new"}};
      if (table == "families") replaced.emplace_back("heuristic_id", kNumberOfHeuristics);
      insert(table, replaced, "JOIN taken n ON n.old = t.experiment_id");
    }
    add_old_trials();
    merged.num_offers = add_offers();
    add_credits();
    drop_numbers();
    return merged;
  }

 private:
  void drop_numbers() {
    database_.exec("DROP TABLE IF EXISTS temp.known");
    database_.exec("DROP TABLE IF EXISTS temp.taken");
  }

  std::size_t count(std::string_view rows) {
    return std::size_t(database_.execAndGet(fmt::format("SELECT COUNT(*) FROM {}", rows)).getInt64());
  }

  std::vector<std::string> columns_of(std::string_view table) {
    SQLite::Statement row(database_, fmt::format("SELECT name FROM pragma_table_info('{}', 'main')", table));
    std::vector<std::string> columns;
    while (row.executeStep()) columns.push_back(row.getColumn(0).getString());
    return columns;
  }

  // Inserts the rows of source.TABLE as t, with these columns replaced; one that is replaced by "" is left
  // out. Returns how many rows were inserted or updated.
  std::size_t insert(std::string_view table, const Replacements& replaced, std::string_view rows,
                     std::string_view on_conflict = "", std::string_view verb = "INSERT") {
    std::string names, values;
    for (const std::string& column : columns_of(table)) {
      std::string value = "t." + column;
      for (const auto& [name, expression] : replaced)
        if (name == column) value = expression;
      if (value.empty()) continue;
      names += (names.empty() ? "" : ", ") + column;
      values += (values.empty() ? "" : ", ") + value;
    }
    return std::size_t(database_.exec(fmt::format("{} INTO main.{} ({}) SELECT {} FROM source.{} t {} {}",
                                                  verb, table, names, values, table, rows, on_conflict)));
  }

  // Adds the rows that several runs refer to.
  void add_shared() {
    constexpr std::string_view kVerb = "INSERT OR IGNORE";
    const std::string of_runs =
        "WHERE t.{} IN (SELECT dataset_id FROM source.experiments WHERE id IN (SELECT old FROM taken))";
    insert("datasets", {{"id", ""}}, fmt::format(fmt::runtime(of_runs), "id"), "", kVerb);
    for (const char* table : {"classes", "dataset_files", "test_rows"})
      insert(table, {{"dataset_id", kNumberOfDatasets}}, fmt::format(fmt::runtime(of_runs), "dataset_id"), "",
             kVerb);
    insert("heuristics", {{"id", ""}},
           "WHERE t.id IN (SELECT heuristic_id FROM source.families WHERE experiment_id IN (SELECT old FROM "
           "taken))",
           "", kVerb);
  }

  void add_old_trials() {
    insert("heuristic_trials", {{"id", ""}, {"experiment_id", "n.new"}},
           "JOIN taken n ON n.old = t.experiment_id", "", "INSERT OR IGNORE");
    insert("robustness",
           {{"trial_id",
             "(SELECT m.id FROM source.heuristic_trials s JOIN main.heuristic_trials m USING (trial_key) "
             "WHERE s.id = t.trial_id)"}},
           "WHERE t.trial_id IN (SELECT s.id FROM source.heuristic_trials s JOIN main.heuristic_trials m "
           "USING (trial_key))",
           "", "INSERT OR IGNORE");
  }

  // "a = excluded.a, ..." for all columns but the key.
  std::string assignments(std::string_view table, std::span<const std::string_view> key) {
    std::string text;
    for (const std::string& column : columns_of(table))
      if (std::find(key.begin(), key.end(), column) == key.end())
        text += fmt::format("{}{} = excluded.{}", text.empty() ? "" : ", ", column, column);
    return text;
  }

  static std::string joined(std::span<const std::string_view> names) {
    std::string text;
    for (const std::string_view name : names) text += fmt::format("{}{}", text.empty() ? "" : ", ", name);
    return text;
  }

  // An offer test's row here, by what makes it the same test.
  std::string number_of_offer() const {
    return fmt::format(
        "(SELECT m.id FROM source.offer_tests s JOIN main.offer_tests m USING ({}) "
        "WHERE s.id = t.offer_id)",
        joined(kOfferKey));
  }

  std::size_t add_offers() {
    std::vector<std::string_view> kept(kOfferKey.begin(), kOfferKey.end());
    kept.push_back("id");
    const std::size_t num_offers = insert(
        "offer_tests", {{"id", ""}}, "WHERE true",
        fmt::format(
            "ON CONFLICT ({}) DO UPDATE SET {} WHERE excluded.num_seeds > offer_tests.num_seeds OR "
            "excluded.num_seeds = offer_tests.num_seeds AND excluded.measured_at > offer_tests.measured_at",
            joined(kOfferKey), assignments("offer_tests", kept)));
    if (num_offers > 0) database_.exec(kOffersOrderSql);
    // Seeds of the same test are the same on both sides.
    insert("offer_judges", {{"offer_id", number_of_offer()}}, "", "", "INSERT OR IGNORE");
    insert("offer_details", {{"id", ""}, {"offer_id", number_of_offer()}}, "", "", "INSERT OR IGNORE");
    insert("offer_sums", {{"offer_id", number_of_offer()}}, "", "", "INSERT OR IGNORE");
    return num_offers;
  }

  void add_credits() {
    constexpr std::array<std::string_view, 4> kKey{"dataset_fingerprint", "together_key", "heuristic",
                                                   "version"};
    insert("credits", {}, "WHERE true",
           fmt::format("ON CONFLICT ({}) DO UPDATE SET {} WHERE excluded.measured_at > credits.measured_at",
                       joined(kKey), assignments("credits", kKey)));
    // The parts of those that were taken over.
    database_.exec(R"sql(
      INSERT OR REPLACE INTO main.credit_parts
      SELECT p.* FROM source.credit_parts p
      JOIN source.credits s USING (dataset_fingerprint, together_key, heuristic, version)
      JOIN main.credits m USING (dataset_fingerprint, together_key, heuristic, version)
      WHERE m.measured_at = s.measured_at)sql");
  }

  SQLite::Database& database_;
};

}  // namespace

MergedRecords merge_tables(SQLite::Database& database) { return Merge(database).run(); }

std::span<const std::string_view> merged_table_names() { return kMergedTables; }
std::span<const std::string_view> site_table_names() { return kSiteTables; }

}  // namespace mash
