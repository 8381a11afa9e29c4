import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bundledFunctions } from '#lib/aws/bundling.ts';
import { FUNCTIONS } from '#lib/aws/function-table.ts';
import { functionNames, roleNames } from '#test/cdk/stack/function-names.support.ts';
import { idOf, listOf, type Properties, type Synthesized } from '#test/cdk/synthesized.support.ts';

/** Whatever holds a policy, by type: where in its properties. */
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

/** Who may do this with the key that the functions know by this variable, and so by its policy. */
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
    it.each(HOLDERS)('in an %s name each action', (type) => {
      expect(actionsOf(statements(stack(), type)).filter((action) => action.includes('*'))).toEqual([]);
    });

    it('of functions come from their own policies, and name what they are about', () => {
      expect(
        Object.values(stack().of('AWS::IAM::Role')).filter(({ Properties: p }) => p.ManagedPolicyArns || p.Policies),
      ).toEqual([]);
      expect(statements(stack(), 'AWS::IAM::Policy').filter(({ Resource }) => listOf(Resource).includes('*'))).toEqual(
        [],
      );
    });

    it('never allow a scan, and nothing about the table itself', () => {
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
    it('is sent only by functions that have to', () => {
      expect(Object.entries(FUNCTIONS).flatMap(([name, { mails }]) => (mails ? [name] : []))).toEqual(SEND_MAIL);
    });

    it('goes by a mailer that they are given, and no other function is', () => {
      const isGiven = (name: string) =>
        /\bmakeMail: sesMail\b/.test(readFileSync(`functions/${name}/${name}.lambda.ts`, 'utf8'));
      expect(bundledFunctions().filter(isGiven).sort()).toEqual(SEND_MAIL);
    });

    it('is sent by none as long as it has no address to come from', () => {
      expect(actionsOf(statements(stack(), 'AWS::IAM::Policy')).filter((action) => action.startsWith('ses:'))).toEqual(
        [],
      );
      expect(stack().text).not.toContain('MAIL_FROM');
    });
  });

  describe('secrets', () => {
    it('of PSPs open only to functions that call them', () =>
      expect(allowed(stack(), 'PSP_KEY_ARN', 'kms:Decrypt')).toEqual(CALL_PSPS));

    it('of integrations open only to functions that change them or call by them', () =>
      expect(allowed(stack(), 'INTEGRATION_KEY_ARN', 'kms:Decrypt')).toEqual(OPEN_INTEGRATIONS));

    it('of our own open only to functions that show them or sign with them', () =>
      expect(allowed(stack(), 'OWN_KEY_ARN', 'kms:Decrypt')).toEqual(HAVE_SECRETS_OF_OUR_OWN));

    it('are sealed where they come in', () => {
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

    it('open by no other way: no policy but the keys’ own speaks of keys', () => {
      expect(actionsOf(statements(stack(), 'AWS::IAM::Policy')).filter((action) => action.startsWith('kms:'))).toEqual(
        [],
      );
    });

    it('open for the organization that they were sealed for', () => {
      const uses = statements(stack(), 'AWS::KMS::Key').filter(({ Action }) => listOf(Action).includes('kms:Decrypt'));
      expect(uses.map(({ Condition }) => Condition)).toEqual(
        uses.map(() => ({ Null: { 'kms:EncryptionContext:org_id': 'false' } })),
      );
    });

    it('lie under keys that rotate; the hash secret’s never does', () => {
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

    it('can be saved for a month when somebody deletes a key of live, for a week in the sandbox', () => {
      const PendingWindowInDays = stack().stage === 'live' ? 30 : 7;
      stack().template.allResourcesProperties('AWS::KMS::Key', { PendingWindowInDays });
    });

    it('are hashed by every function, and by whoever makes the first key', () => {
      expect(allowed(stack(), 'HASH_KEY_ARN', 'kms:GenerateMac')).toEqual(
        [...functionNames(stack()).values(), 'the account'].sort(),
      );
    });
  });
}
