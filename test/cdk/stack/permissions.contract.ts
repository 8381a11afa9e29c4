import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bundledFunctions } from '#lib/aws/bundling.ts';
import { FUNCTIONS } from '#lib/aws/function-table.ts';
import { functionNames, roleNames } from '#test/cdk/stack/function-names.support.ts';
import { idOf, listOf, type Properties, type Synthesized } from '#test/cdk/synthesized.support.ts';

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

const statements = (stack: Synthesized, type: string): Properties[] => {
  const read = HOLDERS.find(([holder]) => holder === type)?.[1] ?? (() => []);
  const policies = Object.values(stack.of(type)).flatMap(({ Properties: p }) => read(p));
  return policies.flatMap((policy) => policy.Statement).filter(({ Effect }) => Effect === 'Allow');
};
const actionsOf = (found: readonly Properties[]): string[] => found.flatMap(({ Action }) => listOf(Action));

/** The roles that a key's policy allows this action. The functions know the key by this variable. */
function allowed(stack: Synthesized, variable: string, action: string): (string | undefined)[] {
  const [lambda] = Object.values(stack.of('AWS::Lambda::Function'));
  const key = stack.of('AWS::KMS::Key')[idOf(lambda?.Properties.Environment.Variables[variable])];
  const found: Properties[] = key?.Properties.KeyPolicy.Statement.filter(({ Action }: Properties) =>
    listOf(Action).includes(action),
  );
  return found
    .flatMap(({ Principal }) => listOf(Principal.AWS).map((arn) => roleNames(stack).get(idOf(arn)) ?? 'the account'))
    .sort();
}

const CALL_PSPS = [
  'connections',
  'hosted-pages',
  'invoices',
  'payments',
  'psp-webhooks',
  'renewals',
  'subscriptions',
  'timers',
  'workflow-runs',
];
const OPEN_INTEGRATIONS = ['workflow-runs', 'workflows'];
const SEND_MAIL = ['auth', 'organizations', 'slow-deliveries', 'workflow-runs'];
const HAVE_SECRETS_OF_OUR_OWN = ['api-keys', 'auth', 'slow-deliveries', 'webhook-delivery', 'webhooks'];

export function permissionsContract(stack: () => Synthesized): void {
  describe('permissions', () => {
    it.each(HOLDERS)('in an %s contain no wildcard action', (type) => {
      expect(actionsOf(statements(stack(), type)).filter((action) => action.includes('*'))).toEqual([]);
    });

    it('of functions are inline policies, and contain no wildcard resource', () => {
      expect(
        Object.values(stack().of('AWS::IAM::Role')).filter(({ Properties: p }) => p.ManagedPolicyArns || p.Policies),
      ).toEqual([]);
      expect(statements(stack(), 'AWS::IAM::Policy').filter(({ Resource }) => listOf(Resource).includes('*'))).toEqual(
        [],
      );
    });

    it('allow no scan, and no change of the table itself', () => {
      const onTables = actionsOf(statements(stack(), 'AWS::IAM::Policy')).filter((action) =>
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

    it('is wired into exactly these functions', () => {
      const isGiven = (name: string) =>
        /\bmakeMail: sesMail\b/.test(readFileSync(`functions/${name}/${name}.lambda.ts`, 'utf8'));
      expect(bundledFunctions().filter(isGiven).sort()).toEqual(SEND_MAIL);
    });

    it('cannot be sent without a configured sender', () => {
      expect(actionsOf(statements(stack(), 'AWS::IAM::Policy')).filter((action) => action.startsWith('ses:'))).toEqual(
        [],
      );
      expect(stack().text).not.toContain('MAIL_FROM');
    });
  });

  describe('secrets', () => {
    it('of PSPs can be opened only by functions that call PSPs', () =>
      expect(allowed(stack(), 'PSP_KEY_ARN', 'kms:Decrypt')).toEqual(CALL_PSPS));

    it('of integrations can be opened only by functions that change or call integrations', () =>
      expect(allowed(stack(), 'INTEGRATION_KEY_ARN', 'kms:Decrypt')).toEqual(OPEN_INTEGRATIONS));

    it('of our own can be opened only by functions that show them or sign with them', () =>
      expect(allowed(stack(), 'OWN_KEY_ARN', 'kms:Decrypt')).toEqual(HAVE_SECRETS_OF_OUR_OWN));

    it('can be sealed only by functions that receive them', () => {
      expect(allowed(stack(), 'PSP_KEY_ARN', 'kms:GenerateDataKey')).toEqual([
        'connections',
        'invoices',
        'payments',
        'renewals',
        'subscriptions',
      ]);
      expect(allowed(stack(), 'INTEGRATION_KEY_ARN', 'kms:GenerateDataKey')).toEqual(['workflows']);
      expect(allowed(stack(), 'OWN_KEY_ARN', 'kms:GenerateDataKey')).toEqual(['api-keys', 'auth', 'webhooks']);
    });

    it('are protected by key policies alone: no role policy mentions KMS', () => {
      expect(actionsOf(statements(stack(), 'AWS::IAM::Policy')).filter((action) => action.startsWith('kms:'))).toEqual(
        [],
      );
    });

    it('require the organization in the encryption context to be opened', () => {
      const uses = statements(stack(), 'AWS::KMS::Key').filter(({ Action }) => listOf(Action).includes('kms:Decrypt'));
      expect(uses.map(({ Condition }) => Condition)).toEqual(
        uses.map(() => ({ Null: { 'kms:EncryptionContext:org_id': 'false' } })),
      );
    });

    it('are sealed with keys that rotate, while the key of hashes never does', () => {
      const keys = Object.values(stack().of('AWS::KMS::Key')).map(({ Properties: p }) => [
        p.KeySpec ?? 'symmetric',
        p.EnableKeyRotation ?? false,
      ]);
      expect(keys.sort()).toEqual([
        ['HMAC_256', false],
        ['symmetric', true],
        ['symmetric', true],
        ['symmetric', true],
      ]);
    });

    it('keep a deleted key for 30 days in live, and for 7 in the sandbox', () => {
      const PendingWindowInDays = stack().stage === 'live' ? 30 : 7;
      stack().template.allResourcesProperties('AWS::KMS::Key', { PendingWindowInDays });
    });

    it('can be hashed by every function, and by the account for the first key', () => {
      expect(allowed(stack(), 'HASH_KEY_ARN', 'kms:GenerateMac')).toEqual(
        [...functionNames(stack()).values(), 'the account'].sort(),
      );
    });
  });
}
