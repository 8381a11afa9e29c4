"""Consumers of a table's stream.

- One with a tumbling window gets the shard, the window and its state with each batch. ministack forgets the setting.
- A batch of which some items failed comes again: ministack takes the answer for a success.
"""

import json

from ministack.services import lambda_svc
from ministack.services.cloudformation import provisioners

MAPPING = "AWS::Lambda::EventSourceMapping"
SHARD = "shardId-00000000000000000000-00000000"
WITH_WINDOW = set()


def function_name(reference):
    """Of a name, an ARN, or an ARN with an alias."""
    return reference.split(":function:")[-1].split(":")[0]


def with_window(event):
    window = {"start": "2026-01-01T00:00:00Z", "end": "2026-01-01T00:15:00Z"}
    return {**event, "shardId": SHARD, "eventSourceARN": event["Records"][0].get("eventSourceARN"), "window": window,
            "state": {}, "isFinalInvokeForWindow": False, "isWindowTerminatedEarly": False}


def parsed(body):
    try:
        return json.loads(body) if isinstance(body, str) else body
    except ValueError:
        return None


def with_failures(result):
    body = parsed(result.get("body"))
    if result.get("error") or not isinstance(body, dict) or not body.get("batchItemFailures"):
        return result
    return {**result, "error": True, "body": {"errorType": "batchItemFailures", "errorMessage": json.dumps(body)}}


def install():
    execute = lambda_svc._execute_function

    def consume(func, event):
        records = event.get("Records") if isinstance(event, dict) else None
        if not records or records[0].get("eventSource") != "aws:dynamodb":
            return execute(func, event)
        name = (func.get("config") or func).get("FunctionName", "")
        return with_failures(execute(func, with_window(event) if name in WITH_WINDOW else event))

    lambda_svc._execute_function = consume
    handlers = provisioners._RESOURCE_HANDLERS[MAPPING]
    create = handlers["create"]

    def create_mapping(logical_id, props, stack_name):
        if props.get("TumblingWindowInSeconds"):
            WITH_WINDOW.add(function_name(props["FunctionName"]))
        return create(logical_id, props, stack_name)

    handlers["create"] = create_mapping
