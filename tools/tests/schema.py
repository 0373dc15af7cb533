#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Holds JSON files against a schema that has no other keywords than those below.

	schema.py SCHEMA FILE...	complains of what does not fit
"""
import json
import sys

TYPES = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool,
         "null": type(None)}
KNOWN = {"$comment", "$schema", "title", "description", "type", "required", "properties",
         "additionalProperties", "items", "minimum"}


def check(value, schema, where):
    if not set(schema) <= KNOWN:
        sys.exit(f"{where}: the schema has {set(schema) - KNOWN}, which is not known here")
    types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if type(value) not in [TYPES[name] for name in types]:
        print(f"{where}: {value!r} is not {' or '.join(types)}")
    elif isinstance(value, dict):
        check_members(value, schema, where)
    elif isinstance(value, list):
        for i, item in enumerate(value):
            check(item, schema["items"], f"{where}[{i}]")
    elif isinstance(value, int) and value < schema.get("minimum", value):
        print(f"{where}: {value} is less than {schema['minimum']}")


def check_members(value, schema, where):
    for name in schema.get("required", []):
        if name not in value:
            print(f"{where}: has no {name}")
    for name, member in value.items():
        rule = schema.get("properties", {}).get(name, schema["additionalProperties"])
        if rule is False:
            print(f"{where}: {name} is not in the schema")
        else:
            check(member, rule, f"{where}.{name}")


def main():
    with open(sys.argv[1], encoding="ascii") as file:
        schema = json.load(file)
    for name in sys.argv[2:]:
        with open(name, encoding="ascii") as file:
            check(json.load(file), schema, "profile")


main()
