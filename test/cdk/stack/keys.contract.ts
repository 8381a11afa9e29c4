import { describe, expect, it } from 'vitest';
import { functionNames, roleFunction } from '#test/cdk/stack/function-names.support.ts';
import { listOf, type Properties, parameterTarget, type Synthesized } from '#test/cdk/synthesized.support.ts';

type Use = { readonly action: string; readonly kind?: string; readonly owner?: string };

/** What a key is used for, as the conditions of a statement say it. */
const allows = ({ Action, Condition = {} }: Properties, { action, kind, owner }: Use): boolean =>
  listOf(Action).includes(action) &&
  Condition.StringEquals?.['kms:EncryptionContext:kind'] === kind &&
  Condition.StringLike?.['kms:EncryptionContext:org_id'] === owner;

/** The key that functions know by this variable. */
function keyOf(stack: Synthesized, variable: string): { readonly id: string; readonly policy: Properties } {
  const arns = Object.values(stack.of('AWS::Lambda::Function')).map(
    ({ Properties: p }) => p.Environment?.Variables[variable],
  );
  const arn = arns.find((each) => each !== undefined);
  const id = parameterTarget(stack, arn) ?? '';
  return { id, policy: stack.state.of('AWS::KMS::Key')[id]?.Properties.KeyPolicy };
}

/** Whom the key's own policy allows this. */
const byKey = (stack: Synthesized, variable: string, use: Use): string[] =>
  keyOf(stack, variable)
    .policy.Statement.filter((statement: Properties) => allows(statement, use))
    .flatMap(({ Condition }: Properties) => {
      const roles = Condition?.ArnEquals?.['aws:PrincipalArn'];
      return roles ? listOf(roles).map((arn) => roleFunction(stack, arn)) : ['the account'];
    })
    .sort();

/** Whose own role allows this. */
function byRole(stack: Synthesized, variable: string, use: Use): string[] {
  const { id } = keyOf(stack, variable);
  const isOfKey = ({ Resource }: Properties) => listOf(Resource).some((each) => parameterTarget(stack, each) === id);
  return Object.values(stack.of('AWS::IAM::Policy'))
    .filter(({ Properties: p }) =>
      p.PolicyDocument.Statement.some((each: Properties) => isOfKey(each) && allows(each, use)),
    )
    .flatMap(({ Properties: p }) => p.Roles.map((role: Properties) => roleNames(stack).get(role.Ref)))
    .sort();
}

const roleNames = (stack: Synthesized): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(stack.of('AWS::IAM::Role')).map(([id, { Properties: p }]) => [
      id,
      roleFunction(stack, { 'Fn::Join': ['', ['role/', p.RoleName]] }),
    ]),
  );

const CALL_PSPS = [
  'connections',
  'disputes',
  'hosted-pages',
  'invoices',
  'payment-actions',
  'payments',
  'psp-webhooks',
  'renewals',
  'subscriptions',
  'timers',
  'workflow-runs',
];
const SHOW_SECRETS = ['api-keys', 'webhooks'];

/** For each kind of secret: its key, whose secrets they are, and which functions may open and seal them. */
const KINDS: readonly (readonly [kind: string, variable: string, owner: string, opens: string[], seals: string[]])[] = [
  [
    'psp',
    'PSP_KEY_ARN',
    'org_*',
    [...CALL_PSPS, 'payment-methods'].sort(),
    [...CALL_PSPS.filter((name) => name !== 'disputes'), 'payment-methods', 'payment-links'].sort(),
  ],
  ['integration', 'SECRETS_KEY_ARN', 'org_*', ['workflow-runs', 'workflows'], ['workflows']],
  ['signing', 'SECRETS_KEY_ARN', 'org_*', ['slow-deliveries', 'webhook-delivery', 'webhooks'], ['webhooks']],
  ['answer', 'SECRETS_KEY_ARN', 'org_*', SHOW_SECRETS, SHOW_SECRETS],
  ['totp', 'SECRETS_KEY_ARN', 'usr_*', ['auth'], ['auth']],
];

/** They charge, and send providers addresses with tokens; or they check what such a customer sends. */
const MAKE_TOKENS = CALL_PSPS.filter((name) => name !== 'connections' && name !== 'disputes');
/** They find nothing by a hash: these know the keys of what they read, or read nothing. */
const FIND_NOTHING = [
  'dashboard',
  'mcp',
  'openapi',
  'projector',
  'reference',
  'relay',
  'slow-deliveries',
  'webhook-delivery',
];

export function keysContract(stack: () => Synthesized): void {
  describe.each(KINDS)('secrets of the kind %s', (kind, variable, owner, opens, seals) => {
    it('can be opened by those functions alone that this test lists, as their roles and the key both say', () => {
      const use = { action: 'kms:Decrypt', kind, owner };
      expect(byKey(stack(), variable, use)).toEqual(opens);
      expect(byRole(stack(), variable, use)).toEqual(opens);
    });

    it('can be sealed by those functions alone that receive them', () => {
      const use = { action: 'kms:GenerateDataKey', kind, owner };
      expect(byKey(stack(), variable, use)).toEqual(seals);
      expect(byRole(stack(), variable, use)).toEqual(seals);
    });

    it('cannot be used without naming the kind and the owner', () => {
      for (const action of ['kms:Decrypt', 'kms:GenerateDataKey'])
        for (const use of [{ action }, { action, kind }, { action, owner }]) {
          expect(byKey(stack(), variable, use)).toEqual([]);
          expect(byRole(stack(), variable, use)).toEqual([]);
        }
    });
  });

  describe('keys', () => {
    const keys = () => Object.values(stack().state.of('AWS::KMS::Key')).map(({ Properties: p }) => p);

    it('that seal rotate each year, while those of hashes never do', () => {
      expect(
        keys()
          .map(({ KeySpec = 'symmetric', EnableKeyRotation = false }) => [KeySpec, EnableKeyRotation])
          .sort(),
      ).toEqual([
        ...Array.from({ length: 3 }, () => ['HMAC_256', false]),
        ...Array.from({ length: 2 }, () => ['symmetric', true]),
      ]);
    });

    it('can have replicas in other regions', () => {
      for (const { MultiRegion } of keys()) expect(MultiRegion).toBe(true);
    });

    it('can be restored after a deletion: for 30 days in live, and for 7 in the sandbox', () => {
      for (const { PendingWindowInDays } of keys()) expect(PendingWindowInDays).toBe(stack().stage === 'live' ? 30 : 7);
    });

    it('let nobody use them by a policy of the account alone, but for the first API key', () => {
      const unconditional = keys().flatMap(({ KeyPolicy }) =>
        KeyPolicy.Statement.filter(({ Condition }: Properties) => Condition === undefined),
      );
      const uses = unconditional
        .flatMap(({ Action }: Properties) => listOf(Action))
        .filter((action: string) => /Decrypt|Encrypt|GenerateDataKey|GenerateMac|VerifyMac|CreateGrant/.test(action));
      expect(uses).toEqual(['kms:GenerateMac']);
    });

    it('name roles by their names, so that the state can exist without the service', () => {
      for (const { KeyPolicy } of keys())
        for (const { Principal } of KeyPolicy.Statement) expect(JSON.stringify(Principal)).toContain(':root');
    });

    it('of hashes are used by those functions alone that need them, and for the first API key by the account', () => {
      const use = { action: 'kms:GenerateMac' };
      const finding = [...functionNames(stack()).values()].filter((name) => !FIND_NOTHING.includes(name)).sort();
      expect(byKey(stack(), 'HASH_KEY_ARN', use)).toEqual([...finding, 'the account'].sort());
      expect(byRole(stack(), 'HASH_KEY_ARN', use)).toEqual(finding);
      for (const by of [byKey, byRole]) {
        expect(by(stack(), 'TOKEN_KEY_ARN', use)).toEqual(MAKE_TOKENS);
        expect(by(stack(), 'RECOVERY_KEY_ARN', use)).toEqual(['auth']);
      }
    });

    it('of hashes are named only to the functions that may use them', () => {
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
