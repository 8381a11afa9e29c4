"""The access log of an HTTP API: ministack keeps the setting and writes no line.

A request has one id, in the shape of API Gateway's: functions are told it, and the access log has it.
"""

import base64
import os
import re
import time
from contextvars import ContextVar
from datetime import datetime, timezone

from ministack.core.responses import new_uuid
from ministack.services import apigateway, cloudwatch_logs

import metrics

STREAM = "access"
request_id = ContextVar("request_id", default=None)


def line_of(template, values):
    return re.sub(r"\$context\.([\w.]+)", lambda found: str(values.get(found.group(1), "-")), template)


def write(group, line):
    known = cloudwatch_logs._log_groups.get(group)
    if not known:
        return
    now = int(time.time() * 1000)
    stream = known["streams"].setdefault(STREAM, {
        "events": [], "uploadSequenceToken": "1", "creationTime": now, "firstEventTimestamp": None,
        "lastEventTimestamp": None, "lastIngestionTime": None})
    cloudwatch_logs._append_log_events(stream, [{"timestamp": now, "message": line, "ingestionTime": now}])
    metrics.count(group, [line])


def group_of(settings):
    arn = (settings or {}).get("destinationArn") or (settings or {}).get("DestinationArn") or ""
    return arn.split(":log-group:")[-1].removesuffix(":*")


def install():
    handle = apigateway._handle_execute_in_scope
    apigateway.new_uuid = lambda: request_id.get() or new_uuid()

    async def logged(api_id, stage, path, method, headers, *rest):
        started = time.time()
        own_id = base64.urlsafe_b64encode(os.urandom(11)).decode()
        outside = request_id.set(own_id)
        try:
            answer = await handle(api_id, stage, path, method, headers, *rest)
        finally:
            request_id.reset(outside)
        settings = (apigateway._stages.get(api_id, {}).get(stage) or {}).get("accessLogSettings")
        if settings:
            route = apigateway._match_route(api_id, method, "/" + path.lstrip("/")) or {}
            took = int((time.time() - started) * 1000)
            values = {
                "requestId": own_id, "routeKey": route.get("routeKey", "-"), "status": answer[0],
                "httpMethod": method, "path": path, "protocol": "HTTP/1.1", "responseLatency": took,
                "integrationLatency": took, "integration.latency": took, "integration.status": answer[0],
                "responseLength": len(answer[2]) if isinstance(answer[2], bytes) else 0,
                "requestTime": datetime.now(timezone.utc).strftime("%d/%b/%Y:%H:%M:%S +0000"),
                "requestTimeEpoch": int(started * 1000), "identity.sourceIp": "127.0.0.1",
                "identity.userAgent": headers.get("user-agent", "-"),
            }
            write(group_of(settings), line_of(settings.get("format") or settings.get("Format") or "", values))
        return answer

    apigateway._handle_execute_in_scope = logged
