import { Aws } from 'aws-cdk-lib';
import { ArnPrincipal, CompositePrincipal, PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { acceptFinding, acceptOwnPolicy } from '#lib/aws/checks.ts';
import type { ServiceKeys } from '#lib/aws/constructs/keys.construct.ts';
import { patternOf } from '#lib/aws/constructs/table-access.construct.ts';
import { DEAD_LETTERS } from '#lib/aws/queue-settings.ts';
import { OPERATOR, type ResourceNames } from '#lib/aws/stack-names.ts';
import { OPERATOR_DELETES } from '#lib/aws/table-rights.ts';
import { wildcardFinding } from '#lib/aws/wildcard.ts';
import { QUEUES } from '#shared/ports/queue.port.ts';
import { tableDefinition } from '#shared/store/dynamo/dynamo-schema.ts';

export type OperatorRoleProps = {
  readonly names: ResourceNames;
  readonly keys: Pick<ServiceKeys, 'grantOperator'>;
  /** Who may take this role: ARNs of users and roles. */
  readonly operators: readonly string[];
};

/**
 * The role of `npm run ops`. It may open the credentials of connections, to ask their providers, which no administrator
 * may. It reads and writes any table with the stage's name in front, as a restored table has another name. It is in the
 * stack of the state: records are recovered while there is no service.
 */
export class OperatorRole extends Construct {
  readonly role: Role;

  constructor(scope: Construct, id: string, { names, keys, operators }: OperatorRoleProps) {
    super(scope, id);
    this.role = new Role(this, 'Role', {
      roleName: names.role(OPERATOR, Aws.REGION),
      description: 'Runs the ops commands of this stage',
      assumedBy: new CompositePrincipal(...operators.map((arn) => new ArnPrincipal(arn))),
    });
    const own = `arn:${Aws.PARTITION}:dynamodb:${Aws.REGION}:${Aws.ACCOUNT_ID}:table/${names.table}`;
    const tables = [own, `${own}-*`];
    const indexes = tables.flatMap((arn) =>
      tableDefinition('').GlobalSecondaryIndexes.map(({ IndexName }) => `${arn}/index/${IndexName}`),
    );
    this.#allow(
      [
        'dynamodb:BatchGetItem',
        'dynamodb:ConditionCheckItem',
        'dynamodb:GetItem',
        'dynamodb:PutItem',
        'dynamodb:Query',
        'dynamodb:UpdateItem',
      ],
      tables,
    );
    this.#allow(['dynamodb:Query'], indexes);
    const moved = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': OPERATOR_DELETES.map(patternOf) } };
    this.#allow(['dynamodb:DeleteItem'], tables, moved);
    keys.grantOperator(this.role);
    acceptOwnPolicy(this.role);
    const queues = this.#redrive(names);
    for (const resource of [...tables, ...indexes, ...queues].filter((arn) => arn.includes('*')))
      acceptFinding(
        this.role,
        wildcardFinding(this, resource),
        'A restored table gets a name that whoever restores it chooses, and AWS chooses the end of the names of queues.',
      );
  }

  /** Takes messages from the dead letters, and puts them into the queues that they are from. Returns these. */
  #redrive(names: ResourceNames): readonly string[] {
    const arnOf = (queue: string) => `arn:${Aws.PARTITION}:sqs:${Aws.REGION}:${Aws.ACCOUNT_ID}:${queue}`;
    const takes = ['sqs:DeleteMessage', 'sqs:ReceiveMessage', 'sqs:StartMessageMoveTask'];
    const finds = ['sqs:GetQueueAttributes', 'sqs:GetQueueUrl'];
    const queues = QUEUES.map((queue) => arnOf(names.queuePattern(queue)));
    this.#allow(
      [...takes, ...finds],
      DEAD_LETTERS.map((name) => arnOf(names.deadLetters(name))),
    );
    this.#allow([...finds, 'sqs:SendMessage'], queues);
    return queues;
  }

  #allow(actions: string[], resources: string[], conditions: Record<string, unknown> = {}): void {
    this.role.addToPolicy(new PolicyStatement({ actions, resources, conditions }));
  }
}
