import { App, type AppProps, CfnOutput, Stack, Tags, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { Construct } from 'constructs';
import { FUNCTION_URL_GROUP } from '#functions/route-table.ts';
import { ServiceAlarms } from '#lib/aws/constructs/alarms.construct.ts';
import { ApiDomain, apiDomainOf } from '#lib/aws/constructs/api-domain.construct.ts';
import { CallbackUrl } from '#lib/aws/constructs/callback-url.construct.ts';
import { DeadLetters } from '#lib/aws/constructs/dead-letters.construct.ts';
import { ServiceBus } from '#lib/aws/constructs/event-bus.construct.ts';
import { FunctionFailures } from '#lib/aws/constructs/function-failures.construct.ts';
import { ServiceFunctions } from '#lib/aws/constructs/functions.construct.ts';
import { ServiceKeys } from '#lib/aws/constructs/keys.construct.ts';
import { mailFrom, ServiceMail } from '#lib/aws/constructs/mail.construct.ts';
import { ServiceOverview } from '#lib/aws/constructs/overview.construct.ts';
import { serviceQueues } from '#lib/aws/constructs/queue.construct.ts';
import { QueueConsumer } from '#lib/aws/constructs/queue-consumer.construct.ts';
import { RouteTableApi } from '#lib/aws/constructs/route-table-api.construct.ts';
import { ServiceSchedules } from '#lib/aws/constructs/schedules.construct.ts';
import { StreamConsumer } from '#lib/aws/constructs/stream-consumer.construct.ts';
import { StuckPayments } from '#lib/aws/constructs/stuck-payments.construct.ts';
import { ServiceTable } from '#lib/aws/constructs/table.construct.ts';
import { dashboardOf } from '#lib/aws/dashboard.ts';
import { FUNCTIONS, SCHEDULED } from '#lib/aws/function-table.ts';
import { capacityOf, stageSettings } from '#lib/aws/stages.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';
import { QUEUES } from '#shared/ports/queue.port.ts';

/**
 * All resources of one stage. CloudFormation chooses names, and nothing comes from outside, so two stacks never share
 * anything.
 */
export class ServiceStack extends Stack {
  constructor(scope: Construct, stage: Stage) {
    const settings = stageSettings(stage, capacityOf(scope, stage));
    super(scope, settings.stackName, { description: `payfork, ${stage}`, terminationProtection: settings.keepsData });
    Tags.of(this).add('service', 'payfork');
    Tags.of(this).add('stage', stage);

    const alarms = new ServiceAlarms(this, 'Alarms');
    const table = new ServiceTable(this, 'Table', { stage, settings, alarms });
    const keys = new ServiceKeys(this, 'Keys', settings);
    const queues = serviceQueues(this, alarms);
    const { bus } = new ServiceBus(this, 'Bus', { queues, alarms });
    const mail = new ServiceMail(this, 'Mail', { from: mailFrom(this, stage) });
    const domain = apiDomainOf(this, stage);
    const api = new RouteTableApi(this, 'Api', { stage, settings, alarms, hasOwnName: domain !== undefined });
    const apiUrl = domain ? `https://${domain.domain}` : api.api.apiEndpoint;
    const environment = {
      STAGE: stage,
      API_URL: apiUrl,
      OTHER_STAGE_URL: otherStage(this, stage),
      ...dashboardOf(this, stage),
    };
    const { byName: functions } = new ServiceFunctions(this, 'Functions', {
      settings,
      alarms,
      table,
      keys,
      queues,
      bus,
      mail,
      environment,
    });

    api.connect(functions);
    const { url } = new CallbackUrl(this, 'Callbacks', functions[FUNCTION_URL_GROUP]);
    const dead = new DeadLetters(this, 'StreamDeadLetters', { alarms, name: 'stream', of: 'A change of the table' });
    const stream = { table: table.table, alarms, dead };
    new StreamConsumer(this, 'Relay', { ...functions.relay, ...stream, name: 'relay' });
    new StreamConsumer(this, 'Projector', { ...functions.projector, ...stream, name: 'projector', counts: true });
    for (const name of QUEUES) {
      const concurrency = settings.queueConcurrency[name];
      new QueueConsumer(this, `${name}-consumer`, {
        ...functions[name],
        queue: queues[name],
        settings: FUNCTIONS[name],
        concurrency,
      });
    }
    new ServiceSchedules(this, 'Schedules', { ...functions[SCHEDULED], alarms });
    new FunctionFailures(this, 'Failures', { stage, functions, alarms });
    new StuckPayments(this, 'Stuck', { stage, alarms });
    new ServiceOverview(this, 'Overview', {
      stage,
      detailed: settings.detailedDashboard,
      api: api.api,
      table: table.table,
      queues,
      functions,
    });

    const outputs = {
      ApiUrl: environment.API_URL,
      CallbackUrl: url.url,
      TableName: table.table.tableName,
      HashKeyArn: keys.hashing.hashSecret.keyArn,
      PageTopicArn: alarms.topics.page.topicArn,
      LookTopicArn: alarms.topics.look.topicArn,
      ...(domain && {
        ApiDomainTarget: new ApiDomain(this, 'ApiDomain', { ...domain, api: api.api, apiStage: api.stage }).target,
      }),
    };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
  }
}

/**
 * The base address of the other stage, which error messages name to callers with its key. Stacks do not know each
 * other, so it is a setting of the deployment.
 */
function otherStage(scope: Construct, stage: Stage): string {
  const other: Stage = stage === 'live' ? 'sandbox' : 'live';
  return scope.node.tryGetContext(`${other}_url`) ?? `the API of the ${other} stage`;
}

/** Both stages. Every synthesis runs the checks. An exception is written next to its resource, with its reason. */
export function serviceApp(props: AppProps = {}): App {
  const app = new App(props);
  for (const stage of ['sandbox', 'live'] as const) new ServiceStack(app, stage);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return app;
}
