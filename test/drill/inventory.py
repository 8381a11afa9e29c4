"""Everything in an account that a stack may leave, as a JSON list of `kind name`. In one process: starting the AWS CLI
twenty times would take longer than the deployment."""

import json
import os

import botocore.session
import jmespath

KINDS = (
    ("table", "dynamodb", "list_tables", "TableNames[]"),
    ("function", "lambda", "list_functions", "Functions[].FunctionName"),
    ("mapping", "lambda", "list_event_source_mappings", "EventSourceMappings[].FunctionArn"),
    ("queue", "sqs", "list_queues", "QueueUrls[]"),
    ("log group", "logs", "describe_log_groups", "logGroups[].logGroupName"),
    ("role", "iam", "list_roles", "Roles[].RoleName"),
    ("alarm", "cloudwatch", "describe_alarms", "MetricAlarms[].AlarmName"),
    ("dashboard", "cloudwatch", "list_dashboards", "DashboardEntries[].DashboardName"),
    ("topic", "sns", "list_topics", "Topics[].TopicArn"),
    ("rule", "events", "list_rules", "Rules[].Name"),
    ("bus", "events", "list_event_buses", "EventBuses[].Name"),
    ("API", "apigatewayv2", "get_apis", "Items[].ApiId"),
    ("schedule group", "scheduler", "list_schedule_groups", "ScheduleGroups[].Name"),
    ("schedule", "scheduler", "list_schedules", "Schedules[].Name"),
    ("parameter", "ssm", "describe_parameters", "Parameters[].Name"),
    ("alias of a key", "kms", "list_aliases", "Aliases[].AliasName"),
    ("backup vault", "backup", "list_backup_vaults", "BackupVaultList[].BackupVaultName"),
    ("backup plan", "backup", "list_backup_plans", "BackupPlansList[].BackupPlanName"),
)


def names(client, operation, path):
    """Of all pages, where the operation has pages."""
    if not client.can_paginate(operation):
        return jmespath.search(path, getattr(client, operation)()) or []
    return list(client.get_paginator(operation).paginate().search(path))


def main():
    session = botocore.session.get_session()
    clients = {}

    def client(service):
        clients[service] = clients.get(service) or session.create_client(
            service, endpoint_url=os.environ["AWS_ENDPOINT_URL"])
        return clients[service]

    found = [f"{kind} {name}" for kind, service, operation, path in KINDS
             for name in names(client(service), operation, path) if name]
    kms = client("kms")
    for page in kms.get_paginator("list_keys").paginate():
        for key in page["Keys"]:
            state = kms.describe_key(KeyId=key["KeyId"])["KeyMetadata"]
            if state["KeyManager"] == "CUSTOMER" and state["KeyState"] != "PendingDeletion":
                found.append(f"key {key['KeyId']}")
    print(json.dumps(sorted(found)))


main()
