// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "util/escape.h"
#include "util/page.h"

static void put_policy(FILE *file, const struct kmprof_page *page)
{
	size_t i;

	fputs("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';", file);
	fputs(" script-src", file);
	for (i = 0; i < page->nr_scripts; i++)
		fprintf(file, " '%s'", page->scripts[i]->hash);
	fprintf(file, "; style-src '%s'; base-uri 'none'; form-action 'none'\">\n",
		page->style->hash);
}

void kmprof_page_begin(FILE *file, const struct kmprof_page *page)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n", file);
	put_policy(file, page);
	fputs("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	      "<meta name=\"generator\" content=\"kmprof " KMPROF_VERSION "\">\n<title>", file);
	kmprof_escape_xml(file, page->name, strlen(page->name));
	fprintf(file, " - kmprof</title>\n<style>%s</style>\n</head>\n<body>\n<h1>",
		page->style->text);
	kmprof_escape_xml(file, page->name, strlen(page->name));
	fputs("</h1>\n", file);
}

void kmprof_page_end(FILE *file, const struct kmprof_page *page)
{
	size_t i;

	for (i = 0; i < page->nr_scripts; i++)
		fprintf(file, "<script>%s</script>\n", page->scripts[i]->text);
	fputs("</body>\n</html>\n", file);
}
