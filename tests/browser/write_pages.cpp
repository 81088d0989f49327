// SPDX-License-Identifier: Apache-2.0
// Writes a page of a heuristic and two of an experiment, without and with what its families contribute, from
// the samples of the tests, for check.mjs.
#include <cstdio>
#include <filesystem>

#include "framework/base/file.hpp"
#include "framework/reports/heuristic_page.hpp"
#include "framework/reports/run_page.hpp"
#include "tests/records/sample.hpp"
#include "tests/reports/pool_report_sample.hpp"

namespace mash {
namespace {

Status write_heuristic_page(const std::filesystem::path& path) {
  const Dataset data = sample::striped_dataset(10, 40, 28);
  MASH_ASSIGN(const Html html, render_html(sample::heuristic_report(data), data));
  return write_file_atomically(path, html.markup);
}

Status write_run_page(const std::filesystem::path& path, bool with_contribution) {
  const sample::Folder folder;
  const Dataset data = sample::dataset(with_contribution ? 40 : 6);
  MASH_ASSIGN(Records records, Records::open(folder / "mash.db"));
  MASH_ASSIGN(const std::int64_t id,
              sample::record(records, sample::start(), data, {sample::family("hog"), sample::family("lbp")},
                             {sample::use(3, 7), sample::use(1, 3)}, 3));
  MASH_ASSIGN(const RunRecord record, read_run(records, id));
  std::vector<HtmlSection> sections;
  if (with_contribution) {
    MASH_ASSIGN(sections, pool_sections(sample::pool_report(data), data));
  }
  MASH_ASSIGN(const Html html, run_page(record, data, sections));
  return write_file_atomically(path, html.markup);
}

}  // namespace
}  // namespace mash

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: %s HEURISTIC.html EXPERIMENT.html CONTRIBUTION.html\n", argv[0]);
    return 2;
  }
  for (const mash::Status& written :
       {mash::write_heuristic_page(argv[1]), mash::write_run_page(argv[2], false),
        mash::write_run_page(argv[3], true)}) {
    if (written.ok()) continue;
    std::fprintf(stderr, "%s\n", written.error().message.c_str());
    return 1;
  }
  return 0;
}
