// Blocks of 10GBASE-R as the side channel sees them: where idle characters are, and the words
// that are written over them.
//
// Source: IEEE 802.3 clause 49, figure 49-7 and table 49-1, for blocks; Seer (NSDI 2024), section
// 5, for their use. Bit i of a block is bit i of the standard. So the header is in bits 1 and 0,
// the block type in octet 0 of the payload, and characters follow in their order.
//
// Room is the space of idle characters, in whole octets of the payload:
// - a terminate block /T0../T7/: the octets behind its data, from octet k + 1 on. The bits between
//   data and control codes have no meaning, are 0 when sent and ignored when received. They are
//   used too;
// - an idle block /E/: octets 1 to 7;
// - a start block with its frame in the second half: octets 1 to 4.
package seer_phy_pkg;

  localparam int unsigned BlockWidth = 66;
  localparam int unsigned WordWidth  = 56;   // of the longest word, 7 octets

  localparam logic [1:0] Control = 2'b01;
  localparam logic [7:0] TypeIdle      = 8'h1e;
  localparam logic [7:0] TypeLateStart = 8'h33;

  // The kind of a block for the side channel.
  typedef enum logic [1:0] {
    RoomNone      = 2'd0,
    RoomTerminate = 2'd1,
    RoomIdle      = 2'd2,
    RoomStart     = 2'd3
  } room_e;

  typedef struct packed {
    room_e      kind;
    logic [3:0] first;   // octet of the payload where its room begins: 1 to 8
  } room_t;

  // Octets of the words that carry messages of so many bits, with the octet of the check.
  function automatic int unsigned octets_of(input int unsigned width);
    return width <= 32 ? 5 : (width + 7) / 8 + 1;
  endfunction

  // ---- blocks ------------------------------------------------------------------------------

  // How many octets of data precede the terminate character; 8 for all other blocks.
  function automatic logic [3:0] data_before_end(input logic [7:0] block_type);
    case (block_type)
      8'h87:   return 4'd0;
      8'h99:   return 4'd1;
      8'haa:   return 4'd2;
      8'hb4:   return 4'd3;
      8'hcc:   return 4'd4;
      8'hd2:   return 4'd5;
      8'he1:   return 4'd6;
      8'hff:   return 4'd7;
      default: return 4'd8;
    endcase
  endfunction

  // Idle, low power idle, error, and reserved codes.
  function automatic logic legal_code(input logic [6:0] code);
    return code inside {7'h00, 7'h06, 7'h1e, 7'h2d, 7'h33, 7'h4b, 7'h55, 7'h66, 7'h78};
  endfunction

  // By the header and the type of a block.
  function automatic room_t room_of(input logic [9:0] head);
    room_t      room;
    logic [3:0] data;
    data = data_before_end(head[9:2]);
    room = '{kind: RoomNone, first: 4'd1};
    if (head[1:0] == Control) begin
      if (data != 4'd8) room = '{kind: RoomTerminate, first: data + 4'd1};
      else if (head[9:2] == TypeIdle) room.kind = RoomIdle;
      else if (head[9:2] == TypeLateStart) room.kind = RoomStart;
    end
    return room;
  endfunction

  // Ones where the room is, in the payload: octets `first` to 7, or to 4 of a start block.
  function automatic logic [63:0] mask_of(input room_t room);
    logic [63:0] mask;
    mask = '0;
    for (int unsigned octet = 1; octet < 8; octet++) begin
      mask[8*octet+:8] = {8{room.kind != RoomNone && 4'(octet) >= room.first &&
                            (room.kind != RoomStart || octet < 5)}};
    end
    return mask;
  endfunction

  // The block has only idle characters, as an encoder sends them.
  function automatic logic blank(input logic [BlockWidth-1:0] block);
    room_t room;
    room = room_of(block[9:0]);
    return room.kind != RoomNone && (block[65:2] & mask_of(room)) == '0;
  endfunction

  // Which of the eight control codes are in the standard; all are where there is no room. Code c
  // has the same position in all blocks that have it. The bits before the first code of a terminate
  // block, and bits 36 to 39 of a start block, must be 0.
  function automatic logic [7:0] legal_codes(input logic [63:0] payload, input room_t room);
    logic [63:0] found;
    logic [7:0]  good;
    found = payload & mask_of(room);
    for (int unsigned c = 0; c < 8; c++) begin
      logic present;
      present = room.kind == RoomIdle || (room.kind == RoomStart && c < 4) ||
                (room.kind == RoomTerminate && 4'(c) >= room.first);
      good[c] = present ? legal_code(found[8+7*c+:7]) : found[8+7*c+:7] == '0;
    end
    return good;
  endfunction

  // ---- words -------------------------------------------------------------------------------

  // x^8 + x^2 + x + 1: any three wrong bits of a word are detected, and any odd number. The offset
  // makes words of zeros wrong. Every word differs from idles in at least three bits, and has an
  // odd number of ones, while control codes of the standard have an even number.
  localparam logic [7:0] Polynomial  = 8'h07;
  localparam logic [7:0] CheckOffset = 8'h9d;

  function automatic logic [7:0] check_of(input logic [WordWidth-9:0] message);
    logic [7:0] power, sum;
    power = Polynomial;
    sum   = CheckOffset;
    for (int unsigned i = 0; i < WordWidth - 8; i++) begin
      if (message[i]) sum ^= power;
      power = {power[6:0], 1'b0} ^ (power[7] ? Polynomial : 8'h00);
    end
    return sum;
  endfunction

endpackage
