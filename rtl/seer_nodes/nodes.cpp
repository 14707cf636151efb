// Lets packets come to two nodes back to back, and writes what the target does.
//
//     nodes PACKETS EVENTS COUNT M T BEFORE FETCH
//
// PACKETS is a file of lines "CYCLE CLASS ID", EVENTS is written until COUNT packets have come: a line for each thing that
// happens, as crates/cache/src/seer writes them (forebay_cache::seer::clocked::Event). M and T say when control packets are due, T in octets
// of the link; BEFORE, 0 or 1, whether packets that find the link idle are told of; FETCH how many cycles a fetch takes.
// Cycle 0 is the first in which the cache is ready. Prints what it counted.
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "Vtop.h"
#include "verilated.h"

namespace {

constexpr uint64_t kOctets = 8;           // of a cycle
constexpr uint64_t kReadyWithin = 1 << 20;
constexpr uint64_t kSilence = 1 << 20;    // cycles without a packet
const char *const kWhere[] = {"here", "coming", "away"};

[[noreturn]] void fail(const std::string &what) {
  std::fprintf(stderr, "nodes: %s\n", what.c_str());
  std::exit(1);
}

struct Packet {
  uint64_t cycle;
  unsigned of_class, id;
};

class Packets {
 public:
  explicit Packets(const char *path) : file_(std::fopen(path, "r")) {
    if (file_ == nullptr) fail(std::string(path) + " can't be read");
    read();
  }
  ~Packets() { std::fclose(file_); }
  bool due(uint64_t cycle) const { return some_ && next_.cycle == cycle; }
  Packet take() {
    const Packet packet = next_;
    read();
    return packet;
  }

 private:
  void read() {
    some_ = std::fscanf(file_, "%" SCNu64 " %u %u", &next_.cycle, &next_.of_class, &next_.id) == 3;
  }
  std::FILE *file_;
  Packet next_{};
  bool some_ = false;
};

void edge(Vtop &top) {
  top.clk_i = 1;
  top.eval();
  top.clk_i = 0;
}

}  // namespace

int main(int argc, char **argv) {
  VerilatedContext context;
  context.commandArgs(argc, argv);
  if (argc != 8) fail("give PACKETS EVENTS COUNT M T BEFORE FETCH");
  Packets packets(argv[1]);
  std::FILE *events = std::fopen(argv[2], "w");
  if (events == nullptr) fail(std::string(argv[2]) + " can't be written");
  const uint64_t wanted = std::strtoull(argv[3], nullptr, 10);
  auto top = std::make_unique<Vtop>(&context);
  top->clk_i = 0;
  top->rst_i = 1;
  top->packet_valid_i = 0;
  top->threshold_i = std::atoi(argv[4]);
  top->interval_i = std::atoi(argv[5]);
  top->before_i = std::atoi(argv[6]) != 0;
  top->fetch_cycles_i = std::atoi(argv[7]);
  for (int i = 0; i < 2; i++) {
    top->eval();
    edge(*top);
  }
  top->rst_i = 0;
  // Sets are emptied first.
  uint64_t begin = 0;
  for (top->eval(); !top->ready_o; top->eval()) {
    if (++begin > kReadyWithin) fail("the cache does not become ready");
    edge(*top);
  }

  uint64_t found[3] = {}, prefetches = 0, fpms = 0, controls = 0, refused = 0, untold = 0, last = 0, cycle = 0;
  for (uint64_t came = 0; came < wanted; cycle++) {
    top->packet_valid_i = packets.due(cycle);
    if (top->packet_valid_i) {
      const Packet packet = packets.take();
      top->packet_class_i = packet.of_class;
      top->packet_id_i = packet.id;
    }
    top->eval();
    if (top->answer_o) {
      if (top->answer_where_o > 2) fail("a packet has no answer");
      std::fprintf(events, "%" PRIu64 " come %u %s\n", cycle - 1, top->answer_id_o, kWhere[top->answer_where_o]);
      found[top->answer_where_o]++;
      came++;
      last = cycle;
      if (came == wanted) break;
    }
    if (top->told_o) {
      const uint32_t arrival = top->told_arrival_o - uint32_t(begin * kOctets);
      std::fprintf(events, "%" PRIu64 " fpm %u %u\n", cycle, top->told_id_o, arrival);
      fpms++;
    }
    if (top->told_push_o) {
      std::fprintf(events, "%" PRIu64 " push\n", cycle);
      controls++;
    }
    const std::string evicted = top->evicts_o ? std::to_string(top->evicted_o) : "-";
    if (top->fetch_o) {
      std::fprintf(events, "%" PRIu64 " fetch %u %s\n", cycle, top->fetch_id_o, evicted.c_str());
      prefetches++;
    }
    if (top->filled_o) std::fprintf(events, "%" PRIu64 " fill %u\n", cycle, top->filled_id_o);
    if (top->placed_o) {
      const char *enters = top->placed_enters_o ? "enters" : "refused";
      std::fprintf(events, "%" PRIu64 " place %u %s %s\n", cycle, top->placed_id_o, enters, evicted.c_str());
    }
    refused += top->refused_o;
    untold += top->untold_o;
    if (top->damaged_o != 0 || top->lost_o != 0) fail("a notification was damaged or lost on the link");
    if (cycle - last > kSilence) fail("no packet has come for long");
    edge(*top);
  }
  std::fclose(events);
  std::printf("%" PRIu64 " packets, %" PRIu64 " hits, %" PRIu64 " delayed hits, %" PRIu64 " misses, %" PRIu64 " prefetches\n",
              wanted, found[0], found[1], found[2], prefetches);
  std::printf("%" PRIu64 " cycles, %" PRIu64 " notifications taken, %" PRIu64 " control packets, %" PRIu64
              " found no room at the neighbour, %" PRIu64 " at the target\n",
              cycle, fpms, controls, untold, refused);
}
