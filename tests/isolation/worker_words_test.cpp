// SPDX-License-Identifier: Apache-2.0
#include "framework/isolation/worker_words.hpp"

#include <gmock/gmock.h>

#include "framework/isolation/heuristic_worker.hpp"

namespace mash {
namespace {

using ::testing::HasSubstr;

std::string repeated(std::size_t count, std::string_view piece) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += piece;
  return text;
}

std::string heuristic_with(const std::string& member, const std::string& looks_back = "0") {
  return R"({"heuristics": [{"id": "a", "version": "1.0.0", "author": "a", "summary": "s", "license": "MIT",)"
         R"( "serial": false, "looks_back": )" +
         looks_back + ", " + member + "}]}";
}

std::string parameter_of(const std::string& type) {
  return R"("parameters": [{"id": "p", "summary": "s", "default": 0, "minimum": 0, "maximum": 1, "choices": [],)"
         R"( "type": )" +
         type + "}]";
}

struct RefusedWords {
  const char* what;
  std::string text;
  const char* error;  // a part of it
};

// Words that no worker of ours says; a line adds another.
const RefusedWords kRefusedWords[] = {
    {"nothing", "", "no JSON"},
    {"no object", "[1, 2]", "no object"},
    {"another key", R"({"is_input": false, "error": "e"})", "is_input"},
    {"an error that is no text", R"({"error": {"a": 1}})", "'error' is no text"},
    {"an error that is null", R"({"error": null})", "'error' is no text"},
    {"a log that is no list", R"({"log": "a"})", "'log'"},
    {"a log of numbers", R"({"log": [1]})", "'log'"},
    {"too many lines", R"({"log": [)" + repeated(100, R"("a",)") + R"("a"]})", "'log'"},
    {"nested lists", R"({"heuristics": )" + repeated(500'000, "["), "nested"},
    {"nested objects", repeated(200'000, R"({"error":)"), "nested"},
    {"nested in parameters",
     heuristic_with(R"("parameters": )" + repeated(100'000, "[") + repeated(100'000, "]")), "nested"},
    {"nested in choices", heuristic_with(R"("parameters": [{"choices": [[["a"]]]}])"), "nested"},
    {"too many values", R"({"log": [)" + repeated(300'000, "1,") + "1]}", "values"},
    {"too many bytes", R"({"error": ")" + std::string(3 << 20, 'a') + "\"}", "bytes"},
    {"no heuristics", R"({"heuristics": []})", "named no heuristic"},
    {"a heuristic without parameters", heuristic_with(R"("a": 1)"), "cannot be read"},
    {"a parameter of type 1e300", heuristic_with(parameter_of("1e300")), "cannot be read"},
    {"a parameter of type -1", heuristic_with(parameter_of("-1")), "cannot be read"},
    {"a parameter of type 0.5", heuristic_with(parameter_of("0.5")), "cannot be read"},
    {"a film of 1e300 pictures", heuristic_with(R"("parameters": [])", "1e300"), "cannot be read"},
    {"a film of -1 pictures", heuristic_with(R"("parameters": [])", "-1"), "cannot be read"},
    {"an id of 300 letters",
     R"({"heuristics": [{"id": ")" + std::string(300, 'a') +
         R"(", "version": "1.0.0",)"
         R"( "author": "", "summary": "", "license": "", "serial": false, "looks_back": 0, "parameters": []}]})",
     "more than 100"},
};

TEST(WorkerWords, OfAnotherFormAreRefused) {
  for (const RefusedWords& row : kRefusedWords) {
    const auto words = read_words(row.text);
    ASSERT_FALSE(words.ok()) << row.what;
    EXPECT_EQ(words.error().kind, ErrorKind::kInput) << row.what;
    EXPECT_THAT(words.error().message, HasSubstr(row.error)) << row.what;
    EXPECT_LT(words.error().message.size(), 1000u) << row.what;
  }
}

TEST(WorkerWords, ArePrintableAndTheHeuristics) {
  const auto words = read_words("{\"error\": \"a\\u001b[0m\\u202eb\", \"log\": [\"c\\nd\"], " +
                                heuristic_with(R"("parameters": [])").substr(1));
  ASSERT_TRUE(words.ok()) << words.error().message;
  EXPECT_EQ(*words->error, "a?[0m\\u202eb");
  EXPECT_THAT(words->log, ::testing::ElementsAre("c?d"));
  ASSERT_TRUE(words->heuristics);
  EXPECT_EQ(words->heuristics->at(0).id, "a");
}

// No matter what a worker says: it is the heuristic's error, and never one of this program.
TEST(WorkerWords, BlameTheHeuristicAlone) {
  for (const char* text : {R"({"error": "e"})", R"({"error": "e", "is_input": false})", "no words", "[[[["}) {
    std::vector<std::byte> output(kOutputBytes);
    std::memcpy(output.data() + kTextOffset, text, std::strlen(text));
    WorkerReply reply;
    reply.text_bytes = std::uint32_t(std::strlen(text));
    const auto answer = read_answer(std::as_bytes(std::span(&reply, 1)), WorkerRequest(), output);
    ASSERT_TRUE(answer) << text;
    ASSERT_FALSE(answer->status().ok()) << text;
    EXPECT_EQ(answer->status().error().kind, ErrorKind::kInput) << text;
  }
}

TEST(WorkerWords, CountsBeyondTheirBoundsAreNoReply) {
  const std::vector<std::byte> output(kOutputBytes);
  WorkerReply many_faults, many_bytes, other;
  many_faults.num_faults = kMaxFaultsTold + 1;
  many_bytes.text_bytes = kTextBytes + 1;
  other.kind = WorkerRequest::kDim;
  for (const WorkerReply& reply : {many_faults, many_bytes, other})
    EXPECT_FALSE(read_answer(std::as_bytes(std::span(&reply, 1)), WorkerRequest(), output));
}

}  // namespace
}  // namespace mash
