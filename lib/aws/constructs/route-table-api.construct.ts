import { Aws, Stack } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  CfnApi,
  type CfnStage,
  HttpApi,
  HttpStage,
  type IHttpApi,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { type FunctionGroup, ROUTES } from '#functions/route-table.ts';
import { apiBody, OPEN_ROUTES } from '#lib/aws/api-body.ts';
import type { ServiceFunction } from '#lib/aws/constructs/service-function.construct.ts';
import { namesOf } from '#lib/aws/function-table.ts';
import { ALIAS_NAME, type ResourceNames } from '#lib/aws/stack-names.ts';
import type { StageSettings } from '#lib/aws/stages.ts';
import { ID_PREFIX } from '#shared/kernel/ids.ts';

/**
 * The fields of the access log. `request_id` is the one that functions log and callers get (`requestIdOf`). It holds
 * neither path nor query: return addresses carry tokens, and ids of payments are not the log's business.
 */
const ACCESS_LOG = {
  request_id: `${ID_PREFIX.request}_$context.requestId`,
  time: '$context.requestTime',
  ip: '$context.identity.sourceIp',
  routeKey: '$context.routeKey',
  status: '$context.status',
  responseLength: '$context.responseLength',
  latency: '$context.responseLatency',
  integrationLatency: '$context.integrationLatency',
  integrationStatus: '$context.integration.status',
  error: '$context.error.message',
  integrationError: '$context.integrationErrorMessage',
};

export type RouteTableApiProps = {
  readonly names: ResourceNames;
  readonly settings: StageSettings;
  /**
   * With a domain of its own the default address is disabled: whoever allows or blocks the API by name must not be
   * bypassed.
   */
  readonly hasOwnName: boolean;
};

/**
 * The HTTP API, imported as one document. It is created before the functions, which need its address, so the document
 * names them as text. `connect` then allows it to invoke them.
 */
export class RouteTableApi extends Construct {
  readonly api: IHttpApi;
  readonly stage: HttpStage;

  constructor(scope: Construct, id: string, { names, settings, hasOwnName }: RouteTableApiProps) {
    super(scope, id);
    const log = LogGroup.fromLogGroupName(this, 'AccessLog', names.accessLog);
    // Name and protocol are in the document. API Gateway takes them from nowhere else when it imports one.
    const { ref: httpApiId, attrApiEndpoint: apiEndpoint } = new CfnApi(this, 'Api', {
      body: apiBody({
        title: Stack.of(this).stackName,
        functionArnOf: (group) => `${FUNCTION_ARN}:${names.function(group)}:${ALIAS_NAME}`,
        partition: Aws.PARTITION,
        region: Aws.REGION,
        isDefaultAddressClosed: hasOwnName,
      }),
      disableExecuteApiEndpoint: hasOwnName,
    });
    this.api = HttpApi.fromHttpApiAttributes(this, 'Imported', { httpApiId, apiEndpoint });
    this.stage = new HttpStage(this, 'Stage', {
      httpApi: this.api,
      stageName: '$default',
      autoDeploy: true,
      throttle: settings.throttle,
      accessLogSettings: {
        destination: new LogGroupLogDestination(log),
        format: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG)),
      },
    });
    this.#throttle(settings);
  }

  /** One permission for each function, for all of its routes. */
  connect(functions: Readonly<Record<FunctionGroup, Pick<ServiceFunction, 'alias'>>>): void {
    const { apiId } = this.api;
    const sourceArn = Stack.of(this).formatArn({ service: 'execute-api', resource: apiId, resourceName: '*' });
    const principal = new ServicePrincipal('apigateway.amazonaws.com');
    for (const group of namesOf(ROUTES)) functions[group].alias.addPermission('Api', { principal, sourceArn });
  }

  /**
   * Limits open routes apart from the others. API Gateway refuses settings of a route that does not exist, but the stage
   * needs the API, and with it come its routes.
   */
  #throttle({ openThrottles }: StageSettings): void {
    const stage = this.stage.node.defaultChild as CfnStage;
    stage.routeSettings = Object.fromEntries(
      Object.entries(OPEN_ROUTES).map(([key, kind]) => [
        key,
        {
          ThrottlingRateLimit: openThrottles[kind].rateLimit,
          ThrottlingBurstLimit: openThrottles[kind].burstLimit,
        },
      ]),
    );
  }
}

const FUNCTION_ARN = `arn:${Aws.PARTITION}:lambda:${Aws.REGION}:${Aws.ACCOUNT_ID}:function`;
