// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "framework/base/parallel.hpp"
#include "framework/dataset/decoders/formats.hpp"
#include "tests/support/program.hpp"

namespace mash {
namespace {

// A file that pillow_pictures.py has made, and what has to come of it.
struct MadeFile {
  std::string name, bytes;
  bool is_refused = false;
  std::uint32_t width = 0, height = 0;
  int tolerance = 0;
  bool is_grey = false;
  std::string pixels;  // of Pillow
  std::string text;    // a part of the error
};

MadeFile made_file(const std::filesystem::path& folder, const std::string& line) {
  std::istringstream parts(line);
  std::string kind;
  MadeFile file;
  parts >> kind >> file.name;
  file.bytes = testing::file_content(folder / file.name);
  file.is_refused = kind == "refused";
  if (file.is_refused) {
    std::getline(parts >> std::ws, file.text);
    return file;
  }
  parts >> file.width >> file.height >> file.tolerance >> file.is_grey;
  file.pixels = testing::file_content(folder / (file.name + ".rgb"));
  return file;
}

// All of them; none where there is no Pillow.
std::vector<MadeFile> make_files() {
  const testing::Sandbox sandbox;
  const std::string script = testing::source_folder() + "/tests/dataset/decoders/pillow_pictures.py";
  const auto made = sandbox.run({"/usr/bin/python3", "-B", script, sandbox.work().string()});
  constexpr int kNoPillow = 3, kNoPython = 127;
  if (made.exit_code == kNoPillow || made.exit_code == kNoPython) return {};
  EXPECT_EQ(made.exit_code, 0) << made.err;
  std::vector<MadeFile> files;
  std::istringstream index(testing::file_content(sandbox.work() / "index"));
  for (std::string line; std::getline(index, line);) files.push_back(made_file(sandbox.work(), line));
  EXPECT_GT(files.size(), 700u);
  return files;
}

class PillowPictures : public ::testing::Test {
 protected:
  void SetUp() override {
    static const std::vector<MadeFile> files = make_files();
    if (files.empty() && !HasFailure())
      GTEST_SKIP() << "no Pillow in /usr/bin/python3; script/bootstrap test installs it";
    files_ = &files;
  }

  const std::vector<MadeFile>& files() const { return *files_; }

 private:
  const std::vector<MadeFile>* files_ = nullptr;
};

int distance(const Picture& picture, const std::string& pixels) {
  int distance = 0;
  for (std::size_t i = 0; i < pixels.size(); ++i)
    distance = std::max(distance, std::abs(int(picture.pixels[i]) - int(std::uint8_t(pixels[i]))));
  return distance;
}

TEST_F(PillowPictures, HaveThePixelsThatPillowGives) {
  for (const MadeFile& file : files()) {
    if (file.is_refused) continue;
    const auto picture = decode_picture(file.bytes, {});
    ASSERT_TRUE(picture.ok()) << file.name << ": " << picture.error().message;
    EXPECT_EQ(picture->width, file.width) << file.name;
    EXPECT_EQ(picture->height, file.height) << file.name;
    ASSERT_EQ(picture->pixels.size(), file.pixels.size()) << file.name;
    EXPECT_EQ(picture->is_grey, file.is_grey) << file.name;
    EXPECT_LE(distance(*picture, file.pixels), file.tolerance) << file.name;
  }
}

TEST_F(PillowPictures, AreRefusedForWhatTheyAre) {
  std::size_t num_refused = 0;
  for (const MadeFile& file : files()) {
    if (!file.is_refused) continue;
    ++num_refused;
    const auto picture = decode_picture(file.bytes, {});
    ASSERT_FALSE(picture.ok()) << file.name;
    EXPECT_EQ(picture.error().kind, ErrorKind::kInput);
    EXPECT_NE(picture.error().message.find(file.text), std::string::npos)
        << file.name << ": " << picture.error().message;
  }
  EXPECT_GT(num_refused, 30u);
}

// Libraries that are asked by several threads tell each of its own picture, and nobody else.
TEST_F(PillowPictures, AreTheSameOnSeveralThreadsAndLeaveStderrAlone) {
  const auto outcome = [](const MadeFile& file) {
    const auto picture = decode_picture(file.bytes, {});
    return picture.ok() ? std::string(picture->pixels.begin(), picture->pixels.end())
                        : picture.error().message;
  };
  ::testing::internal::CaptureStderr();
  std::vector<std::string> alone, together(files().size());
  for (const MadeFile& file : files()) alone.push_back(outcome(file));
  const Workers workers(4);
  workers.for_ranges(together.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) together[i] = outcome(files()[i]);
  });
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  for (std::size_t i = 0; i < alone.size(); ++i) EXPECT_EQ(together[i], alone[i]) << files()[i].name;
}

}  // namespace
}  // namespace mash
