/*
 * Changes of the policy while packets wait: asked for by DPDK's telemetry, made by the cores between two bursts.
 */
#ifndef DPDK_CHANGE_H
#define DPDK_CHANGE_H

/* A version that is put in force, or a live parameter that gets a value. */
struct change {
	struct oq_running *next;
	enum oq_transition transition;
	struct egress pace[OQ_POLICY_PORTS];
	char name[64];
	int64_t units;
	int status;
	char message[OQ_MESSAGE];
	struct oq_running *ended;
};

/* Whether the links are fed by the same ports, and there are packets for all that it may hold. */
static int can_replace(const struct oq_version *version, char *message)
{
	int same = version->ports == OQ_POLICY_PORTS;

	for (unsigned port = 0; same && port < version->ports; port++)
		same = !strcmp(version->port_names[port], oq_version.port_names[port]);
	if (!same)
		oq_live_say(message, "the policy has other ports; give them the names of those that there are, in the same order");
	else if (version->capacity > most_packets)
		oq_live_say(message, "the policy has room for %u packets, and there are %u for each; begin the program with --packets %u",
			    version->capacity, most_packets, version->capacity);
	return same && version->capacity <= most_packets;
}

/* Makes the version of a shared object ready for a lane; NULL and a message if it cannot be. */
static struct oq_running *make_ready(struct lane *lane, const char *file, char *message)
{
	void *object = dlopen(file, RTLD_NOW | RTLD_LOCAL);
	const struct oq_version *version = object ? dlsym(object, "oq_version") : NULL;
	struct oq_running *next = NULL;

	if (!version) {
		oq_live_say(message, "%s; make it with `make version.so` in the folder of the other policy", dlerror());
	} else if (version->form != OQ_VERSION_FORM || can_replace(version, message)) {
		next = oq_live_prepare(&lane->live, version, message);
		if (next && !attach(lane, next, object)) {
			oq_live_say(message, "there is no room for the names of its queues");
			release(next);
			next = NULL;
			object = NULL;
		}
	}
	if (!next && object)
		dlclose(object);
	return next;
}

/* Makes a change: the lane's own core does, between two bursts. */
static void make_change(struct lane *lane, struct change *change)
{
	if (change->next)
		change->status = oq_live_change(&lane->live, change->next, change->transition, change->message);
	else
		change->status = oq_live_set(&lane->live, change->name, change->units);
	if (change->next && !change->status)
		for (unsigned port = 0; port < OQ_POLICY_PORTS; port++) {
			lane->egress[port].over = change->pace[port].over;
			lane->egress[port].under = change->pace[port].under;
		}
	change->ended = oq_live_ended(&lane->live);
}

/* Makes the change that is asked of the lane, if there is one. */
static void follow(struct lane *lane)
{
	struct change *change = __atomic_load_n(&lane->asked, __ATOMIC_ACQUIRE);

	if (!change)
		return;
	make_change(lane, change);
	__atomic_store_n(&lane->asked, NULL, __ATOMIC_RELEASE);
}

/* Asks all lanes for their changes, and waits until they are made: whether all were. */
static int ask_all(struct change *changes, char *message)
{
	int all = 1;

	for (unsigned i = 0; i < lane_count; i++)
		__atomic_store_n(&lanes[i].asked, &changes[i], __ATOMIC_RELEASE);
	for (unsigned i = 0; i < lane_count; i++) {
		while (__atomic_load_n(&lanes[i].asked, __ATOMIC_ACQUIRE))
			rte_delay_us_sleep(20);
		if (changes[i].status && all)
			snprintf(message, OQ_MESSAGE, "%s", changes[i].message);
		all &= !changes[i].status;
		if (changes[i].status && changes[i].next)
			release(changes[i].next);
		release(changes[i].ended);
	}
	return all;
}

/* Replaces the policy of all lanes by that of a shared object: whether all have it now. */
static int replace_all(const char *file, enum oq_transition transition, char *message)
{
	struct change *changes = calloc(lane_count, sizeof *changes);
	int ready = changes != NULL;

	for (unsigned i = 0; ready && i < lane_count; i++) {
		struct change *change = &changes[i];

		change->transition = transition;
		change->next = make_ready(&lanes[i], file, message);
		for (unsigned port = 0; change->next && port < OQ_POLICY_PORTS; port++) {
			change->pace[port].port = lanes[i].egress[port].port;
			if (!set_pace(change->next->version, &change->pace[port], port, rates[change->pace[port].port])) {
				oq_live_say(message, "port %u does not say how fast it is, and the policy has a part of that; begin "
						     "the program with --rate", change->pace[port].port);
				ready = 0;
			}
		}
		ready &= change->next != NULL;
	}
	if (ready)
		ready = ask_all(changes, message);
	else
		for (unsigned i = 0; changes && i < lane_count; i++)
			if (changes[i].next)
				release(changes[i].next);
	free(changes);
	return ready;
}

/* Gives a live parameter of all lanes a value: whether the policy has it. */
static int set_all(const char *name, int64_t units, char *message)
{
	struct change *changes = calloc(lane_count, sizeof *changes);
	int done;

	for (unsigned i = 0; changes && i < lane_count; i++) {
		changes[i].units = units;
		snprintf(changes[i].name, sizeof changes[i].name, "%s", name);
		snprintf(changes[i].message, OQ_MESSAGE, "the policy has no live parameter of this name; compile it with --live");
	}
	done = changes && ask_all(changes, message);
	free(changes);
	return done;
}

/* What a telemetry command answers. */
static int answer(struct rte_tel_data *data, int done, const char *message)
{
	const unsigned most = RTE_TEL_MAX_STRING_LEN - 1;
	char name[16], text[RTE_TEL_MAX_STRING_LEN];

	rte_tel_data_start_dict(data);
	rte_tel_data_add_dict_string(data, "result", done ? "done" : "refused");
	/* DPDK cuts a text that is longer. */
	for (unsigned part = 0, length = (unsigned)strlen(message); !done && part * most < length; part++) {
		snprintf(name, sizeof name, part ? "why_%u" : "why", part + 1);
		snprintf(text, sizeof text, "%s", message + part * most);
		rte_tel_data_add_dict_string(data, name, text);
	}
	rte_tel_data_add_dict_int(data, "version", (int)lanes[0].live.changes);
	return 0;
}

/* `/openqueue/change,FILE,drain` or `rerank` */
static int on_change(const char *command, const char *parameters, struct rte_tel_data *data)
{
	char file[4096], message[OQ_MESSAGE] = "write /openqueue/change,FILE,drain or /openqueue/change,FILE,rerank";
	const char *way = parameters ? strrchr(parameters, ',') : NULL;
	int done = 0;

	(void)command;
	if (way && (size_t)(way - parameters) < sizeof file && (!strcmp(way, ",drain") || !strcmp(way, ",rerank"))) {
		memcpy(file, parameters, (size_t)(way - parameters));
		file[way - parameters] = 0;
		pthread_mutex_lock(&making_ready);
		done = replace_all(file, strcmp(way, ",drain") ? OQ_RERANK : OQ_DRAIN, message);
		pthread_mutex_unlock(&making_ready);
	}
	return answer(data, done, message);
}

/* `/openqueue/set,NAME=VALUE`: a number, of which 1/65,536 is the smallest part. */
static int on_set(const char *command, const char *parameters, struct rte_tel_data *data)
{
	char name[64], message[OQ_MESSAGE] = "write /openqueue/set,NAME=NUMBER";
	const char *equals = parameters ? strchr(parameters, '=') : NULL;
	char *end = NULL;
	long double value = equals ? strtold(equals + 1, &end) : 0;
	int done = 0;

	(void)command;
	if (equals && end != equals + 1 && !*end && value > -0x1p47L && value < 0x1p47L
	    && (size_t)(equals - parameters) < sizeof name) {
		long double units = value * 65536;
		int64_t whole = (int64_t)units;

		memcpy(name, parameters, (size_t)(equals - parameters));
		name[equals - parameters] = 0;
		pthread_mutex_lock(&making_ready);
		done = set_all(name, whole - ((long double)whole > units), message);
		pthread_mutex_unlock(&making_ready);
	}
	return answer(data, done, message);
}

/* From now on the commands are answered. */
static void take_commands(void)
{
	rte_telemetry_register_cmd("/openqueue/change", on_change,
				   "Puts a policy in the place of the one that runs. Parameters: FILE,drain or FILE,rerank");
	rte_telemetry_register_cmd("/openqueue/set", on_set, "Gives a live parameter a value. Parameters: NAME=NUMBER");
}

#endif
