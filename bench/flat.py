"""When a figure that was sampled again and again counts as flat. Plain arithmetic: nothing is asked of the system.

A life is the time between two restarts; its samples are (seconds, value)."""
import statistics

WARM_SHARE = 0.5      # of a life: what is bounded fills up
MEMORY_WARM_S = 60    # of memory, at least
MEMORY_SHARE = 0.1    # so much of it may come on in a run
MEMORY_FLOOR_KIB = 4096  # or so much, where that is more: an allocator's pages come and go
TIME_RATIO = 1.5      # the last third against the first
DISK_RATIO = 1.15     # the same
ACROSS_RATIO = 1.1    # the same, of memory
SHORT = 'not judged, lives are too short'


def warm(life, least_s=0):
    """Its samples without those of the beginning, of so many seconds at least."""
    if not life:
        return []
    begun, ended = life[0][0], life[-1][0]
    return [sample for sample in life if sample[0] >= begun + max(least_s, WARM_SHARE * (ended - begun))]


def common_slope(lives):
    """By least squares: of all lives together, each with a level of its own; a second. None: nothing to tell it from."""
    above = below = 0.0
    for life in lives:
        if len(life) < 2:
            continue
        mean_t = statistics.fmean(t for t, _ in life)
        mean_y = statistics.fmean(y for _, y in life)
        above += sum((t - mean_t) * (y - mean_y) for t, y in life)
        below += sum((t - mean_t) ** 2 for t, _ in life)
    return above / below if below > 0 else None


def thirds(samples):
    """The medians of the first and of the last third of the time. None: there are too few."""
    if len(samples) < 6:
        return None
    begun, ended = samples[0][0], samples[-1][0]
    third = (ended - begun) / 3
    first = [y for t, y in samples if t <= begun + third]
    last = [y for t, y in samples if t >= ended - third]
    return (statistics.median(first), statistics.median(last)) if first and last else None


class Verdict:
    """`excuse`: why it cannot be told, where it is not good."""

    def __init__(self, name, is_good, figures, rule, excuse=None):
        self.name, self.is_good, self.figures, self.rule, self.excuse = name, is_good, figures, rule, excuse

    def words(self):
        return 'good' if self.is_good else self.excuse or '**NOT**'


def judge_growth(name, lives, seconds):
    """Memory in KiB, within lives."""
    lives = [warm(life, MEMORY_WARM_S) for life in lives]
    slope = common_slope(lives)
    rule = (f'slope within lives, without the first {WARM_SHARE:.0%} of each and its first {MEMORY_WARM_S} s, times the '
            f'length of the run: at most {MEMORY_SHARE:.0%} of the mean, or {MEMORY_FLOOR_KIB / 1024:g} MiB where that is more')
    if slope is None:
        return Verdict(name, False, 'too few samples', rule, SHORT)
    mean = statistics.fmean(y for life in lives for _, y in life)
    growth, allowed = slope * seconds, max(MEMORY_SHARE * mean, MEMORY_FLOOR_KIB)
    return Verdict(name, growth <= allowed,
                   f'{growth / 1024:+.2f} MiB of {mean / 1024:.1f} MiB; {allowed / 1024:.2f} MiB allowed', rule)


def judge_levels(name, lives):
    """Memory in KiB, from life to life: what is bounded has filled up."""
    warm_lives = [(t, kib / 1024) for life in lives for t, kib in warm(life, MEMORY_WARM_S)]
    verdict = judge_thirds(name, warm_lives, ACROSS_RATIO, ' MiB')
    if thirds(warm_lives) is None:
        verdict.excuse = SHORT
    return verdict


def judge_thirds(name, samples, most, unit=''):
    """What came of it in the last third of the run, against the first third; `most` is their ratio."""
    rule = f'median of the last third: at most {most:g} times that of the first'
    found = thirds(samples)
    if found is None:
        return Verdict(name, False, 'too few samples', rule)
    first, last = found
    return Verdict(name, last <= most * first, f'{first:.2f}{unit}, then {last:.2f}{unit}', rule)


def judge_same(name, lives, slack):
    """A number of things that are made once, but for `slack` that are made when they are needed."""
    values = [y for life in lives for _, y in warm(life)]
    rule = f'without the first {WARM_SHARE:.0%} of each life, never more than {slack} above the fewest'
    if not values:
        return Verdict(name, False, 'no samples', rule)
    return Verdict(name, max(values) <= min(values) + slack, f'{min(values):g} to {max(values):g}', rule)


def judge_at_most(name, values, most):
    figures = f'at most {max(values):,.0f}' if values else 'no samples'
    return Verdict(name, bool(values) and max(values) <= most, figures, f'never above {most:,}')


def judge_none(name, count, what):
    return Verdict(name, count == 0, f'{count:,}', f'{what}: none')
