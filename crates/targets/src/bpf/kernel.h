/*
 * What the programs need of the kernel: a few fields of its structures (found at their places when the programs are loaded),
 * helpers by their numbers, and kernel functions by their names.
 */
#ifndef OQ_KERNEL_H
#define OQ_KERNEL_H

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

#define NULL ((void *)0)
#define SEC(name) __attribute__((section(name), used))

/* A map in section ".maps" is a structure of such members. */
#define OQ_MAP_NUMBER(name, value) int (*name)[value]
#define OQ_MAP_TYPE(name, type) type *name
#define OQ_MAP_ARRAY 2

static void *(*const bpf_map_lookup_elem)(void *map, const void *key) = (void *)1;
static u64 (*const bpf_ktime_get_ns)(void) = (void *)5;
static u32 (*const bpf_get_hash_recalc)(void *skb) = (void *)34;
static long (*const bpf_skb_load_bytes_relative)(const void *skb, u32 offset, void *to, u32 length, u32 from) = (void *)68;
static long (*const bpf_skb_ecn_set_ce)(void *skb) = (void *)97;
static void *(*const bpf_kptr_xchg)(void *where, void *pointer) = (void *)194;

/* Loops whose bound the verifier need not follow step by step. */
struct bpf_iter_num {
	u64 opaque[1];
} __attribute__((aligned(8)));
extern int bpf_iter_num_new(struct bpf_iter_num *it, int start, int end) SEC(".ksyms");
extern int *bpf_iter_num_next(struct bpf_iter_num *it) SEC(".ksyms");
extern void bpf_iter_num_destroy(struct bpf_iter_num *it) SEC(".ksyms");

#define OQ_LOOP(i, bound)                                                                                          \
	for (u32 i = 0, once_##i = 1; once_##i; once_##i = 0)                                                      \
		for (struct bpf_iter_num it_##i __attribute__((cleanup(bpf_iter_num_destroy))),                    \
		     *begun_##i __attribute__((unused)) =                                                          \
			     (bpf_iter_num_new(&it_##i, 0, (bound)), (struct bpf_iter_num *)NULL);                 \
		     ({                                                                                            \
			     int *at_ = bpf_iter_num_next(&it_##i);                                                \
			     (at_ && ((i = (u32)*at_), 1));                                                        \
		     });)

/* An index that compiler and verifier agree on: the mask is applied where the array is used. */
#define OQ_MASKED(index, mask)                                                                                     \
	({                                                                                                         \
		u32 masked_ = (index);                                                                             \
		asm volatile("%0 &= %1" : "+r"(masked_) : "i"(mask));                                              \
		masked_;                                                                                           \
	})

#endif
