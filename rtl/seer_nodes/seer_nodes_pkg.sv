// Frames of two nodes that are joined by a link, and the blocks of 10GBASE-R that carry them.
//
// A frame is a row of words of four octets, so it may start on either half of a block. It has start
// and preamble (words 0 and 1), octets, a terminate character and the gap. From one start to the
// next there are at least `DataWords` or `ControlWords` words. So a packet of 256 bytes takes 276
// octets of the link, a control packet of 64 bytes 84.
//
// Source: Seer (NSDI 2024), sections 3.1 and 5; IEEE 802.3 clauses 46 and 49. Addresses and the
// frame check sequence are zeros, since neither node reads them.
package seer_nodes_pkg;

  localparam int unsigned BlockWidth = 66;

  // A notification (FPM) on the wire: the id, and the delay in times of a word. All packets have
  // one length.
  localparam int unsigned IdWidth    = 17;
  localparam int unsigned DelayWidth = 15;
  localparam int unsigned FpmWidth   = IdWidth + DelayWidth;
  localparam int unsigned PerControl = 8;
  localparam int unsigned FpmsWidth  = $clog2(PerControl + 1);

  localparam int unsigned PacketOctets  = 276;
  localparam int unsigned ControlOctets = 84;
  localparam int unsigned DataWords     = PacketOctets / 4;
  localparam int unsigned ControlWords  = ControlOctets / 4;
  localparam int unsigned IndexWidth    = 7;

  // The contents of the words of a frame; the terminate character is three words before the end.
  localparam logic [IndexWidth-1:0] TypeAt = 5;   // ether type, and how many FPMs a control packet has
  localparam logic [IndexWidth-1:0] IdAt   = 6;   // of a data packet
  localparam logic [IndexWidth-1:0] FpmsAt = 9;   // of a control packet
  localparam int unsigned           TailWords = 3;

  // Ether types for experiments (IEEE 802), in wire order.
  localparam logic [15:0] DataType    = 16'hb588;
  localparam logic [15:0] ControlType = 16'hb688;

  typedef struct packed {
    logic [IdWidth-1:0]    id;
    logic [DelayWidth-1:0] delay;
  } fpm_t;

  typedef enum logic [1:0] {
    WordIdle  = 2'd0,
    WordStart = 2'd1,
    WordData  = 2'd2,
    WordEnd   = 2'd3   // a terminate character and three idle ones
  } word_e;

  typedef struct packed {
    word_e       kind;
    logic [31:0] data;
  } word_t;

  localparam logic [31:0] StartOctets    = 32'h555555fb;
  localparam logic [31:0] PreambleOctets = 32'hd5555555;

  // Headers, and the types of the blocks that such words make.
  localparam logic [1:0] DataHeader = 2'b10, ControlHeader = 2'b01;
  localparam logic [7:0] Idles      = 8'h1e;
  localparam logic [7:0] StartFirst = 8'h78, StartSecond = 8'h33;
  localparam logic [7:0] EndFirst   = 8'h87, EndSecond   = 8'hcc;

  // The block of two words, the earlier one first; frames make no other pairs.
  function automatic logic [BlockWidth-1:0] encode(input word_t first, input word_t second);
    unique case ({first.kind, second.kind})
      {WordData, WordData}:  return {second.data, first.data, DataHeader};
      {WordStart, WordData}: return {second.data, first.data[31:8], StartFirst, ControlHeader};
      {WordIdle, WordStart}: return {second.data[31:8], 32'b0, StartSecond, ControlHeader};
      {WordEnd, WordIdle}:   return {56'b0, EndFirst, ControlHeader};
      {WordData, WordEnd}:   return {24'b0, first.data, EndSecond, ControlHeader};
      default:               return {56'b0, Idles, ControlHeader};
    endcase
  endfunction

  // The words of a block: {second, first}.
  function automatic word_t [1:0] decode(input logic [BlockWidth-1:0] block);
    word_t first, second;
    {first, second} = '0;
    if (block[1:0] == DataHeader) begin
      first  = '{kind: WordData, data: block[33:2]};
      second = '{kind: WordData, data: block[65:34]};
    end else begin
      case (block[9:2])
        StartFirst: begin
          first  = '{kind: WordStart, data: {block[33:10], 8'hfb}};
          second = '{kind: WordData, data: block[65:34]};
        end
        StartSecond: second = '{kind: WordStart, data: {block[65:42], 8'hfb}};
        EndFirst:    first = '{kind: WordEnd, data: '0};
        EndSecond: begin
          first  = '{kind: WordData, data: block[41:10]};
          second = '{kind: WordEnd, data: '0};
        end
        default: ;
      endcase
    end
    return {second, first};
  endfunction

endpackage
