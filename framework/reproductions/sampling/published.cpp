// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/sampling/published.hpp"

#include <vector>

#include "framework/base/settings.hpp"

namespace mash {
namespace {

// Dubout & Fleuret 2014, Tables 1, 2 and 4: adaptive sampling for large scale boosting, JMLR 15.
constexpr std::array kMnist{
    PublishedMethod{
        "Best family", "best-family", "", {-0.43, -0.95, -1.84, -4.84}, {36.48, 5.77, 1.47, 0.92}},
    PublishedMethod{
        "Uniform Naive", "uniform.naive", "", {-0.38, -0.85, -1.74, -5.37}, {45.3, 7.79, 1.64, 0.93}},
    PublishedMethod{"Uniform 1.Q", "uniform.1q", "", {-0.36, -0.75, -1.51, -3.90}, {49.4, 10.8, 2.18, 1.08}},
    PublishedMethod{"Uniform Q.1", "uniform.q1", "", {-0.38, -0.86, -1.72, -5.06}, {43.0, 7.40, 1.71, 0.97}},
    PublishedMethod{"UCB", "ucb", "scale", {-0.40, -0.79, -1.64, -5.54}, {41.9, 9.67, 1.86, 0.94}},
    PublishedMethod{"Exp3.P", "exp3.p", "scale", {-0.36, -0.77, -1.66, -5.42}, {47.9, 10.3, 1.79, 0.92}},
    PublishedMethod{
        "ε-greedy", "epsilon-greedy", "ratio", {-0.37, -0.88, -1.78, -5.45}, {45.9, 7.04, 1.57, 0.88}},
    PublishedMethod{"Tasting 1.Q", "tasting.1q", "", {-0.43, -0.96, -1.91, -5.90}, {36.1, 5.38, 1.41, 0.92}},
    PublishedMethod{"Tasting Q.1", "tasting.q1", "", {-0.44, -0.97, -1.91, -5.91}, {34.8, 5.31, 1.36, 0.94}},
    PublishedMethod{"M.A.S. Naive", "mas.naive", "", {-0.51, -1.01, -1.80, -5.06}, {26.3, 4.78, 1.54, 0.96}},
    PublishedMethod{"M.A.S. 1.Q", "mas.1q", "", {-0.48, -0.98, -1.74, -4.15}, {29.9, 5.21, 1.63, 1.04}},
    PublishedMethod{"M.A.S. Q.1", "mas.q1", "", {-0.43, -0.98, -1.78, -4.51}, {35.7, 5.21, 1.68, 1.01}},
    PublishedMethod{"Laminating", "laminating", "", {-0.55, -1.10, -2.00, -5.87}, {21.9, 3.85, 1.35, 0.96}},
};

constexpr std::array kInria{
    PublishedMethod{"Best family", "best-family", "", {-0.34, -0.93, -3.72, -26.9}, {12.2, 3.29, 1.20, 1.00}},
    PublishedMethod{
        "Uniform Naive", "uniform.naive", "", {-0.31, -0.86, -3.92, -31.9}, {13.4, 4.87, 1.27, 0.53}},
    PublishedMethod{"Uniform 1.Q", "uniform.1q", "", {-0.30, -0.95, -4.26, -34.3}, {14.2, 3.99, 0.89, 0.37}},
    PublishedMethod{"Uniform Q.1", "uniform.q1", "", {-0.30, -1.01, -4.86, -40.0}, {14.0, 3.92, 0.69, 0.33}},
    PublishedMethod{"UCB", "ucb", "scale", {-0.35, -1.08, -5.47, -49.3}, {12.1, 3.17, 0.61, 0.30}},
    PublishedMethod{"Exp3.P", "exp3.p", "scale", {-0.31, -0.91, -4.53, -44.7}, {13.6, 4.09, 0.79, 0.32}},
    PublishedMethod{
        "ε-greedy", "epsilon-greedy", "ratio", {-0.34, -1.11, -5.92, -49.3}, {12.9, 2.89, 0.54, 0.34}},
    PublishedMethod{"Tasting 1.Q", "tasting.1q", "", {-0.39, -1.30, -6.44, -54.1}, {10.9, 2.14, 0.49, 0.30}},
    PublishedMethod{"Tasting Q.1", "tasting.q1", "", {-0.40, -1.30, -6.54, -55.1}, {11.2, 2.33, 0.57, 0.32}},
    PublishedMethod{"M.A.S. Naive", "mas.naive", "", {-0.46, -1.50, -7.23, -60.4}, {8.80, 1.66, 0.44, 0.27}},
    PublishedMethod{"M.A.S. 1.Q", "mas.1q", "", {-0.41, -1.45, -6.87, -55.9}, {10.1, 1.82, 0.50, 0.28}},
    PublishedMethod{"M.A.S. Q.1", "mas.q1", "", {-0.44, -1.51, -6.97, -57.1}, {9.43, 1.65, 0.42, 0.27}},
    PublishedMethod{"Laminating", "laminating", "", {-0.56, -2.05, -11.2, -99.8}, {6.85, 1.12, 0.39, 0.30}},
};

constexpr std::array kCifar{
    PublishedMethod{"Best family", "best-family", "", {-0.27, -0.33, -0.43, -0.67}, {73.6, 57.4, 44.8, 40.2}},
    PublishedMethod{
        "Uniform Naive", "uniform.naive", "", {-0.26, -0.34, -0.48, -0.93}, {74.9, 55.9, 38.9, 32.2}},
    PublishedMethod{"Uniform 1.Q", "uniform.1q", "", {-0.26, -0.33, -0.47, -0.84}, {76.6, 57.5, 39.9, 31.3}},
    PublishedMethod{"Uniform Q.1", "uniform.q1", "", {-0.27, -0.34, -0.49, -0.91}, {74.3, 53.8, 37.6, 30.9}},
    PublishedMethod{"UCB", "ucb", "scale", {-0.27, -0.34, -0.49, -0.90}, {73.3, 56.2, 37.7, 30.6}},
    PublishedMethod{"Exp3.P", "exp3.p", "scale", {-0.26, -0.33, -0.47, -0.86}, {77.2, 58.0, 38.9, 30.3}},
    PublishedMethod{
        "ε-greedy", "epsilon-greedy", "ratio", {-0.26, -0.35, -0.49, -0.88}, {75.8, 53.4, 37.09, 30.0}},
    PublishedMethod{"Tasting 1.Q", "tasting.1q", "", {-0.28, -0.36, -0.50, -0.95}, {72.6, 50.9, 36.2, 31.7}},
    PublishedMethod{"Tasting Q.1", "tasting.q1", "", {-0.28, -0.36, -0.50, -0.95}, {71.8, 50.9, 36.3, 31.5}},
    PublishedMethod{"M.A.S. Naive", "mas.naive", "", {-0.28, -0.35, -0.49, -0.91}, {71.9, 52.5, 37.5, 31.0}},
    PublishedMethod{"M.A.S. 1.Q", "mas.1q", "", {-0.28, -0.35, -0.45, -0.63}, {70.7, 53.3, 40.5, 33.8}},
    PublishedMethod{"M.A.S. Q.1", "mas.q1", "", {-0.28, -0.35, -0.45, -0.62}, {71.4, 52.7, 40.4, 34.1}},
    PublishedMethod{"Laminating", "laminating", "", {-0.29, -0.37, -0.50, -0.88}, {67.8, 49.1, 36.8, 31.5}},
};

constexpr std::array kTables{
    PublishedTable{"table1", "MNIST, Dubout & Fleuret 2014, Table 1", "", kMnist},
    PublishedTable{
        "table2", "INRIA Person, Dubout & Fleuret 2014, Table 2",
        "The data are a subset with a split of its own: compare the order of the methods, not the values.",
        kInria},
    PublishedTable{"table4", "CIFAR-10, Dubout & Fleuret 2014, Table 4",
                   "The data are a subset: compare the order of the methods, not the values.", kCifar},
};

}  // namespace

std::span<const PublishedTable> published_tables() { return kTables; }

Result<const PublishedTable*> find_published_table(std::string_view name) {
  std::vector<std::string_view> known;
  for (const PublishedTable& table : kTables) {
    if (table.name == name) return &table;
    known.push_back(table.name);
  }
  return unknown_name("table", name, known);
}

}  // namespace mash
