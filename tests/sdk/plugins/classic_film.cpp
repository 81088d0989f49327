// SPDX-License-Identifier: Apache-2.0
#include <mash/simple_heuristic_container.h>

using namespace Mash;

// Tells by its features what it was shown of a sequence.
class Film : public ISimpleHeuristic {
 public:
  Film() : num_views(0), num_sequences(0), num_finished(0) {}
  virtual unsigned int dim() { return 7; }
  virtual void computeFeatures(unsigned int nb_images, Image** images, scalar_t* features) {
    features[0] = (scalar_t)nb_images;
    features[1] = images[nb_images - 1]->grayBuffer()[0];
    features[2] = (scalar_t)images[0]->view();
    features[3] = (scalar_t)num_views;
    features[4] = (scalar_t)(rand() % 10007);
    features[5] = (scalar_t)num_sequences;
    features[6] = (scalar_t)num_finished;
  }

  unsigned int num_views, num_sequences, num_finished;
};

class FilmContainer : public SimpleHeuristicContainer {
 public:
  FilmContainer() : film_(new Film()) { _pSimpleHeuristic = film_; }
  virtual void init() {
    film_->num_views = nb_views;
    SimpleHeuristicContainer::init();
  }
  virtual void prepareForSequence() {
    ++film_->num_sequences;
    SimpleHeuristicContainer::prepareForSequence();
  }
  virtual void finishForSequence() {
    ++film_->num_finished;
    SimpleHeuristicContainer::finishForSequence();
  }

 private:
  Film* film_;
};

extern "C" Heuristic* new_heuristic() { return new FilmContainer(); }
