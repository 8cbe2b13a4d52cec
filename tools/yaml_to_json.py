"""Prints the YAML file named on the command line as compact JSON. Needs python3-yaml."""
import json
import sys

import yaml

with open(sys.argv[1], encoding="utf-8") as source:
    json.dump(yaml.safe_load(source), sys.stdout, separators=(",", ":"))
sys.stdout.write("\n")
