import { RemovalPolicy } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { backupsOf, ServiceBackup } from '#lib/aws/constructs/backup.construct.ts';
import { DeadLetterQueues } from '#lib/aws/constructs/dead-letter-queues.construct.ts';
import { ServiceKeys, type ServiceKeysProps } from '#lib/aws/constructs/keys.construct.ts';
import { ServiceLogs } from '#lib/aws/constructs/logs.construct.ts';
import { OperatorRole, type OperatorRoleProps } from '#lib/aws/constructs/operator-role.construct.ts';
import { ReplicaKeys } from '#lib/aws/constructs/replica-keys.construct.ts';
import { nameStream, ServiceTable } from '#lib/aws/constructs/table.construct.ts';
import { checkSettings, type PayforkSettings } from '#lib/aws/payfork-settings.ts';
import { type ResourceNames, resourceNames } from '#lib/aws/stack-names.ts';
import { type StageSettings, stageSettings } from '#lib/aws/stages.ts';

/**
 * What must survive: the table, the keys, the logs and the dead letters of a stage. `Payfork` finds them by their names,
 * so the two are in two stacks, and this one is deployed first (ADR 42).
 *
 * On a stage that keeps its data, all of this stays when the stack is deleted. Nothing stays of a deployment that failed
 * before the stack existed: the next one would find its names taken.
 *
 * In a second region the table is a replica, which the first region's stack makes, and the keys are replicas (ADR 61).
 */
export class PayforkState extends Construct {
  constructor(scope: Construct, id: string, payfork: PayforkSettings) {
    super(scope, id);
    checkSettings(payfork);
    const settings = stageSettings(payfork.stage, payfork.capacity);
    const removalPolicy = settings.keepsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
    const common = { names: resourceNames(payfork.name), settings, removalPolicy };
    const table = payfork.standby
      ? undefined
      : new ServiceTable(this, 'Table', { ...common, options: payfork.tableOptions });
    if (payfork.standby) nameStream(this, common.names, payfork.standby.streamArn);
    const keys = this.#keys(payfork, common);
    const others = [
      keys,
      new ServiceLogs(this, 'Logs', common),
      new DeadLetterQueues(this, 'DeadLetters', common),
      ...this.#backup(payfork, common),
      ...this.#operators(payfork, common, keys),
    ];
    // Last, as live's table is protected from deletion: a deployment that fails before could not be undone after it.
    table?.table.node.addDependency(...others);
  }

  #keys({ standby, operators }: PayforkSettings, { names, settings }: Common): ServiceKeys | ReplicaKeys {
    const props: ServiceKeysProps = { names, keepsData: settings.keepsData, hasOperators: operators !== undefined };
    return standby ? new ReplicaKeys(this, 'Keys', { ...props, standby }) : new ServiceKeys(this, 'Keys', props);
  }

  #operators(
    { operators }: PayforkSettings,
    { names }: Common,
    keys: OperatorRoleProps['keys'],
  ): readonly OperatorRole[] {
    return operators ? [new OperatorRole(this, 'Operators', { names, keys, operators })] : [];
  }

  #backup(payfork: PayforkSettings, { names, removalPolicy }: Common): readonly ServiceBackup[] {
    const settings = backupsOf(payfork);
    if (settings === 'off') return [];
    const table = payfork.table?.name ?? names.table;
    return [new ServiceBackup(this, 'Backup', { names, removalPolicy, table, settings })];
  }
}

type Common = {
  readonly names: ResourceNames;
  readonly settings: StageSettings;
  readonly removalPolicy: RemovalPolicy;
};
