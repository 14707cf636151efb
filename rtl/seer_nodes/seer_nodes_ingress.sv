// The traffic from the link, for a cache that is notified: packets, notifications, and the lengths
// of control packets.
//
// A packet has arrived when the gap behind it is over, `PacketOctets` after its start. It is at
// `come_*` until it is taken. Notifications count from the start of the frame behind their carrier,
// which is a gap or a control packet. From then on they are handed on at `told_*`, one per cycle:
// first that a control packet occupied the link (`told_push_o`), then its notifications, then those
// of the gap.
//
// Source: Seer (NSDI 2024), sections 3.1 and 3.2.
//
// Timing: a packet is at `come_*` in the cycle in which `block_i` has the last octet of the gap, or
// an earlier start. Notifications are at `told_*` two cycles after the block of the start, at the
// earliest. `time_i` is the time of the first octet of the block.
//
// Limits: a packet must be taken before the next has arrived. Notifications of a gap and a control
// packet fit into `Entries` slots, which are empty when the next ones arrive.
module seer_nodes_ingress
  import seer_nodes_pkg::*;
#(
  parameter int unsigned Entries   = 16,
  parameter int unsigned TimeWidth = 32
) (
  input  logic                  clk_i,
  input  logic                  rst_i,
  input  logic                  block_valid_i,
  input  logic [BlockWidth-1:0] block_i,
  input  logic [TimeWidth-1:0]  time_i,
  input  logic                  fpm_valid_i,     // from the side channel
  output logic                  fpm_ready_o,
  input  fpm_t                  fpm_i,
  output logic                  come_valid_o,
  input  logic                  come_ready_i,
  output logic [IdWidth-1:0]    come_id_o,
  output logic                  told_valid_o,
  input  logic                  told_ready_i,
  output logic                  told_push_o,
  output fpm_t                  told_fpm_o,
  output logic [TimeWidth-1:0]  told_time_o      // from which its delay counts
);

  localparam int unsigned PlaceWidth = $clog2(PerControl);
  localparam int unsigned CountWidth = $clog2(Entries + 1);

  // ---- frames ------------------------------------------------------------------------------

  // The known part of the frame that is arriving.
  typedef struct packed {
    logic [IndexWidth-1:0] next;     // index of its next word; 0: none is arriving
    logic                  control;
    logic [FpmsWidth-1:0]  carries;  // a control packet, FPMs
    logic [IdWidth-1:0]    id;
  } frame_t;

  word_t [1:0]           word;
  frame_t                frame_q, frame_d;
  fpm_t [PerControl-1:0] fpms_q, fpms_d;
  logic                  starts, start_lane, ends, end_lane;

  assign word = decode(block_i);

  always_comb begin
    frame_d                              = frame_q;
    fpms_d                               = fpms_q;
    {starts, start_lane, ends, end_lane} = '0;
    for (int unsigned w = 0; w < 2; w++) begin
      logic [IndexWidth-1:0] place;
      place = frame_d.next - FpmsAt;
      unique case (word[w].kind)
        WordStart: begin
          frame_d                = '0;
          frame_d.next           = IndexWidth'(1);
          {starts, start_lane}   = {1'b1, 1'(w)};
        end
        WordData: if (frame_d.next != '0) begin
          if (frame_d.next == TypeAt) begin
            frame_d.control = word[w].data[15:0] == ControlType;
            frame_d.carries = word[w].data[16+:FpmsWidth];
          end
          if (frame_d.next == IdAt) frame_d.id = word[w].data[IdWidth-1:0];
          if (frame_d.control && place < IndexWidth'(PerControl))
            fpms_d[PlaceWidth'(place)] = word[w].data;
          frame_d.next = frame_d.next + 1'b1;
        end
        WordEnd: if (frame_d.next != '0) begin
          frame_d.next     = '0;
          {ends, end_lane} = {1'b1, 1'(w)};
        end
        default: ;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (block_valid_i) {frame_q, fpms_q} <= {frame_d, fpms_d};
    if (rst_i) frame_q <= '0;
  end

  // ---- packets -----------------------------------------------------------------------------

  // The word behind its gap is `TailWords` behind its end: in the next block, or the one behind.
  logic               ending_q, due_q;
  logic [IdWidth-1:0] id_q, due_id_q;
  logic               ended;

  assign ended = block_valid_i && ends && !frame_d.control;

  always_ff @(posedge clk_i) begin
    if (ended) id_q <= frame_d.id;
    ending_q <= ended && end_lane;
    if (ending_q || (ended && !end_lane)) begin
      due_q    <= 1'b1;
      due_id_q <= ending_q ? id_q : frame_d.id;
    end else if (come_ready_i) begin
      due_q <= 1'b0;
    end
    if (rst_i) {ending_q, due_q} <= '0;
  end

  assign come_valid_o = due_q && !rst_i;
  assign come_id_o    = due_id_q;

  // ---- notifications -----------------------------------------------------------------------

  typedef struct packed {
    logic                 push;
    fpm_t                 fpm;
    logic [TimeWidth-1:0] at;
  } told_t;

  logic                  started, pushes_q, opens_q, puts;
  logic [FpmsWidth-1:0]  carried_q, left_q;   // of the last control packet
  logic [PlaceWidth-1:0] place_q;
  logic [CountWidth-1:0] unused_count;
  logic [TimeWidth-1:0]  start_q;
  told_t                 put, first;

  assign started = block_valid_i && starts;

  always_ff @(posedge clk_i) begin
    // Of a control packet before the frame that starts, if there was one.
    if (block_valid_i && ends) carried_q <= frame_d.control ? frame_d.carries : '0;
    pushes_q <= started && carried_q != '0;
    if (started) begin
      start_q <= time_i + (start_lane ? TimeWidth'(4) : '0);
      left_q  <= carried_q;
      place_q <= '0;
      opens_q <= 1'b1;
    end else if (!pushes_q && left_q != '0) begin
      left_q  <= left_q - 1'b1;
      place_q <= place_q + 1'b1;
    end else if (!pushes_q && !fpm_valid_i) begin
      opens_q <= 1'b0;
    end
    if (rst_i) {carried_q, left_q, pushes_q, opens_q} <= '0;
  end

  assign fpm_ready_o = opens_q && !pushes_q && left_q == '0;

  always_comb begin
    put = '{push: pushes_q, fpm: left_q != '0 ? fpms_q[place_q] : fpm_i, at: start_q};
    puts = pushes_q || left_q != '0 || (fpm_valid_i && opens_q);
  end

  seer_nodes_fifo #(
    .Entries(Entries),
    .Width  ($bits(told_t))
  ) i_told (
    .clk_i,
    .rst_i,
    .put_i  (puts && !rst_i),
    .data_i (put),
    .valid_o(told_valid_o),
    .take_i (told_valid_o && told_ready_i),
    .data_o (first),
    .count_o(unused_count)
  );

  assign {told_push_o, told_fpm_o, told_time_o} = first;

  logic unused;
  assign unused = &{1'b0, unused_count};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i) begin
      assert (!due_q || come_ready_i || !(ending_q || (ended && !end_lane)))
        else $error("a packet comes before the last one was taken");
      assert (!(started && opens_q)) else $error("a frame starts while notifications are handed on");
    end
  end
`endif

endmodule
