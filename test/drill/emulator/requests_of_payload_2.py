"""Requests as API Gateway hands them to functions.

- Cookies are a list of their own, without their header.
- /health is a path of the service. ministack takes it for a question about itself.
- A preflight of an API without CORS settings goes to its routes like any other request.
"""

from ministack import app
from ministack.services import apigateway, lambda_svc


def with_cookies(event):
    headers = event.get("headers") if isinstance(event, dict) and event.get("version") == "2.0" else None
    if not headers or "cookie" not in headers:
        return event
    rest = {name: value for name, value in headers.items() if name != "cookie"}
    return {**event, "headers": rest, "cookies": [each.strip() for each in headers["cookie"].split(";")]}


async def preflight(api_id, stage, path, headers, body, query, account, region, raw_query):
    route = apigateway._match_route(api_id, "OPTIONS", path)
    if not route:
        return apigateway._http_api_not_found()
    key = route["routeKey"]
    parameters = apigateway._extract_path_params(key.split(" ", 1)[-1], path) if " " in key else {}
    integration = apigateway._integrations[api_id][route["target"].split("/")[-1]]
    return await apigateway._invoke_lambda_proxy(
        integration, api_id, stage, path, "OPTIONS", {name.lower(): value for name, value in headers.items()}, body,
        query, key, parameters or None, owner_account_id=account, owner_region=region, raw_query_string=raw_query)


def install():
    app._HEALTH_PATHS = ("/_ministack/health",)
    execute = lambda_svc._execute_function
    lambda_svc._execute_function = lambda func, event: execute(func, with_cookies(event))
    handle = apigateway._handle_execute_in_scope

    async def routed(api_id, stage, path, method, headers, body, query, account, region, raw_query=None):
        api = apigateway._apis.get(api_id) or {}
        if method == "OPTIONS" and api and not api.get("corsConfiguration"):
            return await preflight(api_id, stage, path, headers, body, query, account, region, raw_query)
        return await handle(api_id, stage, path, method, headers, body, query, account, region, raw_query)

    apigateway._handle_execute_in_scope = routed
