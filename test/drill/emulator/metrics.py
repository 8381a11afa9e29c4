"""Metrics and alarms that follow from what happens.

- Metric filters count log lines, by the whole grammar of JSON patterns. `filter-log-events` uses it too. Lines of the
  embedded metric format are metrics as well.
- Queues report how many messages they hold. The function that fails writes Lambda's line platform.report.
- An alarm looks at the metric with its own dimensions. ministack adds up those of all functions.
"""

import json
import threading
import time

from ministack.core.responses import _request_account_id, _request_region
from ministack.services import cloudwatch, cloudwatch_logs, lambda_svc, sqs

import patterns

EVERY_S = 3
ACCOUNT, REGION = "000000000000", "eu-central-1"
COMPARE = {
    "GreaterThanThreshold": lambda value, threshold: value > threshold,
    "GreaterThanOrEqualToThreshold": lambda value, threshold: value >= threshold,
    "LessThanThreshold": lambda value, threshold: value < threshold,
    "LessThanOrEqualToThreshold": lambda value, threshold: value <= threshold,
}
of_pattern = {}


def matches(pattern, text):
    if pattern not in of_pattern:
        of_pattern[pattern] = patterns.matcher(pattern)
    return of_pattern[pattern](text)


def number(value, text):
    """A metric's value: a constant, or a field of the line."""
    if not str(value).startswith("$"):
        return float(value)
    return float(patterns.value_at(json.loads(text), value) or 0)


def count(group, lines):
    for (name, _), rule in list(cloudwatch_logs._metric_filters.items()):
        if name != group:
            continue
        for text in lines:
            if not matches(rule["filterPattern"], text):
                continue
            for each in rule["metricTransformations"]:
                get = {key[:1].lower() + key[1:]: value for key, value in each.items()}.get
                cloudwatch.record_metric(get("metricNamespace"), get("metricName"), number(get("metricValue"), text))


def embedded(text):
    """The metrics in a line of the embedded metric format."""
    try:
        line = json.loads(text)
        directives = line["_aws"]["CloudWatchMetrics"]
    except (ValueError, KeyError, TypeError):
        return
    for each in directives:
        for names in each.get("Dimensions") or [[]]:
            dimensions = {name: str(line.get(name)) for name in names}
            for metric in each["Metrics"]:
                values = line.get(metric["Name"])
                for value in values if isinstance(values, list) else [values]:
                    cloudwatch.record_metric(each["Namespace"], metric["Name"], float(value), "None", dimensions)


def emit(func, request_id, text, error, duration_ms, *, log_source=None, known=lambda_svc._emit_lambda_logs):
    config = func.get("config") or func
    report = {"type": "platform.report", "record": {"requestId": request_id, "status": "error"}}
    text = f"{text}\n{json.dumps(report)}" if error else text
    known(func, request_id, text, error, duration_ms, log_source=log_source)
    lambda_svc._emit_lambda_metrics(config.get("FunctionName", ""), duration_ms=duration_ms, error=error, throttle=False)
    lines = (text or "").splitlines()
    count((config.get("LoggingConfig") or {}).get("LogGroup", ""), lines)
    for line in lines:
        embedded(line)


def watch_queues():
    for queue in list(sqs._queues.values()):
        waiting = len([message for message in queue.get("messages", [])])
        cloudwatch.record_metric("AWS/SQS", "ApproximateNumberOfMessagesVisible", waiting, "Count",
                                 {"QueueName": queue.get("name", "")})


def evaluate(alarm):
    window = alarm.get("Period", 60) * alarm.get("EvaluationPeriods", 1)
    name = (alarm.get("Namespace"), alarm.get("MetricName"))
    wanted = {each["Name"]: each["Value"] for each in alarm.get("Dimensions") or []}
    points = [point for (space, metric, _), found in list(cloudwatch._metrics.items()) if (space, metric) == name
              for point in list(found)
              if point["Timestamp"] >= time.time() - window and (point.get("Dimensions") or {}) == wanted]
    if not points:
        return
    statistic = alarm.get("ExtendedStatistic") or alarm.get("Statistic", "Average")
    value = cloudwatch._stat_value(cloudwatch._calc_stats(points), statistic, points)
    state = "ALARM" if COMPARE[alarm["ComparisonOperator"]](value, alarm.get("Threshold", 0)) else "OK"
    before = alarm["StateValue"]
    if state == before:
        return
    alarm.update(StateValue=state, StateReason=f"{statistic} of {name[1]} is {value}.", StateUpdatedTimestamp=int(time.time()))
    cloudwatch._record_history(alarm["AlarmName"], before, state, alarm["StateReason"])
    cloudwatch._dispatch_alarm_actions(alarm, before, state, alarm["StateReason"])


def watch():
    _request_account_id.set(ACCOUNT)
    _request_region.set(REGION)
    while True:
        time.sleep(EVERY_S)
        try:
            watch_queues()
            for alarm in list(cloudwatch._alarms.values()):
                evaluate(alarm)
        except Exception as error:
            print(f"alarms were not evaluated: {error!r}", flush=True)


def install():
    cloudwatch._evaluate_alarm = lambda alarm: None
    cloudwatch_logs._compile_filter_pattern = lambda raw: (lambda text: True) if not raw else patterns.matcher(raw)
    lambda_svc._emit_lambda_logs = emit
    threading.Thread(target=watch, daemon=True).start()
