// SPDX-License-Identifier: Apache-2.0
//
// A target as a test: its seeds, which must be taken, what is left of them when they are cut short, and 4000
// broken ones, or as many as MASH_NUM_BROKEN says, the same at every run. One that breaks a promise is left
// in a file. With a file as its argument: that input alone, to see again what was found.
#include <algorithm>
#include <array>
#include <csignal>
#include <exception>
#include <fstream>

#include "framework/base/file.hpp"
#include "framework/base/random.hpp"
#include "tests/fuzz/target.hpp"

namespace mash::fuzz {
namespace {

#ifndef MASH_NUM_BROKEN
#define MASH_NUM_BROKEN 4000
#endif
constexpr std::size_t kNumBroken = MASH_NUM_BROKEN;
constexpr std::size_t kMaxCuts = kNumBroken / 8;
// Words that readers compare with, or stumble over.
constexpr std::array<std::string_view, 23> kWords{"",
                                                  std::string_view("\0", 1),
                                                  "\xff\xff\xff\xff",
                                                  "\x7f\xff\xff\xff",
                                                  "-1",
                                                  "0",
                                                  "4294967296",
                                                  "1e999",
                                                  "nan",
                                                  "\xc3",
                                                  "\n",
                                                  "\r\n",
                                                  "\"",
                                                  "'",
                                                  "[",
                                                  "{",
                                                  "[[",
                                                  "{\"a\":",
                                                  "[{\"children\":",
                                                  ",",
                                                  ":",
                                                  "?",
                                                  "\xef\xbb\xbf"};

std::string current, current_file;

bool take_next(std::string_view input) {
  current = input;
  return take(current);
}

void keep_current(int signal) {
  std::signal(signal, SIG_DFL);
  std::ofstream(current_file, std::ios::binary) << current;
  fmt::print(stderr, "the input is in {}\n", current_file);
  std::raise(signal);
}

// A word that readers compare with, once or very often: what is nested without end breaks who calls itself.
std::string repeated(RandomStream& random) {
  const std::string_view word = kWords[random.below(kWords.size())];
  std::string text;
  for (std::uint64_t count = std::uint64_t(1) << random.below(17); count > 0; --count) text += word;
  return text;
}

// One small change.
void breaks(std::string& text, const std::string& other, RandomStream& random) {
  const std::size_t at = std::size_t(random.below(text.size() + 1));
  const std::size_t length = std::size_t(random.below(std::min<std::size_t>(text.size() - at, 16) + 1));
  switch (random.below(6)) {
    case 0:
      if (at < text.size()) text[at] = char(random.below(256));
      break;
    case 1: text.erase(at, length); break;
    case 2: text.insert(at, text.substr(at, length)); break;
    case 3: text.replace(at, length, kWords[random.below(kWords.size())]); break;
    case 4: text = text.substr(0, at) + other.substr(std::min(at, other.size())); break;
    case 5: text.insert(at, repeated(random)); break;
  }
}

int replay() {
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE}) std::signal(signal, keep_current);
  const std::vector<std::string> all = seeds();
  for (const std::string& seed : all) {
    MASH_PROMISE(take_next(seed));
    const std::size_t step = std::max<std::size_t>(1, seed.size() / kMaxCuts);
    for (std::size_t size = 0; size < seed.size(); size += step)
      take_next(std::string_view(seed).substr(0, size));
  }
  for (std::size_t i = 0; i < kNumBroken; ++i) {
    RandomStream random(1, "fuzz", i);
    std::string text = all[random.below(all.size())];
    for (auto changes = random.below(4) + 1; changes > 0; --changes)
      breaks(text, all[random.below(all.size())], random);
    take_next(text);
  }
  return 0;
}

}  // namespace
}  // namespace mash::fuzz

int main(int argc, char** argv) try {
  mash::fuzz::current_file = std::filesystem::absolute(argv[0]).string() + ".input";
  if (argc == 1) return mash::fuzz::replay();
  const auto input = mash::read_file(argv[1]);
  if (!input.ok()) return fmt::print(stderr, "{}\n", input.error().message), 2;
  fmt::print("{}\n", mash::fuzz::take(*input) ? "taken" : "refused");
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "an exception came through: {}\n", error.what());
  std::abort();
}
