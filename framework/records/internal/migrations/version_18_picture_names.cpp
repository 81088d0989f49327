// SPDX-License-Identifier: Apache-2.0
#include "framework/records/internal/migrations/migrations.hpp"

namespace mash {

// Names of pictures, the scores of the test side, and the pages of a board's experiment once more: those that
// were made before may list the files of pictures.
const char* const kPictureNamesSql = R"sql(
ALTER TABLE dataset_files ADD COLUMN split TEXT;
ALTER TABLE dataset_files ADD COLUMN example_idx INTEGER;
ALTER TABLE dataset_files ADD COLUMN name TEXT;

CREATE TABLE test_rows (
  dataset_id  INTEGER NOT NULL REFERENCES datasets(id) ON DELETE CASCADE,
  example_idx INTEGER NOT NULL,
  file_idx    INTEGER NOT NULL,
  row_idx     INTEGER NOT NULL,
  PRIMARY KEY (dataset_id, example_idx)
) STRICT, WITHOUT ROWID;

CREATE VIEW test_names AS
SELECT dataset_id, example_idx, name FROM dataset_files WHERE split = 'test'
UNION ALL
SELECT r.dataset_id, r.example_idx, f.name || '#' || r.row_idx
FROM test_rows r JOIN dataset_files f USING (dataset_id, file_idx);

CREATE TABLE test_scores (
  experiment_id INTEGER PRIMARY KEY REFERENCES experiments(id) ON DELETE CASCADE,
  scores        BLOB NOT NULL
) STRICT;

DELETE FROM board_pages WHERE name LIKE 'experiment.%';
)sql";

}  // namespace mash
