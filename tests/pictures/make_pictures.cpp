// SPDX-License-Identifier: Apache-2.0
// make_pictures LAYOUT FOLDER [COUNT]: pictures of stripes, whose direction and colour are those of their
// class, in the layouts of published data sets. COUNT is of each class.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <string>
#include <vector>

#include "framework/base/random.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;

constexpr int kNumClasses = 10;

// The motif of a picture.
struct Motif {
  int class_idx = 0;
  int num_classes = kNumClasses;
  std::uint64_t number = 0;  // of the picture within its class; its noise and place
};

cv::Mat drawn(const Motif& motif, cv::Size size) {
  RandomStream random(motif.number * 1000 + std::uint64_t(motif.class_idx), "make_pictures");
  const double share = double(motif.class_idx) / motif.num_classes, angle = share * 3.14159265;
  const double phase = random.uniform() * 6.28, frequency = 12.0 / std::max(size.width, size.height);
  cv::Mat image(size, CV_8UC3);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      const double wave = std::sin(frequency * (x * std::cos(angle) + y * std::sin(angle)) * 2 + phase);
      for (int channel = 0; channel < 3; ++channel) {
        const double tint = 30 * std::cos(6.28 * (share + channel / 3.0));
        image.at<cv::Vec3b>(y, x)[channel] = cv::saturate_cast<std::uint8_t>(128 + 60 * wave + tint);
      }
    }
  return image;
}

void write(const fs::path& file, const cv::Mat& image) {
  fs::create_directories(file.parent_path());
  if (!cv::imwrite(file.string(), image)) throw std::runtime_error(file.string() + ": cannot be written");
}

void write_text(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

// A class folder each, as Caltech-101 has 102 of them: pictures of all sizes, some of other formats, depths
// and numbers of channels.
void make_caltech(const fs::path& folder, int count) {
  constexpr int kNumFolders = 102;
  for (int c = 0; c < kNumFolders; ++c)
    for (int n = 0; n < count; ++n) {
      const cv::Size size(80 + 17 * ((c + 3 * n) % 9), 70 + 23 * ((2 * c + n) % 8));
      cv::Mat image = drawn({c, kNumFolders, std::uint64_t(n)}, size);
      std::string extension = "jpg";
      const int kind = (c + n) % 12;
      if (kind == 1) extension = "png";
      if (kind == 2) extension = "bmp";
      if (kind == 3) extension = "tif";
      if (kind == 4) cv::cvtColor(image, image, cv::COLOR_BGR2GRAY);
      if (kind == 5) cv::cvtColor(image, image, cv::COLOR_BGR2BGRA), extension = "png";
      if (kind == 6) image.convertTo(image, CV_16U, 257), extension = "png";
      write(folder / fmt::format("class_{:03}", c) / fmt::format("image_{:04}.{}", n + 1, extension), image);
    }
}

// train/<class> and test/<class>, small, as CIFAR-10 as pictures.
void make_cifar(const fs::path& folder, int count) {
  for (int c = 0; c < kNumClasses; ++c)
    for (int n = 0; n < count; ++n)
      write(
          folder / (n % 5 == 4 ? "test" : "train") / fmt::format("class{}", c) / fmt::format("{:05}.png", n),
          drawn({c, kNumClasses, std::uint64_t(n)}, {32, 32}));
}

// Pictures side by side, and list.txt with their classes and sides.
void make_list(const fs::path& folder, int count) {
  std::string list = "# path label split\n";
  for (int n = 0; n < count; ++n)
    for (int c = 0; c < kNumClasses; ++c) {
      const std::string name = fmt::format("pictures/{:05}.png", n * kNumClasses + c);
      write(folder / name, drawn({c, kNumClasses, std::uint64_t(n)}, {32, 24}));
      list += fmt::format("{} {} {}\n", name, c, n % 5 == 4 ? "test" : "train");
    }
  write_text(folder / "list.txt", list);
}

// objN__ANGLE.png, as COIL-100.
void make_coil(const fs::path& folder, int count) {
  for (int c = 0; c < kNumClasses; ++c)
    for (int n = 0; n < count; ++n)
      write(folder / fmt::format("obj{}__{}.png", c + 1, 5 * n),
            drawn({c, kNumClasses, std::uint64_t(n)}, {32, 32}));
}

// The binary files of STL-10: planes of red, green, blue, in columns.
void make_stl10(const fs::path& folder, int count) {
  std::string names, folds;
  for (int c = 0; c < kNumClasses; ++c) names += fmt::format("class{}\n", c);
  for (const std::string side : {"train", "test"}) {
    std::string pixels, labels;
    for (int n = 0; n < count; ++n)
      for (int c = 0; c < kNumClasses; ++c) {
        const cv::Mat image =
            drawn({c, kNumClasses, std::uint64_t(n + (side == "test" ? 1000 : 0))}, {96, 96});
        for (int channel = 2; channel >= 0; --channel)
          for (int x = 0; x < image.cols; ++x)
            for (int y = 0; y < image.rows; ++y) pixels += char(image.at<cv::Vec3b>(y, x)[channel]);
        labels += char(c + 1);
      }
    write_text(folder / (side + "_X.bin"), pixels);
    write_text(folder / (side + "_y.bin"), labels);
  }
  for (int fold = 0; fold < 10; ++fold) {
    // All classes of every second group of pictures.
    for (int n = fold % 2; n < count; n += 2)
      for (int c = 0; c < kNumClasses; ++c) folds += fmt::format("{} ", n * kNumClasses + c);
    folds += '\n';
  }
  write_text(folder / "class_names.txt", names);
  write_text(folder / "fold_indices.txt", folds);
}

// Ten classes of 256 x 256 JPEG files.
void make_large(const fs::path& folder, int count) {
  for (int c = 0; c < kNumClasses; ++c)
    for (int n = 0; n < count; ++n)
      write(folder / fmt::format("class{}", c) / fmt::format("{:05}.jpg", n),
            drawn({c, kNumClasses, std::uint64_t(n)}, {256, 256}));
}

int run(const std::vector<std::string>& arguments) {
  const std::map<std::string, std::function<void(const fs::path&, int)>> layouts{
      {"caltech", make_caltech}, {"cifar", make_cifar}, {"list", make_list},
      {"coil", make_coil},       {"stl10", make_stl10}, {"large", make_large}};
  if (arguments.size() < 2 || arguments.size() > 3 || !layouts.contains(arguments[0])) {
    std::cerr << "usage: make_pictures caltech|cifar|coil|large|list|stl10 FOLDER [COUNT of each class]\n";
    return 2;
  }
  layouts.at(arguments[0])(arguments[1], arguments.size() == 3 ? std::atoi(arguments[2].c_str()) : 10);
  return 0;
}

}  // namespace
}  // namespace mash

int main(int argc, char** argv) {
  try {
    return mash::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
