import { describe, expect, it } from 'vitest';
import { FUNCTIONS } from '#lib/aws/function-table.ts';
import { listOf, type Properties, type Synthesized, type SynthesizedStack } from '#test/cdk/synthesized.support.ts';

/** Resource types that hold policies, and where in their properties. */
const HOLDERS: readonly (readonly [type: string, policies: (p: Properties) => Properties[]])[] = [
  ['AWS::IAM::Policy', (p) => [p.PolicyDocument]],
  [
    'AWS::IAM::Role',
    (p) => [p.AssumeRolePolicyDocument, ...(p.Policies ?? []).map((own: Properties) => own.PolicyDocument)],
  ],
  ['AWS::KMS::Key', (p) => [p.KeyPolicy]],
  ['AWS::SQS::QueuePolicy', (p) => [p.PolicyDocument]],
  ['AWS::SNS::TopicPolicy', (p) => [p.PolicyDocument]],
];

const statements = (
  stack: Synthesized,
  type: string,
  stacks: readonly SynthesizedStack[] = [stack, stack.state],
): Properties[] => {
  const read = HOLDERS.find(([holder]) => holder === type)?.[1] ?? (() => []);
  const holders = stacks.flatMap((each) => Object.values(each.of(type)));
  const policies = holders.flatMap(({ Properties: p }) => read(p));
  return policies.flatMap((policy) => policy.Statement).filter(({ Effect }) => Effect === 'Allow');
};
const actionsOf = (found: readonly Properties[]): string[] => found.flatMap(({ Action }) => listOf(Action));

const SEND_MAIL = ['auth', 'organizations', 'platform', 'slow-deliveries', 'workflow-runs'];
export function permissionsContract(stack: () => Synthesized): void {
  describe('permissions', () => {
    it.each(HOLDERS)('in an %s contain no wildcard action', (type) => {
      expect(actionsOf(statements(stack(), type)).filter((action) => action.includes('*'))).toEqual([]);
    });

    it('of functions are inline policies, and contain no wildcard resource', () => {
      expect(
        Object.values(stack().of('AWS::IAM::Role')).filter(({ Properties: p }) => p.ManagedPolicyArns || p.Policies),
      ).toEqual([]);
      const everywhere = statements(stack(), 'AWS::IAM::Policy').filter(({ Resource }) =>
        listOf(Resource).includes('*'),
      );
      // CodeDeploy looks at the alarms that take a roll-out back: the action knows no single alarm.
      expect(actionsOf(everywhere)).toEqual(stack().stage === 'live' ? ['cloudwatch:DescribeAlarms'] : []);
    });

    it('of functions allow no scan, and no change of the table itself', () => {
      const onTables = actionsOf(statements(stack(), 'AWS::IAM::Policy', [stack()])).filter((action) =>
        action.startsWith('dynamodb:'),
      );
      const reading = [
        'BatchGetItem',
        'DescribeStream',
        'GetItem',
        'GetRecords',
        'GetShardIterator',
        'ListStreams',
        'Query',
      ];
      const writing = ['ConditionCheckItem', 'DeleteItem', 'PutItem', 'UpdateItem'];
      expect([...new Set(onTables)].sort()).toEqual([...reading, ...writing].map((name) => `dynamodb:${name}`).sort());
    });
  });

  describe('mail', () => {
    it('can be sent only by the functions that this test lists', () => {
      expect(Object.entries(FUNCTIONS).flatMap(([name, { mails }]) => (mails ? [name] : []))).toEqual(SEND_MAIL);
    });

    it('cannot be sent without a configured sender', () => {
      expect(actionsOf(statements(stack(), 'AWS::IAM::Policy')).filter((action) => action.startsWith('ses:'))).toEqual(
        [],
      );
      expect(stack().text).not.toContain('MAIL_FROM');
    });
  });
}
