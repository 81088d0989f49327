// SPDX-License-Identifier: Apache-2.0
#include "classifiers/samplers/mixture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "framework/base/elementary.hpp"

namespace mash {
namespace {

constexpr double kMinVariance = 1e-6;
constexpr double kPrior = 1e-4;  // share of the overall variance that every component is drawn to
constexpr int kMaxIterations = 100;
constexpr double kMinGain = 1e-6;
// The Gauss-Legendre rule with eight nodes on [-1, 1].
constexpr std::array kGaussNodes{-0.9602898564975363, -0.7966664774136268, -0.525532409916329,
                                 -0.1834346424956498, 0.1834346424956498,  0.525532409916329,
                                 0.7966664774136268,  0.9602898564975363};
constexpr std::array kGaussWeights{0.10122853629037618, 0.22238103445337445, 0.31370664587788744,
                                   0.36268378337836193, 0.36268378337836193, 0.31370664587788744,
                                   0.22238103445337445, 0.10122853629037618};
constexpr double kSquareRootOf2Pi = 2.5066282746310002;

double normal_density(double x, double mean, double variance) {
  const double d = x - mean;
  return stable_exp(-0.5 * d * d / variance) / (kSquareRootOf2Pi * std::sqrt(variance));
}

double mean_of(std::span<const double> xs) {
  return std::accumulate(xs.begin(), xs.end(), 0.0) / double(xs.size());
}

double variance_of(std::span<const double> xs, double mean) {
  double sum = 0;
  for (const double x : xs) sum += (x - mean) * (x - mean);
  return sum / double(xs.size());
}

// One step of EM. Gives the log-likelihood of the mixture that it started from.
double improve(Mixture& mixture, std::span<const double> xs, double overall_variance) {
  const std::size_t num_components = mixture.components.size();
  std::vector<double> counts(num_components), sums(num_components), squares(num_components);
  std::vector<double> shares(num_components);
  double likelihood = 0;
  for (const double x : xs) {
    double density = 0;
    for (std::size_t c = 0; c < num_components; ++c) {
      const auto& component = mixture.components[c];
      shares[c] = component.weight * normal_density(x, component.mean, component.variance);
      density += shares[c];
    }
    density = std::max(density, 1e-300);
    likelihood += stable_log(density);
    for (std::size_t c = 0; c < num_components; ++c) {
      const double share = shares[c] / density;
      counts[c] += share;
      sums[c] += share * x;
      squares[c] += share * x * x;
    }
  }
  const auto m = double(xs.size());
  std::vector<Mixture::Component> kept;
  double weight = 0;
  for (std::size_t c = 0; c < num_components; ++c) {
    if (counts[c] < 1 && num_components > 1) continue;
    const double mean = sums[c] / counts[c];
    const double spread = std::max(0.0, squares[c] - counts[c] * mean * mean);
    const double prior = kPrior * m / double(num_components) * overall_variance;
    kept.push_back({counts[c] / m, mean, std::max(kMinVariance, (spread + prior) / counts[c])});
    weight += counts[c] / m;
  }
  for (auto& component : kept) component.weight /= weight;
  if (!kept.empty()) mixture.components = std::move(kept);
  return likelihood;
}

struct Quadrature {
  std::vector<double> nodes, weights;
};

// Gauss-Legendre on panels one standard deviation wide, over 8 to each side of every component; where panels
// overlap, borders of the wider ones are left out that stand close to another.
Quadrature quadrature(std::span<const Mixture* const> families, double noise) {
  struct Border {
    double x, spacing;
  };
  std::vector<Border> borders;
  for (const Mixture* family : families)
    for (const auto& component : family->components) {
      const double spacing = std::sqrt(component.variance + noise);
      for (int i = -8; i <= 8; ++i) borders.push_back({component.mean + i * spacing, spacing});
    }
  std::sort(borders.begin(), borders.end(),
            [](const Border& a, const Border& b) { return a.x != b.x ? a.x < b.x : a.spacing < b.spacing; });
  Quadrature result;
  double left = borders.front().x;
  for (const Border& border : borders) {
    if (border.x - left < 0.5 * border.spacing) continue;
    const double half = 0.5 * (border.x - left), middle = left + half;
    for (std::size_t i = 0; i < kGaussNodes.size(); ++i) {
      result.nodes.push_back(middle + half * kGaussNodes[i]);
      result.weights.push_back(half * kGaussWeights[i]);
    }
    left = border.x;
  }
  return result;
}

}  // namespace

double normal_cdf(double x) {
  // Hart 1968, in the form of West 2005, "Better approximations to cumulative normal functions".
  const double z = std::abs(x);
  double upper = 0;
  if (z < 37) {
    const double density = stable_exp(-0.5 * z * z);
    if (z < 7.07106781186547) {
      double p = 3.52624965998911e-02 * z + 0.700383064443688;
      p = p * z + 6.37396220353165;
      p = p * z + 33.912866078383;
      p = p * z + 112.079291497871;
      p = p * z + 221.213596169931;
      p = p * z + 220.206867912376;
      double q = 8.83883476483184e-02 * z + 1.75566716318264;
      q = q * z + 16.064177579207;
      q = q * z + 86.7807322029461;
      q = q * z + 296.564248779674;
      q = q * z + 637.333633378831;
      q = q * z + 793.826512519948;
      q = q * z + 440.413735824752;
      upper = density * p / q;
    } else {
      double b = z + 0.65;
      b = z + 4 / b;
      b = z + 3 / b;
      b = z + 2 / b;
      b = z + 1 / b;
      upper = density / b / kSquareRootOf2Pi;
    }
  }
  return x > 0 ? 1 - upper : upper;
}

double Mixture::mean() const {
  double sum = 0;
  for (const Component& component : components) sum += component.weight * component.mean;
  return sum;
}

double edge_noise(std::uint64_t num_examples, std::uint64_t num_train) {
  return num_examples >= num_train ? 0 : 1 / double(num_examples);
}

double log_likelihood(const Mixture& mixture, std::span<const double> edges) {
  double sum = 0;
  for (const double x : edges) {
    double density = 0;
    for (const auto& component : mixture.components)
      density += component.weight * normal_density(x, component.mean, component.variance);
    sum += stable_log(std::max(density, 1e-300));
  }
  const double variance = variance_of(edges, mean_of(edges));
  const double prior = kPrior * double(edges.size()) / double(mixture.components.size()) * variance;
  for (const auto& component : mixture.components) sum -= 0.5 * prior / component.variance;
  return sum;
}

Mixture fit_mixture(std::span<const double> edges, const Mixture* previous, double noise) {
  std::vector<double> sorted(edges.begin(), edges.end());
  std::sort(sorted.begin(), sorted.end());
  if (sorted.empty() || sorted.front() == sorted.back()) {
    if (previous) return *previous;
    Mixture narrow;
    narrow.components[0].mean = sorted.empty() ? 0 : sorted.front();
    return narrow;
  }
  const double variance = variance_of(sorted, mean_of(sorted));
  const std::size_t num_components = std::clamp<std::size_t>(sorted.size() / 5, 1, 3);
  Mixture mixture;
  mixture.components.clear();
  for (std::size_t c = 0; c < num_components; ++c) {
    const auto place = std::size_t((double(c) + 0.5) / double(num_components) * double(sorted.size()));
    mixture.components.push_back(
        {1 / double(num_components), sorted[place], std::max(kMinVariance, variance)});
  }
  double before = -1e300;
  for (int i = 0; i < kMaxIterations; ++i) {
    const std::size_t num_before = mixture.components.size();
    const double likelihood = improve(mixture, sorted, variance);
    // A component that is dropped lowers the likelihood for once.
    const bool same = mixture.components.size() == num_before;
    if (same && likelihood - before < kMinGain * std::abs(likelihood)) break;
    before = same ? likelihood : -1e300;
  }
  for (auto& component : mixture.components)
    component.variance = std::max(kMinVariance, component.variance - noise);
  return mixture;
}

ExpectedEdge::ExpectedEdge(std::span<const Mixture* const> families, double noise) {
  auto [nodes, weights] = quadrature(families, noise);
  const std::size_t num_nodes = nodes.size();
  node_weights_ = std::move(weights);
  log_product_.assign(num_nodes, 0);
  contributions_.assign(num_nodes, 0);
  for (const Mixture* family : families) {
    std::vector<double> log_cdf(num_nodes), contribution(num_nodes);
    for (std::size_t i = 0; i < num_nodes; ++i) {
      double cdf = 0, g = 0;
      for (const auto& component : family->components) {
        const double variance = component.variance + noise, d = nodes[i] - component.mean;
        cdf += component.weight * normal_cdf(d / std::sqrt(variance));
        g += component.weight * normal_density(nodes[i], component.mean, variance) *
             (component.mean + component.variance / variance * d);
      }
      cdf = std::max(cdf, 1e-300);
      log_cdf[i] = stable_log(cdf);
      contribution[i] = g / cdf;
    }
    log_cdf_.push_back(std::move(log_cdf));
    contribution_.push_back(std::move(contribution));
  }
}

double ExpectedEdge::with(std::size_t family, double count) const {
  const double *log_cdf = log_cdf_[family].data(), *contribution = contribution_[family].data();
  double sum = 0;
  for (std::size_t i = 0; i < node_weights_.size(); ++i)
    sum += node_weights_[i] * (contributions_[i] + count * contribution[i]) *
           stable_exp(log_product_[i] + count * log_cdf[i]);
  return sum;
}

void ExpectedEdge::add(std::size_t family, double count) {
  for (std::size_t i = 0; i < node_weights_.size(); ++i) {
    log_product_[i] += count * log_cdf_[family][i];
    contributions_[i] += count * contribution_[family][i];
  }
}

double expected_edge(const Mixture& family, double num_candidates, double noise) {
  const Mixture* families[] = {&family};
  return ExpectedEdge(families, noise).with(0, num_candidates);
}

}  // namespace mash
