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
 * copies write the same log. */
class Logger {
 public:
  template <class Value>
  const Logger& operator<<(const Value& value) const {
    std::ostringstream text;
    text << value;
    sdk_detail::log_text(text.str());
    return *this;
  }

  /* std::endl and its like. */
  const Logger& operator<<(std::ostream& (*manipulator)(std::ostream&)) const {
    std::ostringstream text;
    text << manipulator;
    sdk_detail::log_text(text.str());
    return *this;
  }

  /* Debug images are named in the log; their pixels are not kept. */
  template <class Pixel>
  void writeRGBImage(const std::string& name, const Pixel*, unsigned int width, unsigned int height) const {
    _name_image(name, width, height);
  }
  void writeRGBImage(const std::string& name, unsigned int width, unsigned int height) const {
    _name_image(name, width, height);
  }

 private:
  void _name_image(const std::string& name, unsigned int width, unsigned int height) const {
    *this << "image " << name << ": " << width << "x" << height << "\n";
  }
};

}  // namespace Mash

#endif
