"""The arithmetic by which `make soak` says flat or not."""
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'bench'))
import flat  # noqa: E402


def life(begun, level, slope, count=120):
    """A sample a second; the beginning is a mess."""
    return [(begun + i, level + slope * i + (5000 if i < count / 8 else 0)) for i in range(count)]


class Slope(unittest.TestCase):
    def test_levels_of_lives_do_not_count(self):
        lives = [[(0, 10), (10, 30)], [(50, 1000), (60, 1020)]]
        self.assertAlmostEqual(flat.common_slope(lives), 2.0)

    def test_one_sample_tells_nothing(self):
        self.assertIsNone(flat.common_slope([[(0, 10)], []]))


class Thirds(unittest.TestCase):
    def test_are_thirds_of_the_time_not_of_the_samples(self):
        samples = [(0, 1), (1, 1), (2, 1), (15, 9), (29, 5), (30, 5)]
        self.assertEqual(flat.thirds(samples), (1, 5))

    def test_one_slow_moment_decides_nothing(self):
        samples = [(t, 90 if t == 28 else 1) for t in range(30)]
        self.assertTrue(flat.judge_thirds('p99', samples, 1.5).is_good)

    def test_slower_at_the_end_is_not_flat(self):
        self.assertFalse(flat.judge_thirds('p99', [(t, 1 + t / 30) for t in range(30)], 1.5).is_good)

    def test_too_few_are_no_proof(self):
        self.assertFalse(flat.judge_thirds('p99', [(0, 1)], 1.5).is_good)


class Growth(unittest.TestCase):
    def test_a_warm_up_and_other_levels_are_flat(self):
        self.assertTrue(flat.judge_growth('memory', [life(0, 20000, 0), life(150, 24000, 0)], 270).is_good)

    def test_the_bound_is_a_share_of_the_mean(self):
        for slope, is_good in ((0.9, True), (1.1, False)):
            lives = [[(t, 100000 + slope * (t - 1800)) for t in range(0, 3600, 10)]]
            seconds = flat.MEMORY_SHARE * 100000  # at a slope of 1 just what is allowed
            self.assertEqual(flat.judge_growth('memory', lives, seconds).is_good, is_good, slope)

    def test_what_a_restart_takes_away_counts(self):
        lives = [life(150 * n, 20000, 10) for n in range(5)]
        self.assertFalse(flat.judge_growth('memory', lives, 750).is_good)

    def test_less_and_less_is_flat(self):
        self.assertTrue(flat.judge_growth('memory', [life(0, 20000, -100)], 120).is_good)

    def test_short_lives_are_no_proof(self):
        for lives in ([[], []], [life(0, 20000, 0, count=59)]):
            verdict = flat.judge_growth('memory', lives, 40)
            self.assertFalse(verdict.is_good)
            self.assertTrue(verdict.words().startswith('not judged'))


class Levels(unittest.TestCase):
    def test_of_one_life_and_the_next(self):
        for level, is_good in ((21000, True), (23000, False)):
            lives = [life(0, 20000, 0), life(150, 20000, 0), life(300, level, 0)]
            self.assertEqual(flat.judge_levels('memory', lives).is_good, is_good)

    def test_the_first_minute_of_each_does_not_count(self):
        lives = [life(0, 10000, 0, count=60), life(100, 20000, 0), life(250, 20000, 0)]
        self.assertTrue(flat.judge_levels('memory', lives).is_good)

    def test_short_lives_are_no_proof(self):
        self.assertEqual(flat.judge_levels('memory', [life(0, 20000, 0, count=59)]).words(), flat.SHORT)


class Same(unittest.TestCase):
    def test_more_at_one_moment(self):
        lives = [[(t, 20 + (t == 30)) for t in range(40)]]
        self.assertTrue(flat.judge_same('descriptors', lives, 1).is_good)
        self.assertFalse(flat.judge_same('descriptors', lives, 0).is_good)

    def test_lives_are_held_against_each_other(self):
        lives = [[(t, 20) for t in range(40)], [(t, 22) for t in range(50, 90)]]
        self.assertTrue(flat.judge_same('descriptors', lives, 2).is_good)
        self.assertFalse(flat.judge_same('descriptors', lives, 1).is_good)


class Bounds(unittest.TestCase):
    def test_of_values(self):
        self.assertTrue(flat.judge_at_most('log', [1, 5], 5).is_good)
        self.assertFalse(flat.judge_at_most('log', [1, 6], 5).is_good)
        self.assertFalse(flat.judge_at_most('log', [], 5).is_good)

    def test_of_what_must_not_be(self):
        self.assertTrue(flat.judge_none('lost', 0, 'lost').is_good)
        self.assertFalse(flat.judge_none('lost', 1, 'lost').is_good)


if __name__ == '__main__':
    unittest.main()
