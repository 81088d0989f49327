// SPDX-License-Identifier: Apache-2.0
#include "framework/records/internal/migrations/migrations.hpp"

namespace mash {

// Columns and units: docs/records.md. A measured REAL is NULL where there is nothing to measure.
const char* const kTablesSql = R"sql(
CREATE TABLE datasets (
  id           INTEGER PRIMARY KEY,
  fingerprint  TEXT NOT NULL UNIQUE,
  name         TEXT NOT NULL,
  num_train    INTEGER NOT NULL,
  num_test     INTEGER NOT NULL,
  num_classes  INTEGER NOT NULL,
  width        INTEGER NOT NULL,
  height       INTEGER NOT NULL,
  num_channels INTEGER NOT NULL,
  num_columns  INTEGER NOT NULL
) STRICT;

CREATE TABLE classes (
  dataset_id INTEGER NOT NULL REFERENCES datasets(id) ON DELETE CASCADE,
  class_idx  INTEGER NOT NULL,
  name       TEXT NOT NULL,
  PRIMARY KEY (dataset_id, class_idx)
) STRICT, WITHOUT ROWID;

CREATE TABLE dataset_files (
  dataset_id INTEGER NOT NULL REFERENCES datasets(id) ON DELETE CASCADE,
  file_idx   INTEGER NOT NULL,
  path       TEXT NOT NULL,
  sha256     TEXT NOT NULL,
  num_bytes  INTEGER NOT NULL,
  PRIMARY KEY (dataset_id, file_idx)
) STRICT, WITHOUT ROWID;

CREATE TABLE heuristics (
  id            INTEGER PRIMARY KEY,
  name          TEXT NOT NULL,
  version       TEXT NOT NULL,
  author        TEXT NOT NULL,
  summary       TEXT NOT NULL,
  license       TEXT NOT NULL,
  plugin        TEXT NOT NULL,
  plugin_sha256 TEXT NOT NULL,
  UNIQUE (name, version, plugin_sha256)
) STRICT;

CREATE TABLE experiments (
  id                INTEGER PRIMARY KEY AUTOINCREMENT,
  name              TEXT NOT NULL,
  dataset_id        INTEGER NOT NULL REFERENCES datasets(id),
  run_key           TEXT NOT NULL,
  setup             TEXT NOT NULL,
  feature_set       TEXT NOT NULL,
  configuration     TEXT NOT NULL,
  seed              INTEGER NOT NULL,
  booster           TEXT NOT NULL,
  weak              TEXT NOT NULL,
  sampler           TEXT NOT NULL,
  rounds            INTEGER NOT NULL,
  num_threads       INTEGER NOT NULL,
  program_version   TEXT NOT NULL,
  cpu               TEXT NOT NULL,
  os                TEXT NOT NULL,
  instruction_set   TEXT NOT NULL,
  num_cores         INTEGER NOT NULL,
  memory_bytes      INTEGER NOT NULL,
  status            TEXT NOT NULL,
  pid               INTEGER NOT NULL,
  process_start     INTEGER NOT NULL,
  boot_id           TEXT NOT NULL,
  started_at        TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
  ended_at          TEXT,
  num_rounds        INTEGER,
  train_loss_log10  REAL,
  train_error       REAL,
  test_error        REAL,
  fe                INTEGER,
  ops               INTEGER,
  ue                INTEGER,
  once              INTEGER,
  train_seconds     REAL,
  extract_seconds   REAL,
  cpu_seconds       REAL,
  peak_memory_bytes INTEGER
) STRICT;
CREATE INDEX experiments_by_run_key ON experiments(run_key);
CREATE INDEX experiments_by_name ON experiments(name);

CREATE TABLE families (
  experiment_id          INTEGER NOT NULL REFERENCES experiments(id) ON DELETE CASCADE,
  family_idx             INTEGER NOT NULL,
  heuristic_id           INTEGER NOT NULL REFERENCES heuristics(id),
  name                   TEXT NOT NULL,
  settings               TEXT NOT NULL,
  dim                    INTEGER NOT NULL,
  num_distinct           INTEGER NOT NULL,
  lazy                   INTEGER NOT NULL,
  num_faults             INTEGER NOT NULL,
  extract_seconds        REAL,
  microseconds_per_image REAL,
  offered                INTEGER NOT NULL DEFAULT 0,
  evaluated              INTEGER NOT NULL DEFAULT 0,
  chosen                 INTEGER NOT NULL DEFAULT 0,
  alpha_sum              REAL,
  loss_removed           REAL,
  PRIMARY KEY (experiment_id, family_idx)
) STRICT, WITHOUT ROWID;
CREATE INDEX families_by_heuristic ON families(heuristic_id);

CREATE TABLE faults (
  experiment_id INTEGER NOT NULL,
  family_idx    INTEGER NOT NULL,
  fault_idx     INTEGER NOT NULL,
  call          TEXT NOT NULL,
  message       TEXT NOT NULL,
  PRIMARY KEY (experiment_id, family_idx, fault_idx),
  FOREIGN KEY (experiment_id, family_idx) REFERENCES families(experiment_id, family_idx) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE rounds (
  experiment_id    INTEGER NOT NULL REFERENCES experiments(id) ON DELETE CASCADE,
  round            INTEGER NOT NULL,
  family_idx       INTEGER NOT NULL,
  feature_idx      INTEGER NOT NULL,
  threshold        REAL,
  edge             REAL,
  alpha            REAL,
  train_loss_log10 REAL,
  cost             INTEGER NOT NULL,
  PRIMARY KEY (experiment_id, round)
) STRICT, WITHOUT ROWID;

CREATE TABLE curve (
  experiment_id    INTEGER NOT NULL REFERENCES experiments(id) ON DELETE CASCADE,
  round            INTEGER NOT NULL,
  train_loss_log10 REAL,
  train_error      REAL,
  test_error       REAL,
  cost             INTEGER NOT NULL,
  seconds          REAL,
  PRIMARY KEY (experiment_id, round)
) STRICT, WITHOUT ROWID;

CREATE TABLE predictions (
  experiment_id INTEGER NOT NULL REFERENCES experiments(id) ON DELETE CASCADE,
  example_idx   INTEGER NOT NULL,
  label         INTEGER NOT NULL,
  predicted     INTEGER NOT NULL,
  margin        REAL,
  PRIMARY KEY (experiment_id, example_idx)
) STRICT, WITHOUT ROWID;
)sql";

}  // namespace mash
