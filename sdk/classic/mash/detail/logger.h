/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MASH_CLASSIC_DETAIL_LOGGER_H
#define MASH_CLASSIC_DETAIL_LOGGER_H

#include <ostream>
#include <sstream>
#include <string>

#include "../image.h"
#include "current_host.h"

namespace Mash {

/* A handle on the host's log: `logger << "scale " << 3 << std::endl`. A line goes out when it is ended; all
 * copies write the same log. The report of `mash heuristic check` shows it. */
class Logger {
 public:
  /* By value: a reference to a static constant of a class would need its definition, which many do not have.
   */
  template <class Value>
  const Logger& operator<<(Value value) const {
    std::ostringstream text;
    text << value;
    sdk_detail::log_text(text.str());
    return *this;
  }

  /* Enumerations without a name, of which C++98 makes no template arguments. */
  const Logger& operator<<(long value) const { return operator<< <long>(value); }

  /* std::endl and its like. */
  const Logger& operator<<(std::ostream& (*manipulator)(std::ostream&)) const {
    std::ostringstream text;
    text << manipulator;
    sdk_detail::log_text(text.str());
    return *this;
  }

  /* Debug pictures are mentioned in the log; their pixels are not kept. */
  void writeRGBImage(const char*, unsigned int width, unsigned int height) const {
    _mention("colour", width, height);
  }
  void writeGrayImage(const char*, unsigned int width, unsigned int height) const {
    _mention("grey", width, height);
  }

 private:
  void _mention(const char* kind, unsigned int width, unsigned int height) const {
    *this << "a " << kind << " picture of " << width << "x" << height << " pixels" << '\n';
  }
};

}  // namespace Mash

#endif
