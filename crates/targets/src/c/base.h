/*
 * What a host may set before it includes oq_core.h, and what it gets otherwise: plain C.
 *
 * The code needs no library, no floating point, no wide integers, no signed division, no recursion, no function
 * pointers and no memory but static arrays, so that a kernel's verifier can follow it.
 */
#ifndef OQ_BASE_H
#define OQ_BASE_H

typedef __UINT8_TYPE__ oq_u8;
typedef __UINT16_TYPE__ oq_u16;
typedef __UINT32_TYPE__ oq_u32;
typedef __UINT64_TYPE__ oq_u64;
typedef __INT64_TYPE__ oq_i64;

/* No packet, no queue, no buffer. */
#define OQ_NONE 0xffffffffu

/* Repeats a block, with `i` from 0 to below `bound`, which is a constant; the block may break. */
#ifndef OQ_LOOP
#define OQ_LOOP(i, bound) for (oq_u32 i = 0; i < (bound); i++)
#endif

/* An element of an array whose length is a power of two: `mask` + 1. */
#ifndef OQ_AT
#define OQ_AT(array, index, mask) ((array)[(index)])
#endif

/* A number of which a verifier shall know nothing. */
#ifndef OQ_UNKNOWN
#define OQ_UNKNOWN(x) (x)
#endif

/* A function that a verifier shall look at once, and not at each call. */
#ifndef OQ_GLOBAL
#define OQ_GLOBAL static __attribute__((unused))
#endif

/* A function that is compiled where it is called. */
#ifndef OQ_INLINE
#define OQ_INLINE static inline __attribute__((always_inline, unused))
#endif

/* Where state and tables are. With OQ_INSTANCE, a pointer to a struct oq_instance, there may be several instances. */
#ifndef OQ_STATE
#define OQ_STATE static __attribute__((unused))
#endif
#ifndef OQ_TABLE
#define OQ_TABLE static const __attribute__((unused))
#endif

/*
 * Arrays with an element for each packet, their lengths, and the `policyId` of a packet: constants, or numbers that each instance
 * begins with (version.c).
 */
#ifndef OQ_ROOM
#define OQ_ROOM(kind, name, length) OQ_HELD kind name[length]
#define OQ_ROOM_SLOTS OQ_CAPACITY
#define OQ_ROOM_BASE(queue) OQ_AT(oq_queue_base, queue, OQ_QUEUE_MASK)
#define OQ_ROOM_PLACES(queue) OQ_AT(oq_queue_places, queue, OQ_QUEUE_MASK)
#define OQ_ROOM_STEPS OQ_HEAP_STEPS
#define OQ_ARRIVED_UNDER(slot) ((void)(slot), OQ_POLICY_ID)
#endif

/* More members of an instance, which the host gives it. */
#ifndef OQ_MORE_STATE
#define OQ_MORE_STATE
#endif

/* State that others may want to look at: queues, ports, buffers and counters. */
#ifndef OQ_SHOWN
#define OQ_SHOWN(name) OQ_HELD
#endif

/* A packet that waited was dropped: the host frees what it keeps for the slot. */
#ifndef OQ_DROP
#define OQ_DROP(slot, rule) ((void)(slot), (void)(rule))
#endif

/* A packet goes into a queue, or out of it. */
#ifndef OQ_GOES_IN
#define OQ_GOES_IN(queue, size) ((void)(queue), (void)(size))
#define OQ_GOES_OUT(queue, size) ((void)(queue), (void)(size))
#endif

/* `packets` or `bytes` that wait elsewhere and count in `currSize` of a queue or buffer (section 8.3). */
#ifndef OQ_ELSEWHERE_IN_QUEUE
#define OQ_ELSEWHERE_IN_QUEUE(queue, what) 0u
#define OQ_ELSEWHERE_IN_BUFFER(buffer, what) 0u
#endif

/* Why a packet was dropped. */
#define OQ_RULE_QUEUE 0u
#define OQ_RULE_BUFFER 1u
#define OQ_RULE_OVERFLOW 2u
#define OQ_RULE_UNCLASSIFIED 3u
#define OQ_RULE_SLOTS 4u
#define OQ_RULES 5u
#define OQ_RULE_NAMES { "queue", "buffer", "overflow", "unclassified", "slots" }

/* What oq_enqueue returns for a packet that was refused; the rule is in the low bits. */
#define OQ_REFUSED 0x80000000u

#endif
