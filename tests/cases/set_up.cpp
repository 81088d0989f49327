// SPDX-License-Identifier: Apache-2.0
#include "tests/cases/set_up.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <map>
#include <stdexcept>

#include "tests/support/gzip.hpp"
#include "tests/support/program.hpp"

namespace mash::cases {
namespace {

namespace fs = std::filesystem;
using testing::file_content;
using testing::gzip;

void write(const fs::path& path, const std::string& content) {
  fs::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file.write(content.data(), std::streamsize(content.size()));
  if (!file) throw std::runtime_error("cannot write " + path.string());
}

std::string unhex(const std::string& digits) {
  std::string bytes;
  if (digits.size() % 2 != 0) throw std::runtime_error("found half a byte: " + digits);
  for (std::size_t i = 0; i < digits.size(); i += 2)
    bytes += char(std::stoi(digits.substr(i, 2), nullptr, 16));
  return bytes;
}

// One item of `bytes`: 00ff, 00*784 or "text".
std::string item_bytes(const std::string& item) {
  if (item.size() > 1 && item.front() == '"' && item.back() == '"') return item.substr(1, item.size() - 2);
  const auto star = item.find('*');
  if (star == std::string::npos) return unhex(item);
  std::string bytes;
  for (int n = std::stoi(item.substr(star + 1)); n > 0; --n) bytes += unhex(item.substr(0, star));
  return bytes;
}

// Circles around a middle that the seed moves: pictures that differ and are no noise.
std::string pgm(unsigned width, unsigned height, unsigned seed) {
  std::string bytes = fmt::format("P5\n{} {}\n255\n", width, height);
  for (unsigned y = 0; y < height; ++y)
    for (unsigned x = 0; x < width; ++x) bytes += char((x * x + y * y * (1 + seed % 7) + 37 * seed) & 0xff);
  return bytes;
}

void replace(const fs::path& path, const std::vector<std::string>& pairs) {
  std::string content = file_content(path);
  for (const std::string& line : pairs) {
    const auto pair = split_at(line, "=>");
    const auto place = pair.size() == 2 ? content.find(pair[0]) : std::string::npos;
    if (place == std::string::npos)
      throw std::runtime_error(fmt::format("{} does not hold {}", path.string(), line));
    content.replace(place, pair[0].size(), pair[1]);
  }
  write(path, content);
}

void poke(const fs::path& path, std::size_t offset, const std::string& bytes) {
  std::string content = file_content(path);
  if (offset + bytes.size() > content.size()) throw std::runtime_error("poke beyond " + path.string());
  write(path, content.replace(offset, bytes.size(), bytes));
}

void sql(const fs::path& path, const std::vector<std::string>& lines) {
  SQLite::Database database(path.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  for (const std::string& line : lines) {
    const auto pair = split_at(line, "=>");
    if (pair.size() == 1)
      database.exec(line);
    else
      EXPECT_EQ(database.execAndGet(pair[0]).getString(), pair[1]) << line;
  }
}

using Words = std::vector<std::string>;

struct Action {
  std::size_t num_words;
  std::function<void(const fs::path& path, const Words& words, const Words& body, const fs::path& folder)>
      act;
};

const std::map<std::string, Action>& actions() {
  static const std::map<std::string, Action> table{
      {"file",
       {1,
        [](auto& path, auto&, auto& body, auto&) {
          std::string content;
          for (const std::string& line : body) content += line + "\n";
          write(path, content);
        }}},
      {"bytes",
       {1,
        [](auto& path, auto&, auto& body, auto&) {
          std::string content;
          for (const std::string& line : body)
            for (const std::string& item : split_words(line)) content += item_bytes(item);
          write(path, content);
        }}},
      {"picture",
       {3,
        [](auto& path, auto& words, auto&, auto&) {
          const auto size = split_at(words[1], "x");
          write(path, pgm(unsigned(std::stoul(size.at(0))), unsigned(std::stoul(size.at(1))),
                          unsigned(std::stoul(words[2]))));
        }}},
      {"gzip",
       {2, [](auto& path, auto& words, auto&,
              auto& folder) { write(path, gzip(file_content(folder / words[1]))); }}},
      {"copy",
       {2,
        [](auto& path, auto& words, auto&, auto& folder) {
          fs::create_directories(path.parent_path());
          fs::copy_file(folder / words[1], path);
        }}},
      {"truncate",
       {2, [](auto& path, auto& words, auto&, auto&) { fs::resize_file(path, std::stoul(words[1])); }}},
      {"poke",
       {3, [](auto& path, auto& words, auto&, auto&) { poke(path, std::stoul(words[1]), unhex(words[2])); }}},
      {"replace", {1, [](auto& path, auto&, auto& body, auto&) { replace(path, body); }}},
      {"folder", {1, [](auto& path, auto&, auto&, auto&) { fs::create_directories(path); }}},
      {"remove", {1, [](auto& path, auto&, auto&, auto&) { fs::remove_all(path); }}},
      {"sql", {1, [](auto& path, auto&, auto& body, auto&) { sql(path, body); }}},
  };
  return table;
}

}  // namespace

bool set_up(const Step& step, const fs::path& folder) {
  const auto found = actions().find(step.verb);
  if (found == actions().end()) return false;
  const Words words = split_words(step.argument);
  if (words.size() != found->second.num_words)
    throw std::runtime_error(fmt::format("{} takes {} words", step.verb, found->second.num_words));
  found->second.act(folder / words[0], words, step.body, folder);
  return true;
}

}  // namespace mash::cases
