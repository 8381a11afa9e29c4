import { randomUUID } from 'node:crypto';
import { startLocalHost } from '#lib/local/local-host.ts';
import { simulatorsHere } from '#lib/local/simulators-start.ts';

/**
 * An outage by the service's clock: ten payments a second; the preferred provider stops responding, and recovers.
 * Prints when traffic has moved, when it has returned, and that no payment was lost or charged twice.
 */
const PER_SECOND = 10;
const WARM_UP = 120;
const OUTAGE = 300;
const LONGEST = 900;
const [PREFERRED, OTHER] = ['stripe', 'checkout'] as const;

const options = {
  port: 0,
  dataDir: ':memory:',
  stage: 'sandbox',
  store: 'sqlite',
  rateLimits: false,
  pspUrls: {},
  demoProviders: [PREFERRED, OTHER],
  log: { info: () => undefined, warn: () => undefined, error: () => undefined },
} as const;
const host = await startLocalHost(options, simulatorsHere);
const { api, keys, connections } = host.info;

async function ask(method: string, url: string, body?: unknown): Promise<Record<string, never>> {
  const headers = {
    authorization: `Bearer ${keys.service}`,
    'idempotency-key': randomUUID(),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const reply = await fetch(url, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  return (await reply.json()) as Record<string, never>;
}
const control = (method: string, path: string, body?: unknown) => ask(method, host.controlUrl + path, body);

type Paid = {
  readonly id: string;
  readonly status: string;
  readonly connection_id: string;
  readonly attempts: readonly { readonly connection_id: string }[];
};
const paid: Paid[] = [];

/** A second of traffic; returns the share of it for which the preferred provider was tried first. */
async function second(): Promise<number> {
  const body = {
    amount: 5_000,
    currency: 'EUR',
    payment_method: { type: 'card', tokens: { [PREFERRED]: 'ok', [OTHER]: 'ok' } },
  };
  const made = (await Promise.all(
    Array.from({ length: PER_SECOND }, () => ask('POST', `${api}/v1/payments`, body)),
  )) as unknown as Paid[];
  paid.push(...made);
  await control('POST', '/drain');
  await control('POST', '/clock', { advance: '1s' });
  return made.filter(({ attempts }) => attempts[0]?.connection_id === connections[PREFERRED]).length / PER_SECOND;
}

/** Seconds until the share of the last half minute meets the condition. */
async function until(is: (share: number) => boolean, most: number): Promise<number> {
  const shares: number[] = [];
  while (shares.length < most) {
    shares.push(await second());
    const last = shares.slice(-30);
    if (last.length === 30 && is(last.reduce((sum, share) => sum + share, 0) / last.length)) return shares.length;
  }
  return Number.POSITIVE_INFINITY;
}

for (let n = 0; n < WARM_UP; n += 1) await second();
await control('POST', '/psp/scenario', { provider: PREFERRED, behaviour: 'refuse_connection', times: 1_000_000 });
const moved = await until((share) => share < 0.2, OUTAGE);
console.log(`warm-up ${WARM_UP} s at ${PER_SECOND} payments a second, then ${PREFERRED} refuses every connection`);
console.log(`traffic had moved to ${OTHER} for half a minute after ${moved} s; every payment before that failed over`);
let probes = 0;
for (let n = 0; n < 60; n += 1) probes += (await second()) * PER_SECOND;
console.log(`while it was down, ${probes} of ${60 * PER_SECOND} payments probed it`);
await control('DELETE', '/psp/scenario');
const back = await until((share) => share > 0.8, LONGEST);
console.log(`it answered again, and had its traffic back for half a minute after ${back} s`);

const { charges } = (await control('GET', '/psp/calls')) as unknown as {
  charges: Record<string, { count: number; amount: number }>;
};
// Some providers charge a moment after their response.
const now = new Map(
  (await Promise.all(paid.map(({ id }) => ask('GET', `${api}/v1/payments/${id}`)))).map((payment) => [
    String(payment.id),
    String(payment.status),
  ]),
);
const wrong = paid.filter(({ id }) => now.get(id) !== 'succeeded' || charges[id]?.count !== 1);
console.log(
  `${paid.length} payments, ${paid.filter(({ id }) => now.get(id) === 'succeeded').length} succeeded, ${wrong.length} lost or charged twice`,
);
await host.close();
if (wrong.length > 0 || !Number.isFinite(moved + back)) process.exitCode = 1;
