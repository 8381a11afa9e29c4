import type { IHttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Construct } from 'constructs';
import { FUNCTION_URL_GROUP } from '#functions/route-table.ts';
import { AccountAlarms } from '#lib/aws/constructs/account-alarms.construct.ts';
import type { ServiceAlarms } from '#lib/aws/constructs/alarms.construct.ts';
import { ApiAlarms } from '#lib/aws/constructs/api-alarms.construct.ts';
import { backupsOf } from '#lib/aws/constructs/backup.construct.ts';
import { BackupAlarms } from '#lib/aws/constructs/backup-alarms.construct.ts';
import { BusinessAlarms } from '#lib/aws/constructs/business-alarms.construct.ts';
import { CallbackAlarms } from '#lib/aws/constructs/callback-alarms.construct.ts';
import { FunctionFailures } from '#lib/aws/constructs/function-failures.construct.ts';
import { MailAlarms } from '#lib/aws/constructs/mail-alarms.construct.ts';
import { ReplicaAlarms } from '#lib/aws/constructs/replica-alarms.construct.ts';
import { SavedQueries } from '#lib/aws/constructs/saved-queries.construct.ts';
import type { ServiceFunction } from '#lib/aws/constructs/service-function.construct.ts';
import { StreamAlarms } from '#lib/aws/constructs/stream-alarms.construct.ts';
import { StuckPayments } from '#lib/aws/constructs/stuck-payments.construct.ts';
import type { FunctionName } from '#lib/aws/function-table.ts';
import type { PayforkSettings } from '#lib/aws/payfork-settings.ts';
import type { ResourceNames } from '#lib/aws/stack-names.ts';

export type ServiceWatchProps = {
  readonly payfork: PayforkSettings;
  readonly names: ResourceNames;
  readonly api: IHttpApi;
  readonly functions: Readonly<Record<FunctionName, ServiceFunction>>;
  readonly alarms: ServiceAlarms;
};

/**
 * The alarms that belong to no single resource, and what to ask the logs when one rings. Queues, dead letters, the table, the schedules and the probe bring theirs.
 */
export class ServiceWatch extends Construct {
  constructor(scope: Construct, id: string, { payfork, names, api, functions, alarms }: ServiceWatchProps) {
    super(scope, id);
    const common = { names, alarms };
    const { paymentLatency } = new ApiAlarms(this, 'Api', { ...common, api, payments: functions.payments.log });
    new CallbackAlarms(this, 'Callbacks', { ...common, callbacks: functions[FUNCTION_URL_GROUP] });
    new StreamAlarms(this, 'Stream', { ...common, projector: functions.projector, paymentLatency });
    new FunctionFailures(this, 'Failures', { ...common, functions });
    new StuckPayments(this, 'Stuck', common);
    new AccountAlarms(this, 'Account', { payfork, alarms });
    new SavedQueries(this, 'Queries', { stackName: payfork.name, names });
    if (backupsOf(payfork) !== 'off')
      new BackupAlarms(this, 'Backup', { alarms, table: payfork.table?.name ?? names.table });
    if (payfork.mail) new MailAlarms(this, 'Mail', { ...common, functions });
    const regions = replicasOf(payfork);
    if (regions.length > 0) new ReplicaAlarms(this, 'Replicas', { alarms, table: names.table, regions });
    const { providers = [] } = payfork.alarms ?? {};
    if (providers.length > 0) new BusinessAlarms(this, 'Business', { ...common, providers });
  }
}

/** Where the changes of this region are replicated to. After a change of regions they go the other way. */
const replicasOf = ({ standby, tableOptions }: PayforkSettings): readonly string[] =>
  standby ? [standby.of] : (tableOptions?.replicas ?? []).map(({ region }) => region);
