// SPDX-License-Identifier: Apache-2.0
#include "framework/records/internal/recorder.hpp"

#include <utility>

#include "framework/records/internal/database.hpp"

namespace mash {
namespace {

constexpr double kFlushSeconds = 1;

void write_rounds(SQLite::Database& database, std::int64_t run_id, const std::vector<RoundEvent>& rounds) {
  SQLite::Statement insert(database, "INSERT OR REPLACE INTO rounds VALUES (?, ?, ?, ?, ?, ?)");
  SQLite::Statement insert_cut(database, "INSERT OR REPLACE INTO cuts VALUES (?, ?, ?, ?, ?, ?)");
  for (const RoundEvent& event : rounds) {
    SQLite::bind(insert, run_id, event.round, event.edge, event.alpha, event.train_loss_log10,
                 std::int64_t(event.cost));
    insert.exec();
    insert.reset();
    for (std::size_t i = 0; i < event.cuts.size(); ++i) {
      const Cut& cut = event.cuts[i];
      SQLite::bind(insert_cut, run_id, event.round, std::int64_t(i), cut.family_idx, cut.feature_idx,
                   double(cut.threshold));
      insert_cut.exec();
      insert_cut.reset();
    }
  }
}

class Recorder final : public Observer {
 public:
  explicit Recorder(std::shared_ptr<RoundBuffer> buffer) : buffer_(std::move(buffer)) {}
  ~Recorder() override {
    // Rows that fail here stay pending and fail again, and are reported, in Records::finish.
    [[maybe_unused]] const Status status = buffer_->flush();
  }
  void on_round(const RoundEvent& event) override { buffer_->add(event); }
  void on_curve(const CurvePoint& point) override { buffer_->add(point); }

 private:
  std::shared_ptr<RoundBuffer> buffer_;
};

}  // namespace

void RoundBuffer::add(const RoundEvent& event) {
  rounds_.push_back(event);
  flush_when_due();
}

void RoundBuffer::add(const CurvePoint& point) {
  curve_.push_back(point);
  flush_when_due();
}

void RoundBuffer::flush_when_due() {
  if (since_flush_.seconds() < kFlushSeconds) return;
  // A failure keeps the rounds for the next attempt; the last attempt is in Records::finish, which reports
  // it.
  [[maybe_unused]] const Status status = flush();
}

Status RoundBuffer::flush() {
  since_flush_ = Stopwatch();
  if (rounds_.empty() && curve_.empty()) return Done{};
  return with_database(database_, [&](SQLite::Database& database) -> Status {
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    write_rounds(database, run_id_, rounds_);
    write_curve(database, run_id_, curve_);
    transaction.commit();
    rounds_.clear();
    curve_.clear();
    return Done{};
  });
}

void write_curve(SQLite::Database& database, std::int64_t run_id, const std::vector<CurvePoint>& curve) {
  SQLite::Statement insert(database, "INSERT OR REPLACE INTO curve VALUES (?, ?, ?, ?, ?, ?, ?)");
  for (const CurvePoint& point : curve) {
    SQLite::bind(insert, run_id, point.round, point.train_loss_log10, point.train_error, point.test_error,
                 std::int64_t(point.cost), point.seconds);
    insert.exec();
    insert.reset();
  }
}

std::unique_ptr<Observer> make_recorder(std::shared_ptr<RoundBuffer> buffer) {
  return std::make_unique<Recorder>(std::move(buffer));
}

}  // namespace mash
