import { Aws, Duration, RemovalPolicy } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Alias, Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import { CfnSchedule, ScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';
import { SCHEDULES } from '#functions/schedule-table.ts';
import { acceptFinding, acceptOwnPolicy } from '#lib/aws/checks.ts';
import { ALARM_PERIOD, type ServiceAlarms } from '#lib/aws/constructs/alarms.construct.ts';
import type { ResourceNames } from '#lib/aws/stack-names.ts';

export type ServiceSchedulesProps = {
  readonly names: ResourceNames;
  readonly lambda: Lambda;
  readonly alias: Alias;
  readonly alarms: ServiceAlarms;
  readonly enabled: boolean;
};

type ScheduledCalls = {
  readonly group: ScheduleGroup;
  readonly alias: Alias;
  /** Of a closed service no schedule runs. */
  readonly enabled: boolean;
  readonly schedules: readonly { readonly name: string; readonly everyMinutes: number }[];
};

/** Invokes the function with each line's name, as often as the line says. */
export function addSchedule(scope: Construct, { group, alias, enabled, schedules }: ScheduledCalls): void {
  const ownAccount = { conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } } };
  const role = new Role(scope, 'Role', { assumedBy: new ServicePrincipal('scheduler.amazonaws.com', ownAccount) });
  acceptOwnPolicy(role);
  role.addToPolicy(new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [alias.functionArn] }));
  for (const { name, everyMinutes } of schedules) {
    const schedule = new CfnSchedule(scope, name, {
      groupName: group.scheduleGroupName,
      ...(!enabled && { state: 'DISABLED' }),
      scheduleExpression: everyMinutes === 1 ? 'rate(1 minute)' : `rate(${everyMinutes} minutes)`,
      flexibleTimeWindow: { mode: 'OFF' },
      target: {
        arn: alias.functionArn,
        roleArn: role.roleArn,
        input: JSON.stringify({ schedule: name }),
        // A late run does all that a missed one would have done.
        retryPolicy: { maximumRetryAttempts: 0, maximumEventAgeInSeconds: 60 },
      },
    });
    // Scheduler checks the role when the schedule is created, so its policy must exist by then. The name is no reference to the group.
    schedule.node.addDependency(role, group);
  }
}

/** Lambda's own retry of a scheduled invocation would run beside the next one. */
export function runOnce(alias: Alias): void {
  alias.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) });
  acceptFinding(
    alias,
    'Serverless-LambdaAsyncFailureDestination',
    'The call says only which schedule it is. The next run does all that a failed one would have done.',
  );
}

/** Runs the lines of the schedule table. */
export class ServiceSchedules extends Construct {
  readonly group: ScheduleGroup;

  constructor(scope: Construct, id: string, { names, lambda, alias, alarms, enabled }: ServiceSchedulesProps) {
    super(scope, id);
    // CDK keeps a group unless it is told not to. Left behind, it would have the name that the next deployment needs.
    this.group = new ScheduleGroup(this, 'Group', {
      scheduleGroupName: names.scheduleGroup,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    addSchedule(this, { group: this.group, alias, enabled, schedules: SCHEDULES });
    runOnce(alias);
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
