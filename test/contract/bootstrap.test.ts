import { execFile } from 'node:child_process';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bootstrapOrganization } from '#functions/platform/bootstrap-organization.usecase.ts';
import { SCOPES } from '#shared/domain/reference/access.catalog.ts';
import { awsEnv } from '#shared/env.ts';
import { plus } from '#shared/kernel/clock.ts';
import { sha256Hex } from '#shared/kernel/ids.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { type AwsAccount, startAwsAccount, TABLE } from '#test/support/aws-account.ts';
import { awsDeps } from '#test/support/aws-deps.ts';
import { aContext, apiEvent } from '#test/support/aws-events.ts';
import { wireError } from '#test/support/aws-wire.ts';
import { dynamoDbSuite } from '#test/support/dynamodb-suite.ts';

const BIN = new URL('../../bin/bootstrap.ts', import.meta.url).pathname;
const KEY = /sk_sandbox_[0-9a-z]{26}[A-Za-z0-9]{32}/;

type Run = { readonly code: number; readonly out: string; readonly err: string };

dynamoDbSuite('npm run bootstrap', (local) => {
  let account: AwsAccount;
  let deps: Deps;
  beforeAll(async () => {
    account = await startAwsAccount(local());
    deps = await awsDeps();
  });
  afterAll(() => account?.stop());

  const flags = (owner: string, name = 'Shop') => [
    '--stage',
    'sandbox',
    '--name',
    name,
    '--legal-name',
    'Shop Ltd',
    '--owner',
    owner,
  ];
  /**
   * Runs the command in a process of its own. It gets the table and the key from the environment, unless a test sets
   * something else.
   */
  const run = (args: readonly string[], env: Record<string, string | undefined> = {}) =>
    new Promise<Run>((resolve) => {
      // biome-ignore lint/style/noProcessEnv: the fake AWS account is in the environment, as a real one is.
      const options = { env: { ...process.env, AWS_EC2_METADATA_DISABLED: 'true', ...env } };
      execFile(process.execPath, [BIN, ...args], options, (error, out, err) =>
        resolve({ code: Number(error?.code ?? 0), out, err }),
      );
    });
  const keyIn = ({ out }: Run) => KEY.exec(out)?.[0] ?? '';
  const orgIn = ({ out }: Run) => /org_\w{26}/.exec(out)?.[0] ?? '';
  const items = async () =>
    (await local().client.send(new ScanCommand({ TableName: TABLE, ConsistentRead: true }))).Items ?? [];
  async function paymentWith(key: string) {
    const { handler } = await account.asFunction('payments', () => import('#functions/payments/payments.lambda.ts'));
    const headers = { authorization: `Bearer ${key}`, 'idempotency-key': 'first' };
    const { statusCode, body = '' } = await handler(
      apiEvent('POST /v1/payments/intents', { headers, body: { amount: 4_900, currency: 'EUR' } }),
      aContext(),
    );
    return { status: statusCode, body: JSON.parse(body) };
  }

  it('creates an organization, and prints a key that works', async () => {
    const first = await run(flags('first@example.com'));
    expect(first).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/^Created:.*first@example\.com.*shown only once/s),
    });
    expect(await paymentWith(keyIn(first))).toMatchObject({ status: 201, body: { status: 'created', amount: 4_900 } });
    const [key] = await deps.keys.list(orgIn(first));
    expect(key).toMatchObject({ kind: 'secret', scopes: SCOPES, name: 'First key' });
    expect((await deps.organizations.routingData(orgIn(first))).organization).toMatchObject({
      name: 'Shop',
      legal_name: 'Shop Ltd',
      kyc: 'approved',
    });
  });

  it('records the owner for the first sign-in, in lower case', async () => {
    const first = await run(flags('Second@Example.com'));
    expect(await deps.owners.byEmail('second@EXAMPLE.com')).toMatchObject({
      email: 'second@example.com',
      org_id: orgIn(first),
    });
    expect(await deps.owners.byEmail('nobody@example.com')).toBeUndefined();
  });

  it('stores the hash of the key, not the key', async () => {
    const first = await run(flags('third@example.com'));
    const stored = JSON.stringify(await items());
    expect(stored).not.toContain(keyIn(first));
    expect(stored).toContain(sha256Hex(keyIn(first)));
  });

  it('creates nothing twice, and says so', async () => {
    const first = await run(flags('fourth@example.com'));
    const before = await items();
    const again = await run(flags('FOURTH@example.com', 'Another name'));
    expect(again).toMatchObject({
      code: 0,
      out: expect.stringContaining('fourth@example.com already has this organization; nothing was created.'),
    });
    expect([orgIn(again), keyIn(again), again.out]).toEqual([orgIn(first), '', expect.stringContaining(' Shop\n')]);
    expect(await items()).toEqual(before);
  });

  it('creates another key with --new-key, and leaves the first one valid', async () => {
    const first = await run(flags('fifth@example.com'));
    const more = await run([...flags('fifth@example.com'), '--new-key']);
    expect(more.out).toContain('another key was created');
    expect([orgIn(more), keyIn(more)]).toEqual([orgIn(first), expect.not.stringMatching(keyIn(first))]);
    for (const each of [first, more]) expect((await paymentWith(keyIn(each))).status).toBe(201);
  });

  describe('the bootstrap use case', () => {
    const input = (owner: string) => ({ name: 'Shop', legal_name: 'Shop Ltd', owner, newKey: false });

    it('continues where an earlier run crashed, and shows the key that nobody has seen', async () => {
      const dead: Deps = {
        ...deps,
        owners: { ...deps.owners, byEmail: async () => undefined, record: () => Promise.reject(new Error('died')) },
      };
      await expect(bootstrapOrganization(input('sixth@example.com'), dead)).rejects.toThrow('died');
      const done = await bootstrapOrganization(input('sixth@example.com'), deps);
      expect([done.isNew, (await deps.keys.list(done.orgId)).length]).toEqual([true, 1]);
      expect((await paymentWith(done.key?.reveal() ?? '')).status).toBe(201);
    });

    it('shows the key to one of two concurrent runs', async () => {
      // Each run has its own time. Of the two organizations that they would create, only one is created.
      const at = (ms: number): Deps => ({ ...deps, clock: { now: () => plus(deps.clock.now(), ms) } });
      const both = await Promise.all([0, 7].map((ms) => bootstrapOrganization(input('seventh@example.com'), at(ms))));
      expect(both.map(({ isNew, key }) => [isNew, key !== undefined]).sort()).toEqual([
        [false, false],
        [true, true],
      ]);
      expect(await deps.keys.list(both[0]?.orgId ?? '')).toHaveLength(1);
    });

    it('does not bring a revoked key back', async () => {
      const { orgId, key } = await bootstrapOrganization(input('eighth@example.com'), deps);
      const [first] = await deps.keys.list(orgId);
      await deps.keys.revoke(orgId, first?.id ?? '');
      await bootstrapOrganization(input('eighth@example.com'), deps);
      expect([await deps.keys.list(orgId), (await paymentWith(key?.reveal() ?? '')).status]).toEqual([[], 401]);
    });
  });

  describe('the error of the bootstrap command', () => {
    const args = flags('ninth@example.com');
    const nowhere = {
      AWS_ACCESS_KEY_ID: undefined,
      AWS_SECRET_ACCESS_KEY: undefined,
      AWS_PROFILE: undefined,
      HOME: '/nonexistent',
    };

    it.each<[string, readonly string[], Record<string, string | undefined>, string]>([
      [
        'without any flags',
        [],
        { TABLE_NAME: undefined, HASH_KEY_ARN: undefined },
        '--stage must be sandbox or live.\n--name is missing.',
      ],
      ['without a known flag', [...args, '--tabel', 'x'], {}, "Unknown option '--tabel'"],
      ['without a table', args, { TABLE_NAME: undefined }, '--table (or TABLE_NAME) is missing.'],
      [
        'without a key, telling where to find both',
        args,
        { HASH_KEY_ARN: undefined },
        'aws cloudformation describe-stacks --stack-name ServiceSandbox',
      ],
      ['with an invalid key', [...args, '--hash-key', 'alias/hash'], {}, '--hash-key must be the ARN of a KMS key'],
      ['with an owner without a mail address', [...args, '--owner', 'owner'], {}, '--owner must be an email address.'],
      [
        'with the table of the other stage',
        [...args, '--table', 'ServiceLive-Table1'],
        {},
        'ServiceLive-Table1 is the table of the live stage',
      ],
      ['without credentials', args, nowhere, 'There are no AWS credentials. Set AWS_PROFILE'],
      [
        'with an unknown table',
        [...args, '--table', 'no-table'],
        {},
        'There is no table no-table in the account of these credentials, region eu-west-1.',
      ],
      [
        'with an unknown key',
        [...args, '--hash-key', `arn:aws:kms:eu-west-1:000000000000:key/${'0'.repeat(32)}`],
        {},
        'There is no key arn:aws:kms:',
      ],
      [
        'where AWS cannot be reached',
        args,
        { AWS_ENDPOINT_URL_KMS: 'http://127.0.0.1:1', AWS_MAX_ATTEMPTS: '1' },
        'AWS cannot be reached (ECONNREFUSED). Check the network, and the region that --hash-key names: eu-west-1.',
      ],
    ])('%s says what to do', async (_, given, env, message) => {
      expect(await run(given, env)).toMatchObject({ code: 1, out: '', err: expect.stringContaining(message) });
    });

    it('without permission names the missing one', async () => {
      account.kms.fail(wireError('AccessDeniedException'));
      expect((await run(args)).err).toContain(`kms:GenerateMac with ${awsEnv().macKeys.hashSecret?.arn}`);
    });
  });
});
