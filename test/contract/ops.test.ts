import { execFile } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resourceNames, STACK_NAMES } from '#lib/aws/stack-names.ts';
import { awsEnv } from '#shared/env.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { type AwsAccount, startAwsAccount, TABLE } from '#test/support/aws-account.ts';
import { awsDeps } from '#test/support/aws-deps.ts';
import { dynamoDbSuite } from '#test/support/dynamodb-suite.ts';

const BIN = new URL('../../bin/ops.ts', import.meta.url).pathname;
const ORG = 'org_01jc0000000000000000000001';

type Run = { readonly code: number; readonly out: string; readonly err: string };

dynamoDbSuite('npm run ops on AWS', (local) => {
  let account: AwsAccount;
  let deps: Deps;
  beforeAll(async () => {
    account = await startAwsAccount(local());
    deps = await awsDeps();
    const { macKeys, keys } = awsEnv();
    const names = resourceNames(STACK_NAMES.sandbox);
    account.kms.createAlias(names.keyAlias('hashSecret'), macKeys.hashSecret?.arn ?? '');
    account.kms.createAlias(names.keyAlias('psp'), keys.psp);
    await deps.organizations.create({
      id: ORG,
      name: 'Shop',
      legal_name: 'Shop Ltd',
      kyc: 'approved',
      plan: 'scale',
      created_at: '2027-03-01T10:00:00.000Z',
    });
  });
  afterAll(() => account?.stop());

  /** In a process of its own. The table has another name than the stack's, as a restored one has. */
  const run = (...args: readonly string[]) => runIn({}, ...args);
  const runIn = (env: Record<string, string | undefined>, ...args: readonly string[]) =>
    new Promise<Run>((resolve) => {
      // biome-ignore lint/style/noProcessEnv: the fake AWS account is in the environment, as a real one is.
      const options = { env: { ...process.env, AWS_EC2_METADATA_DISABLED: 'true', ...env } };
      const all = [BIN, '--stage', 'sandbox', '--table', TABLE, ...args];
      execFile(process.execPath, all, options, (error, out, err) =>
        resolve({ code: Number(error?.code ?? 0), out, err }),
      );
    });

  it('finds a record in a table that was restored under another name', async () => {
    const { code, out } = await run('find', ORG);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining(`key              ORG#${ORG} org`) });
  });

  it('stops an organization, and writes that into the log of the platform', async () => {
    expect(await run('quarantine', ORG)).toMatchObject({
      code: 0,
      out: expect.stringContaining('Nothing was written'),
    });
    expect((await deps.organizations.byId(ORG))?.quarantined_at).toBeUndefined();
    await run('quarantine', ORG, '--yes', '--by', 'operator@example.com');
    expect((await deps.organizations.byId(ORG))?.quarantined_at).toMatch(/^\d{4}-/);
    const { items } = await deps.platform.auditEntries({ limit: 1, offset: 0 });
    expect(items).toMatchObject([{ action: 'organization_quarantined', actor_email: 'operator@example.com' }]);
  });

  describe('ends with 1 and a remedy', () => {
    it('without a stage', async () => {
      const { code, err } = await new Promise<Run>((resolve) =>
        execFile(process.execPath, [BIN, 'find', ORG], (error, out, err) =>
          resolve({ code: Number(error?.code ?? 0), out, err }),
        ),
      );
      expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('--stage must be sandbox or live.') });
    });

    it.each<[string, readonly string[], Record<string, string | undefined>, string]>([
      [
        'with the name of a table that does not exist',
        ['--table', 'no-table'],
        {},
        'There is no table no-table in the account and region of these credentials. Is ServiceSandbox deployed there?',
      ],
      [
        'with the name of a stack that does not exist',
        ['--name', 'Cell'],
        {},
        'There is no key alias/Cell-hashSecret in the account and region of these credentials. Is Cell deployed there?',
      ],
      [
        'with versions of the hash secret that cannot be',
        [],
        { HASH_VERSIONS: '1;2' },
        'HASH_VERSIONS: "1;2": Earlier versions must be lower than 1.',
      ],
      ['without a region', [], { AWS_REGION: undefined }, 'There is no region. Set AWS_REGION, or --region.'],
      [
        'where AWS cannot be reached',
        [],
        { AWS_ENDPOINT_URL_KMS: 'http://127.0.0.1:1', AWS_MAX_ATTEMPTS: '1' },
        'AWS cannot be reached (ECONNREFUSED). Check the network, and the region: AWS_REGION, or --region.',
      ],
    ])('%s', async (_, args, env, message) => {
      const { code, err } = await runIn(env, 'find', ORG, ...args);
      expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(message) });
    });

    it('for a table of the other stage', async () => {
      const { code, err } = await run('find', ORG, '--table', 'ServiceLive-table');
      expect({ code, err }).toEqual({ code: 1, err: 'ServiceLive-table is of the other stage, not of sandbox.\n' });
    });
  });
});
