import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Fault } from '#lib/local/faults.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';
import {
  CRASHES,
  callsMade,
  describePoint,
  faultsAt,
  type Kind,
  runScheduledWork,
} from '#test/faults/crash-sweep.support.ts';
import { holdRelay } from '#test/faults/renewals.support.ts';
import { countedUsage } from '#test/http/live-host.support.ts';
import { savedCard, subscriptionOf } from '#test/support/billing.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { advance, drain, read } from '#test/support/payment-steps.ts';
import {
  aWorkflowShop,
  branches,
  mailsTo,
  requestsTo,
  setRuleEnabled,
  stepsOf,
  type WorkflowShop,
} from '#test/support/workflow-shop.ts';

const GROUP = 'workflow-runs';
const POINTS: ReadonlySet<string> = new Set(['table', 'queue', 'vault', 'psp'] satisfies Fault['point'][]);
const KINDS: readonly Kind[] = [...CRASHES, { kind: 'error', when: 'before' }, { kind: 'error', when: 'after' }];

/** The share of points that may not exist: the winner of a race makes one call more. */
const MAX_MISSED = 4;

type FaultHit = { readonly subject: Body; readonly where: string };

let host: TestHost;
let table: TablePort | undefined;
beforeAll(async () => {
  host = await startHost({ wrapTable: (bare) => (table = bare) });
});
afterAll(() => host?.close());

/** Lets each call of the work fail in each way, each time for another subject; `after` runs before the next one. */
async function runWithEachFault(
  make: () => Promise<Body>,
  work: (subject: Body) => Promise<unknown>,
  after = async () => {},
): Promise<readonly FaultHit[]> {
  const held = async (subject: Body) => {
    await holdRelay(host);
    await work(subject);
  };
  // Once before: a process remembers some of what it has read.
  await held(await make());
  const probe = await make();
  const calls = (await callsMade(host, GROUP, () => held(probe))).filter(({ point }) => POINTS.has(point));
  const faults = calls.flatMap((call) => faultsAt(call, KINDS));
  const struck: FaultHit[] = [];
  for (const { method, ...fault } of faults) {
    const subject = await make();
    await holdRelay(host);
    await host.control('POST', '/faults', { ...fault, handler: GROUP });
    await work(subject);
    if (host.faults.waiting.some(({ handler }) => handler === GROUP)) await host.control('DELETE', '/faults');
    else struck.push({ subject, where: `${fault.kind} ${describePoint({ ...fault, method })}` });
    await after();
  }
  expect(struck.length).toBeGreaterThanOrEqual(faults.length - MAX_MISSED);
  await runScheduledWork(host);
  await advance(host, '3h');
  return struck;
}

/** All executions of all pages, by the events that they ran for. */
async function executionsOf(shop: WorkflowShop): Promise<ReadonlyMap<string, readonly Body[]>> {
  const found = new Map<string, Body[]>();
  for (let path: string | undefined = '/v1/workflows/executions?limit=200'; path !== undefined; ) {
    const { body, headers } = await shop.request('GET', path);
    for (const each of body.executions) found.set(each.event.id, [...(found.get(each.event.id) ?? []), each]);
    path = /\/v1[^>]+/.exec(headers.get('link') ?? '')?.[0];
  }
  return found;
}

async function countedFor(shop: WorkflowShop): Promise<number> {
  if (!table) throw new Error('The host has no table.');
  const usage = await countedUsage(table, shop.org_id);
  return Object.entries(usage).reduce(
    (sum, [name, count]) => sum + (name.startsWith('workflow_executions:') ? Number(count) : 0),
    0,
  );
}

/** The number of times each of them occurs. */
function tally(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

const shownStep = ({ id, status }: Body) => `${id} ${status}`;

describe('a worker that crashes, or whose call fails, at any point of', () => {
  it('starting and running steps of all types runs each step once', async () => {
    const shop = await aWorkflowShop(host);
    const [to, hook] = ['crashes@shop.example', `crashes-${shop.org_id}`];
    const [http, mail] = [await shop.http(hook), await shop.email(to)];
    const rule = await shop.when(
      'payment.succeeded',
      { id: 'tag', type: 'tag_payment', metadata: { seen: true } },
      { id: 'call', type: 'http_request', integration_id: http.id },
      { id: 'mail', type: 'notify', integration_id: mail.id, subject: '{{ event.id }}', message: 'Paid.' },
      { id: 'refund', type: 'refund_payment', amount: 100 },
      {
        id: 'ask',
        type: 'condition',
        if: 'steps.call.status_code == 200 && has(steps.refund.refund_id)',
        ...branches('pause', null),
      },
      { id: 'pause', type: 'pause_subscription' },
      { id: 'wait', type: 'delay', for: '1m' },
      { id: 'last', type: 'tag_payment', metadata: { waited: true } },
    );

    /** The first payment of a subscription: its rules start when its event is published. */
    const make = async (): Promise<Body> => {
      await setRuleEnabled(host, shop, rule, false);
      const body = {
        customer_id: `customer-${crypto.randomUUID()}`,
        plan_id: 'basic',
        amount: 1_990,
        currency: 'EUR',
        interval: 'monthly',
        payment_method: savedCard(),
      };
      const subscription = (await shop.request('POST', '/v1/subscriptions', body)).body;
      await drain(host);
      const payment = (await shop.request('GET', `/v1/payments?customer_id=${body.customer_id}`)).body.payments[0];
      const { events } = (await shop.request('GET', '/v1/webhooks/events?type=payment.succeeded&limit=5')).body;
      const event = events.find(({ data }: Body) => data.id === payment.id);
      await setRuleEnabled(host, shop, rule, true);
      return { subscription, payment, event };
    };
    const begin = async ({ event: { id, type } }: Body) => {
      await host.deps.queue.send(GROUP, [{ body: { id, type, org_id: shop.org_id }, group: shop.org_id }]);
      await drain(host);
    };

    const struck = await runWithEachFault(make, begin);
    const executions = await executionsOf(shop);
    const requests = tally((await requestsTo(host, hook)).map(({ headers }) => String(headers['webhook-id'])));
    const mails = tally((await mailsTo(host, to)).map(({ subject }) => subject));
    const { charges } = (await host.control('GET', '/psp/calls')).body;
    const [requestedAgain, mailedAgain]: [string[], string[]] = [[], []];
    for (const { subject, where } of struck) {
      const [execution, ...others] = executions.get(subject.event.id) ?? [];
      expect([execution?.status, execution?.error, others], where).toEqual(['succeeded', null, []]);
      const names = ['tag', 'call', 'mail', 'refund', 'ask', 'pause', 'wait', 'last'];
      expect(execution.steps.map(shownStep), where).toEqual(names.map((id) => `${id} succeeded`));

      const payment = await read(host, subject.payment.id, shop);
      expect([payment.metadata, payment.refunds.map((each: Body) => [each.amount, each.status])], where).toEqual([
        { seen: true, waited: true },
        [[100, 'succeeded']],
      ]);
      expect(charges[payment.id], where).toMatchObject({ count: 1, refunded: 100 });
      expect((await subscriptionOf(host, subject.subscription, shop)).status, where).toBe('paused');

      const [called, mailed] = [requests.get(`${execution.id}_call`) ?? 0, mails.get(subject.event.id) ?? 0];
      expect(
        [called >= 1, called <= 2, mailed >= 1, mailed <= 2],
        `${where}: ${called} calls, ${mailed} mails`,
      ).toEqual([true, true, true, true]);
      if (called === 2) requestedAgain.push(where);
      if (mailed === 2) mailedAgain.push(where);
    }
    expect(struck.length).toBeGreaterThan(80);
    // Only where the result could not be recorded; a put whose response is lost is detected.
    for (const where of [...requestedAgain, ...mailedAgain]) expect(where).toMatch(/before table call \d+ \(put\)/);
    expect([requestedAgain.length, mailedAgain.length]).toEqual([
      expect.toBeOneOf([1, 2, 3]),
      expect.toBeOneOf([1, 2, 3]),
    ]);
    expect(await countedFor(shop)).toBe(executions.size);
    expect(await host.queue.deadLetters(GROUP)).toEqual([]);
  }, 600_000);

  it('continuing after a delay cancels the payment once', async () => {
    const shop = await aWorkflowShop(host);
    await shop.when(
      'payment.created',
      { type: 'delay', for: '1m' },
      { type: 'cancel_payment' },
      { type: 'tag_payment', metadata: { late: true } },
    );
    const make = async (): Promise<Body> => {
      const payment = await shop.pay({}, 'needs_3ds');
      await drain(host);
      return { payment };
    };
    const struck = await runWithEachFault(
      make,
      () => advance(host, '61s'),
      async () => void (await advance(host, '2m')),
    );
    const executions = [...(await executionsOf(shop)).values()].flat();
    const { events } = (await shop.request('GET', '/v1/webhooks/events?type=payment.canceled&limit=200')).body;
    const told = tally(events.map(({ data }: Body) => data.id));
    const byPayment = new Map(executions.map((execution) => [execution.steps[1]?.output.payment_id, execution]));
    for (const { subject, where } of struck) {
      const execution = byPayment.get(subject.payment.id);
      expect([execution?.status, stepsOf(execution ?? { steps: [] })], where).toEqual([
        'succeeded',
        { delay: 'succeeded', cancel_payment: 'succeeded', tag_payment: 'succeeded' },
      ]);
      const payment = await read(host, subject.payment.id, shop);
      expect([payment.status, payment.metadata, told.get(payment.id)], where).toEqual(['canceled', { late: true }, 1]);
    }
    expect(struck.length).toBeGreaterThan(20);
    expect(await countedFor(shop)).toBe(executions.length);
    expect(await host.queue.deadLetters(GROUP)).toEqual([]);
  }, 600_000);
});
