import { PROBE_EVENT, PROBE_STATES, probeKey, TEST_CHARGES } from '#shared/domain/reference/probe.rules.ts';
import { MINUTE, monotonic, plus, SECOND } from '#shared/kernel/clock.ts';
import { pause } from '#shared/kernel/retry-on-conflict.ts';
import type { Deps } from '#shared/ports/deps.ts';
import {
  askOwnApi,
  type Fields,
  type ProbeDeps as OwnApiDeps,
  ProbeFailed,
  probeWebhook,
} from '#shared/services/reporting/probe.service.ts';

type ProbeDeps = OwnApiDeps & Pick<Deps, 'log'>;

const AMOUNT = 1_000;
const INTENT = { amount: AMOUNT, currency: 'EUR', description: 'Probe: created and canceled all the time' };

/** How long the event may be on its way, in ms of real time, and how often the probe looks. */
const ARRIVES_WITHIN = 40 * SECOND;
const LOOK_EVERY = 500;

/** The webhook was looked at by this process, and every run since then has passed. */
const ready = new WeakSet<ProbeDeps['ownApi']>();

/** The probe's key was taken in this process: whatever the store says since then, it was set up. */
const wasTaken = new WeakSet<ProbeDeps['ownApi']>();

/**
 * Does what clients do, from outside: an intent is created and canceled, and the event about it must arrive, signed. On
 * the sandbox a connection of the probe's organization is charged too. If any of it fails it rejects, which the alarm
 * counts as it counts silence. Only before it was set up for the first time it waits, so that a new stage rings nobody
 * and its roll-outs are not taken back.
 */
export async function runProbe(deps: ProbeDeps, lookEvery = LOOK_EVERY): Promise<void> {
  const [started, at] = [monotonic(), deps.clock.now()];
  try {
    if (!ready.has(deps.ownApi)) await probeWebhook(deps);
    ready.add(deps.ownApi);
    wasTaken.add(deps.ownApi);
    const intent = await canceledIntent(at, deps);
    await eventArrives(intent, at, deps, lookEvery);
    const charged = deps.config.stage === 'sandbox' ? await chargeForTest(at, deps) : undefined;
    deps.log.info('probe_passed', { duration_ms: Math.round(monotonic() - started), provider: charged ?? 'none' });
  } catch (error) {
    ready.delete(deps.ownApi);
    if (await isNotSetUp(error, deps))
      return deps.log.warn('probe_not_set_up', { remedy: 'npm run bootstrap -- --probe' });
    deps.log.error('probe_failed', { error });
    throw error;
  }
}

/** Its key is unknown, and the service says that there never was one. */
async function isNotSetUp(error: unknown, { ownApi, config }: ProbeDeps): Promise<boolean> {
  if (!(error instanceof ProbeFailed) || error.status !== 401 || wasTaken.has(ownApi)) return false;
  const { status, body } = await ownApi.call({ method: 'GET', path: '/health', key: probeKey(config) });
  return status === 200 && Object(body).probe === PROBE_STATES[1];
}

const post = (path: string, body: Fields, at: Date, deps: ProbeDeps): Promise<Fields> =>
  askOwnApi({ method: 'POST', path, body, idempotencyKey: `probe-${at.getTime()}-${path}` }, deps);

async function canceledIntent(at: Date, deps: ProbeDeps): Promise<string> {
  const id = String((await post('/v1/payments/intents', INTENT, at, deps)).id);
  const { status } = await post(`/v1/payments/${id}/cancel`, {}, at, deps);
  if (status === 'canceled') return id;
  throw new ProbeFailed(`A canceled intent is ${String(status)}.`);
}

async function eventArrives(id: string, at: Date, deps: ProbeDeps, lookEvery: number): Promise<void> {
  const since = new URLSearchParams({ type: PROBE_EVENT, created_after: plus(at, -MINUTE).toISOString() });
  const path = `/v1/webhooks/events?${since}`;
  const until = monotonic() + ARRIVES_WITHIN;
  while (monotonic() < until) {
    const { events } = await askOwnApi({ method: 'GET', path }, deps);
    const [found] = listOf(events).filter(({ data }) => Object(data).id === id);
    if (found?.status === 'delivered') return;
    if (found && found.status !== 'pending') throw new ProbeFailed(`The event's delivery is ${String(found.status)}.`);
    await pause(lookEvery);
  }
  throw new ProbeFailed(`The event did not arrive within ${ARRIVES_WITHIN / SECOND} seconds.`);
}

/** How often the sandbox's probe runs. Counted in such steps, each run charges at the next provider. */
const RUNS_EVERY = 5 * MINUTE;

/** One connection after another, from run to run. Returns its provider, if there is one. */
async function chargeForTest(at: Date, deps: ProbeDeps): Promise<string | undefined> {
  const { connections } = await askOwnApi({ method: 'GET', path: '/v1/connections?status=active' }, deps);
  const providers = listOf(connections)
    .map(({ provider }) => String(provider))
    .filter((provider) => Object.hasOwn(TEST_CHARGES, provider))
    .sort();
  const provider = providers[Math.floor(at.getTime() / RUNS_EVERY) % providers.length];
  if (provider === undefined) return undefined;
  const payment = await post('/v1/payments', testCharge(provider), at, deps);
  if (payment.status === 'succeeded' || payment.status === 'requires_action') return provider;
  const reason = String(Object(payment.failure).code ?? payment.status);
  throw new ProbeFailed(`A test payment at ${provider} did not succeed: ${reason}.`);
}

function testCharge(provider: string): Fields {
  const { currency, token } = TEST_CHARGES[provider] ?? { currency: 'EUR' };
  return {
    amount: AMOUNT,
    currency,
    customer_email: 'probe@example.com',
    payment_method: { type: 'card', ...(token !== undefined && { tokens: { [provider]: token } }) },
  };
}

const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map((each) => Object(each)) : []);
