// SPDX-License-Identifier: Apache-2.0
#include <mash/simple_heuristic_container.h>

#include <iomanip>

using namespace Mash;

// Features: the images of the sequence that are known, the largest grey value, whether init was called.
class Simple : public ISimpleHeuristic {
 public:
  Simple() : is_ready(false) {}
  virtual unsigned int dim() { return 3; }
  virtual void init() {
    is_ready = true;
    logger << "ready after " << 1 << std::setw(3) << 'x' << std::endl;
  }
  virtual void computeFeatures(unsigned int nb_images, Image** images, scalar_t* features) {
    const Image* image = images[0];
    features[0] = (scalar_t)nb_images;
    features[1] =
        *std::max_element(image->grayBuffer(), image->grayBuffer() + image->width() * image->height());
    features[2] = is_ready ? 1.0f : 0.0f;
    logger.writeRGBImage((const char*)image->rgbBuffer(), image->width(), image->height());
    logger.writeGrayImage((const char*)image->grayBuffer(), image->width(), image->height());
    logger << "limits " << kLowest << ' ' << kNumImages << std::string(" half a line");
  }

 private:
  enum { kNumImages = 50 };
  static const int kLowest = -1;  // without a definition: code that takes its address does not link
  bool is_ready;
};

class Container : public SimpleHeuristicContainer {
 public:
  virtual void init() {
    _pSimpleHeuristic = new Simple();
    SimpleHeuristicContainer::init();
  }
};

extern "C" Heuristic* new_heuristic() { return new Container(); }
