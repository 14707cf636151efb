"""AXI4-Lite as its master: one read and one write at a time, cycle by cycle."""

from __future__ import annotations

from dataclasses import dataclass

from cocotb.handle import HierarchyObject


@dataclass
class Read:
    """A read; `patience`: cycles in which the answer is kept waiting."""

    address: int
    patience: int
    accepted: bool = False
    word: int | None = None
    response: int | None = None


@dataclass
class Write:
    """A write; `lead`: cycles by which its address is before its data, or behind if negative."""

    address: int
    word: int
    strobes: int
    patience: int
    lead: int
    accepted: bool = False
    answered: bool = False
    response: int | None = None


class Axil:
    """The ports s_axil_*. In each cycle `drive` comes before the outputs settle, `sample` after it."""

    def __init__(self, dut: HierarchyObject) -> None:
        self.dut = dut
        self.reading: Read | None = None
        self.writing: Write | None = None

    def read(self, address: int, patience: int) -> Read:
        self.reading = Read(address, patience)
        return self.reading

    def write(self, address: int, word: int, strobes: int, patience: int, lead: int) -> Write:
        self.writing = Write(address, word, strobes, patience, lead)
        return self.writing

    def drive(self) -> None:
        dut, read, write = self.dut, self.reading, self.writing
        dut.s_axil_arvalid_i.value = read is not None and not read.accepted
        dut.s_axil_rready_i.value = read is not None and read.patience <= 0
        if read is not None:
            dut.s_axil_araddr_i.value = read.address
        sends = write is not None and not write.accepted
        dut.s_axil_awvalid_i.value = sends and write.lead >= 0
        dut.s_axil_wvalid_i.value = sends and write.lead <= 0
        dut.s_axil_bready_i.value = write is not None and write.patience <= 0
        if write is not None:
            dut.s_axil_awaddr_i.value = write.address
            dut.s_axil_wdata_i.value = write.word
            dut.s_axil_wstrb_i.value = write.strobes
            write.lead -= (write.lead > 0) - (write.lead < 0)

    def sample(self) -> list[Write]:
        """Writes that were answered well from this cycle on."""
        dut, read, write = self.dut, self.reading, self.writing
        done = []
        if read is not None:
            if int(dut.s_axil_rvalid_o.value):
                assert read.accepted, "data that nobody has asked for"
                if read.patience <= 0:
                    read.word = int(dut.s_axil_rdata_o.value)
                    read.response = int(dut.s_axil_rresp_o.value)
                    self.reading = None
                read.patience -= 1
            elif int(dut.s_axil_arvalid_i.value) and int(dut.s_axil_arready_o.value):
                read.accepted = True
        if write is not None:
            if int(dut.s_axil_bvalid_o.value):
                response = int(dut.s_axil_bresp_o.value)
                assert write.accepted, "an answer to no write"
                if not write.answered and response == 0:
                    done.append(write)
                write.answered = True
                if write.patience <= 0:
                    write.response = response
                    self.writing = None
                write.patience -= 1
            elif int(dut.s_axil_awvalid_i.value) and int(dut.s_axil_wvalid_i.value):
                both = int(dut.s_axil_awready_o.value), int(dut.s_axil_wready_o.value)
                assert both[0] == both[1], "address and data are taken together"
                write.accepted = both[0] == 1
        return done
