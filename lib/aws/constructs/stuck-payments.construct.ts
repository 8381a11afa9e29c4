import { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { ALARM_PERIOD, type ServiceAlarms } from '#lib/aws/constructs/alarms.construct.ts';
import type { ResourceNames } from '#lib/aws/stack-names.ts';
import type { DurationName, MetricEvent } from '#shared/domain/reference/metrics.catalog.ts';

/** The sweep runs every minute: work that has been due for this long was enqueued many times without effect. */
const OVERDUE_AFTER = Duration.minutes(15);

/** Hundreds of thousands of renewals may fall due in one minute, and each waits for a provider. */
const RENEWALS_OVERDUE_AFTER = Duration.hours(1);

export type StuckPaymentsProps = { readonly names: ResourceNames; readonly alarms: ServiceAlarms };

/**
 * Alarms for payments that do not move by themselves: those that a person must decide, and those that fall due again
 * and again. Missing data is good news here, as a stopped stream or schedule has alarms of its own.
 */
export class StuckPayments extends Construct {
  constructor(scope: Construct, id: string, { names, alarms }: StuckPaymentsProps) {
    super(scope, id);
    const common = { namespace: names.metrics, period: ALARM_PERIOD };
    const count = (metricName: MetricEvent) => new Metric({ ...common, metricName, statistic: 'Sum' });
    const longest = (metricName: DurationName) => new Metric({ ...common, metricName, statistic: 'Maximum' });

    alarms.watch('payments-in-review', {
      severity: 'look',
      metric: count('review_begun'),
      description:
        'A person must decide about a payment: its provider gave no verdict, or took another amount, or a refund ' +
        'that is owed failed. The lines review_begun in the log of the projector name it.',
    });
    alarms.watch('payments-overdue', {
      severity: 'page',
      metric: longest('payments_overdue_ms'),
      above: OVERDUE_AFTER.toMilliseconds(),
      description:
        'A payment has been due for a quarter of an hour, whatever the sweep does; see the log of the timers.',
    });
    alarms.watch('renewals-overdue', {
      severity: 'page',
      metric: longest('renewals_overdue_ms'),
      above: RENEWALS_OVERDUE_AFTER.toMilliseconds(),
      description:
        'A subscription or an invoice has been due for an hour; see the log of the renewals. What an ' +
        'organization may not charge now is put off and does not count.',
    });
    alarms.watch('background-overdue', {
      severity: 'look',
      metric: longest('background_overdue_ms'),
      above: OVERDUE_AFTER.toMilliseconds(),
      description:
        "An event has been due for another try, or a workflow's execution, for a quarter of an hour; see the logs of " +
        'the timers, of the delivery and of workflow-runs.',
    });
  }
}
