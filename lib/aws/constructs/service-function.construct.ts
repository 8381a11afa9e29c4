import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  type Code,
  Function as Lambda,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
} from 'aws-cdk-lib/aws-lambda';
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
 * A function with a role and a log of its own, and an alarm if it is urgent. The role may write that log. All other rights are granted where
 * they are needed.
 */
export class ServiceFunction extends Construct {
  readonly lambda: Lambda;
  readonly role: Role;
  readonly log: LogGroup;

  constructor(
    scope: Construct,
    id: string,
    { line, code, environment, settings, alarms, reservedConcurrency }: ServiceFunctionProps,
  ) {
    super(scope, id);
    this.log = new LogGroup(this, 'Log', {
      retention: settings.logRetention,
      removalPolicy: settings.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    this.role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    this.log.grantWrite(this.role);
    this.lambda = new Lambda(this, 'Function', {
      description: `payfork ${id}`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code,
      role: this.role,
      logGroup: this.log,
      loggingFormat: LoggingFormat.JSON,
      // Lambda's own lines about invocations that went well cost more than ours. Failures and time-outs are warnings.
      systemLogLevelV2: SystemLogLevel.WARN,
      timeout: Duration.seconds(line.timeoutSeconds),
      memorySize: line.memoryMb,
      environment,
      reservedConcurrentExecutions: reservedConcurrency,
    });
    this.#watch(id, line, alarms);
  }

  /** Repeated failures of an urgent function page somebody. Single ones are counted together: see `FunctionFailures`. */
  #watch(id: string, { urgent = false }: FunctionSettings, alarms: ServiceAlarms): void {
    if (!urgent) return;
    alarms.watch(`${id}-failing`, {
      severity: 'page',
      metric: this.lambda.metricErrors({ period: ALARM_PERIOD }),
      above: MIN_ERRORS,
      description: `The function ${id} fails again and again; see its log.`,
    });
  }
}
