// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "classifiers/events/observer.hpp"
#include "framework/base/progress.hpp"
#include "framework/base/result.hpp"

namespace mash {

// The rounds and curve points of one run that wait to be written to the database. They are written about once
// a second: a transaction for each round would take longer than a fast round. What could not be written
// (another program held the database too long) stays here for the next attempt.
class RoundBuffer {
 public:
  RoundBuffer(SQLite::Database& database, std::int64_t run_id) : database_(database), run_id_(run_id) {}

  void add(const RoundEvent& event);
  void add(const CurvePoint& point);

  // Writes what is pending. On failure it stays pending.
  Status flush();

 private:
  void flush_when_due();

  SQLite::Database& database_;
  std::int64_t run_id_;
  std::vector<RoundEvent> rounds_;
  std::vector<CurvePoint> curve_;
  Stopwatch since_flush_;
};

// Writes these points of the curve. Each replaces an earlier point of the same round. Throws what SQLiteCpp
// throws.
void write_curve(SQLite::Database& database, std::int64_t run_id, const std::vector<CurvePoint>& curve);

// An observer that fills `buffer`, and flushes it when the run ends in any way.
std::unique_ptr<Observer> make_recorder(std::shared_ptr<RoundBuffer> buffer);

}  // namespace mash
