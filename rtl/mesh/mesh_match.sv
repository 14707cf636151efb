// Matches rows with columns that they request: at most one grant in each row and column,
// and no request stays without a grant whose row and column are both free.
//
// Combinational. In a square of requests, the cells of one (wrapped) diagonal never
// compete. The diagonals are served one after another, from `first_i` on. If first_i
// counts up from call to call, each cell is first in one call of `Ports`. So it gets at
// least that share under any other requests.
//
// Limits: its depth is that of `Ports` diagonals.
module mesh_match #(
  parameter int unsigned Ports = 4,
  localparam int unsigned PortWidth = Ports > 1 ? $clog2(Ports) : 1
) (
  input  logic [PortWidth-1:0]        first_i,   // below Ports
  input  logic [Ports-1:0][Ports-1:0] wants_i,   // row, then column
  output logic [Ports-1:0][Ports-1:0] grant_o
);

  always_comb begin
    logic [Ports-1:0] row_taken, column_taken;
    grant_o      = '0;
    row_taken    = '0;
    column_taken = '0;
    for (int unsigned d = 0; d < Ports; d++) begin
      for (int unsigned r = 0; r < Ports; r++) begin
        // Column (first + d + r) mod Ports, written as constants for each value of first.
        for (int unsigned f = 0; f < Ports; f++) begin
          if (first_i == PortWidth'(f) && wants_i[r][(f+d+r)%Ports] && !row_taken[r] &&
              !column_taken[(f+d+r)%Ports]) begin
            grant_o[r][(f+d+r)%Ports]  = 1'b1;
            row_taken[r]               = 1'b1;
            column_taken[(f+d+r)%Ports] = 1'b1;
          end
        end
      end
    end
  end

endmodule
