// SPDX-License-Identifier: Apache-2.0
//
// Words of programs that strangers' code runs in or is compiled by, the first byte says whose: a worker's
// beside its replies, an answer to a check, the compiler's and the linker's, a sanitizer's, and the lines of
// a source.
#include <array>

#include "framework/checks/sanitized.hpp"
#include "framework/checks/step.hpp"
#include "framework/isolation/heuristic_json.hpp"
#include "framework/isolation/worker_words.hpp"
#include "framework/operations/workshop/classic_source.hpp"
#include "framework/operations/workshop/compiler_messages.hpp"
#include "tests/fuzz/target.hpp"

namespace mash::fuzz {
namespace {

bool take_words(std::string_view text) {
  const auto words = read_words(text);
  if (!is_taken(words)) return false;
  if (words->error) MASH_PROMISE(is_utf8(*words->error) && words->error->size() <= 4000);
  MASH_PROMISE(words->log.size() <= kMaxLogLines);
  for (const std::string& line : words->log) MASH_PROMISE(is_utf8(line));
  // A description that was taken comes back as it is.
  if (words->heuristics) MASH_PROMISE(heuristics_in(json_of(*words->heuristics)).ok());
  return true;
}

bool take_answer(std::string_view text) {
  const auto read = checks::read_answer_line(text);
  if (!is_taken(read)) return false;
  for (std::size_t i = 0; i <= read->answer.numbers.size(); ++i) is_taken(read->answer.number(i));
  return true;
}

bool take_messages(std::string_view text) {
  constexpr std::size_t kMost = 20;
  const std::size_t middle = text.find('\0');
  const std::string others(middle == std::string_view::npos ? "" : text.substr(middle + 1));
  const auto messages = read_compiler_messages(std::string(text.substr(0, middle)), others, kMost);
  MASH_PROMISE(messages.size() <= kMost);
  for (const CompilerMessage& message : messages)
    MASH_PROMISE(is_utf8(message.text) && is_utf8(message.kind) && is_utf8(message.file));
  return true;
}

bool take_report(std::string_view text) {
  const auto report = checks::read_sanitizer_report(std::string(text));
  if (report) MASH_PROMISE(is_utf8(report->what) && is_utf8(report->place));
  return true;
}

bool take_source(std::string_view text) {
  includes_classic_header(std::string(text));
  return true;
}

constexpr std::array kReaders{take_words, take_answer, take_messages, take_report, take_source};
static_assert(50 % kReaders.size() == 0);  // the byte of the first

// An input of that reader.
std::string seed(std::size_t reader, std::string_view text) {
  std::string input(1, char(50 + reader));
  input.append(text);
  return input;
}

}  // namespace

bool take(std::string_view input) {
  if (input.empty()) return false;
  return kReaders[std::uint8_t(input[0]) % kReaders.size()](input.substr(1));
}

std::vector<std::string> seeds() {
  return {seed(0, R"({"error": "prepare: odd width", "log": ["one", "two"]})"),
          seed(0, R"({"heuristics": [{"id": "a/b", "version": "1.0.0", "author": "a", "summary": "s",)"
                  R"( "license": "MIT", "serial": false, "looks_back": 0, "parameters": [{"id": "p",)"
                  R"( "summary": "s", "type": 2, "default": 0.0, "minimum": 0.0, "maximum": 1.0,)"
                  R"( "choices": ["x", "y"]}]}]})"),
          seed(1, R"({"arithmetic": 8064, "bytes": 16, "numbers": [1, 2.5], "texts": ["a"]})"),
          seed(1, R"({"arithmetic": 0, "bytes": 0, "error": "dim gives none", "refused": false})"),
          seed(2, R"([{"kind": "error", "message": "bad", "children": [{"kind": "note", "message": "why"}],)"
                  R"( "locations": [{"caret": {"file": "a.cpp", "line": 2, "column": 18}}]}])"
                  "\n"),
          seed(3,
               "==1==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1\nWRITE of size 4\n"
               "    #0 0x1 (/tmp/mash-tmp-plugins-1/ab.so+0x12ab)\n"),
          seed(3, "edges.cpp:12:5: runtime error: signed integer overflow\n"),
          seed(4, "# include <mash/heuristic.h>\n")};
}

}  // namespace mash::fuzz
