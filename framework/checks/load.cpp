// SPDX-License-Identifier: Apache-2.0
#include "framework/checks/load.hpp"

#include <algorithm>
#include <cctype>

#include "framework/checks/bench.hpp"

namespace mash::checks {
namespace {

template <const char* kId>
Result<Finding> check_file(Bench& bench) {
  return bench.inspect(kId);
}
constexpr char kElf[] = "load.elf", kSymbols[] = "load.symbols", kUnique[] = "load.unique",
               kAbi[] = "load.abi", kSegments[] = "load.segments";

Result<Finding> check_loads(Bench& bench) {
  MASH_TRY(bench.process().ask({StepKind::kLoads}));
  return finding(Outcome::kPass, "all libraries and symbols are found");
}

Result<Finding> check_unloads(Bench& bench) {
  MASH_ASSIGN(const StepAnswer answer, bench.process().ask({StepKind::kLoads}));
  MASH_ASSIGN(const std::uint64_t is_there, answer.number(0));
  if (is_there != 0) return finding(Outcome::kWarn, "still in memory after it was closed");
  return finding(Outcome::kPass, "gone after it was closed");
}

Result<Finding> check_descriptor(Bench& bench) {
  MASH_ASSIGN(const HeuristicInfo info, bench.describe());
  return finding(Outcome::kPass, "{} {}, {} parameters", info.id, info.version, info.parameters.size());
}

// "MIT", "GPL-2.0-or-later", "MIT OR Apache-2.0"
bool looks_like_spdx(std::string_view license) {
  return std::all_of(license.begin(), license.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string_view(" .-+()").find(char(c)) != std::string_view::npos;
  });
}

Result<Finding> check_about(Bench& bench) {
  MASH_ASSIGN(const HeuristicInfo info, bench.describe());
  const std::pair<const char*, const std::string&> texts[] = {
      {"author", info.author}, {"summary", info.summary}, {"licence", info.license}};
  for (const auto& [name, text] : texts)
    if (text.empty()) return finding(Outcome::kFail, "the {} is empty", name);
  for (const ParameterInfo& parameter : info.parameters)
    if (parameter.summary.empty())
      return finding(Outcome::kFail, "parameter '{}' has no summary", parameter.id);
  if (info.author == "unknown") return finding(Outcome::kWarn, "the author is 'unknown'");
  if (info.license == "NOASSERTION" || !looks_like_spdx(info.license))
    return finding(Outcome::kWarn, "the licence is '{}', expected an SPDX identifier", info.license);
  return finding(Outcome::kPass, "by {}, {}", info.author, info.license);
}

constexpr Check kLoadChecks[] = {
    {"load.elf", Level::kLoad, Outcome::kFail, "the file is a whole shared library for this machine",
     "Build a shared library (-shared -fPIC) on this kind of machine and copy it whole.", check_file<kElf>},
    {"load.symbols", Level::kLoad, Outcome::kFail, "it exports mash_plugin and nothing else",
     "End the source with MASH_HEURISTIC(...) and build with mash_add_heuristic or the flags of pkg-config "
     "mash-sdk, which hide all other symbols.",
     check_file<kSymbols>},
    {"load.unique", Level::kLoad, Outcome::kFail, "no symbol has UNIQUE binding",
     "Compile with -fno-gnu-unique, as mash_add_heuristic does, or plugins will share this variable.",
     check_file<kUnique>},
    {"load.abi", Level::kLoad, Outcome::kFail,
     "the ABI version and the sizes of its structs are this program's",
     "Compile it again with the headers of the installed MASH SDK.", check_file<kAbi>},
    {"load.segments", Level::kLoad, Outcome::kWarn, "no memory can be both written to and executed",
     "Link without -z execstack, avoid nested functions and give assembly files a .note.GNU-stack section.",
     check_file<kSegments>},
    {"load.loads", Level::kLoad, Outcome::kFail,
     "the loader finds all its libraries and symbols; loading does no harm",
     "Link every library that it uses (-Wl,-z,defs shows what is missing) and do no work in static "
     "constructors.",
     check_loads},
    {"load.unloads", Level::kLoad, Outcome::kWarn, "closing it takes it out of memory",
     "Do not link with -z nodelete, and leave no thread_local object or thread behind.", check_unloads},
    {"load.descriptor", Level::kLoad, Outcome::kFail,
     "id, version, functions, and each parameter's type, range and default make sense",
     "Correct what the descriptor says at the place that is named.", check_descriptor},
    {"load.about", Level::kLoad, Outcome::kFail,
     "author, summary, licence and the parameters' summaries are given",
     "Fill in author, one-line summary and SPDX licence in MASH_HEURISTIC(...), and a summary for each "
     "parameter.",
     check_about},
};

}  // namespace

std::span<const Check> load_checks() { return kLoadChecks; }

}  // namespace mash::checks
