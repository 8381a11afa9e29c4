import type { ScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';
import { ALARM_PERIOD, type ServiceAlarms } from '#lib/aws/constructs/alarms.construct.ts';
import { addSchedule, runOnce } from '#lib/aws/constructs/schedules.construct.ts';
import type { ServiceFunction } from '#lib/aws/constructs/service-function.construct.ts';

export type ProbeProps = {
  readonly probe: ServiceFunction;
  readonly group: ScheduleGroup;
  readonly alarms: ServiceAlarms;
  readonly enabled: boolean;
};

/** Of the five runs in five minutes this many may fail: a single slow delivery wakes nobody. */
const MAX_FAILED = 2;

/**
 * Runs the probe each minute. A run that fails is an error of the function; runs that do not happen leave its metric
 * without data. Both are what the alarm watches. Until it is set up for the first time, a run is none that fails.
 */
export class Probe extends Construct {
  constructor(scope: Construct, id: string, { probe: { lambda, alias }, group, alarms, enabled }: ProbeProps) {
    super(scope, id);
    addSchedule(this, { group, alias, enabled, schedules: [{ name: 'probe', everyMinutes: 1 }] });
    runOnce(alias);
    alarms.watch('probe-failing', {
      severity: 'page',
      metric: lambda.metricErrors({ period: ALARM_PERIOD }),
      above: MAX_FAILED,
      missing: 'breaching',
      rollsBack: true,
      description:
        'The probe cannot create and cancel an intent, or does not see its event arrive, or does not run. ' +
        'probe_failed in its log says which. If its key is unknown: npm run bootstrap -- --probe.',
    });
  }
}
