#!/usr/bin/env python3
"""Reads YAML with PyYAML, for tests that compare skc's parser with another one.

  read_front_matter.py < texts.json

Standard input is a JSON list of texts; standard output a list of what each says. A scalar is its text, or null where it
is plain and one of the words that YAML 1.2 has for nothing; a list is {"list": [...]}, a mapping {"map": [[key, value],
...]} in the order written. A text that is none is {"error": "..."}.
"""
import json, sys

import yaml

NOTHING = {"", "~", "null", "Null", "NULL"}


def shown(node, above=()):
    if id(node) in above:
        raise yaml.YAMLError("a node that holds itself")
    above += (id(node),)
    if isinstance(node, yaml.ScalarNode):
        is_nothing = node.style is None and node.tag == "tag:yaml.org,2002:null" and node.value in NOTHING
        return None if is_nothing else node.value
    if isinstance(node, yaml.SequenceNode):
        return {"list": [shown(item, above) for item in node.value]}
    return {"map": [[shown(key, above), shown(value, above)] for key, value in node.value]}


def read(text):
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        if node is None:
            return {"map": []}
        said = shown(node)
        if not (isinstance(said, dict) and "map" in said):
            return {"map": []} if said is None else {"error": "no mapping"}
        return said
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        return {"error": " ".join(str(error).split())}


json.dump([read(text) for text in json.load(sys.stdin)], sys.stdout)
