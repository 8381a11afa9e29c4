"""A stage in a second region, and a service that is closed.

- A replica of a key is made by ministack's own ReplicateKey. It shares the key material.
- A global table gets a table of its own in each further region. Nothing is replicated: the drill copies the items.
- A function's reserved concurrency is kept, so that a closed one is refused. ministack forgets the property, and does
  not know it of a version.
"""

import json

from ministack.core.responses import get_account_id, get_region, request_scope
from ministack.services import kms, lambda_svc
from ministack.services.cloudformation import provisioners

REPLICA, TABLE, FUNCTION = "AWS::KMS::ReplicaKey", "AWS::DynamoDB::GlobalTable", "AWS::Lambda::Function"


def create_replica(logical_id, props, stack_name):
    first = props["PrimaryKeyArn"].split(":")
    asked = {"KeyId": first[-1].split("/")[-1], "ReplicaRegion": get_region(), "Policy": json.dumps(props["KeyPolicy"]),
             "Description": props.get("Description", "")}
    with request_scope(get_account_id(), first[3]):
        status, _, body = kms._replicate_key(asked)
    said = json.loads(body)
    if status != 200:
        raise ValueError(f"{REPLICA} {logical_id}: {said}")
    made = said["ReplicaKeyMetadata"]
    return made["KeyId"], {"Arn": made["Arn"], "KeyId": made["KeyId"]}


def update_replica(physical_id, _old, new, _stack):
    key = kms._resolve_key(physical_id)
    key["Policy"] = json.dumps(new["KeyPolicy"])
    return physical_id, {"Arn": key["Arn"], "KeyId": key["KeyId"]}


def delete_replica(physical_id, props):
    kms._schedule_key_deletion({"KeyId": physical_id, "PendingWindowInDays": props.get("PendingWindowInDays", 30)})


def further_regions(props):
    return [each["Region"] for each in props.get("Replicas") or [] if each["Region"] != get_region()]


def with_tables(handlers):
    create, update, delete = handlers["create"], handlers["update"], handlers["delete"]

    def make(props, logical_id, stack_name, known=()):
        for region in further_regions(props):
            if region not in known:
                with request_scope(get_account_id(), region):
                    create(logical_id, props, stack_name)

    def create_all(logical_id, props, stack_name):
        made = create(logical_id, props, stack_name)
        make(props, logical_id, stack_name)
        return made

    def update_all(physical_id, old, new, stack_name, *rest):
        made = update(physical_id, old, new, stack_name, *rest)
        make(new, physical_id, stack_name, further_regions(old))
        return made

    def delete_all(physical_id, props):
        for region in further_regions(props):
            with request_scope(get_account_id(), region):
                delete(physical_id, props)
        delete(physical_id, props)

    return {**handlers, "create": create_all, "update": update_all, "delete": delete_all}


def with_concurrency(handlers):
    create, update = handlers["create"], handlers["update"]

    def keep(made, props):
        lambda_svc._functions[made[0].split(":")[-1]]["concurrency"] = props.get("ReservedConcurrentExecutions")
        return made

    def create_function(logical_id, props, stack_name):
        return keep(create(logical_id, props, stack_name), props)

    def update_function(physical_id, old, new, *rest, **options):
        return keep(update(physical_id, old, new, *rest, **options), new)

    return {**handlers, "create": create_function, "update": update_function}


def refusing(execute):
    def run(func, event):
        config = func.get("config") or func
        _, _, _, region, account, *_ = config["FunctionArn"].split(":")
        with request_scope(account, region):
            known = lambda_svc._functions.get(config["FunctionName"]) or {}
        if known.get("concurrency") == 0:
            return lambda_svc._throttle_response("ReservedFunctionConcurrentInvocationLimitExceeded", "It is closed.")
        return execute(func, event)

    return run


def install():
    lambda_svc._execute_function = refusing(lambda_svc._execute_function)
    handlers = provisioners._RESOURCE_HANDLERS
    handlers[REPLICA] = {"create": create_replica, "update": update_replica, "delete": delete_replica}
    handlers[TABLE] = with_tables(handlers[TABLE])
    handlers[FUNCTION] = with_concurrency(handlers[FUNCTION])
