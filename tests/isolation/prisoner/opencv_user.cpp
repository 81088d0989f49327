// SPDX-License-Identifier: Apache-2.0
// A library that uses OpenCV as heuristics do: OpenCV opens files and starts threads when it first needs
// them.
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

extern "C" double compute() {
  cv::Mat image(256, 256, CV_8UC1);
  cv::theRNG().fill(image, cv::RNG::UNIFORM, 0, 256);
  cv::Mat smooth, small, spectrum, edges, product;
  cv::GaussianBlur(image, smooth, {9, 9}, 2);
  cv::resize(smooth, small, {64, 64}, 0, 0, cv::INTER_AREA);
  cv::Canny(small, edges, 20, 60);
  small.convertTo(spectrum, CV_32F);
  cv::gemm(spectrum, spectrum, 1, cv::Mat(), 0, product);
  cv::dft(spectrum, spectrum);
  cv::Mat values;
  cv::SVD::compute(product, values);
  cv::parallel_for_({0, 64}, [&](const cv::Range& range) {
    for (int y = range.start; y < range.end; ++y) edges.row(y) /= 2;
  });
  return cv::sum(edges)[0] + cv::norm(spectrum) + values.at<float>(0);
}
