// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/base/bounded_json.hpp"
#include "framework/checks/picture.hpp"
#include "mash/abi/sequence.h"

// Steps: a check asks the process of a plugin for one at a time, and that process answers each. A plugin owns
// its process, so an answer is a claim: it holds values and numbers that were asked for, and never whether a
// check passes, which is decided where it was asked (framework/checks).
namespace mash::checks {

enum class StepKind {
  kInspect,   // the file, which is read and not loaded: text `name`, an inspection (inspections.hpp)
  kLoads,     // loads and closes it: number 0: whether it is in memory still
  kDescribe,  // text 0: heuristics as JSON; number 0: whether it looks at the whole image
  kLoad,      // values, or none for the defaults: of the instances of all that follows but create
  kCreate,    // values -> number 0: of the instance; or it is refused
  kDim,       // size -> number 0; or it is refused
  kPrepare,   // picture, frame
  kCompute,   // indices, num_values, fill, placements -> values
  kRelease,
  kDestroy,
  kArithmetic,      // nothing, and the answer's arithmetic state
  kUsage,           // numbers: bytes of the heap, bytes in memory
  kNames,           // text `name`: a folder of /proc -> texts: its names; refused where there is none
  kPictureCycles,   // pictures, num_cycles, seconds -> numbers: of Growth
  kInstanceCycles,  // the same
  kTimes,           // pictures, num_cycles, seconds -> numbers: nanoseconds of each
  kFeatures,        // pictures, and what new memory and the stack hold -> values
  kThreads,         // pictures, indices -> values: a row for each thread and picture; refused without threads
  kCommaLocale,     // number 0: whether the decimal point is a comma from now on
};
inline constexpr std::array<std::string_view, 19> kStepNames{
    "inspect",         "loads",   "describe", "load",       "create",      "dim",   "prepare",
    "compute",         "release", "destroy",  "arithmetic", "usage",       "names", "picture-cycles",
    "instance-cycles", "times",   "features", "threads",    "comma-locale"};

struct Step {
  StepKind kind = StepKind::kLoad;
  std::uint64_t instance = 0;
  std::string name = {};
  std::vector<double> values = {};  // of parameters
  mash_size_t size = {};
  mash_frame_t frame = {0, 0, 1};
  std::size_t num_values = 0;
  std::uint32_t fill = 0;
  std::optional<std::uint8_t> stack_fill = {};
  std::optional<Placement> out_placement = {}, index_placement = {};
  int num_cycles = 0;
  double seconds = 0;
  std::vector<std::uint32_t> indices = {};
  std::vector<Picture> pictures = {};

  void add(const Picture& picture) { pictures.push_back(picture); }
};

// A line, and the bytes that follow it.
struct StepMessage {
  std::string line, bytes;
};
StepMessage message_of(const Step& step);
// How many bytes follow the line of a message. Throws nlohmann::json::exception: it is no step's.
std::size_t num_bytes_after(std::string_view line);
// Back again, in the process of the plugin, which trusts this one. Throws nlohmann::json::exception.
Step step_in(std::string_view line, std::string_view bytes);

struct StepAnswer {
  std::optional<std::string> error = {};  // in the heuristic's words, printable
  bool is_refused = false;                // MASH_UNSUPPORTED, or not to be had there
  std::uint32_t arithmetic = 0;           // how the processor rounds after the step
  std::vector<double> numbers = {};
  std::vector<std::string> texts = {};
  std::vector<float> values = {};

  // A whole number from 0 to 2^53. Errors (kInput): it is none.
  Result<std::uint64_t> number(std::size_t i) const;
};

// Bounds on the lines that a heuristic logs, {"log": TEXT}, in between.
inline constexpr std::size_t kMaxLogLines = 20, kMaxLogLine = 200;  // lines, bytes of one

inline constexpr JsonBounds kBoundsOfAnswer{std::size_t(1) << 20, 2, 20'000};

StepMessage message_of(const StepAnswer& answer);
// The answer that a line is, without its values, and how many bytes of them follow. Errors (kInput): it is
// none: other keys, other types, beyond its bounds.
struct AnswerLine {
  StepAnswer answer;
  std::size_t num_bytes = 0;
};
Result<AnswerLine> read_answer_line(std::string_view line);

}  // namespace mash::checks
