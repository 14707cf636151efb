// Plays operations on the hardware of a policy: reads them from standard input and writes an answer a line, both as
// docs/conform.md of forebay has them, but for the marks of packets that are pushed out, which the hardware does not tell (0).
//
// It plays them three times, each time from reset: one after the other, which tells what each has done; as fast as they are
// accepted; and with pauses at every stream. What leaves and what is dropped must be the same, every packet that was
// accepted must leave, be dropped or wait, and the counters must say so. Standard error says how many cycles they took at
// full speed, how many each kind of operation took, and after how many a pull was answered; none may take more than README.md
// states.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "Vpolicy.h"
#include "Vpolicy___024root.h"
#include "policy_layout.h"
#include "verilated.h"

namespace {

enum class Kind { Arrive, Pull, Set, Replace };

struct Operation {
    Kind kind = Kind::Arrive;
    uint64_t now = 0;
    std::vector<uint32_t> arriving;  // the word of a packet, the lowest bits first
    uint64_t id = 0;
    uint64_t port = 0;
    uint64_t parameter = 0;
    int64_t units = 0;
    uint32_t policy = 0;
};

// What came out, in its order.
struct Streams {
    std::vector<uint64_t> departures;
    std::vector<uint64_t> drops;
    std::vector<bool> replaced;  // whether each replacement that was asked for was made
};

// No operation is waited for longer, unless every packet of a large queue is dropped before.
constexpr uint64_t kPatience = 1'000'000;
// Nothing comes from the queue block so many cycles after all that the front had is decided.
constexpr uint64_t kQuiet = kFront + 48;
// Where the parameters are among the registers, of eight bytes each; the packets without a queue; and the counters of the
// queues, of which each has 64 bytes: arrived, sent, dropped by four rules, marked, notified, and what waits now.
constexpr uint64_t kParameters = 0x400, kUnclassified = 0x020, kQueueCounters = 0x1000;
// Where there are two policies: version, the policy in force, what drains, refused replacements; and the registers of each.
constexpr uint64_t kVersion = 0x01c, kInForce = 0x044, kDraining = 0x048, kRefused = 0x04c, kOfPolicy = 0x2000;
// After so many operations the counters are looked at.
constexpr std::size_t kLook = 64;
// As they are numbered in the stream of drops.
const char* const kRules[] = {"unclassified", "queue", "buffer", "overflow", "slots"};

[[noreturn]] void fail(const std::string& what) {
    std::cerr << "error: " << what << '\n';
    std::exit(1);
}

uint64_t low(uint64_t word, unsigned bits) { return bits < 64 ? word & ((uint64_t{1} << bits) - 1) : word; }

// ---- operations -----------------------------------------------------------------------------------------------------------

void place(std::vector<uint32_t>& word, unsigned at, unsigned bits, uint64_t value) {
    for (unsigned bit = 0; bit < bits; ++bit) {
        if (value >> bit & 1) word[(at + bit) / 32] |= uint32_t{1} << (at + bit) % 32;
    }
}

std::vector<uint32_t> arriving(const std::unordered_map<std::string, uint64_t>& fields, const std::string& line) {
    std::vector<uint32_t> word(kArriveBits / 32 + 1);
    unsigned at = 0;
    for (const Part& part : kArrive) {
        const uint64_t value = fields.at(part.name);
        if (low(value, part.bits) != value) {
            fail(std::string(part.name) + " has more than " + std::to_string(part.bits) + " bits in `" + line + "`");
        }
        place(word, at, part.bits, value);
        at += part.bits;
    }
    return word;
}

Operation parsed(const std::string& line, std::unordered_map<uint64_t, uint64_t>& values) {
    static const char* const kNames[] = {"queue_index", "size",      "value", "flow",  "traffic_class", "processing",
                                         "slack",       "remaining", "rank",  "marks", "id"};
    std::istringstream words(line);
    std::string kind;
    Operation operation;
    words >> kind >> operation.now;
    if (kind == "enqueue") {
        std::unordered_map<std::string, uint64_t> fields;
        for (const char* name : kNames) words >> fields[name];
        operation.arriving = arriving(fields, line);
        operation.id = fields["id"];
        values[operation.id] = fields["value"];
    } else if (kind == "dequeue") {
        operation.kind = Kind::Pull;
        words >> operation.port;
    } else if (kind == "set") {
        operation.kind = Kind::Set;
        words >> operation.parameter >> operation.units;
    } else if (kind == "replace" && kPolicies > 1) {
        operation.kind = Kind::Replace;
        words >> operation.policy;
    } else {
        fail("hardware does not know `" + line + "`");
    }
    if (!words) fail("`" + line + "` is no operation");
    return operation;
}

// ---- what comes out ----------------------------------------------------------------------------------------------------

struct Departure {
    uint64_t id, port, marks;
    bool none;
};

Departure departure(uint64_t word) {
    const uint64_t above = word >> (kId + kQueue);
    return {low(word, kId), low(above, kPort), low(above >> kPort, 2), (above >> (kPort + 2) & 1) != 0};
}

// ---- the hardware ---------------------------------------------------------------------------------------------------------

template <class Port>
void put(Port& port, const std::vector<uint32_t>& word) {
    uint64_t value = word[0];
    if (sizeof(Port) > 4 && word.size() > 1) value |= uint64_t{word[1]} << 32;
    port = static_cast<Port>(value);
}

template <std::size_t Words>
void put(VlWide<Words>& port, const std::vector<uint32_t>& word) {
    for (std::size_t at = 0; at < Words; ++at) port[at] = at < word.size() ? word[at] : 0;
}

class Hardware {
  public:
    Streams streams;
    uint64_t cycles = 0;
    uint64_t departed = 0;  // the cycle at whose end the last packet left

    // `pauses`: of how many cycles in ten every stream pauses.
    explicit Hardware(unsigned pauses) : pauses_(pauses), top_(context()) {
        top_.clk_i = 0;
        top_.s_axis_arrive_tvalid_i = top_.s_axis_pull_tvalid_i = 0;
        top_.s_axil_awvalid_i = top_.s_axil_wvalid_i = top_.s_axil_arvalid_i = 0;
        top_.s_axil_bready_i = top_.s_axil_rready_i = 0;
        top_.rst_i = 1;
        for (int cycle = 0; cycle < 4; ++cycle) step();
        top_.rst_i = 0;
        streams = {};
        cycles = 0;
    }

    ~Hardware() { top_.final(); }

    // Gives an operation, until it is accepted.
    void give(const Operation& operation) {
        top_.now_i = low(operation.now, kTime);
        if (operation.kind == Kind::Set) {
            const uint64_t address = kParameters + 8 * operation.parameter;
            if (!write(address, static_cast<uint32_t>(operation.units)) ||
                !write(address + 4, static_cast<uint32_t>(operation.units >> 32))) {
                fail("a parameter cannot be written");
            }
            return;
        }
        if (operation.kind == Kind::Replace) {
            // What is given from now on comes after it, also before it is answered.
            send(kInForce, operation.policy);
            asks_for_ = static_cast<int>(operation.policy);
            return;
        }
        while (pause()) step();
        const bool arrives = operation.kind == Kind::Arrive;
        if (arrives) {
            put(top_.s_axis_arrive_tdata_i, operation.arriving);
            if (!inside_.insert(operation.id).second) fail("two packets with the same id are inside");
            ++accepted_;
        } else top_.s_axis_pull_tdata_i = operation.port;
        auto& valid = arrives ? top_.s_axis_arrive_tvalid_i : top_.s_axis_pull_tvalid_i;
        const auto& ready = arrives ? top_.s_axis_arrive_tready_o : top_.s_axis_pull_tready_o;
        valid = 1;
        wait([&] { return ready; }, "an operation is not accepted");
        valid = 0;
    }

    // Until all is decided, and nothing more comes; says in how many cycles there was something to decide.
    uint64_t settle() {
        await();
        uint64_t quiet = 0, busy = 0;
        for (uint64_t waited = 0; quiet < kQuiet; ++waited) {
            if (waited > kPatience) fail("an operation is not decided");
            const std::size_t before = streams.departures.size() + streams.drops.size();
            const bool rests = idle(*top_.rootp);
            busy += !rests;
            step();
            quiet = rests && before == streams.departures.size() + streams.drops.size() ? quiet + 1 : 0;
        }
        return busy;
    }

    // When all is decided: every packet that was accepted has left, was dropped or waits.
    void look() {
        uint64_t arrived = 0, waiting[kPolicies] = {};
        for (unsigned policy = 0; policy < kPolicies; ++policy) {
            const uint64_t base = kPolicies > 1 ? kOfPolicy * (1 + policy) : 0;
            arrived += read(base + kUnclassified);
            for (unsigned queue = 0; queue < kQueues[policy]; ++queue) {
                uint32_t words[9];
                for (unsigned word = 0; word < 9; ++word) words[word] = read(base + kQueueCounters + 64 * queue + 4 * word);
                const uint32_t gone = words[1] + words[2] + words[3] + words[4] + words[5];
                if (words[0] != gone + words[8]) fail("the counters of a queue do not add up");
                arrived += words[0];
                waiting[policy] += words[8];
            }
        }
        if (arrived != accepted_) fail("not every packet was counted that was accepted");
        uint64_t all = 0;
        for (const uint64_t packets : waiting) all += packets;
        if (all != inside_.size()) fail("a packet was lost: it has not left, was not dropped and does not wait");
        if (kPolicies == 1) return;
        if (read(kVersion) != version_ || read(kInForce) != in_force_ || read(kRefused) != refused_) {
            fail("the registers of the replacement are wrong");
        }
        if (read(kDraining) != waiting[kPolicies - 1 - in_force_]) fail("the packets that drain are others than those that wait");
    }

    // Until so many packets have left and been dropped; not for ever.
    void end(const Streams& wanted) {
        for (uint64_t waited = 0; waited < kPatience; ++waited) {
            if (streams.departures.size() >= wanted.departures.size() && streams.drops.size() >= wanted.drops.size()) break;
            step();
        }
        settle();
        look();
    }

  private:
    VerilatedContext context_;
    unsigned pauses_;
    Vpolicy top_;
    std::mt19937 rng_{1};
    std::unordered_set<uint64_t> inside_;  // the ids of packets that were accepted and have not come out
    uint64_t accepted_ = 0;
    uint32_t version_ = 1, in_force_ = 0, refused_ = 0;

    // What has no reset begins with anything.
    VerilatedContext* context() {
        context_.randReset(2);
        context_.randSeed(1);
        return &context_;
    }

    bool pause() { return pauses_ > 0 && rng_() % 10 < pauses_; }

    // One cycle, of which the outputs are looked at before its end.
    void step() {
        settle_outputs();
        rise();
    }

    void settle_outputs() {
        top_.m_axis_depart_tready_i = !pause();
        top_.m_axis_drop_tready_i = !pause();
        top_.clk_i = 0;
        top_.eval();
    }

    void rise() {
        if (top_.m_axis_depart_tvalid_o && top_.m_axis_depart_tready_i) {
            streams.departures.push_back(top_.m_axis_depart_tdata_o);
            departed = cycles + 1;
            if (!departure(top_.m_axis_depart_tdata_o).none) out(top_.m_axis_depart_tdata_o);
        }
        if (top_.m_axis_drop_tvalid_o && top_.m_axis_drop_tready_i) {
            streams.drops.push_back(top_.m_axis_drop_tdata_o);
            out(top_.m_axis_drop_tdata_o);
        }
        const bool answered = top_.s_axil_bvalid_o && top_.s_axil_bready_i;
        const bool done = top_.s_axil_bresp_o == 0;
        top_.clk_i = 1;
        top_.eval();
        ++cycles;
        if (answered) written(done);
    }

    // A register was written, or that was refused.
    void written(bool done) {
        top_.s_axil_bready_i = 0;
        asked_ = false;
        done_ = done;
        if (asks_for_ < 0) return;
        const auto policy = static_cast<uint32_t>(asks_for_);
        asks_for_ = -1;
        streams.replaced.push_back(done);
        if (!done) ++refused_;
        else if (policy != in_force_) ++version_;
        if (done) in_force_ = policy;
    }

    void out(uint64_t word) {
        if (top_.rst_i == 0 && inside_.erase(low(word, kId)) != 1) fail("a packet comes out that is not inside");
    }

    // Cycles up to one in which something is so.
    template <class Condition>
    void wait(Condition condition, const char* otherwise) {
        for (uint64_t waited = 0; waited < kPatience; ++waited) {
            settle_outputs();
            const bool done = condition();
            rise();
            if (done) return;
        }
        fail(otherwise);
    }

    uint32_t read(uint64_t address) {
        await();
        top_.s_axil_araddr_i = address;
        top_.s_axil_arvalid_i = 1;
        wait([&] { return top_.s_axil_arready_o; }, "a register is not read");
        top_.s_axil_arvalid_i = 0;
        top_.s_axil_rready_i = 1;
        uint32_t word = 0;
        wait([&] { word = top_.s_axil_rdata_o; return top_.s_axil_rvalid_o; }, "a register is not read");
        top_.s_axil_rready_i = 0;
        return word;
    }

    // Whether it was written.
    bool write(uint64_t address, uint32_t word) {
        send(address, word);
        await();
        return done_;
    }

    // Gives a word to a register, until it is accepted.
    void send(uint64_t address, uint32_t word) {
        await();
        top_.s_axil_awaddr_i = address;
        top_.s_axil_wdata_i = word;
        top_.s_axil_wstrb_i = 15;
        top_.s_axil_awvalid_i = top_.s_axil_wvalid_i = top_.s_axil_bready_i = 1;
        asked_ = true;
        for (uint64_t waited = 0; top_.s_axil_awvalid_i || top_.s_axil_wvalid_i; ++waited) {
            if (waited > kPatience) fail("a register is not written");
            settle_outputs();
            const bool address_taken = top_.s_axil_awready_o, word_taken = top_.s_axil_wready_o;
            rise();
            if (address_taken) top_.s_axil_awvalid_i = 0;
            if (word_taken) top_.s_axil_wvalid_i = 0;
        }
    }

    // Until the last write is answered.
    void await() {
        for (uint64_t waited = 0; asked_; ++waited) {
            if (waited > kPatience) fail("a write is not answered");
            step();
        }
    }

    bool asked_ = false;  // a write is not answered yet
    bool done_ = false;   // the last one was
    int asks_for_ = -1;   // the policy that is to be in force, if the write is about that
};

// ---- answers --------------------------------------------------------------------------------------------------------------

// What an operation has done, by what came out since.
std::string answer(const Operation& operation, const Streams& since, const std::unordered_map<uint64_t, uint64_t>& values) {
    if (operation.kind == Kind::Set) return "set";
    if (operation.kind == Kind::Replace) return since.replaced.at(0) ? "replaced" : "draining";
    const auto value = [&](uint64_t id) {
        const auto found = values.find(id);
        return found == values.end() ? uint64_t{0} : found->second;
    };
    std::ostringstream text;
    if (operation.kind == Kind::Pull) {
        if (since.departures.size() != 1 || !since.drops.empty()) fail("a pull has not one answer");
        const Departure left = departure(since.departures[0]);
        if (left.port != operation.port) fail("a packet leaves from another port than the one that was asked");
        if (left.none) return "nothing";
        text << "sent " << left.id << ':' << value(left.id) << ':' << left.marks;
        return text.str();
    }
    if (!since.departures.empty()) fail("a packet leaves that no port has asked for");
    std::string verdict = "queued";
    std::ostringstream pushed;
    for (const uint64_t word : since.drops) {
        const uint64_t id = low(word, kId), rule = low(word >> (kId + kQueue), 3);
        if (word >> (kId + kQueue + 3) & 1) {
            pushed << " pushed " << id << ':' << value(id) << ":0";
        } else if (id == operation.id && rule < std::size(kRules)) {
            verdict = std::string("refused ") + kRules[rule];
        } else {
            fail("a packet is refused that has not arrived");
        }
    }
    return verdict + pushed.str();
}

void same(const std::vector<uint64_t>& one, const std::vector<uint64_t>& other, const char* what, const char* how) {
    for (std::size_t at = 0; at < one.size() || at < other.size(); ++at) {
        if (at >= one.size() || at >= other.size() || one[at] != other[at]) {
            fail(std::string(how) + ", " + what + ' ' + std::to_string(at + 1) + " differs from the one that comes one by one");
        }
    }
}

// ---- cycles ---------------------------------------------------------------------------------------------------------------

// How many cycles operations of a kind have taken, each until the next one could be decided.
struct Taken {
    uint64_t count = 0, least = UINT64_MAX, most = 0, all = 0;

    void add(uint64_t cycles) {
        ++count;
        least = std::min(least, cycles);
        most = std::max(most, cycles);
        all += cycles;
    }

    std::string text(const char* what) const {
        std::ostringstream text;
        text << count << ' ' << what << " of " << (count == 0 ? 0 : least) << " to " << most << " cycles";
        return text.str();
    }
};

// What is stated of an operation that drops so many packets.
uint64_t stated(Kind kind, std::size_t drops) {
    return kind == Kind::Pull ? kPull : kArrival + kFurther * (drops > 1 ? drops - 1 : 0);
}

// All operations without waiting for what they do; how many cycles that took.
uint64_t streamed(const std::vector<Operation>& operations, unsigned pauses, const Streams& wanted, const char* how) {
    Hardware hardware(pauses);
    for (const Operation& operation : operations) hardware.give(operation);
    const uint64_t cycles = hardware.cycles;
    hardware.end(wanted);
    same(wanted.departures, hardware.streams.departures, "departure", how);
    same(wanted.drops, hardware.streams.drops, "drop", how);
    if (wanted.replaced != hardware.streams.replaced) fail(std::string(how) + ", other replacements are made");
    return cycles;
}

}  // namespace

int main() {
    std::ios::sync_with_stdio(false);
    std::vector<Operation> operations;
    std::unordered_map<uint64_t, uint64_t> values;
    for (std::string line; std::getline(std::cin, line);) {
        line = line.substr(0, line.find('#'));
        if (line.find_first_not_of(" \t\r") != std::string::npos) operations.push_back(parsed(line, values));
    }
    Streams wanted;
    Taken arrivals, pulls;
    uint64_t latest = 0;
    {
        Hardware hardware(0);
        std::size_t number = 0;
        for (const Operation& operation : operations) {
            hardware.give(operation);
            const uint64_t taken = hardware.cycles;
            const uint64_t cycles = 1 + hardware.settle();
            if (operation.kind != Kind::Set && operation.kind != Kind::Replace) {
                const uint64_t most = stated(operation.kind, hardware.streams.drops.size());
                if (cycles > most) {
                    fail("an operation takes " + std::to_string(cycles) + " cycles, and " + std::to_string(most) + " are stated");
                }
                (operation.kind == Kind::Pull ? pulls : arrivals).add(cycles);
            }
            if (operation.kind == Kind::Pull) {
                const uint64_t later = hardware.departed - taken;
                if (later > kDeparts) {
                    fail("a pull is answered after " + std::to_string(later) + " cycles, and " + std::to_string(kDeparts) + " are stated");
                }
                latest = std::max(latest, later);
            }
            if (++number % kLook == 0 || operation.kind == Kind::Replace || number == operations.size()) hardware.look();
            std::cout << answer(operation, hardware.streams, values) << '\n';
            for (const uint64_t word : hardware.streams.departures) wanted.departures.push_back(word);
            for (const uint64_t word : hardware.streams.drops) wanted.drops.push_back(word);
            for (const bool done : hardware.streams.replaced) wanted.replaced.push_back(done);
            hardware.streams = {};
        }
    }
    std::cout.flush();
    const uint64_t cycles = streamed(operations, 0, wanted, "at full speed");
    streamed(operations, 3, wanted, "with pauses");
    const bool writes = arrivals.count + pulls.count < operations.size();
    if (!writes && cycles > arrivals.all + pulls.all + kFront + kTurn * operations.size()) {
        fail("at full speed all take " + std::to_string(cycles) + " cycles, and each alone " +
             std::to_string(arrivals.all + pulls.all));
    }
    std::cerr << operations.size() << " operations in " << cycles << " cycles: " << arrivals.text("arrivals") << ", " <<
        pulls.text("pulls") << "; stated: up to " << kArrival << " (and " << kFurther <<
        " for each further packet that is dropped), " << kPull << "; pulls are answered after up to " << latest <<
        " cycles; stated: " << kDeparts << '\n';
    return 0;
}
