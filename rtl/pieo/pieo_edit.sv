// One sublist after an insertion, a removal, or both: the sorted list after the edit,
// without registers.
//
// A position is a run of ones from slot 0 on. `behind_i[i]`: slot i stays in front of the
// inserted element. `kept_i[i]`: slot i is in front of the removed one. Both are counted
// before the edit. All ones: no element is inserted or removed. The removed element must
// not be the inserted one. If an element is inserted into a full list and none is
// removed, the last element is lost.
module pieo_edit #(
  parameter int unsigned Slots = 4,
  parameter int unsigned Width = 8
) (
  input  logic [Slots-1:0][Width-1:0] list_i,
  input  logic [Slots:0]              behind_i,
  input  logic [Slots-1:0]            kept_i,
  input  logic [Width-1:0]            element_i,
  output logic [Slots-1:0][Width-1:0] list_o
);

  // With one more neighbour at both ends; index i + 1 is slot i.
  logic [Slots+1:0][Width-1:0] list;
  logic [Slots+2:0]            behind;
  logic [Slots:0]              kept;
  assign list   = {Width'(0), list_i, Width'(0)};
  assign behind = {behind_i[Slots], behind_i, 1'b1};
  assign kept   = {kept_i, 1'b1};

  always_comb begin
    for (int unsigned i = 0; i < Slots; i++) begin
      // The slot is behind the removed element, or has that element.
      automatic logic closes = !kept[i+1];
      // It is behind the removed element, or there is none before it.
      automatic logic opens = kept[i];
      if (closes && behind[i+2]) list_o[i] = list[i+2];
      else if (closes && behind[i+1]) list_o[i] = element_i;
      else if (opens && !behind[i]) list_o[i] = list[i];
      else if (opens && !behind[i+1]) list_o[i] = element_i;
      else list_o[i] = list[i+1];
    end
  end

endmodule
