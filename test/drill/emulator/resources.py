"""Resources of a template that ministack cannot make.

- Types that it does not know are accepted and do nothing. The drill lists them as not drilled.
- Alarms on computed metrics are stored without their computation, so that their state can only be set.
- An API has an address as AWS gives it, with HTTPS. The drill's internet leads it here.
- An API made from an OpenAPI body gets the routes and integrations that the body describes.
"""

import json
import re

from ministack import app
from ministack.core.responses import get_region
from ministack.services import apigateway
from ministack.services.cloudformation import provisioners

ACCEPTED = (
    "AWS::Backup::BackupSelection",
    "AWS::Budgets::Budget",
    "AWS::CodeDeploy::Application",
    "AWS::CodeDeploy::DeploymentConfig",
    "AWS::CodeDeploy::DeploymentGroup",
    "AWS::CloudWatch::CompositeAlarm",
    "AWS::CloudWatch::AnomalyDetector",
    "AWS::CloudWatch::InsightRule",
    "AWS::Logs::QueryDefinition",
    "AWS::Synthetics::Canary",
)
METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "x-amazon-apigateway-any-method")
API = "AWS::ApiGatewayV2::Api"
ALARM = "AWS::CloudWatch::Alarm"


class Attributes(dict):
    """What Fn::GetAtt asks of a resource that was only accepted."""

    def __init__(self, kind, name):
        super().__init__({"Arn": f"arn:aws:not-drilled:eu-central-1:000000000000:{kind.split('::')[-1]}/{name}",
                          "Id": name, "Name": name})


def accept(kind):
    def create(logical_id, props, stack_name):
        print(f"not drilled: {kind} {logical_id}", flush=True)
        name = f"{stack_name}-{logical_id}"
        return name, Attributes(kind, name)

    def update(physical_id, _old, _new, _stack):
        return physical_id, Attributes(kind, physical_id)

    return {"create": create, "update": update, "delete": lambda physical_id, props: None}


def without_computation(props):
    """An alarm whose metric nobody ever writes, in place of one whose value is computed."""
    if not props.get("Metrics"):
        return props
    rest = {name: value for name, value in props.items() if name not in ("Metrics", "ThresholdMetricId")}
    return {"Threshold": 0, **rest, "Namespace": "not-drilled", "MetricName": "computed", "Period": 300}


def described(body):
    for path, methods in (body.get("paths") or {}).items():
        for method, operation in methods.items():
            integration = (operation or {}).get("x-amazon-apigateway-integration") if method in METHODS else None
            if integration:
                verb = "ANY" if method.startswith("x-") else method.upper()
                yield (path if path.endswith("$default") else f"{verb} {path}").lstrip("/"), integration


def referred(body, integration):
    """An integration may stand once among the components, and be referred to."""
    name = (integration.get("$ref") or "").split("/")[-1]
    kept = (body.get("components") or {}).get("x-amazon-apigateway-integrations") or {}
    return kept.get(name, integration)


def import_body(api_id, props):
    body = props.get("Body")
    if not body:
        return
    body = json.loads(body) if isinstance(body, str) else body
    apigateway._routes[api_id], apigateway._integrations[api_id] = {}, {}
    made = {}
    for route_key, asked in described(body):
        integration = referred(body, asked)
        uri = integration["uri"]
        if uri not in made:
            created = apigateway._create_integration(api_id, {
                "integrationType": integration.get("type", "AWS_PROXY").upper(), "integrationUri": uri,
                "payloadFormatVersion": str(integration.get("payloadFormatVersion", "2.0"))})
            made[uri] = json.loads(created[2])["integrationId"]
        apigateway._create_route(api_id, {"routeKey": route_key, "target": f"integrations/{made[uri]}"})


def addressed(api_id):
    endpoint = f"https://{api_id}.execute-api.{get_region()}.amazonaws.com"
    apigateway._apis[api_id]["apiEndpoint"] = endpoint
    return {"ApiId": api_id, "ApiEndpoint": endpoint}


def install():
    app._EXECUTE_API_RE = re.compile(r"^([a-f0-9]{8})\.execute-api\.[\w.-]+(?::\d+)?$")
    handlers = provisioners._RESOURCE_HANDLERS
    for kind in ACCEPTED:
        handlers.setdefault(kind, accept(kind))
    record = provisioners._cw_metric_alarm_record
    provisioners._cw_metric_alarm_record = lambda name, props: record(name, without_computation(props))
    create, update = handlers[API]["create"], handlers[API]["update"]

    def create_api(logical_id, props, stack_name):
        named = {**props, "Name": props.get("Name") or (props.get("Body") or {}).get("info", {}).get("title")}
        api_id, _ = create(logical_id, named, stack_name)
        import_body(api_id, props)
        return api_id, addressed(api_id)

    def update_api(physical_id, old, new, *rest):
        found = update(physical_id, old, new, *rest)
        import_body(found[0], new)
        return found[0], addressed(found[0])

    handlers[API] = {**handlers[API], "create": create_api, "update": update_api}
