"""Plots completion times by load from the table of a network sweep, with pandas alone, as docs/result.md says.

Usage: plot_by_load.py TABLE PICTURE, of which TABLE ends in .csv or .parquet.
"""

import sys

import pandas as pd

table, picture = sys.argv[1:]
rows = pd.read_parquet(table) if table.endswith(".parquet") else pd.read_csv(table)
fct = rows[(rows.metric == "fct:p99") & (rows.subject == "all")]
by_load = fct.groupby(["load", "policy"]).value.mean().unstack()
by_load.plot(marker="o", ylabel="flow completion time, p99 [s]").figure.savefig(picture)
print(by_load.to_csv(), end="")
