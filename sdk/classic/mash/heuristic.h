/* SPDX-License-Identifier: Apache-2.0 */
/* The classic MASH interface (SDK 1.x): source written for it compiles unmodified. New heuristics are better
 * written against mash/heuristic.hpp. Valid C++98 and every later standard.
 *
 * A source that includes this and defines new_heuristic() is a complete plugin: detail/plugin.h, included at
 * the end, makes the plugin's one exported symbol. Its id is MASH_CLASSIC_ID, a string that the build defines
 * (mash_add_classic_heuristic does); without it the id is made of the names of the source's folder and file.
 */
#ifndef MASH_CLASSIC_HEURISTIC_H
#define MASH_CLASSIC_HEURISTIC_H

#include <stdlib.h>

#include <map>
#include <string>
#include <vector>

#include "image.h"

namespace Mash {
namespace sdk_detail {

/* The pictures of a sequence that the features of the last one may depend on, with itself: the history of
 * SimpleHeuristicContainer. A heuristic need not have been shown those before them. */
enum { kMaxImages = 50 };

}  // namespace sdk_detail
}  // namespace Mash

/* A folder with data of the heuristic's own, with a slash at its end, or "": the build defines it. */
#ifndef MASH_DATA_DIR
#define MASH_DATA_DIR ""
#endif

namespace Mash {

typedef float scalar_t;
typedef int tError;
typedef std::vector<std::string> tStringList;

struct coordinates_t {
  unsigned int x;
  unsigned int y;
};

/* Without it `div` of two unsigned numbers is ambiguous where int and long differ in size. */
inline div_t div(unsigned int numerator, unsigned int denominator) {
  div_t result;
  result.quot = (int)(numerator / denominator);
  result.rem = (int)(numerator % denominator);
  return result;
}

/* Turns the region of interest of an image into dim() numbers. Its life:
 *
 *   constructor, nb_views and roi_extent are set, init, dim,
 *   ( prepareForSequence
 *     ( image is set, prepareForImage
 *       ( coordinates are set, prepareForCoordinates  computeFeature*  finishForCoordinates )*
 *       finishForImage )*
 *     finishForSequence )*
 *   terminate, destructor
 *
 * The region of interest is the square of side 2 * roi_extent + 1 centred on `coordinates`, always wholly
 * inside the image, which is the whole picture. libc's generators (rand, drand48) are seeded before every
 * call, and once before all calls of computeFeature for a position, so what a heuristic draws from them is
 * reproducible. All heuristics of a process run one call at a time. */
class Heuristic {
 public:
  Heuristic() : nb_views(0), roi_extent(0), image(0) { coordinates.x = coordinates.y = 0; }
  virtual ~Heuristic() {}

  virtual void init() {}
  virtual void terminate() {}

  /* The number of features; may depend on roi_extent and on nothing else. */
  virtual unsigned int dim() = 0;

  virtual void prepareForSequence() {}
  virtual void finishForSequence() {}
  virtual void prepareForImage() {}
  virtual void finishForImage() {}
  virtual void prepareForCoordinates() {}
  virtual void finishForCoordinates() {}

  /* The feature feature_index < dim() of the region of interest. Any subset is asked for, in any order. */
  virtual scalar_t computeFeature(unsigned int feature_index) = 0;

  unsigned int nb_views;     /* cameras, whose pictures take turns in a sequence; from init on */
  unsigned int roi_extent;   /* pixels; from init on */
  coordinates_t coordinates; /* of the centre of the region; from prepareForCoordinates on */
  Image* image;              /* the heuristic's own copy; from prepareForImage to finishForImage */
};

typedef Heuristic* tHeuristicConstructor();

}  // namespace Mash

/* Defined by the source: returns a heuristic made with `new`; the host deletes it. */
extern "C" Mash::Heuristic* new_heuristic();

#include "detail/plugin.h"

#endif
