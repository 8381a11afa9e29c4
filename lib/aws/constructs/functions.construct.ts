import type { EventBus } from 'aws-cdk-lib/aws-events';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { bundledCode } from '#lib/aws/bundled-code.ts';
import type { ServiceAlarms } from '#lib/aws/constructs/alarms.construct.ts';
import type { ServiceKeys } from '#lib/aws/constructs/keys.construct.ts';
import type { ServiceMail } from '#lib/aws/constructs/mail.construct.ts';
import { ServiceFunction } from '#lib/aws/constructs/service-function.construct.ts';
import type { ServiceTable } from '#lib/aws/constructs/table.construct.ts';
import { FUNCTIONS, type FunctionName, type FunctionSettings, namesOf, recordOf } from '#lib/aws/function-table.ts';
import type { StageSettings } from '#lib/aws/stages.ts';
import { MAC_KEY_VARIABLES, queueVariable } from '#shared/aws-env.ts';
import { QUEUES, type QueueName } from '#shared/ports/queue.port.ts';

export type ServiceFunctionsProps = {
  readonly settings: StageSettings;
  readonly alarms: ServiceAlarms;
  readonly table: ServiceTable;
  readonly keys: ServiceKeys;
  readonly queues: Readonly<Record<QueueName, Queue>>;
  readonly bus: EventBus;
  readonly mail: ServiceMail;
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
    const { settings, alarms, table, keys, queues, bus, mail } = props;
    const line = FUNCTIONS[name];
    const created = new ServiceFunction(this, name, {
      line,
      settings,
      alarms,
      code: bundledCode(name),
      environment: functionEnvironment(props, line),
      reservedConcurrency: settings.reserved[name],
    });
    table.grant(created.role, line);
    keys.grant(created.role, line);
    for (const queue of line.sendsTo ?? []) queues[queue].grantSendMessages(created.role);
    if (line.publishes) bus.grantPutEventsTo(created.role);
    mail.grant(created, line);
    return created;
  }
}

/**
 * The same for all functions: its entry point and its rights decide what a function can use. Only the keys of
 * hashes are named to those that use them, as a function fetches its secrets when it starts.
 */
function functionEnvironment(
  { environment, table, keys, queues, bus }: ServiceFunctionsProps,
  { macs }: FunctionSettings,
): Record<string, string> {
  return {
    ...environment,
    TABLE_NAME: table.table.tableName,
    BUS_NAME: bus.eventBusName,
    PSP_KEY_ARN: keys.sealing.psp.keyArn,
    INTEGRATION_KEY_ARN: keys.sealing.integration.keyArn,
    SIGNING_KEY_ARN: keys.sealing.signing.keyArn,
    ANSWER_KEY_ARN: keys.sealing.answer.keyArn,
    TOTP_KEY_ARN: keys.sealing.totp.keyArn,
    ...Object.fromEntries(macs.map((name) => [MAC_KEY_VARIABLES[name], keys.hashing[name].keyArn])),
    ...Object.fromEntries(QUEUES.map((queue) => [queueVariable(queue), queues[queue].queueUrl])),
  };
}
