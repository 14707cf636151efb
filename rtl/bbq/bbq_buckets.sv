// The buckets: a double-ended queue of elements for each rank, all in one pool. They take one
// operation per cycle on any bucket, in order of arrival from the low end and in reverse order from
// the high end.
//
// A list whose links are in a memory can't be followed at one element per cycle, since the next
// link is read only after the last one has arrived. The paper lets back-to-back dequeues of one
// bucket take from both ends in turn (operation colouring; section 4.2, H3), which loses the order.
// Here the links skip one element. Each element has the slots of the element two behind it and of
// the element two before it. Each bucket has the slots of its first two and its last two elements.
// A dequeue takes the first element, and the second becomes the first. The link of the taken
// element arrives two cycles later and becomes the second, no later than it is needed. The cost is
// two more pointers per bucket.
//
// Cycles: R0: the bucket's read is presented. B = R0 + 2: the bucket's turn. B + 1: the element is
// read or written. B + 2: links that were read arrive, links and the bucket are written. B + 3:
// data are at data_b3_o. Only the slots that the count of a bucket allows are used: none without
// elements, the first and the last with one element.
module bbq_buckets
  import bbq_pkg::Window;
  import bbq_pkg::action_t;
#(
  parameter int unsigned Buckets    = 16,
  parameter int unsigned Entries    = 16,
  parameter int unsigned DataWidth  = 8,
  parameter int unsigned CountWidth = 5,
  parameter bit          Parity     = 1'b0,
  localparam int unsigned BucketWidth = $clog2(Buckets),
  localparam int unsigned PlaceWidth  = Entries > 1 ? $clog2(Entries) : 1
) (
  input  logic                   clk_i,
  input  logic                   rst_i,
  // cycle R0
  input  logic                   read_i,
  input  logic [BucketWidth-1:0] bucket_r0_i,
  // cycle R0 + 1
  input  logic [Window:1]        same_r1_i,   // same bucket as the operation d ahead
  input  logic                   empty_r1_i,  // the bucket is empty now
  input  logic [CountWidth-1:0]  count_r1_i,  // otherwise its number of elements
  // cycle B
  input  action_t                action_b_i,
  input  logic [BucketWidth-1:0] bucket_b_i,
  // cycle B + 1
  input  logic [DataWidth-1:0]   data_b1_i,
  // cycle B + 3
  output logic [DataWidth-1:0]   data_b3_o,
  output logic                   data_error_b3_o,
  // any time
  output logic                   error_o
);

  typedef logic [PlaceWidth-1:0] place_t;

  typedef struct packed {
    place_t first;   // the earliest arrival
    place_t second;
    place_t last;    // the latest arrival
    place_t prior;   // the one before the last
  } bucket_t;

  // ---- how many elements the bucket holds, in cycle B -----------------------------------

  logic none_q, one_q, many_q, more_q;

  always_ff @(posedge clk_i) begin
    none_q <= empty_r1_i;
    one_q  <= !empty_r1_i && count_r1_i == CountWidth'(1);
    many_q <= !empty_r1_i && count_r1_i != CountWidth'(1);
    more_q <= !empty_r1_i && count_r1_i != CountWidth'(1) && count_r1_i != CountWidth'(2);
  end

  // ---- cycle B: the turn of the bucket ----------------------------------------------------

  bucket_t word_b, bucket_b, changed_b, s1_q, s2_q, s1, s2;
  logic    put_b, take_first_b, take_last_b;
  place_t  free_b, element_b;

  assign put_b        = action_b_i.put;
  assign take_first_b = action_b_i.take && !action_b_i.highest;
  assign take_last_b  = action_b_i.take && action_b_i.highest;

  always_comb begin
    if (put_b)                   element_b = free_b;
    else if (action_b_i.highest) element_b = bucket_b.last;
    else                         element_b = bucket_b.first;
  end

  // Which slots are late. The link of a taken element arrives two cycles later, so the link that
  // the operation just ahead has read is still missing here.
  logic follows_b, second_late_b, prior_late_b;
  logic ask_next_b, ask_next_1, ask_next_2, ask_previous_b, ask_previous_1, ask_previous_2;

  // A link is read only if the bucket has more than two elements.
  assign ask_next_b     = take_first_b && more_q;
  assign ask_previous_b = take_last_b && more_q;
  assign second_late_b  = follows_b && ask_next_1;
  assign prior_late_b   = follows_b && ask_previous_1;

  // Late slots are zero until they arrive.
  always_comb begin
    changed_b = bucket_b;
    if (put_b && none_q) changed_b.first = free_b;
    if (put_b && one_q) changed_b.second = free_b;
    if (put_b) changed_b.prior = bucket_b.last;
    if (put_b) changed_b.last = free_b;
    if (take_first_b) changed_b.first = bucket_b.second;
    if (take_first_b) changed_b.second = '0;
    if (take_last_b) changed_b.last = bucket_b.prior;
    if (take_last_b) changed_b.prior = '0;
  end

  // ---- the bucket after an operation: s1 in B + 1, s2 in B + 2 ----------------------------

  // In s1, slots arrive that the operation one further ahead has read. In s2, slots arrive that the
  // operation itself has read.
  typedef struct packed {
    logic first;
    logic second;
    logic last;
    logic prior;
  } late_t;

  late_t  late_d, late_q, late_b;
  place_t next_b2, previous_b2;

  assign late_d.first  = take_first_b && second_late_b;
  assign late_d.second = second_late_b && !take_first_b && !(put_b && one_q);
  assign late_d.last   = take_last_b && prior_late_b;
  assign late_d.prior  = prior_late_b && !take_last_b && !put_b;

  function automatic bucket_t complete(
    input bucket_t bucket, input late_t late, input place_t next, input place_t previous
  );
    return bucket | {next & {PlaceWidth{late.first}}, next & {PlaceWidth{late.second}},
                     previous & {PlaceWidth{late.last}}, previous & {PlaceWidth{late.prior}}};
  endfunction

  assign s1 = complete(s1_q, late_q, next_b2, previous_b2);
  assign s2 = complete(s2_q, {1'b0, ask_next_2, 1'b0, ask_previous_2}, next_b2, previous_b2);
  assign bucket_b = complete(word_b, late_b, next_b2, previous_b2);

  logic                   put_1, put_2, take_1, take_2;
  logic [BucketWidth-1:0] bucket_1, bucket_2;

  always_ff @(posedge clk_i) begin
    s1_q           <= changed_b;
    s2_q           <= s1;
    late_q         <= late_d;
    put_1          <= put_b && !rst_i;
    put_2          <= put_1 && !rst_i;
    take_1         <= action_b_i.take && !rst_i;
    take_2         <= take_1 && !rst_i;
    bucket_1       <= bucket_b_i;
    bucket_2       <= bucket_1;
    follows_b      <= same_r1_i[1];
    ask_next_1     <= ask_next_b && !rst_i;
    ask_next_2     <= ask_next_1 && !rst_i;
    ask_previous_1 <= ask_previous_b && !rst_i;
    ask_previous_2 <= ask_previous_1 && !rst_i;
    // As in s1 if the word is that of the operation just ahead, and as in s2 if it is that of the
    // operation before.
    if (same_r1_i[1])      late_b <= late_d;
    else if (same_r1_i[2]) late_b <= {1'b0, ask_next_1, 1'b0, ask_previous_1};
    else                   late_b <= '0;
  end

  logic bucket_error, next_error, previous_error, data_error, free_error;

  bbq_forward #(
    .Depth (Buckets),
    .Width ($bits(bucket_t)),
    .Parity(Parity)
  ) i_forward (
    .clk_i,
    .read_i,
    .raddr_i   (bucket_r0_i),
    .same_r1_i,
    .blank_r1_i(empty_r1_i),
    .word_d_o   (word_b),
    .error_d_o  (bucket_error),
    .changed_d_i(changed_b),
    .s1_i       (s1),
    .s2_i       (s2),
    .write_s2_i (put_2 || take_2),
    .waddr_s2_i (bucket_2)
  );

  // ---- slots ------------------------------------------------------------------------------

  bbq_free_list #(
    .Entries(Entries),
    .Parity (Parity)
  ) i_free_list (
    .clk_i,
    .rst_i,
    .take_i (put_b),
    .place_o(free_b),
    .give_i (action_b_i.take),
    .place_i(element_b),
    .error_o(free_error)
  );

  // ---- links --------------------------------------------------------------------------------

  // An enqueue behind two or more elements links the new element with the one before the last, in
  // both directions.
  logic   link_1, link_2, prior_late_1;
  place_t prior_1, prior_2, element_1, element_2;

  always_ff @(posedge clk_i) begin
    link_1       <= put_b && many_q && !rst_i;
    link_2       <= link_1 && !rst_i;
    prior_1      <= bucket_b.prior;
    prior_late_1 <= prior_late_b;
    prior_2      <= prior_late_1 ? previous_b2 : prior_1;
    element_1    <= element_b;
    element_2    <= element_1;
  end

  bbq_links #(
    .Entries(Entries),
    .Parity (Parity)
  ) i_next (
    .clk_i,
    .read_i  (ask_next_b),
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
    .read_i  (ask_previous_b),
    .place_i (bucket_b.last),
    .link_o  (previous_b2),
    .write_i (link_2),
    .wplace_i(element_2),
    .wlink_i (prior_2),
    .error_o (previous_error)
  );

  // ---- data ---------------------------------------------------------------------------------

  logic read_1, read_2, read_3;

  always_ff @(posedge clk_i) begin
    read_1 <= action_b_i.active && !put_b && !rst_i;
    read_2 <= read_1 && !rst_i;
    read_3 <= read_2 && !rst_i;
  end

  ram_1r1w #(
    .Depth (Entries),
    .Width (DataWidth),
    .Parity(Parity)
  ) i_data (
    .clk_i,
    .write_i(put_1),
    .waddr_i(element_1),
    .wdata_i(data_b1_i),
    .read_i (read_1),
    .raddr_i(element_1),
    .blank_i(1'b0),
    .rdata_o(data_b3_o),
    .error_o(data_error)
  );

`ifndef SYNTHESIS
  // The counts that an enqueue may find, and each slot that may be late.
  always_ff @(posedge clk_i) begin
    cover (put_b && none_q);
    cover (put_b && one_q);
    cover (put_b && many_q);
    cover (put_b && many_q && prior_late_b);  // the link to be written is itself late
    cover (late_b.first);
    cover (late_b.second);
    cover (late_b.last);
    cover (late_b.prior);
    cover (late_q.first);
    cover (late_q.second);
    cover (late_q.last);
    cover (late_q.prior);
  end
`endif

  // ---- errors of memories, in words that were used ---------------------------------------------

  assign data_error_b3_o = data_error && read_3;
  assign error_o         = free_error || (next_error && ask_next_2) ||
                           (previous_error && ask_previous_2) ||
                           (bucket_error && action_b_i.active);

endmodule
