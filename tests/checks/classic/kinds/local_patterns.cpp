// SPDX-License-Identifier: Apache-2.0
#include <mash/heuristic.h>

using namespace Mash;

// Local binary patterns, counted over the whole picture in prepareForImage.
class LocalPatterns : public Heuristic {
 public:
  virtual unsigned int dim() { return 16; }
  virtual void prepareForImage() {
    counts.clear();
    byte_t** lines = image->grayLines();
    for (unsigned int y = 1; y + 1 < image->height(); ++y)
      for (unsigned int x = 1; x + 1 < image->width(); ++x) {
        const int limit = lines[y][x] + (int)VARIANT;
        ++counts[(lines[y - 1][x] > limit) + 2 * (lines[y + 1][x] > limit) + 4 * (lines[y][x - 1] > limit) +
                 8 * (lines[y][x + 1] > limit)];
      }
  }
  virtual scalar_t computeFeature(unsigned int feature_index) { return counts[(int)feature_index]; }

 private:
  std::map<int, scalar_t> counts;
};

extern "C" Heuristic* new_heuristic() { return new LocalPatterns(); }
