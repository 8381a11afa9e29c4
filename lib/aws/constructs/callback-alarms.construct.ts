import { MathExpression, type Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { ALARM_PERIOD, type ServiceAlarms } from '#lib/aws/constructs/alarms.construct.ts';
import type { ServiceFunction } from '#lib/aws/constructs/service-function.construct.ts';
import type { ResourceNames } from '#lib/aws/stack-names.ts';

export type CallbackAlarmsProps = {
  readonly names: ResourceNames;
  /** The one behind the function URL. */
  readonly callbacks: ServiceFunction;
  readonly alarms: ServiceAlarms;
};

/** So many in five minutes page nobody: providers send again. */
const MIN_FAILURES = 2;
/** So many refused ones are no sign of anything: anybody can send us a callback. */
const MIN_REFUSED = 20;
/** In percent of all callbacks. */
const USUAL_SHARE = 5;

const SUM = { period: ALARM_PERIOD, statistic: 'Sum' } as const;

/** 502 says that the provider did not answer when we asked what is true of its event. */
const PROVIDER_FAILED = FilterPattern.all(
  FilterPattern.stringValue('$.message', '=', 'request_completed'),
  FilterPattern.numberValue('$.status', '=', 502),
);

/** About a connection of ours, but not signed with its secret. */
const WRONG_SIGNATURE = FilterPattern.all(
  FilterPattern.stringValue('$.message', '=', 'callback_refused'),
  FilterPattern.stringValue('$.code', '=', 'invalid_signature'),
);

/**
 * Callbacks come through the function URL. A failure that we answer is no error for Lambda, and no gateway counts it.
 */
export class CallbackAlarms extends Construct {
  constructor(scope: Construct, id: string, { names, callbacks, alarms }: CallbackAlarmsProps) {
    super(scope, id);
    const count = (metricName: string, filterPattern: typeof WRONG_SIGNATURE) =>
      new MetricFilter(this, metricName, {
        logGroup: callbacks.log,
        metricNamespace: names.metrics,
        metricName,
        filterPattern,
      }).metric(SUM);
    this.#watchFailures(callbacks, count('callbacks_without_provider', PROVIDER_FAILED), alarms);
    this.#watchRefused(callbacks, count('signatures_refused', WRONG_SIGNATURE), alarms);
  }

  #watchFailures({ lambda }: ServiceFunction, unanswered: Metric, alarms: ServiceAlarms): void {
    const failed = lambda.metric('Url5xxCount', SUM);
    alarms.watch('callbacks-failing', {
      severity: 'page',
      metric: new MathExpression({
        expression: 'failed - FILL(unanswered, 0)',
        usingMetrics: { failed, unanswered },
        period: ALARM_PERIOD,
      }),
      above: MIN_FAILURES,
      rollsBack: true,
      description:
        'Callbacks of providers fail by our own fault: errors, time-outs, or a function that does not start. See ' +
        'request_failed in the log of psp-webhooks. Providers send again, and the sweep asks them.',
    });
  }

  #watchRefused({ lambda }: ServiceFunction, refused: Metric, alarms: ServiceAlarms): void {
    const away = '(FILL(refused, 0) + FILL(throttled, 0))';
    alarms.watch('callbacks-refused', {
      severity: 'look',
      metric: new MathExpression({
        expression: `IF(${away} > ${MIN_REFUSED}, 100 * ${away} / (FILL(handled, 0) + FILL(throttled, 0)), 0)`,
        usingMetrics: {
          refused,
          throttled: lambda.metricThrottles(SUM),
          handled: lambda.metricInvocations(SUM),
        },
        period: ALARM_PERIOD,
      }),
      above: USUAL_SHARE,
      lasting: { bad: 3, of: 3 },
      description:
        'Many callbacks are turned away: their signature is wrong, as after a secret was changed at the provider ' +
        'alone, or more come than the reserved concurrency takes. callback_refused in the log names the provider.',
    });
  }
}
