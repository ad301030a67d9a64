"""The pages that are made of results/, and nothing else."""
import re
from pathlib import Path

from publishing.tables import (COUNTED, FAMILIES, NOT_COUNTED, RESULTS, ROOT, all_ids, in_papers_order, natural, read_published,
                               tables_in)

PAGE = ROOT / "docs" / "explanation" / "reproductions.md"
MOST_CELLS = 20  # of those that disagree, in a section
PICTURED = ["bls", "rls"]  # papers whose claims are about curves: their pictures are on the page of all
NOTHING_COUNTED = ("shown without a verdict", "no cell is counted")  # of a column beside the measured one
BEGIN, END = "<!-- made by scripts/publish_results.py: begin -->", "<!-- made by scripts/publish_results.py: end -->"
HEADER = ["paper", "claims that hold", "hold in part", "are open", "fail", "facts that agree", "are open", "disagree",
          "tables finished"]
HEADER_OF_CLAIMS = ["claim", "facts", "hold", "level", "consistent", "contrary", "fail", "not available", "hold in the paper"]

LEAD = """# Published tables beside ours

`scripts/publish_results.py` makes this page from the records in [`results/`](../../results). Other pages name
[the five papers](algorithms.md#bibliography), [the algorithms](algorithms.md) and [the words and
letters](../reference/glossary.md).

The first table counts claims and facts. A claim is a sentence of a paper, and consists of one or more facts.
Each of these is one comparison, or several that must hold together. A claim holds if all of its facts agree,
and holds in part if some do. It is open if none agrees and none fails.

The other facts are cells of the published tables. A cell [agrees or disagrees](verdicts.md) only if the runs
can tell. Otherwise it is open: the runs do not decide it, the measured values are equal but the published
ones differ, or there is no number here. Some cells state no fact of their own and are not counted. These are
tautologies (a size that a config sets), duplicates (one accuracy in four cells) and other readings of the
text. Cells of unfinished tables that have not been run are not counted either.

Each section shows the cells that disagree, with the reason if it is known, and links to a table of all cells
with their intervals.

All numbers have the scale of `--full`, which decides the claims of a table on one machine. A table is
finished when all trials of this scale are finished. A list at each table says how its cells are judged, and
how the run deviates from the paper. `scripts/reproduce.sh --full` runs the unfinished tables, and continues
from the trials in `results/`. The configs of the experiments behind the findings are in `configs/hunts/`.

If a paper states an order in words, ranks stand for it, and rank 1 is the lowest value. A curve in a picture
is the mean over the runs, and its band is one standard deviation. "Failed in 2 of 12" means that 2 of the 12
points of a curve, one for each run and size, have no number and are left out. Pictures of BLS show every
other lambda of eight. Those against lambda show the first, a middle and the last network.
"""


def shown(value):
    if value is None:
        return "NA"
    if isinstance(value, str):
        return value
    return f"{value:.0f}" if value == round(value) and abs(value) < 1e9 else f"{value:.4g}"


def markdown_table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "|".join("---" for _ in header) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def disagreeing(published):
    """Those cells with what was measured, and the reasons below; "" where there are none."""
    table = published.table
    names = [column["name"] for column in table["columns"]]
    keys = names[:names.index("published")]
    cells = [row for row in published.rows if row["verdict"].startswith(("disagrees", "NA")) and NOT_COUNTED not in row["verdict"]]
    if not cells:
        return ""
    varying = [key for key in keys if len({str(row[key]) for row in table["rows"]}) > 1]
    reasons, rows = [], []
    for row in cells[:MOST_CELLS]:
        note = row.get("notes", {}).get("verdict")
        if note and note not in reasons:
            reasons.append(note)
        mark = f" [{reasons.index(note) + 1}]" if note else ""
        interval = "" if row["low"] is None else f"{shown(row['low'])} to {shown(row['high'])}"
        rows.append([shown(row[key]) for key in varying] +
                    [shown(row["published"]), shown(row["measured"]), interval, row["verdict"] + mark])
    text = markdown_table(varying + ["published", "measured", "95 %", "verdict"], rows)
    if len(cells) > MOST_CELLS:
        text += f"\n\nThe first {MOST_CELLS} of {len(cells)} cells that disagree or are not available."
    for number, note in enumerate(reasons, 1):
        text += f"\n\n[{number}] {table['footnotes'][note - 1]}"
    return text + "\n"


def wrapped(text, width=110):
    lines, line = [], ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return "\n".join(lines + [line])


def pictures_of(published):
    """Those of the table; those of the whole run are at its first table."""
    pictures = sorted((published.folder / "plots").glob("*.svg"), key=lambda picture: natural(picture.stem))
    tables = tables_in(published.folder / "tables")
    first = published.id == min(tables, key=natural)
    of_table = lambda picture, id: picture.name.startswith(f"{id}_")
    return [picture for picture in pictures
            if of_table(picture, published.id) or first and not any(of_table(picture, id) for id in tables)]


def words_of(picture, id):
    """What it shows, for those who do not see it: "test accuracy against nodes (mnist), bls-figure1"."""
    words = picture.stem.removeprefix(f"{id}_").replace("_", " ")
    for short, long in (("test acc", "test accuracy"), ("train loss", "training loss"), (" by ", " against ")):
        words = words.replace(short, long)
    if words.endswith(" published"):
        return f"{words.removesuffix(' published')}, published (dashed) and measured (solid), by algorithm, {id}"
    quantity = next((name for name in ("test accuracy", "test loss", "training loss", "objective") if name in words), None)
    if quantity is None:
        return words
    where, against = words.split(quantity)
    return f"{quantity}{against} ({where.strip()}), {id}"


def about_pictures(published, pictures):
    """Says which figure of the paper the pictures of the table itself correspond to; "" where it is not a figure."""
    figure = re.search(r"Figure \d+(\.\w)?", published.table["title"])
    own = [picture for picture in pictures if picture.name.startswith(f"{published.id}_")]
    if not figure or not own:
        return ""
    if any(picture.stem.endswith("_published") for picture in own):
        return (f"The first picture is {figure[0]} of the paper, drawn from the published numbers (dashed, open marks) and from "
                "those measured here (solid, with 95 % intervals).")
    return f"The pictures correspond to {figure[0]} of the paper, which shows curves without numbers."


def section(published, base, pictures=True):
    """The section of one table; links begin at the folder `base`."""
    link = lambda path: Path(*[".."] * len(base.relative_to(ROOT).parts)) / path.relative_to(ROOT)
    title = published.table["title"].removesuffix(": published and measured")
    counts = ", ".join(f"{number} {COUNTED[verdict]}" for verdict, number in published.counts.items() if number)
    of_run = f" {published.finished} of {published.planned} trials are finished." if published.planned else ""
    of_run += f" {published.not_yet} cells have no number yet." if published.not_yet else ""
    of_run += f" {published.not_counted} cells are not counted." if published.not_counted else ""
    text = f"### `{published.id}`\n\n"
    text += wrapped(f"{title}: {counts or 'no cell is judged'}.{of_run} "
                    f"[Every cell]({link(published.folder / 'tables' / (published.id + '.md'))}).") + "\n\n"
    notes = [remark for remark in published.table["remarks"] if remark.endswith(".")]  # rules and deviations
    for remark in published.table["remarks"][1:]:  # the first one is the count
        if remark in notes or remark.endswith(NOTHING_COUNTED) or published.unfinished and remark.startswith("with "):
            continue
        text += wrapped(f"{remark[0].upper()}{remark[1:]}.") + "\n\n"
    text += "\n".join(wrapped(f"- {note}") for note in notes) + "\n\n" if notes else ""
    cells = disagreeing(published)
    text += "\n".join(line if line.startswith("|") else wrapped(line) for line in cells.split("\n")) + "\n" if cells else ""
    shown_pictures = pictures_of(published) if pictures else []
    about = about_pictures(published, shown_pictures)
    text += wrapped(about) + "\n\n" if about else ""
    for picture in shown_pictures:
        text += f"![{words_of(picture, published.id)}]({link(picture)})\n\n"
    return text


def claims_of(tables):
    """{sentence: {column: sum over the tables}}: each fact is in one table."""
    sums = {}
    for table in tables:
        for row in table.claims:
            of = sums.setdefault(row["claim"], dict.fromkeys(["facts", *COUNTED, "in_the_paper"], 0))
            for name in of:
                of[name] += int(row[name])
    return sums


def standing(of):
    """Whether a claim holds, by its facts; one that nothing was run for counts as open."""
    if of["agrees"] == of["facts"]:
        return "holds"
    if of["agrees"] > 0:
        return "in part"
    return "fails" if of["disagrees"] > 0 else "open"


def table_of_claims(tables):
    rows = [[claim, *(str(of[name]) for name in ("facts", *COUNTED, "in_the_paper"))] for claim, of in claims_of(tables).items()]
    return markdown_table(HEADER_OF_CLAIMS, rows) + "\n\n" if rows else ""


def family_rows(found, with_links):
    rows = []
    for family, name in FAMILIES.items():
        of_family = [table for table in found if table.id.split("-")[0] == family]
        known = sum(id.split("-")[0] == family for id in all_ids())
        heading = f"[{name}](docs/explanation/reproductions.md#{family})" if with_links else f"[{name}](#{family})"
        begun = sum(table.unfinished for table in of_family)
        claims = [standing(of) for of in claims_of(of_family).values()]
        facts = {verdict: sum(table.counts[verdict] for table in of_family) for verdict in COUNTED}
        numbers = [*(claims.count(one) for one in ("holds", "in part", "open", "fails")),
                   facts["agrees"], facts["level"] + facts["consistent"] + facts["contrary"] + facts["NA"], facts["disagrees"]]
        rows.append([heading, *map(str, numbers), f"{len(of_family) - begun} of {known}"])
    return rows


def findings_of(family):
    """The first paragraph, which answers in short whether the claims hold, and the rest."""
    file = RESULTS / "findings" / f"{family}.md"
    answer, _, rest = file.read_text().strip().partition("\n\n")
    return answer, rest


def page_of(found):
    text = LEAD + "\n" + markdown_table(HEADER, family_rows(found, False)) + "\n\n## Do the claims hold?\n\n"
    for family, name in FAMILIES.items():
        text += wrapped(f"**[{name}](#{family}).** {findings_of(family)[0]}") + "\n\n"
        text += table_of_claims([table for table in found if table.id.split("-")[0] == family])
    for family, name in FAMILIES.items():
        text = text.rstrip() + f"\n\n## {name}\n\n" + findings_of(family)[1] + "\n\n"
        for table in found:
            if table.id.split("-")[0] == family:
                text += section(table, PAGE.parent, family in PICTURED)
        missing = [f"`{id}`" for id in all_ids() if id.split("-")[0] == family and id not in {t.id for t in found}]
        if missing:
            text += wrapped("Not run at this scale yet: " + ", ".join(missing) + ".") + "\n"
    return text.rstrip() + "\n"


def readme_with(found):
    readme = (ROOT / "README.md").read_text()
    before, rest = readme.split(BEGIN)
    return before + BEGIN + "\n" + markdown_table(HEADER, family_rows(found, True)) + "\n" + END + rest.split(END)[1]


def pages():
    """Every file that is made of results/: path -> text."""
    found = sorted(read_published(), key=in_papers_order)
    files = {PAGE: page_of(found), ROOT / "README.md": readme_with(found)}
    for folder in sorted({table.folder for table in found}):
        files[folder / "README.md"] = "".join(section(t, folder) for t in found if t.folder == folder).rstrip() + "\n"
    return files


def write_pages():
    for file, text in pages().items():
        file.write_text(text)
