// SPDX-License-Identifier: GPL-2.0
/* kmprof objects: the sampled objects in use, one by one. */
#include <errno.h>
#include <string.h>

#include "cmd/objects.h"

#define NSEC_PER_MSEC	1000000ULL

enum { DEFAULT_ROWS = 20 };

static int parse_option(struct objects_request *r, int opt)
{
	__u64 ms;

	switch (opt) {
	case OPT_OLDER:
		if (parse_duration(optarg, &ms))
			return usage_error(&cmd_objects,
					   "--older: '%s' is not a time like 500ms, 10s, 2m or 1h",
					   optarg);
		r->older_ns = ms * NSEC_PER_MSEC;
		break;
	case 'n':
		if (parse_count(optarg, &r->most))
			return usage_error(&cmd_objects, "-n: '%s' is not a number", optarg);
		break;
	case OPT_FOCUS:
	case OPT_IGNORE:
		return parse_filter(&cmd_objects, &r->filter, opt);
	case OPT_BYTES:
		r->bytes = true;
		break;
	case OPT_JSON:
		r->json = true;
		break;
	case OPT_INPUT:
		r->input = optarg;
		break;
	case OPT_SYMFS:
	case OPT_KALLSYMS:
		parse_names(&r->names, opt);
		break;
	}
	return EXIT_OK;
}

/* Return: EXIT_OK, another exit status, or -1 when --help has been shown. */
static int parse(struct objects_request *r, int argc, char **argv)
{
	static const struct option options[] = {
		OPTION_HELP, OPTION_JSON, OPTION_INPUT, OPTION_SYMFS, OPTION_KALLSYMS,
		OPTION_FOCUS, OPTION_IGNORE,
		{ "older", required_argument, NULL, OPT_OLDER },
		{ "bytes", no_argument, NULL, OPT_BYTES },
		{ "limit", required_argument, NULL, 'n' },
		OPTION_END
	};
	int opt, ret;

	while ((opt = getopt_long(argc, argv, ":hn:", options, NULL)) >= 0) {
		if (opt == 'h')
			return show_help(&cmd_objects) ? EXIT_FAILED : -1;
		if (opt == '?' || opt == ':')
			return bad_option(&cmd_objects, opt, argv);
		ret = parse_option(r, opt);
		if (ret)
			return ret;
	}
	if (optind < argc && !r->input)
		r->input = argv[optind++];
	if (optind < argc)
		return usage_error(&cmd_objects, "%s: one image at a time", argv[optind]);
	return EXIT_OK;
}

size_t objects_shown(const struct objects_request *r, const struct kmprof_inuse *inuse)
{
	return r->most && r->most < inuse->nr ? r->most : inuse->nr;
}

/* An older module does not have the setting, and nothing can be done about that. */
bool objects_lack_owners(const struct kmprof_image *image)
{
	const struct kmprof_image_scalar *owners = kmprof_image_find_scalar(image, "owners");

	return owners && !owners->value;
}

static int show(const struct objects_request *r, const struct kmprof_image *image)
{
	struct kmprof_resolver resolver;
	struct kmprof_inuse inuse;
	struct kmprof_error err;
	int ret;

	if (r->bytes && image->header.objects.count && !kmprof_image_has_bytes(image)) {
		kmprof_error_set(&err, -ENOENT,
				 "of the running kernel, 'kmprof objects --bytes' shows them",
				 "the image does not have the first bytes of objects");
		return fail(&err);
	}
	ret = open_names(&resolver, image, &r->names);
	if (ret)
		return ret;
	if (kmprof_inuse_list(&inuse, image, &r->filter, r->older_ns, &resolver, &err)) {
		ret = fail(&err);
	} else {
		ret = r->json ? print_json(objects_json(r, &inuse, &resolver)) :
				objects_text(r, &inuse, &resolver);
		kmprof_inuse_release(&inuse);
	}
	kmprof_resolver_close(&resolver);
	return ret;
}

static int run(int argc, char **argv)
{
	struct objects_request request = { .most = DEFAULT_ROWS };
	struct opened_image opened;
	int ret;

	ret = parse(&request, argc, argv);
	if (!ret)
		ret = open_image(&opened, request.input, KMPROF_SNAPSHOT_OBJECTS |
				 (request.bytes ? KMPROF_SNAPSHOT_BYTES : 0));
	if (!ret) {
		ret = show(&request, &opened.image);
		close_image(&opened);
	}
	kmprof_filter_release(&request.filter);
	return ret < 0 ? EXIT_OK : ret;
}

const struct command cmd_objects = {
	.name		= "objects",
	.summary	= "list sampled objects in use, the oldest first",
	.usage		=
	"Usage: kmprof objects [IMAGE] [OPTIONS]\n"
	"\n"
	"Lists the sampled objects in use: how old they are, where they are, which task has\n"
	"allocated them, and the stack of the allocation. Of a saved image that was recorded with\n"
	"--objects, or of the device if none is given. With heap_rate=1 these are all objects.\n"
	"\n"
	"Options:\n"
	"  --older TIME     only those of at least this age, as in 500ms, 10s, 2m, 1h\n"
	"  -n, --limit NUMBER\n"
	"                   objects to show, 20 if not given; 0 for all\n"
	"  --bytes          with the first bytes of each, and names of addresses among them\n"
	USAGE_FILTER
	USAGE_JSON
	USAGE_INPUT
	USAGE_SYMBOLS
	USAGE_HELP,
	.run		= run,
};
