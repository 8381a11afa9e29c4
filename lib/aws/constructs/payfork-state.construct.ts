import { RemovalPolicy } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { backupsOf, ServiceBackup } from '#lib/aws/constructs/backup.construct.ts';
import { DeadLetterQueues } from '#lib/aws/constructs/dead-letter-queues.construct.ts';
import { ServiceKeys } from '#lib/aws/constructs/keys.construct.ts';
import { ServiceLogs } from '#lib/aws/constructs/logs.construct.ts';
import { OperatorRole } from '#lib/aws/constructs/operator-role.construct.ts';
import { ServiceTable } from '#lib/aws/constructs/table.construct.ts';
import { checkSettings, type PayforkSettings } from '#lib/aws/payfork-settings.ts';
import { type ResourceNames, resourceNames } from '#lib/aws/stack-names.ts';
import { type StageSettings, stageSettings } from '#lib/aws/stages.ts';

/**
 * What must survive: the table, the keys, the logs and the dead letters of a stage. `Payfork` finds them by their names,
 * so the two are in two stacks, and this one is deployed first (ADR 42).
 *
 * On a stage that keeps its data, all of this stays when the stack is deleted. Nothing stays of a deployment that failed
 * before the stack existed: the next one would find its names taken.
 */
export class PayforkState extends Construct {
  constructor(scope: Construct, id: string, payfork: PayforkSettings) {
    super(scope, id);
    checkSettings(payfork);
    const settings = stageSettings(payfork.stage, payfork.capacity);
    const removalPolicy = settings.keepsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
    const common = { names: resourceNames(payfork.name), settings, removalPolicy };
    const table = new ServiceTable(this, 'Table', { ...common, options: payfork.tableOptions });
    const keys = new ServiceKeys(this, 'Keys', {
      names: common.names,
      keepsData: settings.keepsData,
      hasOperators: payfork.operators !== undefined,
    });
    // Last, as live's table is protected from deletion: a deployment that fails before could not be undone after it.
    table.table.node.addDependency(
      keys,
      new ServiceLogs(this, 'Logs', common),
      new DeadLetterQueues(this, 'DeadLetters', common),
      ...this.#backup(payfork, common),
      ...this.#operators(payfork, common, keys),
    );
  }

  #operators({ operators }: PayforkSettings, { names }: Common, keys: ServiceKeys): readonly OperatorRole[] {
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
