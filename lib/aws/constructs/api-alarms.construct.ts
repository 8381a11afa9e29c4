import type { IHttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { type IMetric, MathExpression, type Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type ILogGroup, LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { ALARM_PERIOD, type ServiceAlarms } from '#lib/aws/constructs/alarms.construct.ts';
import { EACH_MINUTE } from '#lib/aws/logged-metrics.ts';
import type { ResourceNames } from '#lib/aws/stack-names.ts';
import { SECOND } from '#shared/kernel/clock.ts';

export type ApiAlarmsProps = {
  readonly names: ResourceNames;
  readonly api: IHttpApi;
  /** The log of the function that takes payments. */
  readonly payments: ILogGroup;
  readonly alarms: ServiceAlarms;
};

/** Up to this many failures in a minute raise no alarm, however few requests there are. */
const MIN_FAILURES = 2;
/** So many in five minutes are a client in a loop, which its own limits stop soon. */
const MIN_THROTTLED = 100;
/** All calls of providers in one request have 20 s. A customer at a checkout has left by then. */
const SLOW_PAYMENT_MS = 15 * SECOND;

/** 502 reports a provider's trouble and nothing else. */
const OWN_FAILURE = FilterPattern.all(
  FilterPattern.stringValue('$.status', '=', '5*'),
  FilterPattern.stringValue('$.status', '!=', '502'),
);

/** Turned away by API Gateway. The limits of keys and addresses are ours, and their requests reach a function. */
const THROTTLED = FilterPattern.all(
  FilterPattern.stringValue('$.status', '=', '429'),
  FilterPattern.stringValue('$.integrationStatus', '=', '-'),
);

const PAID = FilterPattern.all(
  FilterPattern.stringValue('$.message', '=', 'request_completed'),
  FilterPattern.stringValue('$.route', '=', 'POST /v1/payments'),
  FilterPattern.numberValue('$.status', '<', 300),
);

/** How the whole API does, as its callers see it. */
export class ApiAlarms extends Construct {
  /** How long each payment took. Its sample count is the number of payments that were created. */
  readonly paymentLatency: Metric;

  constructor(scope: Construct, id: string, { names, api, payments, alarms }: ApiAlarmsProps) {
    super(scope, id);
    const log = LogGroup.fromLogGroupName(this, 'AccessLog', names.accessLog);
    const common = { logGroup: log, metricNamespace: names.metrics };
    const minute = { ...EACH_MINUTE, statistic: 'Sum' };
    const failures = new MetricFilter(this, 'OwnFailures', {
      ...common,
      metricName: 'api_failures',
      filterPattern: OWN_FAILURE,
    });
    watchFailures(percentOf(failures.metric(minute), api.metricCount(minute), MIN_FAILURES), alarms);
    const throttled = new MetricFilter(this, 'Throttled', {
      ...common,
      metricName: 'api_throttled',
      filterPattern: THROTTLED,
    });
    watchThrottles(throttled.metric({ period: ALARM_PERIOD, statistic: 'Sum' }), alarms);
    this.paymentLatency = new MetricFilter(this, 'Paid', {
      logGroup: payments,
      metricNamespace: names.metrics,
      metricName: 'payment_ms',
      filterPattern: PAID,
      metricValue: '$.elapsed_ms',
    }).metric({ period: ALARM_PERIOD });
    watchLatency(this.paymentLatency.with({ statistic: 'p99' }), alarms);
  }
}

const watchFailures = (metric: IMetric, alarms: ServiceAlarms): void =>
  alarms.watch('api-failures', {
    severity: 'page',
    metric,
    above: 1,
    rollsBack: true,
    lasting: { bad: 3, of: 5 },
    description:
      'Of all requests more than one in a hundred fails by our own fault; the access log says which routes, ' +
      'the log of their function why.',
  });

const watchThrottles = (metric: IMetric, alarms: ServiceAlarms): void =>
  alarms.watch('api-throttled', {
    severity: 'look',
    metric,
    above: MIN_THROTTLED,
    lasting: { bad: 2, of: 3 },
    description:
      'API Gateway turns many requests away, because the stage gets more than its capacity takes, or somebody ' +
      'floods an open route; the access log says which routes and from where.',
  });

const watchLatency = (metric: IMetric, alarms: ServiceAlarms): void =>
  alarms.watch('payments-slow', {
    severity: 'look',
    metric,
    above: SLOW_PAYMENT_MS,
    lasting: { bad: 3, of: 3 },
    ignoresFewSamples: true,
    description:
      'One payment in a hundred takes more than 15 seconds. Mostly a provider is slow: the dashboard shows which. ' +
      'The spans in the log of payments show where the time goes.',
  });

/** The percentage of requests that failed; 0 if no more than `few` did. */
function percentOf(failed: Metric, requests: Metric, few: number): IMetric {
  const expression = `IF(failed > ${few}, 100 * failed / requests, 0)`;
  return new MathExpression({ expression, usingMetrics: { failed, requests }, period: failed.period });
}
