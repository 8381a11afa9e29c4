import { RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  type CfnRoute,
  type CfnStage,
  HttpApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { type IMetric, MathExpression, type Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { type FunctionGroup, ROUTES } from '#functions/route-table.ts';
import type { ServiceAlarms } from '#lib/aws/constructs/alarms.construct.ts';
import type { ServiceFunction } from '#lib/aws/constructs/service-function.construct.ts';
import { DEFAULT_GROUP, namesOf } from '#lib/aws/function-table.ts';
import { EACH_MINUTE } from '#lib/aws/logged-metrics.ts';
import type { StageSettings } from '#lib/aws/stages.ts';
import { metricNamespace } from '#shared/domain/reference/metrics.catalog.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';
import { type AnyRoute, methodsOf } from '#shared/http/route.ts';

/**
 * The fields of the access log. It holds neither path nor query: return addresses carry tokens, and ids of payments are
 * not the log's business.
 */
const ACCESS_LOG = {
  requestId: '$context.requestId',
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

/** Up to this many failures in a minute raise no alarm, however few requests there are. */
const MIN_FAILURES = 2;

export type RouteTableApiProps = {
  readonly stage: Stage;
  readonly settings: StageSettings;
  readonly alarms: ServiceAlarms;
  /**
   * With a domain of its own the default address is disabled: whoever allows or blocks the API by name must not be
   * bypassed.
   */
  readonly hasOwnName: boolean;
};

/**
 * The HTTP API. It is created before the functions, which need its address. Then `connect` gives each route its
 * function.
 */
export class RouteTableApi extends Construct {
  readonly api: HttpApi;
  readonly stage: HttpStage;
  readonly #openThrottle: StageSettings['openThrottle'];

  constructor(scope: Construct, id: string, { stage, settings, alarms, hasOwnName }: RouteTableApiProps) {
    super(scope, id);
    this.#openThrottle = settings.openThrottle;
    const log = new LogGroup(this, 'AccessLog', {
      retention: settings.logRetention,
      removalPolicy: settings.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    // No `corsPreflight`: it is one setting for all routes, and overrides the headers of our responses.
    this.api = new HttpApi(this, 'Api', {
      apiName: Stack.of(this).stackName,
      createDefaultStage: false,
      disableExecuteApiEndpoint: hasOwnName,
    });
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
    this.#watch(stage, log, alarms);
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason:
        'Callers are known by API keys, which the middleware chain checks and counts in one write; callbacks ' +
        'by their signature, over the raw body.',
    });
  }

  connect(functions: Readonly<Record<FunctionGroup, ServiceFunction>>): void {
    for (const group of namesOf(ROUTES)) {
      // One permission for all routes of a function: one per route would exceed the 500 resources of a stack.
      const integration = new HttpLambdaIntegration(`${group}Integration`, functions[group].lambda, {
        scopePermissionToRoute: false,
      });
      for (const route of ROUTES[group]) {
        const methods = methodsOf(route).map((method) => HttpMethod[method]);
        const added = this.api.addRoutes({ path: route.path, methods, integration });
        if (isOpen(route)) this.#throttle(added);
      }
    }
    // That permission names a method and a path. The default route has neither, and needs its own.
    const integration = new HttpLambdaIntegration('NoRouteIntegration', functions[DEFAULT_GROUP].lambda);
    const noRoute = new HttpRoute(this, 'NoRoute', { httpApi: this.api, routeKey: HttpRouteKey.DEFAULT, integration });
    this.#throttle([noRoute]);
  }

  /** Limits routes apart from the others. API Gateway refuses settings of a route that does not exist yet. */
  #throttle(routes: readonly HttpRoute[]): void {
    const { rateLimit, burstLimit } = this.#openThrottle;
    const stage = this.stage.node.defaultChild as CfnStage;
    for (const route of routes) {
      const { routeKey } = route.node.defaultChild as CfnRoute;
      stage.addPropertyOverride(`RouteSettings.${routeKey.replaceAll('.', '\\.')}`, {
        ThrottlingRateLimit: rateLimit,
        ThrottlingBurstLimit: burstLimit,
      });
      this.stage.node.addDependency(route);
    }
  }

  /**
   * 502 reports a provider's trouble and nothing else. So our own failures are counted apart, from the access log, and a
   * small share of them pages somebody.
   */
  #watch(stage: Stage, log: LogGroup, alarms: ServiceAlarms): void {
    const own = FilterPattern.all(
      FilterPattern.stringValue('$.status', '=', '5*'),
      FilterPattern.stringValue('$.status', '!=', '502'),
    );
    const counted = {
      logGroup: log,
      filterPattern: own,
      metricNamespace: metricNamespace(stage),
      metricName: 'api_failures',
    };
    const minute = { ...EACH_MINUTE, statistic: 'Sum' };
    alarms.watch('api-failures', {
      severity: 'page',
      metric: percentOf(
        new MetricFilter(this, 'OwnFailures', counted).metric(minute),
        this.api.metricCount(minute),
        MIN_FAILURES,
      ),
      above: 1,
      lasting: { bad: 3, of: 5 },
      description:
        'Of all requests more than one in a hundred fails by our own fault; the access log says which routes, ' +
        'the log of their function why.',
    });
  }
}

/** Whoever calls these has no credential that is counted: sign-in, and the API document. */
const isOpen = (route: AnyRoute): boolean =>
  route.path.startsWith('/v1/auth/') || route.path === '/openapi.json' || route.path === '/{proxy+}';

/** The percentage of requests that failed; 0 if no more than `few` did. */
function percentOf(failed: Metric, requests: Metric, few = 0): IMetric {
  const expression = `IF(failed > ${few}, 100 * failed / requests, 0)`;
  return new MathExpression({ expression, usingMetrics: { failed, requests }, period: failed.period });
}
