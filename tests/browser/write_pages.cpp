// SPDX-License-Identifier: Apache-2.0
// Writes the pages that check.mjs looks at into a folder, from the samples of the tests: of heuristics that
// are good, bad, and won once, and of runs of two families, of 26, and over 60,000 files.
#include <cstdio>
#include <filesystem>

#include "framework/base/file.hpp"
#include "framework/reports/heuristic/page.hpp"
#include "framework/reports/run/page.hpp"
#include "tests/records/sample.hpp"
#include "tests/reports/run/pool_report_sample.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kManyFamilies = 26, kManyFiles = 60'000;

Status write_heuristic(const fs::path& file, const HeuristicReport& report, const Dataset& data) {
  MASH_ASSIGN(const page::Piece made, heuristic_page(report, data));
  return write_file_atomically(file, made.html.markup);
}

// It harms: all that gains with the good one, loses with it.
HeuristicReport bad(const Dataset& data) {
  HeuristicReport report = sample::heuristic_report(data, -2, -1);
  for (GainPart& part : report.offer.classes) part.gain = -part.gain;
  for (RivalGain& rival : report.rivals) rival.part.gain = -rival.part.gain;
  for (SliceGain& slice : report.slices) slice.part.gain = -slice.part.gain;
  for (PictureChange& picture : report.pictures) picture.change.gain = -picture.change.gain;
  return report;
}

// One round was won by one feature, nothing is beyond chance, and it is the first that is tried here.
HeuristicReport won_once(const Dataset& data) {
  HeuristicReport report = sample::heuristic_report(data, -.2, .3);
  report.wins = std::vector<std::uint32_t>(40);
  report.wins[7] = 1;
  report.offer.figures.num_wins = 1;
  for (GainPart& part : report.offer.classes) part.p_corrected = 1;
  for (RivalGain& rival : report.rivals) rival.part.p_corrected = 1;
  for (SliceGain& slice : report.slices) slice.part.p_corrected = 1;
  for (PictureChange& picture : report.pictures) picture.change.p_corrected = 1;
  report.offer.history.resize(1);
  report.others.clear();
  report.costs.resize(1);
  return report;
}

Status write_heuristics(const fs::path& folder) {
  const Dataset data = sample::striped_dataset(10, 40, 28);
  HeuristicReport good = sample::heuristic_report(data);
  good.others[0].offer.base = good.offer.history[0].offer.base = kSharedBase;
  for (std::size_t i = 0; i < kManyFamilies; ++i)
    good.others.push_back(sample::past_offer(fmt::format("heuristic-with-a-long-name-{}", i), "1.0.0", 'a',
                                             .3 * double(i % 9)));
  MASH_TRY(write_heuristic(folder / "heuristic-good.html", good, data));
  MASH_TRY(write_heuristic(folder / "heuristic-bad.html", bad(data), data));
  return write_heuristic(folder / "heuristic-won-once.html", won_once(data), data);
}

PoolReport pool_of_many(const Dataset& data) {
  PoolReport report = sample::pool_report(data);
  const PoolReport few = report;
  report.cka = cv::Mat::eye(int(kManyFamilies), int(kManyFamilies), CV_64F);
  for (std::size_t i = few.pool.families.size(); i < kManyFamilies; ++i) {
    const std::size_t like = i % few.pool.families.size();
    report.pool.families.push_back(few.pool.families[like]);
    report.pool.families[i].name = fmt::format("family-with-a-long-name-{}", i);
    report.offers.push_back(few.offers[like]);
    report.offers[i].heuristic = report.pool.families[i].name;
    report.costs.push_back(
        {report.pool.families[i].name, 10.0 * double(i + 1), 0.01 * double(i % 7), false, false});
    const double likeness = 0.02 * double(i);
    report.cka.at<double>(int(like), int(i)) = report.cka.at<double>(int(i), int(like)) = likeness;
  }
  return report;
}

Status write_run(const fs::path& file, const Dataset& data, const std::vector<std::string>& names,
                 std::span<const page::Section> contribution) {
  const sample::Folder folder;
  std::vector<FamilyRow> families;
  std::vector<FamilyUse> uses;
  for (std::size_t i = 0; i < names.size(); ++i) {
    families.push_back(sample::family(names[i]));
    const std::size_t chosen = i % 3 == 2 ? 0 : names.size() - i;
    uses.push_back(sample::use(double(chosen), chosen));
  }
  MASH_ASSIGN(Records records, Records::open(folder / "mash.db"));
  MASH_ASSIGN(const std::int64_t id, sample::record(records, sample::start(), data, families, uses, 3));
  MASH_ASSIGN(const RunRecord record, read_run(records, id));
  MASH_ASSIGN(const page::Piece made, run_page(record, data, contribution));
  return write_file_atomically(file, made.html.markup);
}

Status write_runs(const fs::path& folder) {
  MASH_TRY(write_run(folder / "run.html", sample::dataset(6), {"hog", "lbp"}, {}));
  const Dataset data = sample::dataset(40);
  const PoolReport pool = pool_of_many(data);
  MASH_TRY(write_run(folder / "run-of-26-families.html", data, pool.family_names(), pool_sections(pool)));
  Dataset files = sample::dataset(40);
  for (std::size_t i = 0; i < kManyFiles; ++i)
    files.sources.push_back({fmt::format("toy/pictures/{:05}.png", i), std::string(64, 'd'), 1000});
  return write_run(folder / "run-over-60000-files.html", files, {"hog", "lbp"}, {});
}

}  // namespace
}  // namespace mash

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
    return 2;
  }
  for (const mash::Status& written : {mash::write_heuristics(argv[1]), mash::write_runs(argv[1])}) {
    if (written.ok()) continue;
    std::fprintf(stderr, "%s\n", written.error().message.c_str());
    return 1;
  }
  return 0;
}
