// The registers of a policy on AXI4-Lite: its identity, its live parameters, its counters.
//
// Source: AMBA AXI Protocol Specification (Arm, IHI 0022), AXI4-Lite; the map is in README.md. A
// parameter has two words. The pair takes effect when the upper one is written, between two
// operations (docs/openqueue-semantics.md, 9.3). `hold_o` keeps operations out of the front until
// `quiet_i` says that none is in flight. Then the write is answered.
//
// Throughput: one read and one write at a time. Latency: reads 2 cycles, other writes 1.
//
// Limits: words are written whole; a write to anything but a parameter answers SLVERR.
module policy_registers
  import policy_pkg::*;
  import policy_core_pkg::*;
(
  input  logic                        clk_i,
  input  logic                        rst_i,
  input  logic                        s_axil_awvalid_i,
  output logic                        s_axil_awready_o,
  input  logic [12:0]                 s_axil_awaddr_i,
  input  logic                        s_axil_wvalid_i,
  output logic                        s_axil_wready_o,
  input  logic [31:0]                 s_axil_wdata_i,
  input  logic [3:0]                  s_axil_wstrb_i,
  output logic                        s_axil_bvalid_o,
  input  logic                        s_axil_bready_i,
  output logic [1:0]                  s_axil_bresp_o,
  input  logic                        s_axil_arvalid_i,
  output logic                        s_axil_arready_o,
  input  logic [12:0]                 s_axil_araddr_i,
  output logic                        s_axil_rvalid_o,
  input  logic                        s_axil_rready_i,
  output logic [31:0]                 s_axil_rdata_o,
  output logic [1:0]                  s_axil_rresp_o,
  input  logic                        restart_i,  // parameters begin anew
  output logic                        hold_o,
  input  logic                        quiet_i,
  output logic [Parameters-1:0][63:0] param_o,
  output logic [QueueWidth-1:0]       read_queue_o,
  output word_e                       read_word_o,
  input  logic [31:0]                 read_i,
  input  logic [31:0]                 unclassified_i,
  input  logic [Queues-1:0][PacketsWidth-1:0] packets_i,
  input  logic [Queues-1:0][CountWidth-1:0]   queue_count_i
);

  localparam logic [1:0]  RespOkay = 2'b00, RespError = 2'b10;
  localparam logic [31:0] Magic    = 32'h4642_5053;  // "FBPS"
  localparam logic [31:0] Version  = 32'd1;

  // The parameters that exist.
  localparam logic [127:0] Live = (128'd1 << LiveParameters) - 128'd1;

  // By the address of a word: counters from 0x1000, parameters from 0x400.
  function automatic logic is_parameter(logic [12:3] pair);
    return pair[12:10] == 3'b001 && Live[pair[9:3]];
  endfunction

  // ---- writes ----------------------------------------------------------------------------------

  logic [Parameters-1:0][63:0] param_q, param_d;
  logic [Parameters-1:0][31:0] low_q, low_d, low_init;
  logic [6:0]                  index_q;
  logic [31:0]                 data_q;
  logic                        pending_q, bvalid_q, refused_q;
  logic                        write, known;

  assign write            = s_axil_awvalid_i && s_axil_wvalid_i && s_axil_awready_o;
  assign known            = is_parameter(s_axil_awaddr_i[12:3]) && &s_axil_wstrb_i;
  assign s_axil_awready_o = s_axil_awvalid_i && s_axil_wvalid_i && !bvalid_q && !pending_q &&
                            !rst_i;
  assign s_axil_wready_o  = s_axil_awready_o;
  assign s_axil_bvalid_o  = bvalid_q;
  assign s_axil_bresp_o   = refused_q ? RespError : RespOkay;
  assign hold_o           = pending_q;
  assign param_o          = param_q;

  always_comb begin
    param_d = param_q;
    low_d   = low_q;
    for (int unsigned p = 0; p < Parameters; p++) begin
      low_init[p] = ParameterInit[p][31:0];
      if (write && known && !s_axil_awaddr_i[2] && s_axil_awaddr_i[9:3] == 7'(p)) begin
        low_d[p] = s_axil_wdata_i;
      end
      if (pending_q && quiet_i && index_q == 7'(p)) param_d[p] = {data_q, low_q[p]};
    end
  end

  always_ff @(posedge clk_i) begin
    if (s_axil_bready_i) bvalid_q <= 1'b0;
    if (write) begin
      index_q   <= s_axil_awaddr_i[9:3];
      data_q    <= s_axil_wdata_i;
      refused_q <= !known;
      pending_q <= known && s_axil_awaddr_i[2];
      bvalid_q  <= !(known && s_axil_awaddr_i[2]);
    end
    if (pending_q && quiet_i) begin
      pending_q <= 1'b0;
      bvalid_q  <= 1'b1;
    end
    param_q <= param_d;
    low_q   <= low_d;
    if (rst_i || restart_i) begin
      param_q <= ParameterInit;
      low_q   <= low_init;
    end
    if (rst_i) begin
      pending_q <= 1'b0;
      bvalid_q  <= 1'b0;
    end
  end

  // ---- reads -----------------------------------------------------------------------------------

  logic [12:2]          asked_q;
  logic [31:0]          rdata_q, word;
  logic                 busy_q, rvalid_q;
  logic [63:0]          param;
  logic [QueueWidth:0]  queue;  // one bit more, to detect a queue that does not exist

  assign s_axil_arready_o = !busy_q && !rvalid_q && !rst_i;
  assign s_axil_rvalid_o  = rvalid_q;
  assign s_axil_rdata_o   = rdata_q;
  assign s_axil_rresp_o   = RespOkay;

  assign queue        = 32'(asked_q[11:6]) < Queues ? (QueueWidth + 1)'(asked_q[11:6]) : '1;
  assign read_queue_o = queue[QueueWidth-1:0];
  assign read_word_o  = word_e'(asked_q[5:2]);

  always_comb begin
    param = '0;
    for (int unsigned p = 0; p < Parameters; p++) begin
      if (asked_q[9:3] == 7'(p)) param = param_q[p];
    end
    word = '0;
    if (asked_q[12]) begin
      if (queue == '1) word = '0;
      else if (read_word_o == WordPackets) word = 32'(packets_i[read_queue_o]);
      else if (read_word_o == WordOccupancy) word = 32'(queue_count_i[read_queue_o]);
      else if (read_word_o < WordPackets) word = read_i;
    end else if (is_parameter(asked_q[12:3])) begin
      word = asked_q[2] ? param[63:32] : param[31:0];
    end else begin
      unique case ({asked_q, 2'b00})
        13'h000: word = Magic;
        13'h004: word = Version;
        13'h008: word = Digest[31:0];
        13'h00c: word = Digest[63:32];
        13'h010: word = Queues;
        13'h014: word = Ports;
        13'h018: word = LiveParameters;
        13'h01c: word = PolicyId;
        13'h020: word = unclassified_i;
        default: ;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    busy_q <= s_axil_arvalid_i && s_axil_arready_o;
    if (s_axil_arvalid_i && s_axil_arready_o) asked_q <= s_axil_araddr_i[12:2];
    if (s_axil_rready_i) rvalid_q <= 1'b0;
    if (busy_q) begin
      rvalid_q <= 1'b1;
      rdata_q  <= word;
    end
    if (rst_i) begin
      busy_q   <= 1'b0;
      rvalid_q <= 1'b0;
    end
  end

  // Words are read whole.
  logic unused;
  assign unused = &{s_axil_araddr_i[1:0], s_axil_awaddr_i[1:0]};

endmodule
