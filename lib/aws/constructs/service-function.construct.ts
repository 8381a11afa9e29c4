import { Aws, Duration, Validations } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Alias,
  Architecture,
  type Code,
  Function as Lambda,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
} from 'aws-cdk-lib/aws-lambda';
import { type ILogGroup, LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { acceptFinding, acceptOwnPolicy } from '#lib/aws/checks.ts';
import { ALARM_PERIOD, type ServiceAlarms } from '#lib/aws/constructs/alarms.construct.ts';
import type { FunctionName, FunctionSettings } from '#lib/aws/function-table.ts';
import { ALIAS_NAME, type ResourceNames } from '#lib/aws/stack-names.ts';
import { wildcardFinding } from '#lib/aws/wildcard.ts';

export type ServiceFunctionProps = {
  readonly line: FunctionSettings;
  readonly code: Code;
  readonly environment: Record<string, string>;
  readonly names: ResourceNames;
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
 * A function with a role of its own and an alarm if it is urgent. The role may write the function's log, which the state
 * stack has. All other rights are granted where they are needed.
 */
export class ServiceFunction extends Construct {
  readonly lambda: Lambda;
  /** Whatever invokes the function invokes this. */
  readonly alias: Alias;
  readonly role: Role;
  readonly log: ILogGroup;

  constructor(
    scope: Construct,
    id: FunctionName,
    { line, code, environment, names, alarms, reservedConcurrency }: ServiceFunctionProps,
  ) {
    super(scope, id);
    this.log = LogGroup.fromLogGroupName(this, 'Log', names.logGroup(id));
    // The state stack's keys know the role by this name.
    this.role = new Role(this, 'Role', {
      roleName: names.role(id, Aws.REGION),
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    });
    this.#grantLog();
    this.lambda = new Lambda(this, 'Function', {
      functionName: names.function(id),
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
    this.alias = new Alias(this, 'Alias', { aliasName: ALIAS_NAME, version: this.lambda.currentVersion });
    this.#acceptFindings();
    this.#watch(id, line, alarms);
  }

  #acceptFindings(): void {
    acceptOwnPolicy(this.role);
    acceptFinding(
      this.lambda,
      'Serverless-LambdaDLQ',
      'The API waits for its answer, and queues and the stream have dead letters of their own. What the clock calls ' +
        'for is done by its next run.',
    );
    acceptFinding(
      this.lambda,
      'Serverless-LambdaTracing',
      'Traces are log lines, which follow a request through events and deliveries. X-Ray ends at the first queue.',
    );
    acceptFinding(
      this.lambda,
      'PCI.DSS.321-LambdaInsideVPC',
      'It needs only public endpoints: AWS, providers and webhooks. A network of its own would add a gateway, and ' +
        'nothing that could be reached from outside.',
    );
  }

  #grantLog(): void {
    this.log.grantWrite(this.role);
    Validations.of(this.role).acknowledge({
      id: wildcardFinding(this, this.log.logGroupArn),
      reason:
        'Lambda names the streams of a log as it likes. They are those of this one log, which only this role writes.',
    });
  }

  /** Repeated failures of an urgent function page somebody. Single ones are counted together: see `FunctionFailures`. */
  #watch(id: string, { urgent = false }: FunctionSettings, alarms: ServiceAlarms): void {
    if (!urgent) return;
    alarms.watch(`${id}-failing`, {
      severity: 'page',
      metric: this.lambda.metricErrors({ period: ALARM_PERIOD }),
      above: MIN_ERRORS,
      rollsBack: true,
      description: `The function ${id} fails again and again; see its log.`,
    });
  }
}
