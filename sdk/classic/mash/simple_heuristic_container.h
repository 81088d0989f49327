/* SPDX-License-Identifier: Apache-2.0 */
/* The classic MASH interface (SDK 1.x) for heuristics that compute all features of whole images at once. */
#ifndef MASH_CLASSIC_SIMPLE_HEURISTIC_CONTAINER_H
#define MASH_CLASSIC_SIMPLE_HEURISTIC_CONTAINER_H

#include <math.h>
#include <string.h>

#include <algorithm>

#include "detail/logger.h"
#include "heuristic.h"

namespace Mash {

/* What the contributor derives from: init, dim, computeFeatures*, terminate. */
class ISimpleHeuristic {
 public:
  virtual ~ISimpleHeuristic() {}

  virtual unsigned int dim() = 0;
  virtual void init() {}

  /* Writes dim() values to `features`. images[0] is the current image and images[nb_images - 1] the oldest
   * one of its sequence that is still kept; all are the host's. */
  virtual void computeFeatures(unsigned int nb_images, Image** images, scalar_t* features) = 0;

  virtual void terminate() {}

  Logger logger;
};

/* A heuristic whose features are those of an ISimpleHeuristic. A subclass assigns _pSimpleHeuristic, an
 * object made with `new`, in its constructor or in an init that then calls this class's. The container
 * deletes it, in terminate or in its destructor; a subclass that deletes it sets it to 0. */
class SimpleHeuristicContainer : public Heuristic {
 public:
  SimpleHeuristicContainer() : _pSimpleHeuristic(0) {}
  virtual ~SimpleHeuristicContainer() {
    delete _pSimpleHeuristic;
    _forget_sequence();
  }

  virtual void init() {
    if (!_pSimpleHeuristic) return;
    _pSimpleHeuristic->logger = _logger;
    _pSimpleHeuristic->init();
  }

  /* Does not call _pSimpleHeuristic->terminate(): subclasses do so before they call this. */
  virtual void terminate() {
    delete _pSimpleHeuristic;
    _pSimpleHeuristic = 0;
  }

  virtual unsigned int dim() { return _pSimpleHeuristic ? _pSimpleHeuristic->dim() : 0; }

  virtual void prepareForSequence() { _forget_sequence(); }
  virtual void finishForSequence() { _forget_sequence(); }

  virtual void prepareForImage() {
    if (_images.size() == size_t(sdk_detail::kMaxImages)) {
      delete _images.back();
      _images.pop_back();
    }
    _images.insert(_images.begin(), image->copy());
    _features.assign(dim(), 0);
    if (!_features.empty())
      _pSimpleHeuristic->computeFeatures((unsigned int)_images.size(), &_images[0], &_features[0]);
  }

  virtual scalar_t computeFeature(unsigned int feature_index) { return _features[feature_index]; }

 protected:
  Logger _logger;
  ISimpleHeuristic* _pSimpleHeuristic;

 private:
  void _forget_sequence() {
    for (size_t i = 0; i < _images.size(); ++i) delete _images[i];
    _images.clear();
  }

  std::vector<Image*> _images; /* of the sequence so far, newest first */
  std::vector<scalar_t> _features;
};

}  // namespace Mash

#endif
