import type { ScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';
import { ALARM_PERIOD, type AlarmProps, type ServiceAlarms } from '#lib/aws/constructs/alarms.construct.ts';
import { addSchedule, runOnce } from '#lib/aws/constructs/schedules.construct.ts';
import type { ServiceFunction } from '#lib/aws/constructs/service-function.construct.ts';
import type { ProbeInterval } from '#lib/aws/stages.ts';

export type ProbeProps = {
  readonly probe: ServiceFunction;
  readonly everyMinutes: ProbeInterval;
  readonly group: ScheduleGroup;
  readonly alarms: ServiceAlarms;
  readonly enabled: boolean;
};

/**
 * A single slow delivery wakes nobody: three of five runs a minute apart must fail, or two of three that are five
 * minutes apart. Of those, no run may fall into one period and two into the next.
 */
const FAILING: Readonly<Record<ProbeInterval, Pick<AlarmProps, 'above' | 'lasting'>>> = {
  1: { above: 2 },
  5: { above: 0, lasting: { bad: 2, of: 3 } },
};

/**
 * Runs the probe all the time. A run that fails is an error of the function; runs that do not happen leave its metric
 * without data. Both are what the alarm watches. Until it is set up for the first time, a run is none that fails.
 */
export class Probe extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { probe: { lambda, alias }, everyMinutes, group, alarms, enabled }: ProbeProps,
  ) {
    super(scope, id);
    addSchedule(this, { group, alias, enabled, schedules: [{ name: 'probe', everyMinutes }] });
    runOnce(alias);
    alarms.watch('probe-failing', {
      severity: 'page',
      metric: lambda.metricErrors({ period: ALARM_PERIOD }),
      ...FAILING[everyMinutes],
      missing: 'breaching',
      rollsBack: true,
      description:
        'The probe cannot create and cancel an intent, or does not see its event arrive, or does not run. ' +
        'probe_failed in its log says which. If its key is unknown: npm run bootstrap -- --probe.',
    });
  }
}
