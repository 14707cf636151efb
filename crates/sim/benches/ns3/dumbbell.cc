// Long flows over one bottleneck in ns-3: how many packets it carries over links per second of processor time.
// README.md says what is simulated. Prints one line of JSON.

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/traffic-control-module.h"

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint32_t kHeaderBytes = 42; // PPP 2, IPv4 20, TCP 20
constexpr uint16_t kPort = 5000;

struct Setup
{
    std::string transport = "newreno";
    uint32_t pairs = 10;
    std::string accessRate = "1Gbps";
    std::string bottleneckRate = "1Gbps";
    std::string linkDelay = "10us";
    uint32_t queuePackets = 100;
    uint32_t markPackets = 20;
    uint32_t segmentBytes = 1500 - kHeaderBytes;
    double seconds = 1.0;
};

double
ProcessorSeconds()
{
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

void
ConfigureTransport(const Setup& setup)
{
    const bool dctcp = setup.transport == "dctcp";
    NS_ABORT_MSG_UNLESS(dctcp || setup.transport == "newreno", "transport: newreno or dctcp");
    Config::SetDefault("ns3::TcpL4Protocol::SocketType",
                       TypeIdValue(dctcp ? TcpDctcp::GetTypeId() : TcpNewReno::GetTypeId()));
    Config::SetDefault("ns3::TcpL4Protocol::RecoveryType", TypeIdValue(TcpClassicRecovery::GetTypeId()));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(setup.segmentBytes));
    Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(3));
    Config::SetDefault("ns3::TcpSocket::InitialSlowStartThreshold", UintegerValue(30 * setup.segmentBytes));
    Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(1));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(65535));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(2 * 65535));
    Config::SetDefault("ns3::TcpSocketBase::WindowScaling", BooleanValue(false));
    Config::SetDefault("ns3::TcpSocketBase::Timestamp", BooleanValue(false));
    // Without selective acknowledgements ns-3.37 crashes at the first loss of this set-up.
    Config::SetDefault("ns3::TcpSocketBase::Sack", BooleanValue(true));
    Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(MilliSeconds(1)));
    Config::SetDefault("ns3::TcpSocketBase::ClockGranularity", TimeValue(MicroSeconds(1)));
    Config::SetDefault("ns3::RttEstimator::InitialEstimation", TimeValue(MilliSeconds(1)));
    Config::SetDefault("ns3::TcpSocket::ConnTimeout", TimeValue(MilliSeconds(3)));
}

// Puts marking queues in front of the ports: ns-3 marks in its traffic control layer only. Ports without flow control
// get no queue there, so for NewReno there is nothing to take away.
void
ConfigureQueues(const Setup& setup, const NetDeviceContainer& ports)
{
    if (setup.transport == "dctcp")
    {
        TrafficControlHelper control;
        control.Uninstall(ports);
        const auto mark = static_cast<double>(setup.markPackets);
        control.SetRootQueueDisc("ns3::RedQueueDisc",
                                 "UseEcn", BooleanValue(true),
                                 "UseHardDrop", BooleanValue(false),
                                 "MinTh", DoubleValue(mark),
                                 "MaxTh", DoubleValue(mark),
                                 "QW", DoubleValue(1.0),
                                 "MeanPktSize", UintegerValue(1500),
                                 "LinkBandwidth", StringValue(setup.bottleneckRate),
                                 "LinkDelay", StringValue(setup.linkDelay),
                                 "MaxSize", QueueSizeValue(QueueSize(PACKETS, setup.queuePackets)));
        control.Install(ports);
    }
}

// A port's queue passes on every packet that the port sends.
uint64_t
Sent(const Ptr<NetDevice>& device)
{
    const auto queue = DynamicCast<PointToPointNetDevice>(device)->GetQueue();
    return queue->GetTotalReceivedPackets() - queue->GetNPackets();
}

} // namespace

int
main(int argc, char* argv[])
{
    Setup setup;
    CommandLine command(__FILE__);
    command.AddValue("transport", "newreno or dctcp", setup.transport);
    command.AddValue("pairs", "senders, and receivers", setup.pairs);
    command.AddValue("access", "rate of the hosts' links", setup.accessRate);
    command.AddValue("bottleneck", "rate of the link between the switches", setup.bottleneckRate);
    command.AddValue("delay", "propagation of every link", setup.linkDelay);
    command.AddValue("queue", "packets in a port's queue", setup.queuePackets);
    command.AddValue("mark", "packets that wait when DCTCP's marks begin", setup.markPackets);
    command.AddValue("seconds", "simulated time", setup.seconds);
    command.Parse(argc, argv);
    ConfigureTransport(setup);

    NodeContainer senders(setup.pairs);
    NodeContainer receivers(setup.pairs);
    NodeContainer switches(2);
    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    stack.Install(NodeContainer(senders, receivers, switches));

    const bool dctcp = setup.transport == "dctcp";
    PointToPointHelper link;
    link.SetChannelAttribute("Delay", StringValue(setup.linkDelay));
    const uint32_t devicePackets = dctcp ? 1 : setup.queuePackets;
    link.SetQueue("ns3::DropTailQueue", "MaxSize", QueueSizeValue(QueueSize(PACKETS, devicePackets)));
    if (!dctcp)
    {
        link.DisableFlowControl();
    }
    link.SetDeviceAttribute("DataRate", StringValue(setup.bottleneckRate));
    NetDeviceContainer ports = link.Install(switches);
    Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.0");
    addresses.Assign(ports);

    link.SetDeviceAttribute("DataRate", StringValue(setup.accessRate));
    std::vector<Ipv4Address> destinations;
    for (uint32_t i = 0; i < setup.pairs; ++i)
    {
        addresses.NewNetwork();
        const NetDeviceContainer left = link.Install(senders.Get(i), switches.Get(0));
        addresses.Assign(left);
        addresses.NewNetwork();
        const NetDeviceContainer right = link.Install(receivers.Get(i), switches.Get(1));
        destinations.push_back(addresses.Assign(right).GetAddress(0));
        ports.Add(left);
        ports.Add(right);
    }
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    ConfigureQueues(setup, ports);

    PacketSinkHelper sink("ns3::TcpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), kPort));
    const ApplicationContainer sinks = sink.Install(receivers);
    for (uint32_t i = 0; i < setup.pairs; ++i)
    {
        BulkSendHelper source("ns3::TcpSocketFactory", InetSocketAddress(destinations[i], kPort));
        source.SetAttribute("SendSize", UintegerValue(setup.segmentBytes));
        source.Install(senders.Get(i)).Start(MicroSeconds(10 * i));
    }

    const double before = ProcessorSeconds();
    Simulator::Stop(Seconds(setup.seconds));
    Simulator::Run();
    const double cpu = ProcessorSeconds() - before;

    uint64_t hops = 0;
    uint64_t dropped = 0;
    for (auto port = ports.Begin(); port != ports.End(); ++port)
    {
        hops += Sent(*port);
        dropped += DynamicCast<PointToPointNetDevice>(*port)->GetQueue()->GetTotalDroppedPackets();
    }
    uint64_t received = 0;
    for (auto app = sinks.Begin(); app != sinks.End(); ++app)
    {
        received += DynamicCast<PacketSink>(*app)->GetTotalRx();
    }
    std::printf("{\"simulator\": \"ns-3\", \"transport\": \"%s\", \"pairs\": %" PRIu32
                ", \"bottleneck\": \"%s\", \"simulated_s\": %g, \"packet_hops\": %" PRIu64 ", \"events\": %" PRIu64
                ", \"dropped\": %" PRIu64 ", \"received_bytes\": %" PRIu64
                ", \"cpu_s\": %.3f, \"hops_per_cpu_s\": %.0f}\n",
                setup.transport.c_str(), setup.pairs, setup.bottleneckRate.c_str(), setup.seconds, hops,
                Simulator::GetEventCount(), dropped, received, cpu, static_cast<double>(hops) / cpu);
    Simulator::Destroy();
    return 0;
}
