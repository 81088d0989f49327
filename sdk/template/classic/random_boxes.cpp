// SPDX-License-Identifier: Apache-2.0
// The mean of the region of interest, and differences between boxes that are drawn at random: the classic
// interface of the MASH SDK 1.x, as source of its day was written. Valid C++98 and every later standard.
#define MASH_CLASSIC_AUTHOR "@AUTHOR@"
#define MASH_CLASSIC_LICENSE "Apache-2.0"
#include <mash/heuristic.h>

using namespace Mash;

// A box in parts of the region's side, 0 to 1000.
struct Box {
  unsigned int left, top, right, bottom;
};

class RandomBoxes : public Heuristic {
 public:
  // Called once, after roi_extent has got its value. libc's generators start from the setting `seed`.
  virtual void init() {
    for (unsigned int i = 0; i < 2 * kNumPairs; ++i) boxes_[i] = draw_box();
  }

  // Feature 0 is the mean; feature 1 + i the mean of box 2i less that of box 2i + 1.
  virtual unsigned int dim() { return 1 + kNumPairs; }

  // The integral image of the region: sums_[y * (side + 1) + x] is the sum over the pixels left of x, above
  // y.
  virtual void prepareForCoordinates() {
    const unsigned int side = 2 * roi_extent + 1;
    sums_.assign((side + 1) * (side + 1), 0);
    for (unsigned int y = 0; y < side; ++y) {
      const byte_t* line = image->grayLines()[coordinates.y - roi_extent + y] + coordinates.x - roi_extent;
      unsigned int row = 0;
      for (unsigned int x = 0; x < side; ++x) {
        row += line[x];
        sums_[(y + 1) * (side + 1) + x + 1] = sums_[y * (side + 1) + x + 1] + row;
      }
    }
  }

  virtual scalar_t computeFeature(unsigned int feature_index) {
    const Box whole = {0, 0, 1000, 1000};
    if (feature_index == 0) return mean(whole);
    return mean(boxes_[2 * (feature_index - 1)]) - mean(boxes_[2 * (feature_index - 1) + 1]);
  }

 private:
  enum { kNumPairs = 100 };

  // At least a fifth of the region's side wide and high.
  static Box draw_box() {
    Box box;
    box.left = draw_below(800);
    box.top = draw_below(800);
    box.right = box.left + 200 + draw_below(801 - box.left);
    box.bottom = box.top + 200 + draw_below(801 - box.top);
    return box;
  }
  static unsigned int draw_below(unsigned int limit) { return (unsigned int)(drand48() * limit); }

  // The mean of the box's pixels, of which it has at least one.
  scalar_t mean(const Box& box) const {
    const unsigned int side = 2 * roi_extent + 1;
    const unsigned int left = box.left * side / 1000, top = box.top * side / 1000;
    const unsigned int right = end(box.right * side / 1000, left);
    const unsigned int bottom = end(box.bottom * side / 1000, top);
    const unsigned int sum = sums_[bottom * (side + 1) + right] - sums_[bottom * (side + 1) + left] -
                             sums_[top * (side + 1) + right] + sums_[top * (side + 1) + left];
    return (scalar_t)sum / (scalar_t)((right - left) * (bottom - top));
  }
  static unsigned int end(unsigned int wanted, unsigned int begin) {
    return wanted > begin ? wanted : begin + 1;
  }

  Box boxes_[2 * kNumPairs];
  std::vector<unsigned int> sums_;
};

extern "C" Heuristic* new_heuristic() { return new RandomBoxes(); }
