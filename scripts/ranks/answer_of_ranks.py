"""The words of results/beyond/README.md; rank_methods.py fills in the numbers.

What is in bold was read off the tables of the published run: who runs the experiment again has to read them again.
"""
import re
import textwrap

PAGE = """# Seven algorithms on {sets} data sets: which, and when?

Each of the papers that elmx runs again compares its own algorithm with a few others. Here those that learn from labelled samples meet,
on {regressions} regression and {classifications} classification problems of {fewest} to {most} samples. Every algorithm chooses its parameters inside the training
part of each of five outer folds, and is then tested once on the part that it has not seen. All have the same folds and the same scaled
inputs. `scripts/ranks/rank_methods.py` writes this page from the records that lie beside it.

| method | what it is |
|:--|:--|
| elm | random hidden nodes (tanh), ridge regression over them |
| rvfl | the same, with direct links from the inputs |
| bls | broad learning system: sparse-coded feature nodes, enhancement nodes, ridge regression |
| relm | random hidden nodes (sigmoid), ridge regression: where decomposition training begins |
| dec | a hidden layer of sigmoid units, input weights trained unit by unit, output weights by least squares |
| rls | one or two hidden layers of 64 nodes (relu), recursive least squares, squared error |
| adam | the same networks, Adam; cross entropy for classes |
| linear | ridge regression on the inputs; not ranked |

## Which should a reader use?

**The ranks alone do not choose.** {alike} The first and the last mean rank are {spread} apart, and {difference} would be needed to tell
two algorithms apart: {apart}. What follows is read off the tables below; a test has decided only what has a p beside it.

- **Begin with elm, rvfl or bls, and choose by leave-one-out errors.** Their mean ranks ({rank[elm]}, {rank[rvfl]}, {rank[bls]}) are close
  to that of adam ({rank[adam]}), adam takes about {time[adam]} times as long to train, and nothing has to be put aside for the choice.
  They have the lowest errors on yacht, the smallest regression problem (RMSE {score[yacht][elm]} of elm, {score[yacht][adam]} of adam).
  On classes bls has the best mean rank ({rank_classification[bls]}), and is {points[bls]} points behind the best of each set in the mean.
- **On concrete, airfoil, ionosphere and musk1 adam and rls are ahead.** Trained hidden layers have an RMSE of
  {score[concrete][adam]} and {score[airfoil][adam]} (adam), {score[concrete][rls]} and {score[airfoil][rls]} (rls) where the best of elm,
  rvfl and bls has {random[concrete]} and {random[airfoil]}; accuracy {score[ionosphere][adam]} and {score[musk1][adam]} (adam),
  {score[ionosphere][rls]} and {score[musk1][rls]} (rls) where it has {random[ionosphere]} and {random[musk1]}. Two of
  these sets have the most inputs of all, two have 1030 and 1503 samples; four sets, picked by their results, make no
  rule for another set.
- **rls or adam?** These sets do not say. rls is ahead on {rls_ahead} of {sets} (on two of them,
  planning_relax and ionosphere, with no more samples right: the folds have unequal sizes), behind on {rls_behind}; it takes about {time[rls]} times
  as long as elm, adam about {time[adam]} times. One sample of abalone (below) decides the place of rls: without its fold rls has the mean
  rank {rank_without_fifth[rls]} and adam {rank_without_fifth[adam]}.
- **Little here speaks for dec or relm.** They have the last mean ranks ({rank[dec]}, {rank[relm]}), and are first by little on
  transfusion (dec), abalone and pima (relm). dec is before elm, rvfl and bls on
  concrete and airfoil, but behind adam there, and its grid took about {search[dec]} times as long as that of elm. relm differs from elm
  by its activation, the range of its thresholds, the grid of its penalties and the way in which it chooses; by validation elm is no better than relm ({rank_validated[elm]} and
  {rank_validated[relm]}).
- **How parameters are chosen matters too.** Where all choose on a fifth of the training part, adam has the mean rank
  {rank_validated[adam]}, rls {rank_validated[rls]}, elm {rank_validated[elm]} and rvfl {rank_validated[rvfl]}, and this is told apart
  (Friedman: p {p_validated}): {apart_validated}. Leave-one-out errors choose better than the fifth on {loo_better[elm]} of {sets}
  sets for elm, on {loo_better[rvfl]} for rvfl and on {loo_better[bls]} for bls (sign test: p = {loo_p[elm]}, {loo_p[rvfl]} and {loo_p[bls]}).
  Where only a part that is put aside can choose, take adam or rls rather than elm or rvfl; the
  classification problems carry this (p {p_validated_classification}), the regression problems alone do not (p {p_validated_regression}).
- **Run `linear` first.** On planning_relax no algorithm is better than it (and it is no better than naming the larger class, 0.714);
  without that set adam has the mean rank {rank_without_planning[adam]}, rls {rank_without_planning[rls]}, rvfl {rank_without_planning[rvfl]}, bls
  {rank_without_planning[bls]} and elm {rank_without_planning[elm]}. And
  on pima the best has {score[pima][relm]} where it has {score[pima][linear]}. On all regression problems but abalone the best network has at most
  two thirds of its error.

## Ranks

![Mean ranks with the critical difference; the table below has the numbers](ranks.svg)

A bar joins algorithms that are not told apart. The best algorithm of a data set has rank 1, equal scores share their ranks. Friedman's
test of whether all are alike: F (Iman and Davenport) = {F}, p {p}. Nemenyi's critical difference at 5 %: {difference} for all
data sets, {difference_regression} for the regression problems alone, {difference_classification} for the classification problems alone.

{rank_table}

*All by validation*: mean rank where elm, rvfl and bls choose as the others do. *Best on*: data sets with the best score. *RMSE / best*:
median over the regression problems of the RMSE over that of the best algorithm there. *Points behind*: mean over the classification
problems of what the best algorithm there has more, in points of accuracy (percent). *Ahead of linear*: data sets, of {sets}, with a
better score than ridge regression on the inputs.

## Scores

The best of each set is in bold, with those that have the same three or four digits; *best on* above counts by all digits.

Test RMSE, mean over the five folds:

{regression_table}

Test accuracy, mean over the five folds:

{classification_table}

## Time to train

Ratios to the time of elm on the same data set: geometric mean over the data sets, least and largest. *Chosen network*: one training with
the chosen parameters, which differ from method to method; elm and bls draw the nodes of their largest network whatever they choose, and
that counts. *Whole grid*: every point once, on four fifths of the training part. The
machine did other work at the same time; everything ran on one thread. Read a factor of two as noise.

{time_table}

## What was chosen, and how

[The configs](../../configs/beyond/methods.json) have the grids. elm, rvfl, bls and linear take the point with the best leave-one-out error
(regression) or accuracy of the training part, which their solution gives for little. relm, dec, rls and adam have no such choice in elmx:
they take the point that is best on a fifth of the training part after training on the other four fifths, and are then trained on the
whole of it. Of equal points the one with fewest nodes is taken, then that with fewest steps, then that with the largest
penalty, then the first of the grid. The
number of epochs is chosen too. Not chosen, but set beforehand: the activations, the feature groups of bls, the first weights and the
inner L-BFGS of dec, the batch of 32, eta = 1 of rls, 64 nodes a layer, the losses. The ranges of the grids were set once, on validation
parts of energy, airfoil, pima and ionosphere. While the grids were
made, the test parts of concrete were seen once; only times were taken from that run.

The values that were chosen most often, each parameter by itself, and in how many of {folds} and {folds_classification} folds:

{choice_table}

## What cannot be told

- Five folds once, one draw of random weights in each: the scores of sets with a few hundred samples would move by some points with
  other folds. Differences of mean ranks below the critical one may be chance.
- On the regression problems the largest of the grid was chosen most often: 400 random nodes, 300 epochs, 50 units and 30 steps of dec.
  Larger networks and longer training may change the order there. On classes the penalties end at an edge: the largest ridge
  of elm and rvfl (10), tau_lambda (1 of relm, 0.1 of dec) and tau_w (100); a stronger penalty may do better. The weights of elm and rvfl
  end at an edge, too: the smallest range; the smallest k of rls (0.01) was often only the first of equals. On classes a fifth of the training part has many equal accuracies, so
  that small networks and few epochs were often taken.
- Sets of this size and kind only: no images, no text, no sequences, nothing above {most} samples.
- One sample moves abalone. Its file has a height of 1.13 where all others but one are at most 0.25; it is in the test part of the fifth
  fold. There rvfl has an RMSE of {fifth[rvfl]} and rls of {fifth[rls]}, the other five between {fifth_least} and {fifth_most}. Trust
  none of them outside of the range of its training data.
- Forests and boosting are not here; [twelve data sets](../../docs/explanation/twelve_sets.md) has elm and rvfl beside them.

## To make it again

<!-- not run: it trains for half an hour -->
```sh
for task in regression classification; do
  config="configs/beyond/methods.json configs/beyond/$task.json"
  elmx --threads 1 run $config configs/beyond/choosing.json -o out/beyond-$task-choosing
  elmx --threads 1 run $config -o out/beyond-$task
done
for run in regression-choosing regression classification-choosing classification; do
  scripts/ranks/thin_records.py out/beyond-$run results/beyond/$run --metric test_rmse,loo_mse,test_acc,loo_acc
done
scripts/ranks/rank_methods.py
```

`records.jsonl.gz` has every trial with those of these four metrics that its task has, to six digits. The commands of elmx read it, as in `elmx table
results/beyond/regression --metric test_rmse --rows dataset --cols case --where "chosen=by loo_mse"`. In the folders that end in
`-choosing` the "test part" is the fifth of the training part.
"""


def wrapped(text, width=110):
    """Paragraphs and items of lists in lines of at most `width` characters; tables, headings and blocks as they are."""
    blocks = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(block if block.startswith("```") else "\n\n".join(map(filled(width), block.split("\n\n"))) for block in blocks)


def filled(width):
    def fill(paragraph):
        if paragraph.lstrip("\n").startswith(("|", "#", "!")) or not paragraph.strip():
            return paragraph
        edge = "\n" if paragraph.startswith("\n") else ""
        items = re.split(r"\n(?=- )", paragraph.strip("\n"))
        lines = [textwrap.fill(" ".join(item.split()), width, subsequent_indent="  " if item.startswith("- ") else "",
                               break_long_words=False, break_on_hyphens=False) for item in items]
        return edge + "\n".join(lines) + ("\n" if paragraph.endswith("\n") else "")
    return fill
