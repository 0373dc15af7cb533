// SPDX-License-Identifier: GPL-2.0
/*
 * The record ring against a model: first in, first out, every byte of it, and
 * full only when it is full.
 */
#include <kunit/test.h>
#include <linux/irqflags.h>
#include <linux/mutex.h>
#include <linux/sched.h>

#include "core/ring.c"
#include "chance.h"
#include "rig.h"

/* What these cases leave in the rings says nothing to a drain. */
static void rings_empty(void *unused)
{
	int cpu;

	for_each_possible_cpu(cpu)
		per_cpu_ptr(&rings, cpu)->tail = per_cpu_ptr(&rings, cpu)->head;
}

static int ring_test_init(struct kunit *test)
{
	int err = rig_create(test, &rig_narrow_limits);

	if (!err)
		err = kunit_add_action_or_reset(test, rings_empty, NULL);
	return err ?: rig_pin();
}

static struct kmprof_ring *this_ring(void)
{
	return per_cpu_ptr(&rings, raw_smp_processor_id());
}

/* An empty ring whose counters stand at @at. */
static void ring_rewind(unsigned long at)
{
	this_ring()->head = at;
	this_ring()->tail = at;
}

/* What @number's record holds is a function of the number; extremes are often. */
static u64 content(u64 number, unsigned int field)
{
	struct rnd_state r;

	prandom_seed_state(&r, number * 64 + field);
	switch (chance_below(&r, 4)) {
	case 0: return 0;
	case 1: return U64_MAX;
	case 2: return chance_magnitude(&r);
	default: return chance_u64(&r);
	}
}

static void record_fill(struct kmprof_record *rec, u64 number)
{
	unsigned int i;

	rec->slot = content(number, 0);
	rec->live = content(number, 1);
	atomic_set(&rec->note, content(number, 2));
	rec->hash = content(number, 3);
	rec->profile = (void *)content(number, 4);
	rec->size = content(number, 5);
	rec->period = content(number, 6);
	for (i = 0; i < rec->nr_words; i++)
		rec->frames[i] = content(number, 7) + i * content(number, 8);
}

static bool record_is(const struct kmprof_record *rec, u64 number, unsigned int nr_frames)
{
	u64 base = content(number, 7), step = content(number, 8);
	bool ok = rec->nr_words == nr_frames &&
		  rec->slot == (u16)content(number, 0) &&
		  rec->live == (u32)content(number, 1) &&
		  atomic_read(&rec->note) == (int)content(number, 2) &&
		  rec->hash == (u32)content(number, 3) &&
		  rec->profile == (void *)content(number, 4) &&
		  rec->size == content(number, 5) &&
		  rec->period == content(number, 6);
	unsigned int i;

	for (i = 0; i < nr_frames; i++)
		ok &= rec->frames[i] == base + i * step;
	return ok;
}

/* What a probe does, without the interrupts off that a test could not end in. */
static struct kmprof_record *produce(u64 number, unsigned int nr_frames, bool *kick)
{
	struct kmprof_record *rec;
	unsigned long flags;

	local_irq_save(flags);
	rec = kmprof_ring_reserve(nr_frames, false);
	if (rec) {
		record_fill(rec, number);
		*kick = kmprof_ring_commit(rec);
	}
	local_irq_restore(flags);
	return rec;
}

/*
 * A case is the only consumer, and may end at any assertion: the lock is held
 * for no longer than a call.
 */
static const struct kmprof_record *peek(int cpu, unsigned long limit)
{
	const struct kmprof_record *rec;

	mutex_lock(&kmprof_drain_lock);
	rec = kmprof_ring_peek(cpu, limit);
	mutex_unlock(&kmprof_drain_lock);
	return rec;
}

static const struct kmprof_record *oldest(void)
{
	int cpu = raw_smp_processor_id();

	return peek(cpu, kmprof_ring_limit(cpu));
}

/* Each depth, at each place of the ring: aligned, inside, and not on the header. */
static void a_record_has_room_for_its_frames(struct kunit *test)
{
	unsigned int nr, at;

	for (nr = 0; nr <= KMPROF_STACK_DEPTH_MAX; nr++) {
		for (at = 0; at < KMPROF_RING_MIN; at += KMPROF_RECORD_ALIGN) {
			const struct kmprof_record *rec;
			long place;
			bool kick;

			ring_rewind(at);
			rec = produce(nr, nr, &kick);
			KUNIT_ASSERT_NOT_NULL(test, rec);
			KUNIT_ASSERT_TRUE(test, kick);
			KUNIT_ASSERT_EQ(test, (unsigned long)rec % KMPROF_RECORD_ALIGN, 0);
			place = (void *)rec - this_ring()->data;
			KUNIT_ASSERT_GE(test, place, 0);
			KUNIT_ASSERT_LE(test, place + rec->bytes, KMPROF_RING_MIN);
			KUNIT_ASSERT_GE(test, rec->bytes, sizeof(*rec) + nr * sizeof(long));
			KUNIT_ASSERT_LT(test, rec->bytes, sizeof(*rec) + nr * sizeof(long) +
					KMPROF_RECORD_ALIGN);
			KUNIT_ASSERT_PTR_EQ(test, oldest(), rec);
			KUNIT_ASSERT_TRUE(test, record_is(rec, nr, nr));
			kmprof_ring_consume(raw_smp_processor_id(), rec);
			KUNIT_ASSERT_NULL(test, oldest());
			KUNIT_ASSERT_TRUE(test, kmprof_ring_all_empty());
		}
	}
}

struct model {
	struct {
		u64 number;
		unsigned int nr_frames;
		unsigned int bytes;	/* with what was skipped before it */
	} queue[KMPROF_RING_MIN / KMPROF_RECORD_ALIGN];
	unsigned int first, nr;
	unsigned int place, used;	/* in bytes: next write, in use */
};

static unsigned int model_bytes(unsigned int nr_frames)
{
	return roundup(sizeof(struct kmprof_record) + nr_frames * sizeof(long),
		       KMPROF_RECORD_ALIGN);
}

/* Bytes that a record takes from here: it does not go round the end. */
static unsigned int model_need(const struct model *m, unsigned int nr_frames)
{
	unsigned int bytes = model_bytes(nr_frames), left = KMPROF_RING_MIN - m->place;

	return bytes <= left ? bytes : left + bytes;
}

static void model_run(struct kunit *test, unsigned long start, u64 seed, unsigned int depth)
{
	const unsigned int size = KMPROF_RING_MIN;
	const struct kmprof_record *rec;
	int cpu = raw_smp_processor_id();
	unsigned int op, nr, need, at;
	unsigned long limit = start;
	u64 produced = 0, refused = 0;
	struct model *m;
	struct rnd_state r;
	bool kick, empty;
	u64 i;

	m = kunit_kzalloc(test, sizeof(*m), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, m);
	prandom_seed_state(&r, seed);
	ring_rewind(start);
	m->place = start % size;

	for (i = 0; i < 20000; i++) {
		/* By turns the producer and the consumer are faster. */
		op = chance_below(&r, 8);
		if (op == 7) {
			/* Given up after the reserve: as if it had not been. */
			unsigned long flags;

			local_irq_save(flags);
			kmprof_ring_reserve(chance_below(&r, depth + 1), false);
			local_irq_restore(flags);
		} else if (op < (i / 256 % 2 ? 5 : 2)) {
			nr = chance_below(&r, depth + 1);
			need = model_need(m, nr);
			empty = !m->used;
			if (!produce(i, nr, &kick)) {
				KUNIT_ASSERT_GT(test, m->used + need, size);
				refused++;
				continue;
			}
			KUNIT_ASSERT_LE(test, m->used + need, size);
			m->used += need;
			m->place = (m->place + need) % size;
			at = (m->first + m->nr++) % ARRAY_SIZE(m->queue);
			m->queue[at].number = i;
			m->queue[at].nr_frames = nr;
			m->queue[at].bytes = need;
			KUNIT_ASSERT_EQ(test, kick, empty || m->used >= size / 4);
			produced++;
		} else {
			limit = kmprof_ring_limit(cpu);
			rec = peek(cpu, limit);
			KUNIT_ASSERT_EQ(test, !!rec, !!m->nr);
			if (!rec)
				continue;
			at = m->first++ % ARRAY_SIZE(m->queue);
			m->nr--;
			KUNIT_ASSERT_TRUE_MSG(test, record_is(rec, m->queue[at].number,
							      m->queue[at].nr_frames),
					      "record %llu", m->queue[at].number);
			kmprof_ring_consume(cpu, rec);
			m->used -= m->queue[at].bytes;
		}
		KUNIT_ASSERT_EQ(test, kmprof_ring_all_empty(), !m->nr);
	}
	/* It was full at times, and went round. */
	KUNIT_EXPECT_GT(test, refused, 100);
	KUNIT_EXPECT_GT(test, produced, 1000);
}

static void a_ring_is_a_queue_of_its_size(struct kunit *test)
{
	model_run(test, 0, 1, KMPROF_STACK_DEPTH_MAX);
	model_run(test, 64 * 17, 2, 12);
	model_run(test, KMPROF_RING_MIN - 64, 3, 0);
}

/* The byte counters may wrap, in the middle of records and pads as well. */
static void a_ring_outlives_its_counters(struct kunit *test)
{
	model_run(test, -64000UL, 4, KMPROF_STACK_DEPTH_MAX);
	model_run(test, -64UL, 5, 20);
}

/* A drain that stops at its limit ends, whatever comes meanwhile. */
static void a_drain_stops_at_its_limit(struct kunit *test)
{
	int cpu = raw_smp_processor_id();
	const struct kmprof_record *rec;
	unsigned int before, n, i;
	unsigned long limit;
	struct rnd_state r;
	u64 next_in = 0, next_out = 0;
	bool kick;

	prandom_seed_state(&r, 6);
	ring_rewind(0);
	for (i = 0; i < 1000; i++) {
		while (chance_below(&r, 8) && produce(next_in, 3, &kick))
			next_in++;
		limit = kmprof_ring_limit(cpu);
		before = next_in - next_out;
		for (n = 0; n <= before && (rec = peek(cpu, limit)); n++) {
			KUNIT_ASSERT_TRUE(test, record_is(rec, next_out, 3));
			next_out++;
			kmprof_ring_consume(cpu, rec);
			if (produce(next_in, 3, &kick))
				next_in++;
		}
		KUNIT_ASSERT_EQ(test, n, before);
	}
}

struct stream {
	u64 in[RIG_WORKERS];
	u64 refused[RIG_WORKERS];
};

/* Depths differ, so that pads lie everywhere. */
static unsigned int stream_frames(u64 number)
{
	return number * 7 % 50;
}

static void stream_produce(void *data, unsigned int worker)
{
	struct stream *s = data;
	bool kick;

	if (produce(s->in[worker], stream_frames(s->in[worker]), &kick))
		WRITE_ONCE(s->in[worker], s->in[worker] + 1);
	else
		s->refused[worker]++;
}

/*
 * Workers are bound to the online CPUs in order. For two seconds; longer, if that was
 * not enough for each of them, because the host is busy or there is one CPU only.
 */
static void stream_consume(struct kunit *test, void *data)
{
	unsigned int worker, workers = min_t(unsigned int, num_online_cpus(), RIG_WORKERS);
	unsigned long start = jiffies, limit;
	const struct kmprof_record *rec;
	u64 out[RIG_WORKERS] = {}, least = 0;
	bool ok = true;
	int cpu;

	while (ok && time_before(jiffies, start + (least > 1000 ? 2 : 100) * HZ)) {
		worker = 0;
		for_each_online_cpu(cpu) {
			if (worker == RIG_WORKERS)
				break;
			limit = kmprof_ring_limit(cpu);
			while (ok && (rec = peek(cpu, limit))) {
				ok = record_is(rec, out[worker], stream_frames(out[worker]));
				out[worker]++;
				kmprof_ring_consume(cpu, rec);
			}
			worker++;
		}
		least = U64_MAX;
		for (worker = 0; worker < workers; worker++)
			least = min(least, out[worker]);
		rig_let_others_run();
	}
	KUNIT_EXPECT_TRUE(test, ok);
	KUNIT_EXPECT_GT(test, least, 1000);
}

/* One producer per CPU and one consumer elsewhere: every record, whole, in order. */
static void a_consumer_elsewhere_sees_whole_records(struct kunit *test)
{
	struct stream *s = kunit_kzalloc(test, sizeof(*s), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, s);
	KUNIT_ASSERT_EQ(test, set_cpus_allowed_ptr(current, cpu_online_mask), 0);
	rig_run(test, stream_produce, stream_consume, s);
}

static struct kunit_case ring_cases[] = {
	KUNIT_CASE(a_record_has_room_for_its_frames),
	KUNIT_CASE(a_ring_is_a_queue_of_its_size),
	KUNIT_CASE(a_ring_outlives_its_counters),
	KUNIT_CASE(a_drain_stops_at_its_limit),
	KUNIT_CASE_SLOW(a_consumer_elsewhere_sees_whole_records),
	{}
};

static struct kunit_suite ring_suite = {
	.name		= "kmprof_ring",
	.init		= ring_test_init,
	.test_cases	= ring_cases,
};

kunit_test_suite(ring_suite);
