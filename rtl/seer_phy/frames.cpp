// Sends blocks through a link with the side channel: one block a cycle, with a pause in every 33rd as a gearbox has.
//
//     frames BLOCKS LINE OUT LOAD SEED
//
// BLOCKS, LINE and OUT are files of blocks, each 9 octets: header and type first; LINE is what the sender has made of them, OUT
// what the receiver has. LOAD is how many of 256 cycles have an FPM to send; without any the sender is switched off. Random
// FPMs must arrive in their order, none lost or damaged; what comes of the blocks is for whoever started this to judge.
// Prints: blocks that differ on the line, FPMs sent.
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <memory>
#include <random>

#include "Vtop.h"
#include "verilated.h"

namespace {

constexpr int kOctets = 9;
using Block = std::array<char, kOctets>;

template <class Port>
void put(Port &port, const Block &block) {
  port[0] = port[1] = port[2] = 0;
  for (int i = 0; i < kOctets; i++) port[i / 4] |= uint32_t(uint8_t(block[i])) << 8 * (i % 4);
}

template <class Port>
Block get(const Port &port) {
  Block block;
  for (int i = 0; i < kOctets; i++) block[i] = char(port[i / 4] >> 8 * (i % 4));
  return block;
}

[[noreturn]] void fail(const char *what) {
  std::fprintf(stderr, "frames: %s\n", what);
  std::exit(1);
}

void cycle(Vtop &top) {
  top.clk_i = 1;
  top.eval();
  top.clk_i = 0;
}

}  // namespace

int main(int argc, char **argv) {
  if (argc != 6) fail("give BLOCKS LINE OUT LOAD SEED");
  std::ifstream in(argv[1], std::ios::binary);
  std::ofstream line(argv[2], std::ios::binary), out(argv[3], std::ios::binary);
  const unsigned load = std::atoi(argv[4]);
  std::mt19937_64 random(std::atoi(argv[5]));
  VerilatedContext context;
  context.commandArgs(argc, argv);
  auto top = std::make_unique<Vtop>(&context);
  top->clk_i = 0;
  top->rst_i = 1;
  top->block_valid_i = 0;
  top->tx_fpm_valid_i = 0;
  put(top->flip_i, Block{});
  for (int i = 0; i < 2; i++) cycle(*top);
  top->rst_i = 0;
  top->tx_enable_i = load != 0;
  top->rx_enable_i = 1;
  top->rx_fpm_ready_i = 1;

  std::deque<uint64_t> sent;     // and not yet received
  std::deque<Block> on_line;     // blocks that are between the sender's input and output
  uint64_t changed = 0, fpms = 0;
  Block block;
  for (uint64_t now = 0;; now++) {
    const bool valid = now % 33 != 32;
    if (valid && !in.read(block.data(), kOctets)) break;
    top->block_valid_i = valid;
    if (valid) put(top->block_i, block);
    const uint64_t fpm = random() & ((uint64_t(1) << FPM_WIDTH) - 1);
    top->tx_fpm_valid_i = (random() & 0xff) < load;
    top->tx_fpm_i = fpm;
    top->now_i = now;
    top->eval();
    if (top->tx_fpm_valid_i && top->tx_fpm_ready_o) {
      sent.push_back(fpm);
      fpms++;
    }
    if (top->rx_fpm_valid_o) {
      if (sent.empty() || sent.front() != top->rx_fpm_o) fail("an FPM came that was not sent");
      sent.pop_front();
    }
    if (top->damaged_o != 0 || top->lost_o != 0) fail("an FPM was lost");
    if (valid) on_line.push_back(block);
    if (top->line_valid_o) {
      line.write(get(top->line_o).data(), kOctets);
      changed += get(top->line_o) != on_line.front();
      on_line.pop_front();
    }
    if (top->block_valid_o) out.write(get(top->block_o).data(), kOctets);
    cycle(*top);
  }
  // The last blocks are idle: what is sent in the last few is on its way.
  if (sent.size() > 16) fail("FPMs did not come");
  std::printf("%llu %llu\n", (unsigned long long)changed, (unsigned long long)fpms);
}
