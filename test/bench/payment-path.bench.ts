import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { type CpuTime, type HostInfo, type PaymentHost, startPaymentHost } from '#test/bench/payment-host.ts';
import { waitsOfAPayment } from '#test/bench/store-waits.ts';

/**
 * What the service adds to a bare call to the PSP, how many payments a second it takes, and the CPU time of each: over
 * HTTP, against a host in a process of its own with its data in files. `--against <folder>` measures another checkout
 * beside this one, in turn, so that whatever else the machine does meets both; `--short` takes a fifth of the calls.
 * Prints figures without a verdict: machines differ.
 */
const share = process.argv.includes('--short') ? 5 : 1;
const PORT = 4790;
const ROUNDS = 5;
const PAIRS = 300 / share;
const PACED = 80 / share;
const PACE_MS = 40;
const LANES = 16;
const LOADED = 1_000 / share;

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

const sides = ({ api, simulators, keys }: HostInfo) => ({
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
type Sides = ReturnType<typeof sides>;

/** A checkout with what was measured of it so far. */
type Measured = {
  readonly name: string;
  readonly host: PaymentHost;
  readonly sides: Sides;
  readonly paced: Pairs;
  readonly inTurn: Pairs;
  readonly loads: Load[];
};
type Pairs = { readonly bare: number[]; readonly payment: number[] };
type Load = { readonly perSecond: number; readonly cpu: CpuTime | undefined };

const quantile = (times: readonly number[], q: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * q))] ?? 0;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function pairs({ bare, payment }: Sides, count: number, paceMs: number, into: Pairs): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    into.bare.push(await bare());
    if (paceMs > 0) await pause(paceMs / 2);
    into.payment.push(await payment());
    if (paceMs > 0) await pause(paceMs / 2);
  }
}

/** Until the events and callbacks of these payments are delivered, too: the CPU time is that of all their work. */
async function load({ host, sides: { payment } }: Measured): Promise<Load> {
  const before = host.cpu();
  const begun = performance.now();
  let left = LOADED;
  const lane = async () => {
    while (left-- > 0) await payment();
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  const perSecond = LOADED / ((performance.now() - begun) / 1_000);
  await drain(host.info);
  const after = host.cpu();
  const each = (part: keyof CpuTime) => ((after?.[part] ?? 0) - (before?.[part] ?? 0)) / LOADED;
  return { perSecond, cpu: before && after && { service: each('service'), simulators: each('simulators') } };
}

/** The control server is two ports above the API. */
async function drain({ api }: HostInfo): Promise<void> {
  const control = new URL(api);
  control.port = String(Number(control.port) + 2);
  await fetch(new URL('/drain', control), { method: 'POST' });
}

async function start(name: string, checkout: string, port: number): Promise<Measured> {
  const host = await startPaymentHost(checkout, port);
  const none = () => ({ bare: [], payment: [] });
  const measured = { name, host, sides: sides(host.info), paced: none(), inTurn: none(), loads: [] };
  await pairs(measured.sides, 300, 0, none());
  return measured;
}

async function round(measured: Measured): Promise<void> {
  await pairs(measured.sides, PACED, PACE_MS, measured.paced);
  await pairs(measured.sides, PAIRS, 0, measured.inTurn);
  await drain(measured.host.info);
  measured.loads.push(await load(measured));
}

function latency(what: string, { bare, payment }: Pairs): string {
  const line = (q: number) => {
    const [a, b] = [quantile(bare, q), quantile(payment, q)];
    return `p${q * 100} bare ${a.toFixed(2)} ms, payment ${b.toFixed(2)} ms, added ${(b - a).toFixed(2)} ms`;
  };
  return `  ${what}, ${bare.length} pairs: ${line(0.5)}; ${line(0.99)}`;
}

function report({ name, host, paced, inTurn, loads }: Measured): string {
  const median = (of: (load: Load) => number | undefined) =>
    quantile(
      loads.flatMap((each) => of(each) ?? []),
      0.5,
    ).toFixed(2);
  return [
    `${name}: started in ${host.startMs.toFixed(0)} ms, ${host.memoryMb()?.toFixed(0) ?? '?'} MB after the load`,
    latency(`paced, one pair in ${PACE_MS} ms`, paced),
    latency('in turn, as fast as answered (the events and callbacks of earlier payments run beside)', inTurn),
    `  over ${LANES} clients, medians of ${ROUNDS} rounds: ${median(({ perSecond }) => perSecond)} payments a second`,
    `  CPU of each: service ${median(({ cpu }) => cpu?.service)} ms, simulators ${median(({ cpu }) => cpu?.simulators)} ms`,
  ].join('\n');
}

const other = process.argv[process.argv.indexOf('--against') + 1];
const checkouts = [
  ['this checkout', fileURLToPath(new URL('../..', import.meta.url))],
  ...(process.argv.includes('--against') && other ? [[other, other]] : []),
] as const;
const hosts: Measured[] = [];
try {
  for (const [n, [name = '', folder = '']] of checkouts.entries()) hosts.push(await start(name, folder, PORT + 10 * n));
  for (let n = 0; n < ROUNDS; n += 1) for (const each of n % 2 === 0 ? hosts : hosts.toReversed()) await round(each);
  for (const each of hosts) console.log(report(each));
} finally {
  for (const { host } of hosts) host.stop();
}
console.log(await waitsOfAPayment());
process.exit(0);
