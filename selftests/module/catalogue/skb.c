// SPDX-License-Identifier: GPL-2.0
/*
 * Buffers of the network: each is two slab objects, the head and the data.
 */
#include <linux/if_ether.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <net/net_namespace.h>

#include "catalogue.h"

enum { LENGTH = 32 };

static void release_skb(void *object)
{
	kfree_skb(object);
}

CATALOGUE_CALL(skb)
{
	struct sk_buff *skb = alloc_skb(900, GFP_KERNEL);

	if (!skb)
		return;
	catalogue_count(c, 2);
	catalogue_lose(c, skb, 2, release_skb);
}

/* The clone keeps the data in use. */
CATALOGUE_CALL(skb_clone)
{
	struct sk_buff *skb = alloc_skb(900, GFP_KERNEL), *clone;

	if (!skb)
		return;
	clone = skb_clone(skb, GFP_KERNEL);
	consume_skb(skb);
	if (!clone)
		return;
	catalogue_count(c, 2);
	catalogue_lose(c, clone, 2, release_skb);
}

static struct sk_buff_head queue;

static void drop_oldest(struct catalogue_case *c)
{
	consume_skb(skb_dequeue(&queue));
	catalogue_count(c, -2);
}

CATALOGUE_CALL(skb_queue)
{
	struct sk_buff *skb = alloc_skb(900, GFP_KERNEL);

	if (!skb)
		return;
	catalogue_count(c, 2);
	skb_queue_tail(&queue, skb);
	if (skb_queue_len(&queue) > LENGTH)
		drop_oldest(c);
}

static void skb_queue_cleanup(struct catalogue_case *c)
{
	while (!skb_queue_empty(&queue))
		drop_oldest(c);
}

/* A protocol that nobody has asked for: the network stack frees the buffer, in a softirq. */
CATALOGUE_CALL(skb_handed_over)
{
	struct sk_buff *skb = alloc_skb(900, GFP_KERNEL);

	if (!skb)
		return;
	skb_put_zero(skb, 100);
	skb_reset_mac_header(skb);
	skb->dev = init_net.loopback_dev;
	skb->protocol = htons(ETH_P_802_EX1);
	netif_rx(skb);
}

static int queue_init(void)
{
	skb_queue_head_init(&queue);
	return 0;
}

static struct catalogue_case cases[] = {
	CATALOGUE_LEAK(skb, 200, "a network buffer is forgotten"),
	CATALOGUE_LEAK(skb_clone, 200, "the clone of a network buffer is forgotten"),
	CATALOGUE_LOOKALIKE(skb_queue, 2 * LENGTH, "a queue of network buffers drops the oldest",
			    .cleanup = skb_queue_cleanup),
	CATALOGUE_LOOKALIKE(skb_handed_over, 0, "the network stack gets a buffer and drops it"),
};

const struct catalogue_family catalogue_skb = {
	.init	= queue_init,
	.cases	= cases,
	.count	= ARRAY_SIZE(cases),
};
