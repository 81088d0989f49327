// SPDX-License-Identifier: Apache-2.0
// A heuristic that takes its process for its own when it is created, and answers the checks itself: by
// IMPOSTOR_ANSWER, again and again, or, where it is empty, each step in the right form with values that it
// throws dice for.
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "tests/checks/sound.hpp"

namespace {

void write_all(const std::string& text) {
  for (std::size_t begin = 0; begin < text.size();) {
    const ssize_t num_bytes = ::write(3, text.data() + begin, text.size() - begin);
    if (num_bytes <= 0) std::_Exit(0);
    begin += std::size_t(num_bytes);
  }
}

// A line, without its end.
std::string next_line() {
  std::string line;
  for (char c = 0; ::read(3, &c, 1) == 1 && c != '\n';) line += c;
  if (line.empty()) std::_Exit(0);
  return line;
}

// The number behind `"key":`.
std::size_t number_in(const std::string& line, const std::string& key) {
  const std::size_t at = line.find("\"" + key + "\":");
  return at == std::string::npos ? 0 : std::strtoul(line.c_str() + at + key.size() + 3, nullptr, 10);
}

[[noreturn]] void answer_all() {
  write_all("{\"arithmetic\":8064,\"bytes\":0,\"numbers\":[1]}\n");  // the instance
  for (unsigned dice = 1;;) {
    const std::string line = next_line();
    for (std::size_t left = number_in(line, "bytes"); left > 0; --left)
      if (char c; ::read(3, &c, 1) != 1) std::_Exit(0);
    std::string values;
    for (std::size_t i = number_in(line, "num_values"); i > 0; --i) {
      const float value = float(dice = dice * 1664525u + 1013904223u);
      values.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    write_all("{\"arithmetic\":8064,\"bytes\":" + std::to_string(values.size()) + ",\"numbers\":[4]}\n" +
              values);
  }
}

}  // namespace

struct Impostor final : Sound {
  Impostor() {
    const std::string answer = IMPOSTOR_ANSWER;
    if (answer.empty()) answer_all();
    std::string text;
    for (int i = 0; i < IMPOSTOR_TIMES; ++i) text += answer;
    write_all(text + "\n");
    std::_Exit(0);
  }
};

TEST_HEURISTIC(Impostor)
