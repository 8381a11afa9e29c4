import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, type Code, Function as Lambda, LoggingFormat, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { ALARM_PERIOD, type ServiceAlarms } from '#lib/aws/constructs/alarms.construct.ts';
import type { FunctionSettings } from '#lib/aws/function-table.ts';
import type { StageSettings } from '#lib/aws/stages.ts';

export type ServiceFunctionProps = {
  readonly line: FunctionSettings;
  readonly code: Code;
  readonly environment: Record<string, string>;
  readonly settings: StageSettings;
  readonly alarms: ServiceAlarms;
  /** Reserved concurrency: so many can always run, and no more than that. */
  readonly reservedConcurrency?: number;
};

/**
 * Up to this many errors of an urgent function in five minutes page nobody. A scheduled run that always fails makes
 * five.
 */
const MIN_ERRORS = 2;

/**
 * A function with a role, a log and alarms of its own. The role may write that log. All other rights are granted where
 * they are needed.
 */
export class ServiceFunction extends Construct {
  readonly lambda: Lambda;
  readonly role: Role;

  constructor(
    scope: Construct,
    id: string,
    { line, code, environment, settings, alarms, reservedConcurrency }: ServiceFunctionProps,
  ) {
    super(scope, id);
    const logGroup = new LogGroup(this, 'Log', {
      retention: settings.logRetention,
      removalPolicy: settings.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    this.role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(this.role);
    this.lambda = new Lambda(this, 'Function', {
      description: `payfork ${id}`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code,
      role: this.role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      timeout: Duration.seconds(line.timeoutSeconds),
      memorySize: line.memoryMb,
      environment,
      reservedConcurrentExecutions: reservedConcurrency,
    });
    this.#watch(id, line, alarms);
  }

  /** A single failure can wait for the day: its caller was told, and background work is retried. */
  #watch(id: string, { urgent = false }: FunctionSettings, alarms: ServiceAlarms): void {
    const errors = this.lambda.metricErrors({ period: ALARM_PERIOD });
    const throttles = this.lambda.metricThrottles({ period: ALARM_PERIOD });
    alarms.watch(`${id}-errors`, {
      severity: 'look',
      metric: errors,
      description: `The function ${id} failed or timed out; see its log.`,
    });
    if (urgent)
      alarms.watch(`${id}-failing`, {
        severity: 'page',
        metric: errors,
        above: MIN_ERRORS,
        description: `The function ${id} fails again and again; see its log.`,
      });
    alarms.watch(`${id}-throttles`, {
      severity: urgent ? 'page' : 'look',
      metric: throttles,
      description: `The function ${id} is called more often at once than it may run.`,
    });
  }
}
