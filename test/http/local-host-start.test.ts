import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { listen } from '#lib/local/http-server.ts';
import { killStarted, start } from '#test/http/local-host-start.support.ts';
import { fourFreePorts } from '#test/support/free-ports.ts';
import { aPaymentBody, type Body, startHost } from '#test/support/host.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'payfork-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(killStarted);

type Info = Awaited<ReturnType<typeof startHost>>['info'];
const infoIn = (dataDir: string): Info => JSON.parse(readFileSync(join(dataDir, 'info.json'), 'utf8'));

const call = ({ api, keys }: Info, method: string, path: string, body?: unknown): Promise<Body> =>
  fetch(api + path, {
    method,
    headers: {
      authorization: `Bearer ${keys.service}`,
      'idempotency-key': 'once',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).then((reply) => reply.json());

/** The first file of `npm start` alone in a folder. */
function startBare(bare: string, options: readonly string[] = []): Promise<unknown> {
  mkdirSync(join(bare, 'bin'), { recursive: true });
  copyFileSync('bin/start.mjs', join(bare, 'bin/start.mjs'));
  return promisify(execFile)(process.execPath, [...options, join(bare, 'bin/start.mjs')]).catch((failure) => failure);
}

describe('npm start', () => {
  it('prints that it is ready, and keeps all data when it is killed', async () => {
    const dataDir = join(folder, 'killed');
    const port = String(await fourFreePorts());
    const one = await start({ PORT: port, DATA_DIR: dataDir });
    expect(await one.first).toBe(`ready http://127.0.0.1:${port}`);
    const info = infoIn(dataDir);
    const payment = await call(info, 'POST', '/v1/payments', aPaymentBody());
    one.child.kill('SIGKILL');
    await one.ended;

    const otherPort = String(await fourFreePorts());
    const two = await start({ PORT: otherPort, DATA_DIR: dataDir });
    await two.first;
    const again = infoIn(dataDir);
    expect({ ...again, api: '', function_url: '', simulators: '' }).toEqual({
      ...info,
      api: '',
      function_url: '',
      simulators: '',
    });
    expect(again.api).toBe(`http://127.0.0.1:${otherPort}`);
    expect(await call(again, 'GET', `/v1/payments/${payment.id}`)).toMatchObject({
      id: payment.id,
      status: 'succeeded',
    });
    expect(await call(again, 'POST', '/v1/payments', aPaymentBody())).toMatchObject({ id: payment.id });
  });

  it('prints a payment command that works', async () => {
    const dataDir = join(folder, 'pasted');
    const host = await start({ PORT: String(await fourFreePorts()), DATA_DIR: dataDir });
    await host.first;
    const info = infoIn(dataDir);
    await expect.poll(() => host.lines.join('\n')).toContain(info.keys.public);
    const [, command = ''] = /^(curl [\s\S]+?)\n\n/m.exec(`${host.lines.join('\n')}\n`) ?? [];
    const { stdout } = await promisify(execFile)('bash', ['-c', command]);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'succeeded', org_id: info.org_id });
    expect(stdout).toMatch(/^\{\n {2}"id"[\s\S]*\}\n$/);
    host.child.kill('SIGTERM');
    expect(await host.ended).toBe(0);
  });

  it('prints what its keys are for, and where the documentation, the API document and the control server are', async () => {
    const dataDir = join(folder, 'shown');
    const host = await start({ PORT: String(await fourFreePorts()), DATA_DIR: dataDir });
    await host.first;
    const { api, keys } = infoIn(dataDir);
    await expect.poll(() => host.lines.join('\n')).toContain(keys.public);
    const shown = host.lines.join('\n');
    for (const key of Object.values(keys)) expect(shown).toContain(key);
    for (const part of ['X-Service-Key', 'Authorization: Bearer', 'checkout page', `${api}/openapi.json`])
      expect(shown).toContain(part);
    const [docs = ''] = /\S+\/docs\b/.exec(shown) ?? [];
    for (const address of [docs, `${api}/openapi.json`]) expect((await fetch(address)).status, address).toBe(200);
  });

  it.each(['--help', '-h'])('prints its settings for %s, and starts nothing', async (argument) => {
    const host = await start({ DATA_DIR: join(folder, 'helped') }, [argument]);
    expect(await host.ended).toBe(0);
    const shown = host.lines.join('\n');
    for (const setting of ['PORT', 'DATA_DIR', 'STAGE', 'STORE', 'RATE_LIMITS', 'PSP_URL_'])
      expect(shown).toContain(setting);
    expect(existsSync(join(folder, 'helped'))).toBe(false);
  });

  it('rejects an argument that it does not know, and prints its settings', async () => {
    const host = await start({ DATA_DIR: ':memory:' }, ['--port', '5000']);
    expect(await host.ended).toBe(1);
    expect(await host.complaint).toMatch(/^There is no argument --port\.[\s\S]*PORT=4000/);
  });

  it('says that the packages are not installed, rather than which one is missing first', async () => {
    const failure = await startBare(join(folder, 'bare'));
    expect(failure).toMatchObject({ code: 1, stdout: '', stderr: 'The packages are not installed. Run: npm ci\n' });
  });

  it.each([
    [
      'says to use npm start, where npm ci has installed Node.js',
      ['hono', '.bin/node'],
      /^This is Node\.js 24\.10\.0\. Use npm start/,
    ],
    [
      'says to install Node.js, where npm ci has none for the platform',
      ['hono'],
      /Install Node\.js 24 \(24\.11 or newer\)/,
    ],
  ])('%s', async (_, installed, message) => {
    const bare = join(folder, `bare-${installed.length}`);
    for (const name of installed) mkdirSync(join(bare, 'node_modules', name), { recursive: true });
    const older = 'Object.defineProperty(process.versions, "node", { value: "24.10.0" })';
    const failure = await startBare(bare, ['--import', `data:text/javascript,${encodeURIComponent(older)}`]);
    expect(failure).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(message) });
  });

  it('reports that its port is in use', async () => {
    const other = await listen(0, 'the test');
    const host = await start({ PORT: String(other.port), DATA_DIR: ':memory:' });
    expect(await host.ended).toBe(1);
    expect(await host.complaint).toMatch(`Port ${other.port} (the API) is taken.`);
    await other.close();
  });

  it('reports that it needs Java', async () => {
    const host = await start({
      PORT: String(await fourFreePorts()),
      DATA_DIR: ':memory:',
      STORE: 'dynamodb',
      PATH: folder,
    });
    expect(await host.ended).toBe(1);
    expect(await host.complaint).toMatch(/^DynamoDB Local needs Java 17, and there is none here/);
  });
});

describe('a data folder', () => {
  it('is used by one host at a time', async () => {
    const dataDir = join(folder, 'shared');
    const host = await startHost({ dataDir });
    await expect(startHost({ dataDir })).rejects.toThrow('is in use by another process');
    await host.close();
    await (await startHost({ dataDir })).close();
  });

  it('is readable for its owner only', async () => {
    const dataDir = join(folder, 'private');
    await (await startHost({ dataDir })).close();
    expect([dataDir, join(dataDir, 'info.json')].map((path) => statSync(path).mode & 0o077)).toEqual([0, 0]);
  });

  it('keeps the clock', async () => {
    const dataDir = join(folder, 'clock');
    const host = await startHost({ dataDir });
    const { now } = (await host.control('POST', '/clock', { advance: '400d' })).body;
    await host.close();
    const again = await startHost({ dataDir });
    expect((await again.control('GET', '/clock')).body.now > now).toBe(true);
    await again.close();
  });

  it('keeps its stages separate', async () => {
    const dataDir = join(folder, 'stages');
    const sandbox = await startHost({ dataDir });
    await sandbox.close();
    const live = await startHost({ dataDir, stage: 'live' });
    expect(live.info.org_id).not.toBe(sandbox.info.org_id);
    expect((await live.call('POST', '/v1/payments', aPaymentBody())).body).toMatchObject({
      status: 'succeeded',
      mode: 'live',
    });
    expect((await live.call('GET', '/v1/payments', undefined, { key: sandbox.info.keys.service })).body.code).toBe(
      'wrong_stage',
    );
    await live.close();
  });
});
