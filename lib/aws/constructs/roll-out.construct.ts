import { ArnFormat, Stack, Validations } from 'aws-cdk-lib';
import { CfnDeploymentGroup, LambdaApplication } from 'aws-cdk-lib/aws-codedeploy';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnAlias } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { acceptOwnPolicy } from '#lib/aws/checks.ts';
import type { ServiceAlarms } from '#lib/aws/constructs/alarms.construct.ts';
import type { ServiceFunction } from '#lib/aws/constructs/service-function.construct.ts';
import { FUNCTIONS, type FunctionName, namesOf } from '#lib/aws/function-table.ts';
import type { ResourceNames } from '#lib/aws/stack-names.ts';
import { wildcardFinding } from '#lib/aws/wildcard.ts';

export type RollOutProps = {
  readonly names: ResourceNames;
  readonly functions: Readonly<Record<FunctionName, ServiceFunction>>;
  readonly alarms: ServiceAlarms;
};

/** One invocation of ten goes to the new version for five minutes, then all do. */
const CANARY = 'CodeDeployDefault.LambdaCanary10Percent5Minutes';

/** The functions that may charge or pay back: all of them tell providers where customers and callbacks return to. */
export const MOVES_MONEY: readonly FunctionName[] = namesOf(FUNCTIONS).filter((name) =>
  FUNCTIONS[name].macs.includes('tokenSecret'),
);

/**
 * A new version of a function that moves money is tried on a tenth of the invocations. If an alarm rings meanwhile,
 * CodeDeploy gives all of them back to the version before, and CloudFormation takes the whole update back. All other
 * functions change at once, before or after: both versions of a function must read what either writes (ADR 50).
 */
export class RollOut extends Construct {
  readonly #application: LambdaApplication;
  readonly #role: Role;

  constructor(scope: Construct, id: string, { names, functions, alarms }: RollOutProps) {
    super(scope, id);
    this.#application = new LambdaApplication(this, 'Application');
    this.#role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('codedeploy.amazonaws.com') });
    this.#grant(names);
    for (const name of MOVES_MONEY) this.#shift(name, functions[name], alarms);
  }

  #shift(name: FunctionName, { alias }: ServiceFunction, alarms: ServiceAlarms): void {
    const group = new CfnDeploymentGroup(this, name, {
      applicationName: this.#application.applicationName,
      serviceRoleArn: this.#role.roleArn,
      deploymentConfigName: CANARY,
      deploymentStyle: { deploymentType: 'BLUE_GREEN', deploymentOption: 'WITH_TRAFFIC_CONTROL' },
      alarmConfiguration: { enabled: true, alarms: alarms.rollBack.map(({ alarmName }) => ({ name: alarmName })) },
      autoRollbackConfiguration: {
        enabled: true,
        events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM', 'DEPLOYMENT_STOP_ON_REQUEST'],
      },
    });
    // Its policy must be there when the first deployment begins.
    group.node.addDependency(this.#role);
    const resource = alias.node.defaultChild;
    if (!(resource instanceof CfnAlias)) throw new Error(`The alias of ${name} is no alias.`);
    resource.cfnOptions.updatePolicy = {
      codeDeployLambdaAliasUpdate: {
        applicationName: this.#application.applicationName,
        deploymentGroupName: group.ref,
      },
    };
  }

  /** What CodeDeploy's own policy for Lambda has, on these functions alone. */
  #grant(names: ResourceNames): void {
    const arnFormat = ArnFormat.COLON_RESOURCE_NAME;
    const functions = MOVES_MONEY.map((name) =>
      Stack.of(this).formatArn({
        service: 'lambda',
        resource: 'function',
        resourceName: names.function(name),
        arnFormat,
      }),
    );
    this.#role.addToPolicy(
      new PolicyStatement({
        actions: ['lambda:GetAlias', 'lambda:UpdateAlias', 'lambda:GetProvisionedConcurrencyConfig'],
        resources: functions.flatMap((arn) => [arn, `${arn}:*`]),
      }),
    );
    this.#role.addToPolicy(new PolicyStatement({ actions: ['cloudwatch:DescribeAlarms'], resources: ['*'] }));
    Validations.of(this.#role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'CloudWatch lets no one describe single alarms: the action has no resources.',
    });
    acceptOwnPolicy(this.#role);
    for (const arn of functions)
      Validations.of(this.#role).acknowledge({
        id: wildcardFinding(this, `${arn}:*`),
        reason: 'A roll-out names versions by their numbers, which nobody knows before. They are of this one function.',
      });
  }
}
