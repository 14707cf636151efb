"""Plots the distribution of completion times by load from the flows of a network sweep, with pandas alone, as docs/result.md says.

Usage: plot_flows.py TABLE PICTURE, of which TABLE ends in .csv or .parquet.
"""

import sys

import pandas as pd

table, picture = sys.argv[1:]
flows = pd.read_parquet(table) if table.endswith(".parquet") else pd.read_csv(table, float_precision="round_trip")
counted = flows[flows.counted]
axes = None
for (load, policy), fct in counted.dropna(subset="fct").groupby(["load", "policy"]).fct:
    share = fct.rank(pct=True).set_axis(fct).sort_index()
    axes = share.plot(logx=True, legend=True, label=f"{policy}, load {load}", ax=axes)
axes.set(xlabel="flow completion time [s]", ylabel="share of flows")
axes.figure.savefig(picture)
print(counted.groupby(["load", "policy"]).fct.agg(["count", "sum", "max"]).to_csv(), end="")
