// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

// Differences of the means of two boxes, over an integral image: what the classic and the modern heuristic of
// the comparison have in common. Valid C++98.
class Boxes {
 public:
  enum { kNumFeatures = 1000 };

  // Boxes within a region of side x side pixels. draw(n) gives a number below n.
  template <class Draw>
  void draw(unsigned int side, Draw& draw) {
    side_ = side;
    boxes_.resize(2 * kNumFeatures);
    for (unsigned int i = 0; i < boxes_.size(); ++i) {
      const unsigned int left = draw(side), top = draw(side);
      const unsigned int right = left + 1 + draw(side - left), bottom = top + 1 + draw(side - top);
      Box& box = boxes_[i];
      box.top_left = at(left, top);
      box.top_right = at(right, top);
      box.bottom_left = at(left, bottom);
      box.bottom_right = at(right, bottom);
      box.scale = 1.0f / (float)((right - left) * (bottom - top));
    }
  }

  // origin: the region's first pixel; row_stride: bytes.
  void integrate(const unsigned char* origin, long row_stride) {
    sums_.assign((side_ + 1) * (side_ + 1), 0);
    for (unsigned int y = 0; y < side_; ++y) {
      const unsigned char* line = origin + (long)y * row_stride;
      const unsigned int* above = &sums_[at(1, y)];
      unsigned int* sums = &sums_[at(1, y + 1)];
      unsigned int row = 0;
      for (unsigned int x = 0; x < side_; ++x) {
        row += line[x];
        sums[x] = above[x] + row;
      }
    }
  }

  float feature(unsigned int feature_idx) const {
    return mean(boxes_[2 * feature_idx]) - mean(boxes_[2 * feature_idx + 1]);
  }

 private:
  struct Box {
    unsigned int top_left, top_right, bottom_left, bottom_right;  // places in sums_
    float scale;
  };

  unsigned int at(unsigned int x, unsigned int y) const { return y * (side_ + 1) + x; }
  float mean(const Box& box) const {
    return box.scale * (float)(sums_[box.bottom_right] - sums_[box.bottom_left] - sums_[box.top_right] +
                               sums_[box.top_left]);
  }

  unsigned int side_;
  std::vector<Box> boxes_;
  std::vector<unsigned int> sums_;
};
