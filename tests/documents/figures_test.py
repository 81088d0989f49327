# SPDX-License-Identifier: Apache-2.0
"""By hand: tournaments, costs read off a curve, correlations, sign tests."""

import unittest

import figures


def curve(name, points):
    return [{"sampler": name, "runs": 1, "round": round_, "train_loss_log10": loss, "fe": fe, "qs": qs, "stock": 0}
            for round_, loss, fe, qs in points]


class Tournaments(unittest.TestCase):
    def test_fresh_passes_pay_for_all_their_examples(self):
        self.assertEqual(list(figures.passes(8, 100, 60000, False)), [(8, 100, 100), (4, 200, 200), (2, 400, 400)])

    def test_nested_passes_pay_for_new_examples_alone(self):
        self.assertEqual(list(figures.passes(8, 100, 60000, True)), [(8, 100, 100), (4, 300, 200), (2, 700, 400)])

    def test_a_pass_over_all_examples_is_the_last(self):
        self.assertEqual(list(figures.passes(8, 100, 250, False)), [(8, 100, 100), (4, 200, 200), (2, 250, 250)])
        self.assertEqual(list(figures.passes(8, 200, 250, True)), [(8, 200, 200), (4, 250, 50)])

    def test_it_is_as_large_as_the_budget_allows(self):
        # 512 candidates in nine passes: 599 040 of 600 000 evaluations with 130 examples first
        new, whole = figures.tournament(None, 60000, False)
        self.assertAlmostEqual(new, 599040 / 60000)
        self.assertAlmostEqual(whole, new)
        new, whole = figures.tournament(None, 60000, True)
        self.assertLessEqual(new, 10)
        self.assertGreater(whole, 1.5 * new)


class EqualCost(unittest.TestCase):
    def test_losses_are_read_between_points_of_log_cost(self):
        points = curve("a", [(1, -0.1, 10, 10), (10, -0.3, 1000, 1000)])
        self.assertAlmostEqual(figures.loss_at(points, "fe", 100), -0.2)
        self.assertIsNone(figures.loss_at(points, "fe", 2000))

    def test_a_sampler_that_looks_more_often_falls_back_by_the_other_reading(self):
        rows = (curve("plain", [(1, -0.1, 10, 10), (1000, -1.0, 10000, 10000)])
                + curve("nested", [(1, -0.1, 10, 40), (1000, -1.1, 10000, 40000)]))
        text = figures.equal_cost(rows).splitlines()
        self.assertEqual(text[0], "| sampler | FE a round | Q·S a round | stock a round | FE = 100 N | FE = 1 000 N | "
                                  "FE = 5 000 N | Q·S = 100 N | Q·S = 1 000 N | Q·S = 5 000 N |")
        cells = {line.split(" | ")[0]: line.split(" | ") for line in text[2:]}
        self.assertIn("(1)", cells["| `nested`"][6])
        self.assertIn("(2)", cells["| `nested`"][9])


class Statistics(unittest.TestCase):
    def test_rank_correlation(self):
        self.assertAlmostEqual(figures.rank_correlation([1, 2, 3, 4], [10, 20, 40, 30]), 0.8)
        self.assertEqual(figures.ranks_of([5, 1, 5]), [2.5, 1, 2.5])

    def test_sign_test(self):
        self.assertAlmostEqual(figures.sign_test(24, 1), 2 * 26 / 2**25)
        self.assertEqual(figures.sign_test(3, 2), 1)


if __name__ == "__main__":
    unittest.main()
