import { execFile } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProbe } from '#functions/probe/run-probe.usecase.ts';
import { PROBE_ORGANIZATION } from '#shared/domain/reference/probe.rules.ts';
import { startHost, type TestHost } from '#test/support/host.ts';
import { signIn } from '#test/support/people.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

type Run = { readonly code: number; readonly out: string; readonly err: string };

// biome-ignore lint/style/noProcessEnv: where compiled code is found is this machine's business.
const { NODE_COMPILE_CACHE } = process.env;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder?.remove());

const flags = (owner: string) => [
  '--local',
  '--stage',
  'sandbox',
  '--name',
  'Shop',
  '--legal-name',
  'Shop Ltd',
  '--owner',
  owner,
];
/** Runs the command in a process of its own. */
const run = (args: readonly string[], dataDir = folder.path('')) =>
  new Promise<Run>((resolve) => {
    execFile(
      process.execPath,
      ['bin/bootstrap.ts', ...args],
      { env: { DATA_DIR: dataDir, NODE_COMPILE_CACHE } },
      (error, out, err) => resolve({ code: Number(error?.code ?? 0), out, err }),
    );
  });
const startHere = () => startHost({ dataDir: folder.path(''), store: 'sqlite' });

describe('npm run bootstrap -- --local', () => {
  it('creates an owner of the organization and the platform, even before the first start of the host', async () => {
    const { code, out, err } = await run(flags('First@Example.com'));
    expect([code, err, out]).toEqual([0, '', expect.stringMatching(/^Created:.*first@example\.com.*shown only once/s)]);
    const [org] = /org_\w{26}/.exec(out) ?? [''];
    const [key] = /sk_sandbox_\w+/.exec(out) ?? [''];
    await using host = await disposable(startHere());
    expect((await host.call('GET', '/v1/connections', undefined, { key })).status).toBe(200);
    const owner = await signIn(host, 'first@example.com');
    expect(owner.organizations).toMatchObject([{ id: org, name: 'Shop', role: 'owner' }]);
    expect((await owner.call('GET', '/v1/platform/me')).body).toEqual({ is_admin: true, role: 'platform_owner' });
    const { organizations } = (await owner.call('GET', '/v1/platform/organizations')).body;
    expect(organizations.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining([org, host.info.org_id]));
  });

  it('creates nothing twice', async () => {
    const [made, again] = [await run(flags('second@example.com')), await run(flags('second@example.com'))];
    expect([made.code, again.code, again.out]).toEqual([0, 0, expect.stringContaining('nothing was created')]);
  });

  it('creates the organization of the probe, which then passes, and a key for test connections if asked', async () => {
    const probe = ['--local', '--stage', 'sandbox', '--probe'];
    const made = await run(probe);
    expect(made).toMatchObject({ code: 0, err: '', out: expect.stringContaining(PROBE_ORGANIZATION) });
    expect(made.out).not.toMatch(/sk_sandbox_/);
    expect(made.out).toContain('The local host runs no probe by itself');
    const again = await run([...probe, '--new-key']);
    const [key] = /sk_sandbox_\w+/.exec(again.out) ?? [''];
    await using host = await disposable(startHere());
    await runProbe(host.deps, 10);
    expect((await host.call('GET', '/v1/payments', undefined, { key })).body.payments).toMatchObject([
      { org_id: PROBE_ORGANIZATION, status: 'canceled' },
    ]);
  });

  it('refuses the folder of a running host', async () => {
    await using _host = await disposable(startHere());
    expect(await run(flags('third@example.com'))).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('is in use by another process'),
    });
  });

  it('prints its flags for --help', async () => {
    expect(await run(['--help'])).toMatchObject({ code: 0, err: '', out: expect.stringContaining('--legal-name') });
  });

  it.each<[string, readonly string[], string | undefined, string]>([
    [
      'in a folder that is a file',
      flags('x@example.com'),
      'package.json',
      'package.json is a file, and the host needs',
    ],
    ['with a table', [...flags('x@example.com'), '--table', 'x'], undefined, '--table cannot be used with --local.'],
    ['for the probe with a name', ['--local', '--stage', 'live', '--probe', '--name', 'x'], undefined, '--name cannot'],
    ['without a name', ['--local', '--stage', 'sandbox'], undefined, '--name is missing.'],
    ['with an in-memory store', flags('x@example.com'), ':memory:', 'DATA_DIR is :memory:, which keeps nothing'],
  ])('%s prints what to do', async (_, args, dataDir, message) => {
    expect(await run(args, dataDir)).toMatchObject({ code: 1, out: '', err: expect.stringContaining(message) });
  });
});

const disposable = async (starting: Promise<TestHost>): Promise<TestHost & AsyncDisposable> => {
  const host = await starting;
  return { ...host, [Symbol.asyncDispose]: host.close };
};
