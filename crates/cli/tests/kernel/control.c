/*
 * Sets numbers of the pinned map in which user space tells a discipline what to do (struct oq_control), or shows a number of
 * such a map; places are counted from 0, in numbers of 64 bits:
 *
 *   control MAP PLACE VALUE [PLACE VALUE]...
 *   control MAP PLACE
 */
#include <linux/bpf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PLACES 8192

static long bpf(int command, union bpf_attr *attributes)
{
	return syscall(SYS_bpf, command, attributes, sizeof *attributes);
}

int main(int count, char **words)
{
	static uint64_t value[PLACES];
	uint32_t key = 0;
	union bpf_attr open, element;

	if (count < 3 || (count > 3 && count % 2)) {
		fputs("control MAP PLACE [VALUE [PLACE VALUE]...]\n", stderr);
		return 2;
	}
	memset(&open, 0, sizeof open);
	open.pathname = (uintptr_t)words[1];
	memset(&element, 0, sizeof element);
	element.map_fd = (uint32_t)bpf(BPF_OBJ_GET, &open);
	element.key = (uintptr_t)&key;
	element.value = (uintptr_t)value;
	if ((int)element.map_fd < 0 || bpf(BPF_MAP_LOOKUP_ELEM, &element)) {
		perror(words[1]);
		return 2;
	}
	if (count == 3) {
		printf("%llu\n", (unsigned long long)value[strtoul(words[2], NULL, 10) % PLACES]);
		return 0;
	}
	for (int i = 2; i < count; i += 2)
		value[strtoul(words[i], NULL, 10) % PLACES] = strtoull(words[i + 1], NULL, 10);
	if (bpf(BPF_MAP_UPDATE_ELEM, &element)) {
		perror(words[1]);
		return 2;
	}
	return 0;
}
