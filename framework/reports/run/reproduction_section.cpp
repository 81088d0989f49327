// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/run/reproduction_section.hpp"

#include "framework/base/shell_word.hpp"
#include "framework/render/wording.hpp"

namespace mash::sections {
namespace {

page::Piece command(const RunRecord& record) {
  // Data that are generated or split at random are those of the experiment's first seed, in all of its runs.
  page::Piece out = page::paragraph(markup(
      "Save the settings below as <code>{}.yaml</code>; the same program, data and plugins then give the "
      "same model, bit for bit, on any number of threads: the run of seed {}.",
      record.name, record.seed));
  out += page::code("Command", fmt::format("mash run {}", shell_word(record.name + ".yaml")));
  return out;
}

page::Piece data_table(const RunRecord& record) {
  const std::string caption =
      fmt::format("{}: {} training and {} {} examples, {} classes, fingerprint {}", record.data.name,
                  record.data.num_train, record.data.num_test, record.data.judging_side,
                  record.data.class_names.size(), record.data.fingerprint);
  if (record.data.files.empty()) return page::note(caption + "; no file of it is listed.");
  if (record.data.files.size() > kMaxListedFiles)
    return page::paragraph(markup(
        "{}; {}. Each file and its SHA-256 is a row of the table <code>dataset_files</code> in the "
        "records; <code>mash dataset show</code> with <code>--files</code> lists the files as they are "
        "now.",
        caption, files_in_a_line(record.data.files)));
  Table table;
  table.columns = {{"path", "file", Format::kText},
                   {"num_bytes", "bytes", Format::kCount},
                   {"sha256", "SHA-256", Format::kText}};
  for (const auto& file : record.data.files)
    table.rows.push_back({file.path.string(), std::int64_t(file.num_bytes), file.sha256});
  return page::table(table, caption);
}

page::Piece heuristics_table(const RunRecord& record) {
  Table table;
  table.columns = {
      {"family", "family", Format::kText},      {"heuristic", "heuristic", Format::kText},
      {"version", "version", Format::kText},    {"settings", "settings", Format::kText},
      {"distinct", "distinct", Format::kCount}, {"sha256", "SHA-256 of the plugin", Format::kText}};
  for (const auto& family : record.families) {
    table.rows.push_back({family.name, family.heuristic.name, family.heuristic.version, family.settings,
                          family.num_distinct, family.heuristic.plugin_sha256.substr(0, 16)});
  }
  return page::table(table,
                     "Distinct: features that are neither constant nor an exact copy of another. Of the "
                     "hashes, the first 16 "
                     "digits.");
}

}  // namespace

page::Piece reproduction(const RunRecord& record) {
  page::Piece out = command(record);
  out += page::heading("Settings");
  out += page::code("Settings", record.configuration);
  out += page::heading("Data");
  out += data_table(record);
  out += page::heading("Heuristics");
  out += heuristics_table(record);
  out += page::heading("Program and machine");
  out += page::paragraph(markup(
      "mash {}; {}, {} cores, {:.1f} GiB of memory, {}; {}. Run {}, begun {}.", record.program_version,
      record.machine.cpu, record.machine.num_cores, double(record.machine.memory_bytes) / double(1 << 30),
      record.machine.instruction_set, record.machine.os, record.id, record.started_at));
  return out;
}

}  // namespace mash::sections
