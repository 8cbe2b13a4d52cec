"""Markdown tables."""


def number(value):
    """Three figures that count."""
    if value >= 1000:
        return f'{value:,.0f}' if value < 10000 else f'{round(value, -2):,.0f}'
    if value >= 100:
        return f'{value:.0f}'
    if value >= 10:
        return f'{value:.1f}'
    return f'{value:.2f}'


def table(head, rows):
    """The first column is text, the others are numbers."""
    lines = ['| ' + ' | '.join(head) + ' |', '|---' + '|---:' * (len(head) - 1) + '|']
    lines += ['| ' + ' | '.join(str(cell) for cell in row) + ' |' for row in rows]
    return '\n'.join(lines)
