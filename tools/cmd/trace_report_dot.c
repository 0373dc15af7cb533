// SPDX-License-Identifier: GPL-2.0
/* Who waits for whom, in the language of dot(1). */
#include <stdio.h>

#include "cmd/trace_report.h"
#include "trace/words.h"

/* Of a quoted string of dot. Names of tasks and functions are printable. */
static void put_quoted(const char *text)
{
	for (; *text; text++)
		printf("%s%c", *text == '"' || *text == '\\' ? "\\" : "", *text);
}

static void put_sleep(const struct trace_report *r, const struct kmprof_node *node)
{
	char state[KMPROF_STATE_TEXT], lock[TRACE_REPORT_LOCK];

	put_quoted(trace_report_asleep(state, node->reason));
	if (node->lock) {
		printf(" for ");
		put_quoted(trace_report_lock(r, node->kind, node->lock, lock));
	}
}

static void put_state(const struct trace_report *r, const struct kmprof_node *node)
{
	switch (node->why) {
	case KMPROF_WHY_RUNS:
		printf("runs on CPU %u", node->cpu);
		break;
	case KMPROF_WHY_RUNNABLE:
		printf("is runnable");
		if (node->cpu != KMPROF_CPU_UNKNOWN)
			printf(" on CPU %u", node->cpu);
		break;
	case KMPROF_WHY_ASLEEP:
		put_sleep(r, node);
		break;
	case KMPROF_WHY_INTERRUPT:
		put_sleep(r, node);
		printf(" until a %s wakes it", kmprof_trace_context_word(node->context));
		break;
	case KMPROF_WHY_ALONE:
		put_sleep(r, node);
		printf(", nobody is seen to wake it");
		break;
	case KMPROF_WHY_ABSENT:
		printf("is not there yet");
		break;
	default:
		printf("not known");
	}
}

static void put_node(struct trace_report *r, const struct kmprof_node *node)
{
	const struct kmprof_life *life = &r->schedule.life[node->task];
	const char *stack = trace_report_stack(r, node->stack);

	printf("\tt%u [label=\"", node->task);
	put_quoted(*life->comm ? life->comm : "?");
	printf("-%u\\n", life->tid);
	put_state(r, node);
	printf("\"");
	if (stack) {
		printf(", tooltip=\"in ");
		put_quoted(stack);
		printf("\"");
	}
	printf("];\n");
}

static void put_edge(const struct kmprof_node *node)
{
	const char *why = node->why == KMPROF_WHY_RUNNABLE ? "behind" :
			  node->why == KMPROF_WHY_ABSENT ? "until created by" : "until woken by";

	if (node->on)
		printf("\tt%u -> t%u [label=\"%s\"];\n", node->task, node->on, why);
}

int trace_report_dot(struct trace_report *r)
{
	size_t i;

	printf("digraph waits {\n\tlabel=\"");
	put_quoted(r->trace->name);
	printf(" at %.9f s\";\n\tnode [shape=box, fontname=\"sans-serif\"];\n"
	       "\tedge [fontname=\"sans-serif\"];\n",
	       (double)r->request->graph_ns / 1e9);
	for (i = 0; i < r->nr_nodes; i++)
		put_node(r, &r->nodes[i]);
	for (i = 0; i < r->nr_nodes; i++)
		put_edge(&r->nodes[i]);
	printf("}\n");
	return trace_report_finish(r);
}
