/*
 * Clients that send UDP in one network namespace, and what of it arrives at a device in another.
 *
 *   clients SENDER ADDRESS RECEIVER DEVICE CLIENTS DATAGRAMS GAP SEED
 *
 * CLIENTS processes in the namespace SENDER send DATAGRAMS each to ADDRESS. The gaps between two of a client are drawn at random
 * from SEED: exponential, GAP microseconds on average; without gaps if that is 0. At DEVICE, in the namespace RECEIVER, each packet is counted, with the
 * time since it was sent: the sum of these times is the integral of the number of packets that are under way.
 *
 * Prints how many packets have come, the sum of their times, and the times from the begin to when the last packet came and to
 * when the last datagram was sent; in ns.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/if_packet.h>
#include <math.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MOST_CLIENTS 64
/* With the header of UDP, 1,480 bytes: a packet of 1,500, or several whose data are multiples of eight bytes. */
#define PAYLOAD 1472
#define UDP_PORT 5001
#define ROOM (1 << 28)
/* Before the first packet, in ns: the processes are there. */
#define BEFORE 20000000
/* Nothing more comes when nothing has come for so many ms. */
#define QUIET 200

static void fail(const char *what)
{
	perror(what);
	exit(2);
}

/* Goes into a network namespace. */
static void enter(const char *name)
{
	char path[64];
	int fd;

	snprintf(path, sizeof path, "/run/netns/%s", name);
	fd = open(path, O_RDONLY);
	if (fd < 0 || setns(fd, CLONE_NEWNET))
		fail(path);
	close(fd);
}

static int64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_REALTIME, &time);
	return time.tv_sec * 1000000000ll + time.tv_nsec;
}

/* SplitMix64 (Steele, Lea, Flood, 2014), as a number between 0 and 1. */
static double uniform(uint64_t *state)
{
	uint64_t mixed = *state += 0x9e3779b97f4a7c15ull;

	mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ull;
	mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebull;
	return (double)((mixed ^ (mixed >> 31)) >> 11) * 0x1p-53;
}

static int open_client(const char *address)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(UDP_PORT) };
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	if (inet_pton(AF_INET, address, &to.sin_addr) != 1 || fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof to))
		fail(address);
	return fd;
}

/* A client: all of a datagram is the time at which it is sent, so that each part of it has that. */
static int send_all(int fd, int64_t begin, unsigned datagrams, double gap, uint64_t seed)
{
	static int64_t payload[PAYLOAD / sizeof(int64_t)];
	double at = (double)begin;

	for (unsigned i = 0; i < datagrams; i++) {
		struct timespec time;

		at -= gap * log(1 - uniform(&seed));
		time.tv_sec = (int64_t)at / 1000000000;
		time.tv_nsec = (int64_t)at % 1000000000;
		clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &time, NULL);
		payload[0] = now();
		for (unsigned word = 1; word < sizeof payload / sizeof payload[0]; word++)
			payload[word] = payload[0];
		if (send(fd, payload, sizeof payload, 0) != sizeof payload)
			fail("send");
	}
	return 0;
}

static int open_device(const char *device)
{
	struct sockaddr_ll address = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(ETH_P_IP),
		.sll_ifindex = (int)if_nametoindex(device),
	};
	int room = ROOM, yes = 1;
	int fd = socket(AF_PACKET, SOCK_RAW, htons(ETH_P_IP));

	if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof address))
		fail(device);
	setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof room);
	if (setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &yes, sizeof yes))
		fail("SO_TIMESTAMPNS");
	return fd;
}

/* When a packet came, by the kernel's stamp. */
static int64_t came(struct msghdr *message)
{
	for (struct cmsghdr *control = CMSG_FIRSTHDR(message); control; control = CMSG_NXTHDR(message, control))
		if (control->cmsg_level == SOL_SOCKET && control->cmsg_type == SCM_TIMESTAMPNS) {
			struct timespec time;

			memcpy(&time, CMSG_DATA(control), sizeof time);
			return time.tv_sec * 1000000000ll + time.tv_nsec;
		}
	return now();
}

int main(int count, char **words)
{
	uint64_t packets = 0;
	int64_t begin, last_sent = 0, last = 0, waited = 0;
	int clients[MOST_CLIENTS], device, children;
	unsigned client_count;

	if (count != 9 || (client_count = (unsigned)atoi(words[5])) > MOST_CLIENTS) {
		fputs("clients SENDER ADDRESS RECEIVER DEVICE CLIENTS DATAGRAMS GAP SEED\n", stderr);
		return 2;
	}
	enter(words[3]);
	device = open_device(words[4]);
	enter(words[1]);
	for (unsigned i = 0; i < client_count; i++)
		clients[i] = open_client(words[2]);
	begin = now() + BEFORE;
	for (unsigned i = 0; i < client_count; i++)
		if (!fork())
			return send_all(clients[i], begin, (unsigned)atoi(words[6]), atof(words[7]) * 1000,
					strtoull(words[8], NULL, 10) * MOST_CLIENTS + i);
	children = (int)client_count;
	for (;;) {
		struct pollfd ready = { .fd = device, .events = POLLIN };
		uint8_t bytes[64], control[64];
		struct iovec into = { .iov_base = bytes, .iov_len = sizeof bytes };
		struct msghdr message = {
			.msg_iov = &into, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control,
		};
		int64_t sent;

		if (poll(&ready, 1, QUIET) <= 0) {
			while (children && waitpid(-1, NULL, WNOHANG) > 0)
				children--;
			if (!children)
				break;
			continue;
		}
		if (recvmsg(device, &message, 0) < 50 || bytes[23] != IPPROTO_UDP)
			continue;
		/* The first packet of a datagram has the header of UDP before its data. */
		memcpy(&sent, bytes + (((bytes[20] & 0x1f) | bytes[21]) ? 34 : 42), sizeof sent);
		packets++;
		last = came(&message);
		waited += last - sent;
		last_sent = sent > last_sent ? sent : last_sent;
	}
	printf("%llu %lld %lld %lld\n", (unsigned long long)packets, (long long)waited, (long long)(last - begin),
	       (long long)(last_sent - begin));
	return 0;
}
