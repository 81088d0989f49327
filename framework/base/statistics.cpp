// SPDX-License-Identifier: Apache-2.0
#include "framework/base/statistics.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace mash {

Statistics statistics_of(std::span<const double> values) {
  Statistics result;
  for (const double value : values) result.mean += value / double(values.size());
  if (values.size() < 2) return result;
  for (const double value : values) result.sd += (value - result.mean) * (value - result.mean);
  result.sd = std::sqrt(result.sd / double(values.size() - 1));
  return result;
}

Estimate estimate(double mean, double sd, std::int64_t n) {
  if (n < 2) return {mean, std::nullopt};
  const boost::math::students_t distribution(double(n - 1));
  return {mean, boost::math::quantile(distribution, 0.975) * sd / std::sqrt(double(n))};
}

Estimate estimate(std::span<const double> values) {
  const Statistics statistics = statistics_of(values);
  return estimate(statistics.mean, statistics.sd, std::int64_t(values.size()));
}

double student_p_value(double t, std::size_t degrees) {
  using boost::math::complement, boost::math::students_t;
  return 2 * boost::math::cdf(complement(students_t(double(degrees)), std::abs(t)));
}

}  // namespace mash
