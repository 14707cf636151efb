// Puts six packets into a BBQ, one in each cycle, takes them out, one in each cycle, and
// prints when each answer comes: the lowest rank first, equal ranks in order of arrival.
#include "Vbbq.h"
#include "verilated.h"

#include <cstdio>
#include <memory>
#include <vector>

// As in rtl/common/forebay_queue_pkg.sv.
enum Op { Enqueue = 0, DequeueMin = 1, DequeueMax = 2, PeekMin = 3, PeekMax = 4 };
const char* const kOps[] = {"enqueue", "dequeue-min", "dequeue-max", "peek-min", "peek-max"};
const char* const kStatuses[] = {"done", "full", "empty", "out of range", "unsupported"};

struct Operation {
  Op op;
  unsigned rank, data;  // of an enqueue
};

int main(int argc, char** argv) {
  const auto context = std::make_unique<VerilatedContext>();
  context->commandArgs(argc, argv);
  const auto bbq = std::make_unique<Vbbq>(context.get());
  unsigned cycle = 0;

  // One cycle: inputs were set; outputs are those of this cycle until the clock rises.
  const auto rise = [&] {
    bbq->clk_i = 1;
    bbq->eval();
    bbq->clk_i = 0;
    bbq->eval();
    ++cycle;
  };

  bbq->clk_i = 0;
  bbq->rst_i = 1;
  bbq->req_valid_i = 0;
  bbq->eval();
  rise();
  bbq->rst_i = 0;

  const std::vector<Operation> operations = {
      {Enqueue, 20, 100},   {Enqueue, 7, 101},    {Enqueue, 7, 102},    {Enqueue, 63, 103},
      {Enqueue, 0, 104},    {Enqueue, 12, 105},   {PeekMin, 0, 0},      {DequeueMax, 0, 0},
      {DequeueMin, 0, 0},   {DequeueMin, 0, 0},   {DequeueMin, 0, 0},   {DequeueMin, 0, 0},
      {DequeueMin, 0, 0},   {DequeueMin, 0, 0},
  };
  // What a dequeue must give: data, or 0 if the queue is empty by then.
  const std::vector<unsigned> expected = {103, 104, 101, 102, 105, 100, 0};

  std::vector<unsigned> taken;
  size_t asked = 0, answered = 0;
  while (answered < operations.size() && cycle < 1000) {
    // An operation is accepted in a cycle in which both valid and ready are 1.
    bbq->req_valid_i = asked < operations.size();
    if (bbq->req_valid_i) {
      const Operation& next = operations[asked];
      bbq->req_op_i = next.op;
      bbq->req_partition_i = 0;
      bbq->req_rank_i = next.rank;
      bbq->req_data_i = next.data;
    }
    bbq->eval();
    if (bbq->req_valid_i && bbq->req_ready_o) {
      std::printf("cycle %2u  asked     %s", cycle, kOps[bbq->req_op_i]);
      if (bbq->req_op_i == Enqueue) std::printf(" rank %u data %u", bbq->req_rank_i, bbq->req_data_i);
      std::printf(", %u in\n", bbq->occupancy_o);
      ++asked;
    }
    // Answers come in the order of the operations, a fixed number of cycles behind them.
    if (bbq->rsp_valid_o) {
      std::printf("cycle %2u  answered  %s: %s, rank %u data %u\n", cycle, kOps[bbq->rsp_op_o],
                  kStatuses[bbq->rsp_status_o], bbq->rsp_rank_o, bbq->rsp_data_o);
      if (bbq->rsp_op_o == DequeueMin || bbq->rsp_op_o == DequeueMax) {
        taken.push_back(bbq->rsp_data_o);
      }
      ++answered;
    }
    rise();
  }
  bbq->final();

  if (taken != expected) {
    std::puts("this is not the order of their ranks");
    return 1;
  }
  std::puts("all left in the order of their ranks");
  return 0;
}
