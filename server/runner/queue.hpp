// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/analysis/looks.hpp"
#include "framework/base/store_room.hpp"
#include "server/runner/judging.hpp"

namespace mash::server {

struct QueueSettings {
  JudgingPlaces places;
  double lease_seconds = 60;       // a runner that says nothing for so long has lost what it was at
  double patience_seconds = 1800;  // of wall time: for preparing a board, and for judging a submission
  double poll_seconds = 0.5;       // between two looks at a queue that is empty
  std::uint64_t free_disk = kUsualFreeDisk;  // bytes below which no submission is taken
  std::size_t most_seeds = kMostBoardSeeds;  // up to which entries are measured while nothing waits
  bool ends_when_empty = false;
};

// Takes one submission after another and judges it, until it is stopped. While none waits it makes the pages
// of boards, trains what offers to them begin with, compares what was judged with what was judged before
// (compare_next_submission), and then measures the entries whose ranks are least certain with twice as many
// seeds (least_certain), what all heuristics of a contributor add together (measure_together), and what each
// entry adds beside all others (measure_beyond); a submission that comes then interrupts it, and that
// measurement begins again later. A submission that was published on its board and is run again is judged
// with a database and a store of its own. An error of the database is a remark, and it is tried again, but
// where the runner is to end when the queue is empty. Where the disk of the store has less space than
// settings.free_disk, or part of the store cannot be written, nothing is taken until it has, which is a
// remark; there, an error too. What it was at then, or when it is stopped, is given back, and no attempt of
// it is counted; of errors only where there are few. Errors: there can be no box here (kFailure); no disk
// space (kFailure); the database (kInput, kFailure).
Status run_queue(const QueueSettings& settings, const WorkContext& work);

}  // namespace mash::server
