import { Stack } from 'aws-cdk-lib';
import type { FunctionUrl } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { FUNCTION_URL_GROUP, ROUTES } from '#functions/route-table.ts';
import { ServiceAlarms } from '#lib/aws/constructs/alarms.construct.ts';
import { ApiDomain } from '#lib/aws/constructs/api-domain.construct.ts';
import { CallbackUrl } from '#lib/aws/constructs/callback-url.construct.ts';
import { ServiceBus } from '#lib/aws/constructs/event-bus.construct.ts';
import { Front, originSecret } from '#lib/aws/constructs/front.construct.ts';
import { ServiceFunctions } from '#lib/aws/constructs/functions.construct.ts';
import { KeyAccess } from '#lib/aws/constructs/keys.construct.ts';
import { ServiceMail } from '#lib/aws/constructs/mail.construct.ts';
import { ServiceOverview, type ServiceOverviewProps } from '#lib/aws/constructs/overview.construct.ts';
import { PayforkState } from '#lib/aws/constructs/payfork-state.construct.ts';
import { serviceQueues } from '#lib/aws/constructs/queue.construct.ts';
import { RollOut } from '#lib/aws/constructs/roll-out.construct.ts';
import { RouteTableApi } from '#lib/aws/constructs/route-table-api.construct.ts';
import { TableAccess } from '#lib/aws/constructs/table-access.construct.ts';
import { ServiceTriggers } from '#lib/aws/constructs/triggers.construct.ts';
import { ServiceWatch } from '#lib/aws/constructs/watch.construct.ts';
import { FUNCTIONS, namesOf, recordOf } from '#lib/aws/function-table.ts';
import { checkSettings, isOpen, type PayforkSettings } from '#lib/aws/payfork-settings.ts';
import { type ResourceNames, resourceNames } from '#lib/aws/stack-names.ts';
import { type StageAddresses, stageAddresses } from '#lib/aws/stage-addresses.ts';
import { stageEnvironment } from '#lib/aws/stage-environment.ts';
import { type StageSettings, stageSettings } from '#lib/aws/stages.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';

type Parts = {
  readonly stage: Stage;
  readonly names: ResourceNames;
  readonly settings: StageSettings;
  readonly alarms: ServiceAlarms;
};
/** Reserved for every function of a closed service: whatever invokes it is refused. */
const NOTHING = recordOf(namesOf(FUNCTIONS), () => 0);
type Functions = ServiceFunctions['byName'];

/**
 * The whole service, but for what must survive it: that is `PayforkState`, in a stack of its own. This one refers to it by
 * names, so it can be thrown away and made again (ADR 42).
 */
export class Payfork extends Construct {
  /** Addresses and names that whoever deploys needs, by the names of the stack's outputs. */
  readonly outputs: Readonly<Record<string, string>>;

  constructor(scope: Construct, id: string, payfork: PayforkSettings) {
    super(scope, id);
    checkSettings(payfork);
    this.node.addValidation({ validate: () => stackFaults(this) });
    const parts = this.#parts(payfork);
    const access = new TableAccess(this, 'Table', { ...parts, restored: payfork.table });
    const keys = new KeyAccess(this, 'Keys', { names: parts.names, versions: payfork.hashVersions });
    const queues = serviceQueues(this, parts);
    const { bus } = new ServiceBus(this, 'Bus', { ...parts, queues });
    const mail = new ServiceMail(this, 'Mail', { from: payfork.mail?.from });
    const api = new RouteTableApi(this, 'Api', { ...parts, hasOwnName: payfork.domain !== undefined });
    const addresses = stageAddresses(payfork, api.api.apiEndpoint);
    const environment = stageEnvironment(payfork, parts.names, addresses);
    const made = { ...parts, queues, keys, bus, mail, environment, changesSince: payfork.takenOverAt };
    const { byName: functions } = new ServiceFunctions(this, 'Functions', { ...made, table: access });
    api.connect(functions);
    const url = this.#callbacks(functions, addresses);
    new ServiceTriggers(this, 'Triggers', {
      ...made,
      functions,
      table: access.table,
      isProbing: payfork.probe !== 'off',
      enabled: isOpen(payfork),
    });
    this.#watch(payfork, { ...made, api, functions, table: access.table });
    this.outputs = {
      ApiUrl: addresses.apiUrl,
      CallbackUrl: addresses.callbackUrl === undefined ? url.url : `${addresses.callbackUrl.replace(/\/$/, '')}/`,
      FunctionUrl: url.url,
      TableName: access.table.tableName,
      HashKeyArn: keys.arns.hashSecret,
      PageTopicArn: parts.alarms.topics.page.topicArn,
      LookTopicArn: parts.alarms.topics.look.topicArn,
      ...this.#domain(payfork, api),
      ...this.#front(payfork, api, url, functions),
    };
  }

  #parts(payfork: PayforkSettings): Parts {
    const { name, stage, capacity, alarms } = payfork;
    const settings = stageSettings(stage, capacity);
    return {
      stage,
      names: resourceNames(name),
      settings: isOpen(payfork) ? settings : { ...settings, reserved: NOTHING },
      alarms: new ServiceAlarms(this, 'Alarms', alarms, isOpen(payfork)),
    };
  }

  #callbacks(functions: Functions, { callbackUrl }: StageAddresses): FunctionUrl {
    const { url } = new CallbackUrl(this, 'Callbacks', functions[FUNCTION_URL_GROUP]);
    // The other functions would be in a circle with it, and connections tell organizations which address to register.
    if (callbackUrl === undefined) functions.connections.lambda.addEnvironment('CALLBACK_URL', url.url);
    return url;
  }

  #watch(
    payfork: PayforkSettings,
    props: Parts & Pick<ServiceOverviewProps, 'table' | 'queues'> & { api: RouteTableApi; functions: Functions },
  ): void {
    const { settings } = props;
    const shown = { ...props, api: props.api.api };
    new ServiceWatch(this, 'Watch', { ...shown, payfork });
    // After all alarms, as it watches some of them.
    if ((payfork.rollout ?? settings.rollout) === 'canary') new RollOut(this, 'RollOut', props);
    new ServiceOverview(this, 'Overview', { ...shown, detailed: settings.detailedDashboard });
  }

  #domain({ domain }: PayforkSettings, { api, stage }: RouteTableApi): Readonly<Record<string, string>> {
    if (!domain) return {};
    return { ApiDomainTarget: new ApiDomain(this, 'ApiDomain', { domain, api, apiStage: stage }).target };
  }

  /** The front sends a new secret once the functions know it. */
  #front(
    { front }: PayforkSettings,
    { api }: RouteTableApi,
    { url: callbackUrl }: FunctionUrl,
    functions: Functions,
  ): Readonly<Record<string, string>> {
    if (!front) return {};
    const secrets = ['current', 'previous'].map((field) => originSecret(front, field)).join();
    const called = namesOf(ROUTES).map((group) => functions[group]);
    for (const { lambda } of called) {
      lambda.addEnvironment('ORIGIN_SECRETS', secrets);
      if (front.takesDirectRequests) lambda.addEnvironment('DIRECT_REQUESTS', 'taken');
    }
    const after = called.map(({ alias }) => alias);
    return { FrontTarget: new Front(this, 'Front', { front, api, callbackUrl, after }).target };
  }
}

/** In one stack the parameters would be read before they are written. */
function stackFaults(service: Payfork): string[] {
  const inStack = Stack.of(service).node.findAll();
  if (!inStack.some((each) => each instanceof PayforkState)) return [];
  return ['Payfork and PayforkState need a stack each: what PayforkState makes must exist first, and must survive.'];
}
