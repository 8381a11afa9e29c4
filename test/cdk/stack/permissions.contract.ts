import { describe, expect, it } from 'vitest';
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
function allowed(stack: Synthesized, variable: string, action: string, context?: string): (string | undefined)[] {
  const arns = Object.values(stack.of('AWS::Lambda::Function')).map(
    ({ Properties: p }) => p.Environment?.Variables[variable],
  );
  const key = stack.of('AWS::KMS::Key')[idOf(arns.find((arn) => arn !== undefined))];
  const found: Properties[] = key?.Properties.KeyPolicy.Statement.filter(
    ({ Action, Condition }: Properties) =>
      listOf(Action).includes(action) && Condition?.StringLike?.['kms:EncryptionContext:org_id'] === context,
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
const SEND_MAIL = ['auth', 'organizations', 'platform', 'slow-deliveries', 'workflow-runs'];
const SIGN_WEBHOOKS = ['slow-deliveries', 'webhook-delivery', 'webhooks'];
const SHOW_SECRETS = ['api-keys', 'webhooks'];
/** They find nothing by a hash: the relay, the projector and the deliveries know the keys of what they read. */
const FIND_NOTHING = ['projector', 'relay', 'slow-deliveries', 'webhook-delivery'];
/** They charge, and send providers addresses with tokens; or they check what such a customer sends. */
const MAKE_TOKENS = CALL_PSPS.filter((name) => name !== 'connections');

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

    it('cannot be sent without a configured sender', () => {
      expect(actionsOf(statements(stack(), 'AWS::IAM::Policy')).filter((action) => action.startsWith('ses:'))).toEqual(
        [],
      );
      expect(stack().text).not.toContain('MAIL_FROM');
    });
  });

  describe('secrets', () => {
    it('of PSPs can be opened only by functions that call PSPs', () =>
      expect(allowed(stack(), 'PSP_KEY_ARN', 'kms:Decrypt', 'org_*')).toEqual(CALL_PSPS));

    it('of integrations can be opened only by functions that change or call integrations', () =>
      expect(allowed(stack(), 'INTEGRATION_KEY_ARN', 'kms:Decrypt', 'org_*')).toEqual(OPEN_INTEGRATIONS));

    it('that webhooks are signed with can be opened only by functions that sign with them', () =>
      expect(allowed(stack(), 'SIGNING_KEY_ARN', 'kms:Decrypt', 'org_*')).toEqual(SIGN_WEBHOOKS));

    it('in stored responses can be opened only by functions that show them once', () =>
      expect(allowed(stack(), 'ANSWER_KEY_ARN', 'kms:Decrypt', 'org_*')).toEqual(SHOW_SECRETS));

    it('of authenticator apps can be opened only by sign-in, also those sealed before they had their own key', () => {
      for (const key of ['TOTP_KEY_ARN', 'SIGNING_KEY_ARN'])
        expect(allowed(stack(), key, 'kms:Decrypt', 'usr_*')).toEqual(['auth']);
    });

    it('other than signing secrets cannot be opened by the functions that deliver events', () => {
      const others = ['PSP_KEY_ARN', 'INTEGRATION_KEY_ARN', 'ANSWER_KEY_ARN', 'TOTP_KEY_ARN'];
      for (const context of ['org_*', 'usr_*', undefined])
        for (const key of others)
          expect(allowed(stack(), key, 'kms:Decrypt', context)).not.toContain('webhook-delivery');
      expect(allowed(stack(), 'SIGNING_KEY_ARN', 'kms:Decrypt', 'usr_*')).toEqual(['auth']);
    });

    it('can be sealed only by functions that receive them', () => {
      expect(allowed(stack(), 'PSP_KEY_ARN', 'kms:GenerateDataKey', 'org_*')).toEqual([
        'connections',
        'invoices',
        'payments',
        'renewals',
        'subscriptions',
      ]);
      expect(allowed(stack(), 'INTEGRATION_KEY_ARN', 'kms:GenerateDataKey', 'org_*')).toEqual(['workflows']);
      expect(allowed(stack(), 'SIGNING_KEY_ARN', 'kms:GenerateDataKey', 'org_*')).toEqual(['webhooks']);
      expect(allowed(stack(), 'SIGNING_KEY_ARN', 'kms:GenerateDataKey', 'usr_*')).toEqual([]);
      expect(allowed(stack(), 'ANSWER_KEY_ARN', 'kms:GenerateDataKey', 'org_*')).toEqual(SHOW_SECRETS);
      expect(allowed(stack(), 'TOTP_KEY_ARN', 'kms:GenerateDataKey', 'usr_*')).toEqual(['auth']);
    });

    it('are protected by key policies alone: no role policy mentions KMS', () => {
      expect(actionsOf(statements(stack(), 'AWS::IAM::Policy')).filter((action) => action.startsWith('kms:'))).toEqual(
        [],
      );
    });

    it('require the organization, or the user, in the encryption context to be opened', () => {
      const uses = statements(stack(), 'AWS::KMS::Key').filter(({ Action }) => listOf(Action).includes('kms:Decrypt'));
      expect([...new Set(uses.map(({ Condition }) => JSON.stringify(Condition)))].sort()).toEqual([
        '{"StringLike":{"kms:EncryptionContext:org_id":"org_*"}}',
        '{"StringLike":{"kms:EncryptionContext:org_id":"usr_*"}}',
      ]);
    });

    it('are sealed with keys that rotate, while the keys of hashes never do', () => {
      const keys = Object.values(stack().of('AWS::KMS::Key')).map(({ Properties: p }) => [
        p.KeySpec ?? 'symmetric',
        p.EnableKeyRotation ?? false,
      ]);
      expect(keys.sort()).toEqual([
        ...Array.from({ length: 3 }, () => ['HMAC_256', false]),
        ...Array.from({ length: 5 }, () => ['symmetric', true]),
      ]);
    });

    it('keep a deleted key for 30 days in live, and for 7 in the sandbox', () => {
      const PendingWindowInDays = stack().stage === 'live' ? 30 : 7;
      stack().template.allResourcesProperties('AWS::KMS::Key', { PendingWindowInDays });
    });

    it('of hashes can be computed only by functions that use them, and for the first key by the account', () => {
      const finding = [...functionNames(stack()).values()].filter((name) => !FIND_NOTHING.includes(name));
      expect(allowed(stack(), 'HASH_KEY_ARN', 'kms:GenerateMac')).toEqual([...finding, 'the account'].sort());
      expect(allowed(stack(), 'TOKEN_KEY_ARN', 'kms:GenerateMac')).toEqual(MAKE_TOKENS);
      expect(allowed(stack(), 'RECOVERY_KEY_ARN', 'kms:GenerateMac')).toEqual(['auth']);
    });

    it('of hashes are named only to the functions that may compute them', () => {
      const named = (variable: string) =>
        Object.entries(stack().of('AWS::Lambda::Function'))
          .filter(([, { Properties: p }]) => p.Environment?.Variables[variable] !== undefined)
          .map(([id]) => functionNames(stack()).get(id))
          .sort();
      expect(named('TOKEN_KEY_ARN')).toEqual(MAKE_TOKENS);
      expect(named('RECOVERY_KEY_ARN')).toEqual(['auth']);
    });
  });
}
