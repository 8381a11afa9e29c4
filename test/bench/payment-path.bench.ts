import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitsOfAPayment } from '#test/bench/store-waits.ts';

/**
 * What the service adds to a bare call to the PSP: both sides in one run, in turn, against one host in a process of
 * its own with its data in files. Prints figures without a verdict: machines differ.
 */
const PORT = 4790;
const PAIRS = 1_500;
const PACED = 400;
const PACE_MS = 40;
const LANES = 16;
const LOADED = 3_000;

type Info = {
  readonly api: string;
  readonly simulators: string;
  readonly org_id: string;
  readonly keys: { readonly secret: string };
};

const agent = new Agent({ keepAlive: true, maxSockets: LANES * 2 });

function post(url: string, headers: Record<string, string>, body: string): Promise<number> {
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method: 'POST', agent, headers: { ...headers, 'content-length': Buffer.byteLength(body) } },
      (reply) => {
        reply.resume().on('end', () => {
          if (reply.statusCode === 200 || reply.statusCode === 201) resolve(performance.now() - begun);
          else reject(new Error(`${url} answered ${reply.statusCode}`));
        });
      },
    );
    sent.on('error', reject).end(body);
  });
}

const sides = ({ api, simulators, keys }: Info) => ({
  bare: () =>
    post(
      `${simulators}/stripe/v1/payment_intents`,
      {
        authorization: 'Bearer sk_test_bench',
        'content-type': 'application/x-www-form-urlencoded',
        'stripe-version': '2026-10-28.endive',
        'idempotency-key': randomUUID(),
      },
      'amount=4900&currency=eur&confirm=true&payment_method=pm_card_visa&automatic_payment_methods[enabled]=true&return_url=https%3A%2F%2Fshop.example%2Fback',
    ),
  payment: () =>
    post(
      `${api}/v1/payments`,
      { authorization: `Bearer ${keys.secret}`, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      '{"amount":4900,"currency":"EUR","metadata":{"order":"1001"},"payment_method":{"type":"card","token":"pm_card_visa"}}',
    ),
});

const quantile = (sorted: readonly number[], q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function report(name: string, bare: number[], payment: number[]): void {
  const [a, b] = [bare.sort((x, y) => x - y), payment.sort((x, y) => x - y)];
  const line = (q: number) =>
    `bare ${quantile(a, q).toFixed(2)} ms, payment ${quantile(b, q).toFixed(2)} ms, added ${(quantile(b, q) - quantile(a, q)).toFixed(2)} ms`;
  console.log(`${name}, ${a.length} pairs\n  p50: ${line(0.5)}\n  p99: ${line(0.99)}`);
}

async function inTurn(
  pairs: number,
  paceMs: number,
  { bare, payment }: ReturnType<typeof sides>,
): Promise<[number[], number[]]> {
  const times: [number[], number[]] = [[], []];
  for (let n = 0; n < pairs; n += 1) {
    times[0].push(await bare());
    if (paceMs > 0) await pause(paceMs / 2);
    times[1].push(await payment());
    if (paceMs > 0) await pause(paceMs / 2);
  }
  return times;
}

async function perSecond(total: number, act: () => Promise<number>): Promise<number> {
  const begun = performance.now();
  let left = total;
  const lane = async () => {
    while (left-- > 0) await act();
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return total / ((performance.now() - begun) / 1_000);
}

async function startChild(dataDir: string) {
  // Settings of this shell are not passed on.
  const env = { PORT: String(PORT), DATA_DIR: dataDir, RATE_LIMITS: 'off' };
  const child = spawn(process.execPath, ['bin/local.ts'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (text) => String(text).includes('ready ') && resolve());
    child.on('exit', (code) => reject(new Error(`The host ended with ${code}.`)));
  });
  return child;
}

const dataDir = mkdtempSync(join(tmpdir(), 'payfork-bench-'));
const child = await startChild(dataDir);
try {
  const info = JSON.parse(readFileSync(join(dataDir, 'info.json'), 'utf8')) as Info;
  const both = sides(info);
  await inTurn(200, 0, both);
  report(`paced, one pair in ${PACE_MS} ms`, ...(await inTurn(PACED, PACE_MS, both)));
  report(
    'in turn, as fast as answered (the events and callbacks of earlier payments run beside)',
    ...(await inTurn(PAIRS, 0, both)),
  );
  console.log(
    `requests a second over ${LANES} lanes: bare ${(await perSecond(LOADED, both.bare)).toFixed(0)}, payment ${(await perSecond(LOADED, both.payment)).toFixed(0)}`,
  );
} finally {
  child.kill('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
}
console.log(await waitsOfAPayment());
