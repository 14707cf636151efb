/*
 * Traffic for tests in a virtual machine, in one small program without libraries of its own.
 *
 *   traffic send DEVICE COUNT SIZE SEED [PAUSE [TOS [PRIORITY [MARK [FLOWS]]]]]
 *                                                 sends COUNT frames as fast as the device takes them (with a pause in
 *                                                 microseconds after each, a type of service, the kernel's priority and
 *                                                 mark, and from so many UDP ports in turn, from 0 on); prints how many,
 *                                                 and the time of each in ns
 *   traffic frames DEVICE FILE                    sends the frames of a file, each of them behind the number of its bytes (2
 *                                                 bytes, the least first), with 100 microseconds after each; prints how many
 *   traffic receive DEVICE FILE STOP              counts the frames that come in, until the file STOP is there and no frame
 *                                                 has come for 300 ms; writes into FILE how many, how many of them twice,
 *                                                 the microseconds between the first and the last, and how many were
 *                                                 told of congestion
 *
 * Frames are Ethernet, IPv4 and UDP; the payload is a number of 8 bytes, which no other frame of the sender has, and bytes
 * drawn at random from SEED: a policy's fields come from there. Seeds of one test differ and are 1 to 15.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define ROOM (1 << 28)
#define PAYLOAD 42
#define NUMBERS (1 << 24)

static uint8_t seen[NUMBERS / 8];

static int64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000ll + time.tv_nsec;
}

static int open_device(const char *device, int protocol)
{
	struct sockaddr_ll address = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(protocol),
		.sll_ifindex = (int)if_nametoindex(device),
	};
	int room = ROOM;
	int fd = socket(AF_PACKET, SOCK_RAW, htons(protocol));

	if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof address)) {
		perror(device);
		exit(2);
	}
	setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &room, sizeof room);
	setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof room);
	return fd;
}

/* What frames are like, but for their number: 0 unless it is said. */
struct kind {
	unsigned pause; /* in microseconds, after each */
	unsigned tos;
	unsigned priority;
	unsigned mark;
	unsigned flows;
};

static int send_frames(const char *device, uint64_t count, size_t size, uint64_t state, struct kind kind)
{
	static uint8_t frame[9000] = { 2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 8, 0, 0x45 };
	int fd = open_device(device, 0);
	uint64_t sent = 0, number;
	int64_t begin;

	if (setsockopt(fd, SOL_SOCKET, SO_PRIORITY, &kind.priority, sizeof kind.priority)
	    || setsockopt(fd, SOL_SOCKET, SO_MARK, &kind.mark, sizeof kind.mark)) {
		perror("priority and mark");
		exit(2);
	}
	frame[15] = (uint8_t)kind.tos;
	frame[16] = (uint8_t)((size - 14) >> 8);
	frame[17] = (uint8_t)(size - 14);
	frame[22] = 64;
	frame[23] = 17;
	frame[38] = (uint8_t)((size - 34) >> 8);
	frame[39] = (uint8_t)(size - 34);
	begin = now();
	number = state * 1000000;
	for (uint64_t i = 0; i < count; i++, number++) {
		memcpy(frame + PAYLOAD, &number, 8);
		frame[35] = kind.flows ? (uint8_t)(i % kind.flows) : 0;
		for (size_t at = PAYLOAD + 8; at + 8 <= size && at < PAYLOAD + 16; at += 8) {
			state ^= state << 13;
			state ^= state >> 7;
			state ^= state << 17;
			memcpy(frame + at, &state, 8);
		}
		/* A frame that the queueing discipline drops was sent, too. */
		if (send(fd, frame, size, 0) < 0 && errno != ENOBUFS) {
			if (errno != ENETDOWN && errno != ENXIO)
				perror("send");
			break;
		}
		sent++;
		if (kind.pause)
			usleep(kind.pause);
	}
	printf("%llu %llu\n", (unsigned long long)sent, (unsigned long long)(now() - begin) / (sent ? sent : 1));
	return 0;
}

static int send_file(const char *device, const char *path)
{
	static uint8_t frame[9000];
	int fd = open_device(device, 0);
	uint64_t sent = 0;
	uint8_t length[2];
	FILE *file = fopen(path, "r");

	if (!file) {
		perror(path);
		return 2;
	}
	while (fread(length, sizeof length, 1, file) == 1) {
		size_t size = length[0] | (size_t)length[1] << 8;

		if (size > sizeof frame || fread(frame, size, 1, file) != 1) {
			fputs("the file is damaged\n", stderr);
			return 2;
		}
		if (send(fd, frame, size, 0) < 0) {
			perror("send");
			return 2;
		}
		sent++;
		usleep(100);
	}
	printf("%llu\n", (unsigned long long)sent);
	return 0;
}

static int receive_frames(const char *device, const char *path, const char *stop)
{
	int fd = open_device(device, ETH_P_ALL);
	uint64_t count = 0, twice = 0, told = 0, number;
	int64_t first = 0, last = 0;
	uint8_t frame[9000];
	FILE *file;

	for (;;) {
		struct pollfd ready = { .fd = fd, .events = POLLIN };

		if (poll(&ready, 1, 300) <= 0) {
			if (!access(stop, F_OK))
				break;
			continue;
		}
		if (recv(fd, frame, sizeof frame, 0) < PAYLOAD + 8 || frame[23] != 17)
			continue;
		memcpy(&number, frame + PAYLOAD, 8);
		number %= NUMBERS;
		twice += seen[number / 8] >> number % 8 & 1;
		seen[number / 8] |= (uint8_t)(1 << number % 8);
		count++;
		told += (frame[15] & 3) == 3;
		last = now();
		first = first ? first : last;
	}
	file = fopen(path, "w");
	if (!file)
		return 2;
	fprintf(file, "%llu %llu %lld %llu\n", (unsigned long long)count, (unsigned long long)twice,
		(long long)(last - first) / 1000, (unsigned long long)told);
	return fclose(file);
}

int main(int count, char **words)
{
	if (count >= 6 && !strcmp(words[1], "send")) {
		unsigned more[5] = { 0 };

		for (int i = 6; i < count && i < 11; i++)
			more[i - 6] = (unsigned)atoi(words[i]);
		return send_frames(words[2], strtoull(words[3], NULL, 10), strtoul(words[4], NULL, 10), strtoull(words[5], NULL, 10),
				   (struct kind){ more[0], more[1], more[2], more[3], more[4] });
	}
	if (count == 4 && !strcmp(words[1], "frames"))
		return send_file(words[2], words[3]);
	if (count == 5 && !strcmp(words[1], "receive"))
		return receive_frames(words[2], words[3], words[4]);
	fputs("traffic send DEVICE COUNT SIZE SEED [PAUSE [TOS [PRIORITY [MARK [FLOWS]]]]] | frames DEVICE FILE | "
	      "receive DEVICE FILE STOP\n", stderr);
	return 2;
}
