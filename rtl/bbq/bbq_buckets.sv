// The buckets: a double-ended queue of elements for each rank, all in one pool, one
// operation per cycle on any of them, in order of arrival from the low end and in
// reverse order from the high end.
//
// A list whose links lie in a memory can't be followed at an element per cycle, since
// the next link is read only when the last one has come. The paper lets back-to-back
// dequeues of one bucket take from both ends in turn (operation colouring; section 4.2,
// H3), which gives up the order. Here the links skip one element: each element knows the
// one two places behind it and the one two places before it, and each bucket the first
// two and the last two of its elements. A dequeue takes the first, the second becomes
// the first, and the link of the one taken, which arrives two cycles later, becomes the
// second, when it is needed at the earliest. The price is two more pointers per bucket.
//
// Cycles: R0 read of the bucket presented, B = R0 + 2 its turn, B + 1 element read or
// written, B + 2 links read arrive or are written, B + 3 bucket written, data at
// data_b3_o. Of a bucket only what its count allows is ever looked at: with no elements
// nothing, with one first_place and last_place.
module bbq_buckets
#(
  parameter int unsigned Buckets   = 16,
  parameter int unsigned Entries   = 16,
  parameter int unsigned DataWidth = 8,
  parameter bit          Parity    = 1'b0,
  localparam int unsigned BucketWidth = $clog2(Buckets),
  localparam int unsigned PlaceWidth  = Entries > 1 ? $clog2(Entries) : 1
) (
  input  logic                   clk_i,
  input  logic                   rst_i,
  // cycle R0
  input  logic                   read_i,
  input  logic [BucketWidth-1:0] bucket_r0_i,
  // cycle R0 + 1
  input  logic [5:3]             same_r1_i,   // same bucket as the operation d ahead
  // cycle B
  input  logic                   valid_b_i,
  input  logic                   enqueue_b_i,
  input  logic                   peek_b_i,
  input  logic                   highest_b_i,
  input  logic                   none_b_i,    // the bucket holds no element now
  input  logic                   one_b_i,     // it holds one
  input  logic                   two_b_i,     // it holds two
  input  logic [2:1]             same_b_i,
  input  logic [BucketWidth-1:0] bucket_b_i,
  // cycle B + 1
  input  logic [DataWidth-1:0]   data_b1_i,
  // cycle B + 3
  output logic [DataWidth-1:0]   data_b3_o,
  output logic                   error_o
);

  typedef logic [PlaceWidth-1:0] place_t;

  logic bucket_error, next_error, previous_error, data_error, free_error;

  typedef struct packed {
    place_t first;   // the earliest arrival
    place_t second;
    place_t last;    // the latest arrival
    place_t prior;   // the one before the last
  } bucket_t;

  // ---- cycle B: the bucket's turn -----------------------------------------------------

  bucket_t bucket_b, changed_b;
  logic    dequeue_first_b, dequeue_last_b, enqueue_b;
  logic    second_late_b, prior_late_b;  // that place comes only in the next cycle
  place_t  free_b, element_b;

  assign enqueue_b       = valid_b_i && enqueue_b_i;
  assign dequeue_first_b = valid_b_i && !enqueue_b_i && !peek_b_i && !highest_b_i;
  assign dequeue_last_b  = valid_b_i && !enqueue_b_i && !peek_b_i && highest_b_i;

  always_comb begin
    if (enqueue_b_i)      element_b = free_b;
    else if (highest_b_i) element_b = bucket_b.last;
    else                  element_b = bucket_b.first;
  end

  always_comb begin
    changed_b = bucket_b;
    if (enqueue_b) begin
      if (none_b_i) changed_b.first = free_b;
      if (one_b_i) changed_b.second = free_b;
      changed_b.prior = bucket_b.last;
      changed_b.last   = free_b;
    end
    if (dequeue_first_b) changed_b.first = bucket_b.second;  // second: its link, later
    if (dequeue_last_b) changed_b.last = bucket_b.prior;    // prior: its link, later
  end

  // Which places of the changed bucket are those that come in the next cycle.
  logic first_late_d, second_late_d, last_late_d, prior_late_d;
  assign first_late_d  = dequeue_first_b && second_late_b;
  assign second_late_d = second_late_b && !dequeue_first_b && !(enqueue_b && one_b_i);
  assign last_late_d   = dequeue_last_b && prior_late_b;
  assign prior_late_d = prior_late_b && !dequeue_last_b && !enqueue_b;

  bbq_free_list #(
    .Entries(Entries),
    .Parity (Parity)
  ) i_free_list (
    .clk_i,
    .rst_i,
    .take_i (enqueue_b),
    .place_o(free_b),
    .give_i (dequeue_first_b || dequeue_last_b),
    .place_i(element_b),
    .error_o(free_error)
  );

  // ---- the bucket after an operation: s1 in B + 1, s2 in B + 2, late places filled in --

  bucket_t s1_q, s2_q, s1, s2;
  logic    first_late_q, second_late_q, last_late_q, prior_late_q;
  logic    took_first_1, took_first_2, took_last_1, took_last_2;
  logic    change_1, change_2, change_3;
  place_t  next_b2, previous_b2;  // the link that was asked for two cycles ago
  logic [BucketWidth-1:0] bucket_1, bucket_2, bucket_3;

  always_comb begin
    s1 = s1_q;
    if (first_late_q) s1.first = next_b2;
    if (second_late_q) s1.second = next_b2;
    if (last_late_q) s1.last = previous_b2;
    if (prior_late_q) s1.prior = previous_b2;
    s2 = s2_q;
    if (took_first_2) s2.second = next_b2;
    if (took_last_2) s2.prior = previous_b2;
  end

  // The place that the operation just ahead asked for.
  assign second_late_b = same_b_i[1] && took_first_1;
  assign prior_late_b = same_b_i[1] && took_last_1;

  always_ff @(posedge clk_i) begin
    s1_q          <= changed_b;
    s2_q          <= s1;
    first_late_q  <= first_late_d;
    second_late_q <= second_late_d;
    last_late_q   <= last_late_d;
    prior_late_q <= prior_late_d;
    took_first_1  <= dequeue_first_b;
    took_first_2  <= took_first_1;
    took_last_1   <= dequeue_last_b;
    took_last_2   <= took_last_1;
    bucket_1      <= bucket_b_i;
    bucket_2      <= bucket_1;
    bucket_3      <= bucket_2;
    change_1      <= valid_b_i && !peek_b_i && !rst_i;
    change_2      <= change_1 && !rst_i;
    change_3      <= change_2 && !rst_i;
  end

  bbq_forward #(
    .Depth (Buckets),
    .Width ($bits(bucket_t)),
    .Parity(Parity)
  ) i_forward (
    .clk_i,
    .read_i,
    .raddr_i   (bucket_r0_i),
    .same_r1_i,
    .blank_r1_i(1'b0),
    .valid_d_i (valid_b_i && !none_b_i),
    .same_d_i  (same_b_i),
    .s1_i      (s1),
    .s2_i      (s2),
    .word_d_o  (bucket_b),
    .error_d_o (bucket_error),
    .write_s3_i(change_3),
    .waddr_s3_i(bucket_3)
  );

  // ---- links ---------------------------------------------------------------------------

  // An enqueue behind two or more elements links the new one with the one before the
  // last, in both directions.
  logic   link_1, link_2, prior_late_1;
  place_t prior_1, prior_2, element_1, element_2;

  always_ff @(posedge clk_i) begin
    link_1        <= enqueue_b && !none_b_i && !one_b_i && !rst_i;
    link_2        <= link_1 && !rst_i;
    prior_1      <= bucket_b.prior;
    prior_late_1 <= prior_late_b;
    prior_2      <= prior_late_1 ? previous_b2 : prior_1;
    element_1     <= element_b;
    element_2     <= element_1;
  end

  bbq_links #(
    .Entries(Entries),
    .Parity (Parity)
  ) i_next (
    .clk_i,
    .read_i  (dequeue_first_b),
    .place_i (bucket_b.first),
    .link_o  (next_b2),
    .write_i (link_2),
    .wplace_i(prior_2),
    .wlink_i (element_2),
    .error_o (next_error)
  );

  bbq_links #(
    .Entries(Entries),
    .Parity (Parity)
  ) i_previous (
    .clk_i,
    .read_i  (dequeue_last_b),
    .place_i (bucket_b.last),
    .link_o  (previous_b2),
    .write_i (link_2),
    .wplace_i(element_2),
    .wlink_i (prior_2),
    .error_o (previous_error)
  );

  // ---- elements --------------------------------------------------------------------------

  logic enqueue_1, read_1, read_2, read_3;

  always_ff @(posedge clk_i) begin
    enqueue_1 <= enqueue_b && !rst_i;
    read_1    <= valid_b_i && !enqueue_b_i && !rst_i;
    read_2    <= read_1 && !rst_i;
    read_3    <= read_2 && !rst_i;
  end

  ram_1r1w #(
    .Depth (Entries),
    .Width (DataWidth),
    .Parity(Parity)
  ) i_data (
    .clk_i,
    .write_i(enqueue_1),
    .waddr_i(element_1),
    .wdata_i(data_b1_i),
    .read_i (read_1),
    .raddr_i(element_1),
    .rdata_o(data_b3_o),
    .error_o(data_error)
  );

  // ---- errors of memories ----------------------------------------------------------------

  // A link is looked at only if more than two elements were there.
  logic link_read_1, link_read_2;
  always_ff @(posedge clk_i) begin
    link_read_1 <= (dequeue_first_b || dequeue_last_b) && !one_b_i && !two_b_i && !rst_i;
    link_read_2 <= link_read_1 && !rst_i;
  end

  assign error_o = bucket_error || free_error || (data_error && read_3) ||
                   (link_read_2 && (took_first_2 ? next_error : previous_error));

endmodule
