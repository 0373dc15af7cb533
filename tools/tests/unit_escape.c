// SPDX-License-Identifier: GPL-2.0
/* Unit tests of text in XML and in JSON: every byte. */
#include <string.h>

#include "tests/unit.h"
#include "util/escape.h"

static char all[256], *text;
static size_t size;

static const char *escaped(void (*escape)(FILE *file, const char *text, size_t length),
			   const char *from, size_t length)
{
	FILE *file;

	free(text);
	file = open_memstream(&text, &size);
	if (!file)
		exit(1);
	escape(file, from, length);
	fclose(file);
	return text;
}

static void xml_has_no_markup(void)
{
	const char *result = escaped(kmprof_escape_xml, "a<b>&\"'\n\x7f\xff z", 12);

	EXPECT(!strcmp(result, "a&#60;b&#62;&#38;&#34;&#39;??? z"));
	EXPECT(!strcmp(escaped(kmprof_escape_xml, "abc", 2), "ab"));
	result = escaped(kmprof_escape_xml, all, sizeof(all));
	EXPECT(!strpbrk(result, "<>\"'"));
	EXPECT(strlen(result) == 256 + 5 * 4);
}

static void json_is_a_string_in_a_script(void)
{
	const char *result = escaped(kmprof_escape_json, "a</x>\\\"'&\t\x80 z", 13);

	EXPECT(!strcmp(result, "\"a\\u003c/x\\u003e\\u005c\\u0022\\u0027\\u0026?? z\""));
	EXPECT(!strcmp(escaped(kmprof_escape_json, "", 0), "\"\""));
	result = escaped(kmprof_escape_json, all, sizeof(all));
	EXPECT(!strpbrk(result, "<>&'"));
	EXPECT(strlen(result) == 256 + 6 * 5 + 2);
}

static const struct unit_test tests[] = {
	{ "escape: XML has no markup", xml_has_no_markup },
	{ "escape: JSON is a string in a script", json_is_a_string_in_a_script },
};

int main(int argc, char **argv)
{
	unsigned int i;
	int ret;

	for (i = 0; i < sizeof(all); i++)
		all[i] = (char)i;
	ret = run_tests(tests, ARRAY_SIZE(tests), argc, argv);
	free(text);
	return ret;
}
