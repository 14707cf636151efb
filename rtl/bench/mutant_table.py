"""The faults of `make rtl-mutants`, by queue."""

from __future__ import annotations

from bench.mutants import Mutant
from bench.queues import Parameters, bbq_shape

# Small shapes, so that every state is reached soon.
SHAPES: dict[str, tuple[Parameters, ...]] = {
    "bbq": (bbq_shape(2, 4, 16), bbq_shape(3, 2, 15, partitions=2), bbq_shape(1, 8, 16)),
    "model_queue": ({"Entries": 16},),
}

MODEL_QUEUE = "bench/fixtures/model_queue.sv"

MUTANTS: list[Mutant] = [
    Mutant("model_queue", MODEL_QUEUE, "sorted_q[i].rank <= req_rank_i", "sorted_q[i].rank < req_rank_i",
           "order among equal ranks"),
    Mutant("model_queue", MODEL_QUEUE, "if (i >= place) sorted_q[i] <= sorted_q[i+1];",
           "if (i > place) sorted_q[i] <= sorted_q[i+1];", "what is taken is taken away"),
]
