import type { EventBus } from 'aws-cdk-lib/aws-events';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { buildVersion } from '#lib/aws/build-version.ts';
import { bundledCode } from '#lib/aws/bundled-code.ts';
import type { ServiceAlarms } from '#lib/aws/constructs/alarms.construct.ts';
import type { KeyAccess } from '#lib/aws/constructs/keys.construct.ts';
import type { ServiceMail } from '#lib/aws/constructs/mail.construct.ts';
import { ServiceFunction } from '#lib/aws/constructs/service-function.construct.ts';
import type { TableAccess } from '#lib/aws/constructs/table-access.construct.ts';
import { FUNCTIONS, type FunctionName, type FunctionSettings, namesOf, recordOf } from '#lib/aws/function-table.ts';
import type { ResourceNames } from '#lib/aws/stack-names.ts';
import type { StageSettings } from '#lib/aws/stages.ts';
import { TABLE_RIGHTS } from '#lib/aws/table-rights.ts';
import { queueVariable } from '#shared/aws-env.ts';
import { QUEUES, type QueueName } from '#shared/ports/queue.port.ts';

export type ServiceFunctionsProps = {
  readonly names: ResourceNames;
  readonly settings: StageSettings;
  readonly alarms: ServiceAlarms;
  readonly table: TableAccess;
  readonly keys: KeyAccess;
  readonly queues: Readonly<Record<QueueName, Queue>>;
  readonly bus: EventBus;
  readonly mail: ServiceMail;
  /** When this region took over from another one. */
  readonly changesSince: string | undefined;
  /** The addresses and names that functions need to know. */
  readonly environment: Readonly<Record<'STAGE' | 'API_URL' | 'OTHER_STAGE_URL', string>> &
    Readonly<Record<string, string>>;
};

/** Creates every function of the table, with its environment and with the rights that its line lists. */
export class ServiceFunctions extends Construct {
  readonly byName: Readonly<Record<FunctionName, ServiceFunction>>;

  constructor(scope: Construct, id: string, props: ServiceFunctionsProps) {
    super(scope, id);
    this.byName = recordOf(namesOf(FUNCTIONS), (name) => this.#make(name, props));
  }

  #make(name: FunctionName, props: ServiceFunctionsProps): ServiceFunction {
    const { names, settings, alarms, table, keys, queues, bus, mail } = props;
    const line = FUNCTIONS[name];
    const created = new ServiceFunction(this, name, {
      line,
      names,
      alarms,
      code: bundledCode(name),
      environment: { ...functionEnvironment(props, line), ...changesSince(name, props) },
      reservedConcurrency: settings.reserved[name],
    });
    table.grant(created.role, TABLE_RIGHTS[name]);
    keys.grant(created.role, line);
    for (const queue of line.sendsTo ?? []) queues[queue].grantSendMessages(created.role);
    if (line.publishes) bus.grantPutEventsTo(created.role);
    mail.grant(created, line);
    return created;
  }
}

/** For the consumers of the stream. */
const changesSince = (name: FunctionName, { changesSince: since }: ServiceFunctionsProps): Record<string, string> =>
  since !== undefined && (name === 'relay' || name === 'projector') ? { CHANGES_SINCE: since } : {};

/** The same for all functions, but for the keys of hashes: its entry point and its rights decide what it can use. */
function functionEnvironment(
  { environment, table, keys, queues, bus }: ServiceFunctionsProps,
  line: FunctionSettings,
): Record<string, string> {
  return {
    ...environment,
    TABLE_NAME: table.table.tableName,
    BUS_NAME: bus.eventBusName,
    ...(line.tellsVersion && { VERSION: buildVersion() }),
    ...keys.environment(line),
    ...Object.fromEntries(QUEUES.map((queue) => [queueVariable(queue), queues[queue].queueUrl])),
  };
}
