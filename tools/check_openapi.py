"""Holds recorded exchanges against openapi.yaml.

    ARBITER_RECORD=/tmp/exchanges make test-api
    python3 tools/check_openapi.py openapi.yaml /tmp/exchanges

Every answer must have a status and a media type that its operation names, and a JSON body must be exactly what the
schema says: a member that the schema does not know is a fault too. Every operation must have answered once. Exits 1
where something does not fit. Needs python3-yaml and python3-jsonschema.
"""
import json
import sys

import yaml
from jsonschema import Draft202012Validator


def close(schema):
    """Objects with properties take no others: here, not for clients."""
    if isinstance(schema, dict):
        if "properties" in schema and isinstance(schema["properties"], dict) and schema.get("type") == "object":
            schema.setdefault("additionalProperties", False)
        for value in schema.values():
            close(value)
    elif isinstance(schema, list):
        for value in schema:
            close(value)


def find_operation(document, exchange):
    methods = {"HEAD": "get"}
    method = methods.get(exchange["method"], exchange["method"].lower())
    return document["paths"].get(exchange["route"], {}).get(method)


def find_response(document, operation, status):
    responses = operation["responses"]
    response = responses.get(str(status)) or (responses["default"] if status >= 400 else None)
    if response and "$ref" in response:
        response = document["components"]["responses"][response["$ref"].rsplit("/", 1)[1]]
    return response


def faults(document, exchange):
    operation = find_operation(document, exchange)
    if operation is None:
        return [] if exchange["status"] >= 400 or exchange["method"] == "OPTIONS" else ["no such operation"]
    response = find_response(document, operation, exchange["status"])
    if response is None:
        return [f"status {exchange['status']} is not described"]
    if not exchange["body"]:
        return []
    media_type = exchange["type"].split(";")[0]
    content = response.get("content", {}).get(media_type)
    if content is None:
        return [f"{media_type} is not described for {exchange['status']}"]
    if not media_type.endswith("json"):
        return []
    validator = Draft202012Validator({**content["schema"], "components": document["components"]})
    texts = exchange["body"].splitlines() if media_type == "application/x-ndjson" else [exchange["body"]]
    errors = [error for text in texts for error in validator.iter_errors(json.loads(text))]
    return [f"/{'/'.join(map(str, error.path))}: {error.message}" for error in errors]


def main():
    with open(sys.argv[1], encoding="utf-8") as source:
        document = yaml.safe_load(source)
    close(document["components"]["schemas"])
    seen, bad = set(), 0
    with open(sys.argv[2], encoding="utf-8", errors="replace") as lines:
        exchanges = [json.loads(line) for line in lines]
    for exchange in exchanges:
        operation = find_operation(document, exchange)
        if operation and exchange["status"] < 400:
            seen.add(operation["operationId"])
        for fault in faults(document, exchange):
            bad += 1
            print(f"{exchange['method']} {exchange['target']} -> {exchange['status']}: {fault[:400]}")
    names = {operation["operationId"] for path in document["paths"].values() for operation in path.values()}
    for name in sorted(names - seen):
        print(f"no answer of {name} was recorded")
    print(f"{len(exchanges)} exchanges, {bad} faults, {len(seen)} of {len(names)} operations")
    return 1 if bad or names - seen else 0


if __name__ == "__main__":
    sys.exit(main())
