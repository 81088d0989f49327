// SPDX-License-Identifier: Apache-2.0
#include <mash/heuristic.h>

#include <stdexcept>

using namespace Mash;

// Tells by its features what its host did. Feature by feature: see computeFeature.
class ClassicProbe : public Heuristic {
 public:
  ClassicProbe()
      : views_when_made(nb_views),
        calls(0),
        finished(0),
        init_rand(0),
        image_rand(0),
        drawn_in_dim(0),
        init_drand(0) {}

  virtual void init() {
    init_rand = rand();
    init_drand = drand48();
    if (roi_extent == 6) throw std::runtime_error("not for views of 13 pixels");
  }
  virtual void terminate() {
    setenv("MASH_TEST_TERMINATED", "1", 1);
    throw 42;
  }
  virtual unsigned int dim() {
    if (roi_extent == 7) return 0;
    if (roi_extent == 8) std::vector<int> too_many((size_t)roi_extent - 9);
    drawn_in_dim = rand();
    return 17 + roi_extent;
  }
  virtual void prepareForSequence() { calls = 1; }
  virtual void prepareForImage() {
    image_rand = rand();
    calls = calls * 10 + 2;
  }
  virtual void prepareForCoordinates() {
    if (image->grayBuffer()[0] == 13) throw std::runtime_error("a picture that starts with 13");
    calls = calls * 10 + 3;
  }
  virtual void finishForCoordinates() { finished = 4; }
  virtual void finishForImage() { finished = finished * 10 + 5; }
  virtual void finishForSequence() { finished = finished * 10 + 6; }

  virtual scalar_t computeFeature(unsigned int feature_index) {
    const unsigned int x = coordinates.x, y = coordinates.y;
    switch (feature_index) {
      case 0: return (scalar_t)views_when_made;
      case 1: return (scalar_t)nb_views;
      case 2: return (scalar_t)roi_extent;
      case 3: return (scalar_t)(x * 100 + y);
      case 4: return (scalar_t)(image->width() * 100 + image->height());
      case 5: return (scalar_t)calls;
      case 6: return (scalar_t)finished;  // of the picture before
      case 7: return (scalar_t)(init_rand % 10007);
      case 8: return (scalar_t)init_drand;
      case 9: return (scalar_t)(image_rand % 10007);
      case 10: return (scalar_t)(rand() % 10007);
      case 11: return image->grayLines()[y][x];
      case 12: return image->rgbLines()[y][x].g;
      case 13: return image->rgbBuffer()[0].b;
      case 14: return (scalar_t)image->pixelFormats();
      case 17: return (scalar_t)(drawn_in_dim % 10007);
      case 15: image->grayLines()[y][x] = 0; return 0;  // the heuristic may: the image is its own
      default: return 0;
    }
  }

 private:
  unsigned int views_when_made;
  int calls, finished, init_rand, image_rand, drawn_in_dim;
  double init_drand;
};

extern "C" Heuristic* new_heuristic() { return new ClassicProbe(); }
