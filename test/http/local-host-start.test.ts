import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { listen } from '#lib/local/http-server.ts';
import { fourFreePorts } from '#test/support/free-ports.ts';
import { aPaymentBody, type Body, startHost } from '#test/support/host.ts';

// biome-ignore lint/style/noProcessEnv: where compiled code is found is this machine's business.
const { NODE_COMPILE_CACHE } = process.env;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'payfork-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

type Info = Awaited<ReturnType<typeof startHost>>['info'];
const infoIn = (dataDir: string): Info => JSON.parse(readFileSync(join(dataDir, 'info.json'), 'utf8'));

/** A process of its own, as `npm start` starts it. */
async function start(env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, ['bin/local.ts'], {
    env: { ...env, NODE_COMPILE_CACHE },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const ended = once(child, 'close').then(([code]) => Number(code));
  const lines: string[] = [];
  const first = new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line);
      resolve(line);
    });
  });
  const complaint = child.stderr.toArray().then((chunks) => Buffer.concat(chunks).toString());
  return { child, ended, lines, complaint, first: Promise.race([first, ended.then(() => '')]) };
}

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
    host.child.kill('SIGTERM');
    expect(await host.ended).toBe(0);
    const shown = host.lines.join('\n');
    for (const part of [`curl -s ${info.api}/v1/payments`, info.keys.service, info.org_id, '"token": "ok"'])
      expect(shown).toContain(part);
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

  it('reports an invalid environment', async () => {
    const host = await start({ PORT: 'x', DATA_DIR: ':memory:' });
    expect(await host.ended).toBe(1);
    expect(await host.complaint).toMatch(/^PORT must be a whole number/);
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
