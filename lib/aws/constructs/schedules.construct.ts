import { Aws, Duration } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import { CfnSchedule, ScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';
import { SCHEDULES } from '#functions/schedule-table.ts';
import { ALARM_PERIOD, type ServiceAlarms } from '#lib/aws/constructs/alarms.construct.ts';

export type ServiceSchedulesProps = { readonly lambda: Lambda; readonly alarms: ServiceAlarms };

/** Invokes the scheduled function with each line's name, as often as the line says. */
export class ServiceSchedules extends Construct {
  constructor(scope: Construct, id: string, { lambda, alarms }: ServiceSchedulesProps) {
    super(scope, id);
    const group = new ScheduleGroup(this, 'Group');
    const ownAccount = { conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } } };
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('scheduler.amazonaws.com', ownAccount) });
    role.addToPolicy(new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [lambda.functionArn] }));
    for (const { name, everyMinutes } of SCHEDULES) {
      const schedule = new CfnSchedule(this, name, {
        groupName: group.scheduleGroupName,
        scheduleExpression: everyMinutes === 1 ? 'rate(1 minute)' : `rate(${everyMinutes} minutes)`,
        flexibleTimeWindow: { mode: 'OFF' },
        target: {
          arn: lambda.functionArn,
          roleArn: role.roleArn,
          input: JSON.stringify({ schedule: name }),
          // A late run does all that a missed one would have done.
          retryPolicy: { maximumRetryAttempts: 0, maximumEventAgeInSeconds: 60 },
        },
      });
      // Scheduler checks the role when the schedule is created, so its policy must exist by then.
      schedule.node.addDependency(role);
    }
    // Lambda's own retry of a scheduled invocation would run beside the next one.
    lambda.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) });
    watch(lambda, alarms);
  }
}

/**
 * Two periods, as a single missed run is made up for by the next one. The function's invocations include those for its
 * queue, but only runs of the schedule put messages there.
 */
function watch(lambda: Lambda, alarms: ServiceAlarms): void {
  alarms.watch('schedules-silent', {
    severity: 'page',
    metric: lambda.metricInvocations({ period: ALARM_PERIOD }),
    alarmsIfMissing: true,
    lasting: { bad: 2, of: 2 },
    description:
      'What the clock calls for has not reached its function in ten minutes: renewals, retries and reconciliation wait.',
  });
}
