"""Condition keys of IAM and key policies that ministack does not fill in, and two names of actions.

- kms:EncryptionContext:<name>: key policies name the organization's part of it.
- dynamodb:LeadingKeys: the partition keys of a request. In a transaction, of each of its items.
- ses:FromAddress, and the identity that an email is sent from.
- aws:SecureTransport is true: the emulator stands for an HTTPS endpoint, although it listens on HTTP.
- aws:PrincipalArn of a session is the ARN of its role, not of the session.
- SQS has no actions for batches: sqs:SendMessage allows SendMessageBatch.
"""

import json
import re

from ministack import app
from ministack.core import iam_actions, iam_evaluator
from ministack.services import dynamodb, sqs


class ItemArn(str):
    """A table's ARN, with the partition keys of the one item of a transaction that is checked."""

    keys: list = []


def read_json(body):
    try:
        found = json.loads(body or b"{}")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def value_of(attribute):
    return str(next(iter(attribute.values()))) if isinstance(attribute, dict) and attribute else ""


def partition_key_name(request):
    """The name of the attribute that is the partition key of the table, or of the index that is queried."""
    table = dynamodb._tables.get(str(request.get("TableName", "")).split("/")[-1]) or {}
    schema = table.get("KeySchema", [])
    for index in table.get("GlobalSecondaryIndexes") or []:
        if index["IndexName"] == request.get("IndexName"):
            schema = index["KeySchema"]
    return next((key["AttributeName"] for key in schema if key["KeyType"] == "HASH"), "")


def queried_key(request, name):
    names, values = request.get("ExpressionAttributeNames") or {}, request.get("ExpressionAttributeValues") or {}
    for left, right in re.findall(r"([#\w]+)\s*=\s*(:\w+)", request.get("KeyConditionExpression") or ""):
        if names.get(left, left) == name:
            return [value_of(values.get(right))]
    return []


def leading_keys(request):
    name = partition_key_name(request)
    if "KeyConditionExpression" in request:
        return queried_key(request, name)
    return [value_of(item[name]) for item in (request.get("Key"), request.get("Item")) if item and name in item]


def batch_keys(request):
    """Of BatchGetItem and BatchWriteItem: a table's name leads to its keys or writes."""
    found = []
    for table, asked in (request.get("RequestItems") or {}).items():
        entries = asked.get("Keys", []) if isinstance(asked, dict) else asked
        for entry in entries:
            write = entry.get("PutRequest") or entry.get("DeleteRequest") or {"Key": entry}
            found += leading_keys({"TableName": table, **write})
    return found


def request_conditions(service, iam_action, body, params, known=iam_actions.request_tag_context):
    context = dict(known(service, iam_action, body, params))
    if service == "kms":
        named = read_json(body).get("EncryptionContext") or {}
        context.update({f"kms:EncryptionContext:{name}": value for name, value in named.items()})
    if service == "dynamodb":
        request = read_json(body)
        keys = batch_keys(request) if "RequestItems" in request else leading_keys(request)
        if keys:
            context["dynamodb:LeadingKeys"] = keys
    return context


def checks_of_transaction(iam_action, body, region, account, known=iam_actions.dynamodb_transaction_checks):
    checks = known(iam_action, body, region, account)
    details = [detail for item in read_json(body).get("TransactItems") or [] for detail in item.values()]
    named = []
    for (action, arn), detail in zip(checks, details, strict=False):
        found = ItemArn(arn)
        found.keys = leading_keys(detail)
        named.append((action, found))
    return named


def enforce(key, action, service, region, resource_arn="*", service_context=None, known=iam_evaluator.enforce):
    keys = getattr(resource_arn, "keys", None)
    context = {**(service_context or {}), "dynamodb:LeadingKeys": keys} if keys else service_context
    return known(key, action, service, region, resource_arn=resource_arn, service_context=context)


def enforce_mail(method, path, headers, body, query, request_id, known=app._enforce_ses_v2):
    if not app.AUTH or not path.endswith("/outbound-emails"):
        return known(method, path, headers, body, query, request_id)
    sender = read_json(body).get("FromEmailAddress", "")
    region = app.extract_region(headers, query)
    identity = f"arn:aws:ses:{region}:000000000000:identity/{sender.split('@')[-1]}"
    context = {"ses:FromAddress": sender}
    return app._enforce_data_plane("sesv2", "ses:SendEmail", headers, query, request_id,
                                   resource_arn=identity, service_context=context)


def role_of(arn):
    session = re.fullmatch(r"arn:aws:sts::(\d+):assumed-role/([^/]+)/.*", str(arn))
    return f"arn:aws:iam::{session[1]}:role/{session[2]}" if session else arn


def without_batch(action):
    return action[: -len("Batch")] if action and action.startswith("sqs:") and action.endswith("Batch") else action


def install():
    iam_actions.request_tag_context = request_conditions
    iam_actions.dynamodb_transaction_checks = checks_of_transaction
    iam_evaluator.enforce = enforce
    app._enforce_ses_v2 = enforce_mail
    pin = iam_evaluator.pin_request_origin
    app.pin_request_origin = iam_evaluator.pin_request_origin = lambda address, _secure: pin(address, True)
    resolve = iam_evaluator._resolve_condition_key
    iam_evaluator._resolve_condition_key = lambda key, context: (
        role_of(resolve(key, context)) if key.lower() == "aws:principalarn" else resolve(key, context))
    named = iam_actions.extract_iam_action
    iam_actions.extract_iam_action = lambda *request, **more: without_batch(named(*request, **more))
    queue = sqs._enforce_queue_policy
    sqs._enforce_queue_policy = lambda target, action: queue(target, without_batch(action))
