/*
 * How much waits in queues of a name, under whatever version of the policy: what waits under older versions counts in `currSize`
 * of newer ones (docs/openqueue-semantics.md, 8.3). User space numbers the names.
 */
#ifndef OQ_NAMES_H
#define OQ_NAMES_H

#include "oq_kernel.h"

#define OQ_NAMES 65536u

struct oq_name {
	u64 packets;
	u64 bytes;
};

struct {
	OQ_MAP_NUMBER(type, OQ_MAP_ARRAY);
	OQ_MAP_NUMBER(max_entries, OQ_NAMES);
	OQ_MAP_TYPE(key, u32);
	OQ_MAP_TYPE(value, struct oq_name);
} oq_names SEC(".maps");

static __attribute__((always_inline)) struct oq_name *oq_name_value(u32 name)
{
	return bpf_map_lookup_elem(&oq_names, &name);
}

#endif
