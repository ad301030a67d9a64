"""The critical-difference diagram of Demsar as SVG: mean ranks on a line, a bar over those that are not told apart."""
from html import escape

from mean_ranks import level_groups

WIDTH, LEFT, RIGHT, AXIS, ROW = 760, 170, 590, 84, 26
INK, BAR, PAPER = "#1a1a1a", "#c2410c", "#ffffff"


def line(x1, y1, x2, y2, width=1.2, colour=INK):
    return (f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" '
            f'stroke-width="{width}" stroke-linecap="round"/>')


def text(x, y, words, anchor="middle", weight="normal"):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-weight="{weight}">{escape(words)}</text>'


def diagram(names, R, difference, title):
    """names, R: of k methods. Returns the SVG."""
    k = len(names)
    at = lambda rank: LEFT + (rank - 1) / (k - 1) * (RIGHT - LEFT)
    groups = level_groups(R, difference)
    first_label = AXIS + 22 + 11 * len(groups)
    order = sorted(range(k), key=lambda j: R[j])
    left, right = order[:(k + 1) // 2], order[(k + 1) // 2:]
    height = first_label + ROW * len(left) + 6

    parts = [text(LEFT, 24, title, "start", "bold")]
    parts += [line(LEFT, 50, at(1 + difference), 50, 2), line(LEFT, 45, LEFT, 55), line(at(1 + difference), 45, at(1 + difference), 55),
              text(at(1 + difference) + 8, 55, f"critical difference {difference:.2f}", "start")]
    parts.append(line(LEFT, AXIS, RIGHT, AXIS))
    for rank in range(1, k + 1):
        parts += [line(at(rank), AXIS - 5, at(rank), AXIS), text(at(rank), AXIS - 9, str(rank))]
    for n, group in enumerate(groups):
        y = AXIS + 14 + 11 * n
        parts.append(line(at(R[group[0]]) - 4, y, at(R[group[-1]]) + 4, y, 5, BAR))
    for side, x, anchor in ((left, LEFT - 30, "end"), (list(reversed(right)), RIGHT + 30, "start")):
        for n, j in enumerate(side):
            y = first_label + ROW * n + 8
            parts += [line(at(R[j]), AXIS, at(R[j]), y), line(x, y, at(R[j]), y),
                      text(x - 6 if anchor == "end" else x + 6, y + 5, f"{names[j]}  {R[j]:.2f}", anchor)]
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" font-family="sans-serif" '
            f'font-size="15" fill="{INK}">\n<title>{escape(title)}</title>\n'
            f'<rect width="{WIDTH}" height="{height:.0f}" fill="{PAPER}"/>\n' + "\n".join(parts) + "\n</svg>\n")
