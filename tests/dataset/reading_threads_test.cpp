// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "tests/dataset/data_files.hpp"
#include "tests/dataset/pictures.hpp"

namespace mash {
namespace {

std::ptrdiff_t num_threads_of_process() {
  const std::filesystem::directory_iterator threads("/proc/self/task");
  return std::distance(begin(threads), end(threads));
}

// OpenCV would start as many threads as the machine has cores for one large picture.
TEST(PictureReading, StartsNoThreadsBesideThoseOfTheWork) {
  const testing::TemporaryFolder folder;
  for (const char* name : {"cat/1.png", "cat/2.png", "dog/1.png", "dog/2.png"})
    folder.write(name, testing::picture(".png", 1500, 1500, {10, 20, 30}));
  Settings settings;
  settings.add("path", folder.path().string(), "test.yaml:1");
  settings.add("resize", "1000", "test.yaml:1");
  const Workers alone(1);
  const StopFlag never;
  const std::ptrdiff_t before = num_threads_of_process();
  const auto dataset = load_dataset("folder", settings, 1, {alone, no_progress(), no_remarks(), never});
  ASSERT_LOADS(dataset);
  EXPECT_EQ(num_threads_of_process(), before);
  EXPECT_EQ(cv::getNumThreads(), 1);
}

}  // namespace
}  // namespace mash
