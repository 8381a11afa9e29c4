import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { median } from '#test/bench/paired-times.ts';

/**
 * What strangers whose rate limit is used up cost a tenant: payments at a fixed pace, with and without 2,000 requests
 * a second from one address without a valid credential, in turn. Host, strangers and payer are processes of their own,
 * all on the loopback address. It fails if, in the median of the rounds, the payments' p50 is longer by more than a
 * fifth. `-- 6 5 2000`: seconds of a block, rounds, strangers a second.
 */
const [seconds = 6, rounds = 5, strangers = 2_000] = process.argv.slice(2).map(Number);
const PORT = 4780;
const PACE_MS = 40;
/** Each may make 100 payments a minute. */
const TENANTS = 20;
const MAX_RATIO = 1.2;
/** In which the strangers fill their window before anything is measured. */
const WARM_UP_SECONDS = 1;
/** `ps` counts CPU time in hundredths of a second. */
const TICKS_PER_SECOND = 100;

type Info = { readonly api: string; readonly control: string; readonly org_id: string };
type Tenant = { readonly key: string };

const dataDir = mkdtempSync(join(tmpdir(), 'payfork-strangers-'));
const agent = new Agent({ keepAlive: true });

async function startChild() {
  const env = { PORT: String(PORT), DATA_DIR: dataDir, RATE_LIMITS: 'on' };
  const child = spawn(process.execPath, ['bin/local.ts'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (text) => String(text).includes('ready ') && resolve());
    child.on('exit', (code) => reject(new Error(`The host ended with ${code}.`)));
  });
  return child;
}

async function post(
  url: string,
  headers: Record<string, string>,
  body: unknown,
): Promise<{ status: number; text: string }> {
  const text = JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method: 'POST',
        agent,
        headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
      },
      async (reply) =>
        resolve({ status: reply.statusCode ?? 0, text: Buffer.concat(await reply.toArray()).toString() }),
    );
    sent.on('error', reject).end(text);
  });
}

async function pay({ api }: Info, { key }: Tenant): Promise<number> {
  const begun = performance.now();
  const { status, text } = await post(
    `${api}/v1/payments`,
    { authorization: `Bearer ${key}`, 'idempotency-key': randomUUID() },
    { amount: 4_900, currency: 'EUR', payment_method: { type: 'card', token: 'ok' } },
  );
  if (status !== 201) throw new Error(`A payment was answered with ${status}: ${text}`);
  return performance.now() - begun;
}

const tenants: Tenant[] = [];
let turn = 0;

/** The p50 of payments at a fixed pace, in ms. */
async function paced(info: Info, forSeconds: number): Promise<number> {
  const times: number[] = [];
  const end = performance.now() + forSeconds * 1_000;
  while (performance.now() < end) {
    const tenant = tenants[turn++ % TENANTS];
    if (tenant) times.push(await pay(info, tenant));
    await pause(PACE_MS);
  }
  return median(times);
}

/** CPU seconds of all threads of a process so far. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

async function kindsOf({ api }: Info): Promise<readonly string[]> {
  const [first] = tenants;
  const key = first?.key ?? '';
  const made = JSON.parse(
    (
      await post(
        `${api}/v1/api-keys`,
        { authorization: `Bearer ${key}`, 'idempotency-key': randomUUID() },
        { name: 'Old', scopes: ['payments:write'] },
      )
    ).text,
  );
  await fetch(`${api}/v1/api-keys/${made.id}`, { method: 'DELETE', headers: { authorization: `Bearer ${key}` } });
  return [
    {},
    { authorization: `Bearer ${key.slice(0, -32)}{random}` },
    { 'x-service-key': `${key.slice(0, -32)}{random}`, 'x-org-id': key.slice(9, 35) },
    { authorization: `Bearer ${made.key}` },
    { cookie: 'service_session={random}abcdefghijk', origin: 'http://127.0.0.1:5173' },
  ].map((headers) => JSON.stringify(headers));
}

function startStrangers({ api }: Info, kinds: readonly string[], forSeconds: number): Promise<Record<string, number>> {
  const settings = [api, String(strangers), String(forSeconds), ...kinds];
  const child = spawn(process.execPath, ['test/bench/strangers-load.ts', ...settings], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (more) => {
      text += more;
    });
    child.on('close', (code) => (code === 0 ? resolve(JSON.parse(text)) : reject(new Error(`Strangers: ${code}`))));
  });
}

const ms = (number: number): string => `${number.toFixed(2)} ms`;

const host = await startChild();
try {
  const info: Info = JSON.parse(readFileSync(join(dataDir, 'info.json'), 'utf8'));
  const control = `http://127.0.0.1:${PORT + 2}`;
  while (tenants.length < TENANTS) {
    const made = await post(`${control}/organizations`, {}, { name: 'Shop', legal_name: 'Shop Ltd' });
    tenants.push(JSON.parse(made.text));
  }
  const kinds = await kindsOf(info);
  await paced(info, 3);
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const [began, cpuBegan] = [performance.now(), cpuOf(host.pid ?? 0)];
    const quiet = await paced(info, seconds);
    const cpuQuiet = (cpuOf(host.pid ?? 0) - cpuBegan) / ((performance.now() - began) / 1_000);
    const arriving = startStrangers(info, kinds, seconds + 2 * WARM_UP_SECONDS);
    await pause(WARM_UP_SECONDS * 1_000);
    const [loadedFrom, cpuLoadedFrom] = [performance.now(), cpuOf(host.pid ?? 0)];
    const loaded = await paced(info, seconds);
    const cpuLoaded = (cpuOf(host.pid ?? 0) - cpuLoadedFrom) / ((performance.now() - loadedFrom) / 1_000);
    const statuses = await arriving;
    ratios.push(loaded / quiet);
    const each = ((cpuLoaded - cpuQuiet) / strangers) * 1e6;
    console.log(
      `p50 of a payment: quiet ${ms(quiet)}, beside strangers ${ms(loaded)}, ${(loaded / quiet).toFixed(2)} times; ` +
        `CPU of the host a stranger: ${each.toFixed(0)} µs; responses ${JSON.stringify(statuses)}`,
    );
  }
  const slower = median(ratios);
  console.log(`median of ${rounds} rounds: ${slower.toFixed(2)} times`);
  if (slower > MAX_RATIO) process.exitCode = 1;
} finally {
  host.kill('SIGKILL');
  agent.destroy();
  rmSync(dataDir, { recursive: true, force: true });
}
