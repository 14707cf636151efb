"""The ports of seer_cache: drives its inputs, reads its outputs, compares them with the model."""

from __future__ import annotations

from collections.abc import Mapping

from cocotb.handle import HierarchyObject

from seer.manager_model import Inputs, Outputs

FPM_WIDTHS = {"time": "TimeWidth", "id": "IdWidth", "size": "SizeWidth", "delay": "DelayWidth"}


class TargetPorts:
    """Inputs change seldom, so only those that have changed are written."""

    def __init__(self, dut: HierarchyObject, given: Mapping[str, int]) -> None:
        self.dut, self.given = dut, given
        self.written: dict[str, int] = {}

    def write(self, name: str, value: int) -> None:
        if self.written.get(name) != value:
            getattr(self.dut, name).value = value
            self.written[name] = value

    def packed(self, values: Mapping[int, int], width: int) -> int:
        """A value for each port, side by side."""
        return sum(value << (port * width) for port, value in values.items())

    def offer(self, inputs: Inputs) -> None:
        given = self.given
        self.write("now_i", inputs.now)
        self.write("fpm_valid_i", self.packed(dict.fromkeys(inputs.fpm, 1), 1))
        for name, width in FPM_WIDTHS.items():
            values = {port: getattr(fpm, name) for port, fpm in inputs.fpm.items()}
            self.write(f"fpm_{name}_i", self.packed(values, given[width]))
        self.write("push_valid_i", self.packed(dict.fromkeys(inputs.push, 1), 1))
        self.write("push_size_i", self.packed(inputs.push, given["SizeWidth"]))
        self.write("come_valid_i", inputs.come is not None)
        if inputs.come is not None:
            for name, value in zip(("port", "id", "dropped"), inputs.come, strict=True):
                self.write(f"come_{name}_i", int(value))
        self.write("fetch_ready_i", inputs.fetch_ready)
        self.write("fill_valid_i", inputs.fill is not None)
        if inputs.fill is not None:
            self.write("fill_id_i", inputs.fill[0])
            self.write("fill_way_i", inputs.fill[1])
        self.write("place_valid_i", inputs.place is not None)
        if inputs.place is not None:
            self.write("place_id_i", inputs.place)

    def get(self, name: str) -> int:
        return int(getattr(self.dut, name).value)

    def read(self, inputs: Inputs) -> dict[str, object]:
        """All outputs that are defined in this cycle."""
        found: dict[str, object] = {
            name: bool(self.get(f"{name}_ready_o"))
            for name, offered in (("come", inputs.come), ("fill", inputs.fill), ("place", inputs.place))
            if offered is not None
        }
        for kind, offered in (("fpm", inputs.fpm), ("push", inputs.push)):
            if offered:
                ready = self.get(f"{kind}_ready_o")
                found.update({f"{kind}{port}": bool(ready >> port & 1) for port in offered})
        found["fetch"] = self.enters("fetch") if self.get("fetch_valid_o") else None
        found["placed"] = self.placed() if self.get("placed_valid_o") else None
        found["iterated"] = bool(self.get("iterated_o"))
        found["changed"] = bool(self.get("changed_o"))
        found["answer"] = self.answer() if self.get("answer_valid_o") else None
        found["refused"], found["expired"] = self.get("refused_o"), self.get("expired_o")
        return found

    def enters(self, name: str) -> tuple[int, ...]:
        evicted = self.get(f"{name}_evicted_o") if self.get(f"{name}_evicts_o") else -1
        port = self.get("fetch_port_o") if name == "fetch" else 0
        return self.get(f"{name}_id_o"), self.get(f"{name}_way_o"), evicted, port

    def placed(self) -> tuple[int, tuple[int, ...] | None]:
        entered = self.enters("placed") if self.get("placed_enters_o") else None
        return self.get("placed_id_o"), entered

    def answer(self) -> tuple[int, int, int]:
        where, id = self.get("answer_where_o"), self.get("answer_id_o")
        return where, id, self.get("answer_way_o")

    def compare(self, found: dict[str, object], out: Outputs, inputs: Inputs, cycle: int) -> None:
        expected: dict[str, object] = {name: out.ready[name] for name in found if name in out.ready}
        expected["fetch"] = shown(out.fetch)
        expected["placed"] = None if out.placed is None else (out.placed[0], shown(out.placed[1]))
        expected["iterated"], expected["changed"] = out.iterated, out.changed
        expected["answer"] = out.answer
        expected["refused"] = sum(1 << port for port in out.refused)
        expected["expired"] = sum(1 << port for port in out.expired)
        wrong = {name: (value, expected[name]) for name, value in found.items() if value != expected[name]}
        assert not wrong, f"cycle {cycle}, {inputs}: found and expected {wrong}"


def shown(enters: object) -> tuple[int, ...] | None:
    """The insertion that the ports report."""
    if enters is None:
        return None
    evicted = -1 if enters.evicted is None else enters.evicted
    return enters.id, enters.way, evicted, enters.port
