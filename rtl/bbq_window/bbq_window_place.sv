// Finds the position of a rank in a rolling window of two halves, and the window after it.
//
// Combinational. A rank is split: its lower SpanWidth bits are the rank within a half, the next bit
// is the half, and the bits from there up number the spans. A window at span b covers the spans b
// and b + 1.
module bbq_window_place #(
  parameter int unsigned RankWidth = 16,
  parameter int unsigned SpanWidth = 5,
  localparam int unsigned BaseWidth = RankWidth - SpanWidth
) (
  input  logic                 none_i,    // the window is empty: it moves to the rank
  input  logic [BaseWidth-1:0] base_i,
  input  logic [BaseWidth-1:0] last_i,    // its second span; base_i itself if that is the last
  input  logic [RankWidth-1:0] rank_i,
  output logic [BaseWidth-1:0] base_o,    // after an enqueue of that rank
  output logic [BaseWidth-1:0] last_o,
  output logic                 half_o,
  output logic [SpanWidth-1:0] place_o,   // the nearest rank, if the rank is outside
  output logic                 before_o,  // the rank is before the window
  output logic                 beyond_o   // or beyond it
);

  logic [BaseWidth-1:0] span;
  logic                 early, late;

  assign span  = rank_i[RankWidth-1:SpanWidth];
  assign early = span < base_i;
  assign late  = span > last_i;

  always_comb begin
    base_o   = base_i;
    last_o   = last_i;
    half_o   = span[0];
    place_o  = rank_i[SpanWidth-1:0];
    before_o = 1'b0;
    beyond_o = 1'b0;
    if (early && none_i) begin
      base_o = span;
      last_o = span + 1'b1;   // early, so that a later one exists
    end else if (early) begin
      before_o = 1'b1;
      half_o   = base_i[0];
      place_o  = '0;
    end else if (late && none_i) begin
      base_o = span - 1'b1;
      last_o = span;
    end else if (late) begin
      beyond_o = 1'b1;
      half_o   = last_i[0];
      place_o  = '1;
    end
  end

endmodule
