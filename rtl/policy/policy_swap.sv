// Replaces one of two policies by the other while packets wait, and back. Decides which policy
// admits packets and which one a port pulls from. Reports to the host in the order of the
// decisions.
//
// Source: docs/openqueue-semantics.md, section 8, drain. A replacement is made between two
// operations, when none is in flight. From then on, arriving packets go to the policy in force. A
// port pulls from the other one while packets of that port wait there. There are two versions at
// most: a replacement is rejected while packets of the last one drain.
//
// Both policies decide operations one after the other: the decision of one policy sees the effects
// of the other's. Throughput: that of the policy that decides. Latency: none is added to decisions;
// a report may be 1 cycle later.
//
// Limits: two policies with the same ports. README.md, "Two policies", has the registers.
module policy_swap #(
  parameter int unsigned Ports        = 1,
  parameter int unsigned PortWidth    = 1,
  parameter int unsigned PacketsWidth = 1,
  parameter int unsigned DepartWidth  = 8,  // of each policy's reports
  parameter int unsigned DropWidth    = 8,
  // As that of policy_core.
  parameter int unsigned Outstanding  = 32
) (
  input  logic                         clk_i,
  input  logic                         rst_i,
  output logic                         active_o,   // the policy in force
  // Packets and pulls, and which front gets them: that of the policy in force.
  input  logic                         s_axis_arrive_tvalid_i,
  output logic                         s_axis_arrive_tready_o,
  input  logic                         s_axis_pull_tvalid_i,
  output logic                         s_axis_pull_tready_o,
  output logic [1:0]                   front_valid_o,
  input  logic [1:0]                   front_ready_i,
  output logic                         front_pull_o,
  input  logic [1:0]                   front_empty_i,
  // The operation at the end of each front. Its own policy executes it, or it is a pull that the
  // other policy executes.
  input  logic [1:0]                   next_valid_i,
  input  logic [1:0]                   next_pull_i,
  input  logic [1:0][PortWidth-1:0]    next_port_i,
  output logic [1:0]                   next_go_o,
  output logic [1:0]                   next_gone_o,
  output logic [1:0]                   pull_valid_o,  // from the other policy's front
  // The states of the policies.
  input  logic [1:0]                   ready_i,
  input  logic [1:0]                   busy_i,
  input  logic [1:0]                   departs_i,
  input  logic [1:0]                   drops_i,
  input  logic [1:0]                   hold_i,
  output logic [1:0]                   quiet_o,
  input  logic [1:0][Ports-1:0]        waits_i,
  input  logic [1:0][PacketsWidth-1:0] packets_i,
  output logic [1:0]                   restart_o,
  // Registers.
  input  logic                         s_axil_awvalid_i,
  output logic                         s_axil_awready_o,
  input  logic [14:0]                  s_axil_awaddr_i,
  input  logic                         s_axil_wvalid_i,
  output logic                         s_axil_wready_o,
  input  logic [31:0]                  s_axil_wdata_i,
  input  logic [3:0]                   s_axil_wstrb_i,
  output logic                         s_axil_bvalid_o,
  input  logic                         s_axil_bready_i,
  output logic [1:0]                   s_axil_bresp_o,
  input  logic                         s_axil_arvalid_i,
  output logic                         s_axil_arready_o,
  input  logic [14:0]                  s_axil_araddr_i,
  output logic                         s_axil_rvalid_o,
  input  logic                         s_axil_rready_i,
  output logic [31:0]                  s_axil_rdata_o,
  output logic [1:0]                   s_axil_rresp_o,
  // Those of the policies.
  output logic [1:0]                   m_axil_awvalid_o,
  input  logic [1:0]                   m_axil_awready_i,
  output logic [12:0]                  m_axil_awaddr_o,
  output logic [1:0]                   m_axil_wvalid_o,
  input  logic [1:0]                   m_axil_wready_i,
  output logic [31:0]                  m_axil_wdata_o,
  output logic [3:0]                   m_axil_wstrb_o,
  input  logic [1:0]                   m_axil_bvalid_i,
  output logic [1:0]                   m_axil_bready_o,
  input  logic [1:0][1:0]              m_axil_bresp_i,
  output logic [1:0]                   m_axil_arvalid_o,
  input  logic [1:0]                   m_axil_arready_i,
  output logic [12:0]                  m_axil_araddr_o,
  input  logic [1:0]                   m_axil_rvalid_i,
  output logic [1:0]                   m_axil_rready_o,
  input  logic [1:0][31:0]             m_axil_rdata_i,
  input  logic [1:0][1:0]              m_axil_rresp_i,
  // The reports of the policies, and the reports to the host, which have the policy at the top.
  input  logic [1:0]                   s_axis_depart_tvalid_i,
  output logic [1:0]                   s_axis_depart_tready_o,
  input  logic [1:0][DepartWidth-1:0]  s_axis_depart_tdata_i,
  input  logic [1:0]                   s_axis_drop_tvalid_i,
  output logic [1:0]                   s_axis_drop_tready_o,
  input  logic [1:0][DropWidth-1:0]    s_axis_drop_tdata_i,
  output logic                         m_axis_depart_tvalid_o,
  input  logic                         m_axis_depart_tready_i,
  output logic [DepartWidth:0]         m_axis_depart_tdata_o,
  output logic                         m_axis_drop_tvalid_o,
  input  logic                         m_axis_drop_tready_i,
  output logic [DropWidth:0]           m_axis_drop_tdata_o
);

  logic        active_q, other, hold, quiet, replacing_q;
  logic [31:0] version_q, refused_q;

  assign active_o = active_q;
  assign other    = !active_q;

  // ---- operations: one at a time ---------------------------------------------------------------

  logic pull, pulled_q, accept;

  assign hold         = replacing_q || hold_i[active_q];
  assign pull         = s_axis_pull_tvalid_i && !(s_axis_arrive_tvalid_i && pulled_q);
  assign accept       = front_ready_i[active_q] && !hold;
  assign front_pull_o = pull;
  assign s_axis_pull_tready_o   = accept && pull;
  assign s_axis_arrive_tready_o = accept && !pull;

  always_ff @(posedge clk_i) begin
    if (rst_i) pulled_q <= 1'b0;
    else if (s_axis_pull_tvalid_i && s_axis_pull_tready_o) pulled_q <= 1'b1;
    else if (s_axis_arrive_tvalid_i && s_axis_arrive_tready_o) pulled_q <= 1'b0;
  end

  // ---- the policy that decides
  // -------------------------------------------------------------------

  logic drains;  // the next operation is a pull of a port at which packets drain

  assign drains = next_pull_i[active_q] && waits_i[other][next_port_i[active_q]];

  always_comb begin
    front_valid_o = '0;
    next_go_o     = '0;
    next_gone_o   = '0;
    pull_valid_o  = '0;
    front_valid_o[active_q] = !hold && (pull || s_axis_arrive_tvalid_i);
    next_go_o[active_q]     = !drains && !busy_i[other];
    pull_valid_o[other]     = next_valid_i[active_q] && drains && !busy_i[active_q];
    next_gone_o[active_q]   = pull_valid_o[other] && ready_i[other];
  end

  // No operation is in flight.
  assign quiet   = !next_valid_i[active_q] && front_empty_i[active_q] && busy_i == '0;
  assign quiet_o = {2{quiet}};

  // ---- writes: a replacement, or a parameter of the policy in force --------------------------------

  localparam logic [1:0]  RespOkay = 2'b00, RespError = 2'b10;
  localparam logic [14:0] Count = 15'h040, InForce = 15'h044, Draining = 15'h048, Refused = 15'h04c;
  localparam logic [12:0] Version = 13'h01c;

  typedef enum logic [1:0] {
    WriteIdle,
    WriteSent,    // to the policy
    WriteWaits,   // for its answer
    WriteAnswer
  } write_e;

  write_e      write_q;
  logic [12:0] waddr_q;
  logic [31:0] wdata_q;
  logic [3:0]  wstrb_q;
  logic [1:0]  bresp_q;
  logic        write, is_same, done;

  assign s_axil_awready_o = s_axil_awvalid_i && s_axil_wvalid_i && write_q == WriteIdle &&
                            !replacing_q && !rst_i;
  assign s_axil_wready_o  = s_axil_awready_o;
  assign s_axil_bvalid_o  = write_q == WriteAnswer;
  assign s_axil_bresp_o   = bresp_q;
  assign write            = s_axil_awvalid_i && s_axil_awready_o;

  assign is_same = wdata_q == 32'(active_q);
  assign done    = wdata_q == 32'(other) && packets_i[other] == '0;

  always_comb begin
    restart_o        = '0;
    restart_o[other] = replacing_q && quiet && done;
    m_axil_awvalid_o = '0;
    m_axil_bready_o  = '0;
    m_axil_awvalid_o[active_q] = write_q == WriteSent;
    m_axil_bready_o[active_q]  = write_q == WriteWaits;
  end

  assign m_axil_wvalid_o = m_axil_awvalid_o;
  assign m_axil_awaddr_o = waddr_q;
  assign m_axil_wdata_o  = wdata_q;
  assign m_axil_wstrb_o  = wstrb_q;

  always_ff @(posedge clk_i) begin
    unique case (write_q)
      WriteIdle: if (write) begin
        waddr_q <= s_axil_awaddr_i[12:0];
        wdata_q <= s_axil_wdata_i;
        wstrb_q <= s_axil_wstrb_i;
        bresp_q <= RespError;
        if ({s_axil_awaddr_i[14:2], 2'b00} == InForce && &s_axil_wstrb_i) replacing_q <= 1'b1;
        else write_q <= s_axil_awaddr_i[14:13] == '0 ? WriteSent : WriteAnswer;
      end
      WriteSent: if (m_axil_awready_i[active_q] && m_axil_wready_i[active_q]) begin
        write_q <= WriteWaits;
      end
      WriteWaits: if (m_axil_bvalid_i[active_q]) begin
        bresp_q <= m_axil_bresp_i[active_q];
        write_q <= WriteAnswer;
      end
      WriteAnswer: if (s_axil_bready_i) write_q <= WriteIdle;
    endcase
    if (replacing_q && quiet) begin
      replacing_q <= 1'b0;
      write_q     <= WriteAnswer;
      bresp_q     <= is_same || done ? RespOkay : RespError;
      if (done) begin
        active_q  <= other;
        version_q <= version_q + 1'b1;
      end else if (!is_same) refused_q <= refused_q + 1'b1;
    end
    if (rst_i) begin
      write_q     <= WriteIdle;
      replacing_q <= 1'b0;
      active_q    <= 1'b0;
      version_q   <= 32'd1;
      refused_q   <= '0;
    end
  end

  // ---- reads: the policy in force, policy 0, policy 1 --------------------------------------------

  typedef enum logic [1:0] {
    ReadIdle,
    ReadSent,
    ReadWaits,
    ReadAnswer
  } read_e;

  read_e       read_q;
  logic [14:0] raddr_q;
  logic        asked_q;  // the policy
  logic [31:0] rdata_q, word;

  assign s_axil_arready_o = read_q == ReadIdle && !rst_i;
  assign s_axil_rvalid_o  = read_q == ReadAnswer;
  assign s_axil_rdata_o   = rdata_q;
  assign s_axil_rresp_o   = RespOkay;
  assign m_axil_araddr_o  = raddr_q[12:0];

  always_comb begin
    m_axil_arvalid_o = '0;
    m_axil_rready_o  = '0;
    m_axil_arvalid_o[asked_q] = read_q == ReadSent;
    m_axil_rready_o[asked_q]  = read_q == ReadWaits;
    word = m_axil_rdata_i[asked_q];
    if (raddr_q[14:13] == 2'b11) word = '0;
    // Versions alternate: the other policy had the one before.
    else if ({raddr_q[12:2], 2'b00} == Version) word = version_q - 32'(asked_q != active_q);
    unique case ({raddr_q[14:2], 2'b00})
      Count:    word = 32'd2;
      InForce:  word = 32'(active_q);
      Draining: word = 32'(packets_i[other]);
      Refused:  word = refused_q;
      default: ;
    endcase
  end

  always_ff @(posedge clk_i) begin
    unique case (read_q)
      ReadIdle: if (s_axil_arvalid_i) begin
        raddr_q <= s_axil_araddr_i;
        asked_q <= s_axil_araddr_i[14:13] == '0 ? active_q : s_axil_araddr_i[14];
        read_q  <= ReadSent;
      end
      ReadSent: if (m_axil_arready_i[asked_q]) read_q <= ReadWaits;
      ReadWaits: if (m_axil_rvalid_i[asked_q]) begin
        rdata_q <= word;
        read_q  <= ReadAnswer;
      end
      ReadAnswer: if (s_axil_rready_i) read_q <= ReadIdle;
    endcase
    if (rst_i) read_q <= ReadIdle;
  end

  // ---- reports to the host, in the order of the decisions
  // -------------------------------------------

  logic depart_waits, depart_from, depart_taken, drop_waits, drop_from, drop_taken;

  policy_fifo #(
    .Width(1),
    .Depth(2 * Outstanding)
  ) i_departs (
    .clk_i,
    .rst_i,
    .put_i  (departs_i != '0),
    .data_i (departs_i[1]),
    .valid_o(depart_waits),
    .ready_i(depart_taken),
    .data_o (depart_from),
    /* verilator lint_off PINCONNECTEMPTY */
    .count_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );

  policy_fifo #(
    .Width(1),
    .Depth(2 * Outstanding)
  ) i_drops (
    .clk_i,
    .rst_i,
    .put_i  (drops_i != '0),
    .data_i (drops_i[1]),
    .valid_o(drop_waits),
    .ready_i(drop_taken),
    .data_o (drop_from),
    /* verilator lint_off PINCONNECTEMPTY */
    .count_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );

  always_comb begin
    s_axis_depart_tready_o = '0;
    s_axis_drop_tready_o   = '0;
    s_axis_depart_tready_o[depart_from] = depart_waits && m_axis_depart_tready_i;
    s_axis_drop_tready_o[drop_from]     = drop_waits && m_axis_drop_tready_i;
  end

  assign m_axis_depart_tvalid_o = depart_waits && s_axis_depart_tvalid_i[depart_from];
  assign m_axis_depart_tdata_o  = {depart_from, s_axis_depart_tdata_i[depart_from]};
  assign depart_taken           = m_axis_depart_tvalid_o && m_axis_depart_tready_i;
  assign m_axis_drop_tvalid_o   = drop_waits && s_axis_drop_tvalid_i[drop_from];
  assign m_axis_drop_tdata_o    = {drop_from, s_axis_drop_tdata_i[drop_from]};
  assign drop_taken             = m_axis_drop_tvalid_o && m_axis_drop_tready_i;

  // Every read answers OKAY.
  logic unused;
  assign unused = &{m_axil_rresp_i, 1'b0};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i) begin
      assert (busy_i != '1) else $error("policy_swap: two policies decide at once");
      assert (departs_i != '1 && drops_i != '1) else $error("policy_swap: two are told at once");
      if (restart_o != '0) begin
        assert (packets_i[other] == '0) else $error("policy_swap: packets wait in a new version");
      end
    end
  end
`endif

endmodule
