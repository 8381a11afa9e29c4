import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { randomCredentials } from '#lib/local/demo.ts';
import {
  type CrashPoint,
  crashPointsOf,
  describePoint,
  eventsAbout,
  receiveEvents,
  retryUntilDone,
  runScheduledWork,
  strike,
} from '#test/faults/crash-sweep.support.ts';
import { type ApiResponse, type Body, HANG_UP_AFTER_MS, startHost, type TestHost } from '#test/support/host.ts';
import { arrange, drain, pay, read } from '#test/support/payment-steps.ts';

/** Processes that die while they learn of a dispute, or answer one. */
let host: TestHost;
let crashes = 0;
beforeAll(async () => {
  host = await startHost({ rateLimits: false, hangUpAfterMs: HANG_UP_AFTER_MS });
  await receiveEvents(host, 'shop');
  const body = { id: 'checkout', provider: 'checkout', credentials: randomCredentials('checkout', 'sandbox') };
  const { status, body: reply } = await host.call('POST', '/v1/connections', body);
  if (status >= 300) throw new Error(JSON.stringify(reply));
});
afterEach(async () => {
  await host.control('DELETE', '/psp/scenario');
  await host.control('DELETE', '/faults');
});
afterAll(async () => {
  console.log(`crash sweep of disputes: ${crashes} crash points`);
  await host?.close();
});

type Subject = { readonly payment: Body; readonly dispute?: Body };

const paid = async (provider = 'stripe'): Promise<Subject> => {
  const payment = await pay(host, 'ok', { payment_method: { type: 'card', tokens: { [provider]: 'ok' } } });
  await drain(host);
  return { payment };
};

const disputeOf = async ({ id }: Body): Promise<Body> =>
  (await host.call('GET', `/v1/disputes?payment_id=${id}`)).body.disputes[0];

const disputed = async (provider = 'stripe'): Promise<Subject> => {
  const { payment } = await paid(provider);
  host.simulators.openDispute(provider, payment.id);
  await drain(host);
  return { payment, dispute: await disputeOf(payment) };
};
/** It knows a repeat of an answer by no key. */
const disputedWithoutKeys = (): Promise<Subject> => disputed('checkout');

/** The provider has accepted it, and its answer could not be read. */
const unheard = async (): Promise<Subject> => {
  const subject = await disputed();
  await arrange(host, 'garbage', { webhook: 'none', match: { operation: 'dispute' } });
  await answer(subject, 'accept', 'first');
  await host.control('DELETE', '/psp/scenario');
  return subject;
};

const answer = ({ dispute }: Subject, how: string, key: string, body?: Body): Promise<ApiResponse> =>
  host.call('POST', `/v1/disputes/${dispute?.id}/${how}`, body, { idempotencyKey: `${key}-${dispute?.id}` });
const accept = (subject: Subject) => answer(subject, 'accept', 'accept');
const evidence = (subject: Subject) => answer(subject, 'evidence', 'evidence', { explanation: 'It was delivered.' });

type Work = (subject: Subject) => Promise<unknown> | unknown;
type Outcome = { readonly status: string; readonly withheld: number; readonly events: readonly string[] };
type Case = readonly [sentence: string, group: string, prepare: () => Promise<Subject>, work: Work, expected: Outcome];

const CASES: readonly Case[] = [
  [
    'is told',
    'psp-webhooks',
    paid,
    ({ payment }) => host.simulators.openDispute('stripe', payment.id),
    { status: 'needs_response', withheld: 5_000, events: ['created'] },
  ],
  [
    'is won',
    'psp-webhooks',
    disputed,
    ({ dispute }) => host.simulators.moveDispute('stripe', dispute?.psp_reference, 'won'),
    { status: 'won', withheld: 0, events: ['created', 'closed'] },
  ],
  ['is accepted', 'disputes', disputed, accept, { status: 'accepted', withheld: 5_000, events: ['created', 'closed'] }],
  [
    'is answered with evidence',
    'disputes',
    disputed,
    evidence,
    { status: 'under_review', withheld: 5_000, events: ['created', 'updated'] },
  ],
  [
    'is accepted at a provider that knows no repeat',
    'disputes',
    disputedWithoutKeys,
    accept,
    { status: 'accepted', withheld: 5_000, events: ['created', 'closed'] },
  ],
  [
    'was accepted without a readable answer is looked up',
    'timers',
    unheard,
    () => host.control('POST', '/clock', { advance: '61s' }),
    { status: 'accepted', withheld: 5_000, events: ['created', 'closed'] },
  ],
];

describe.each(CASES)('a crash at any point where a dispute %s', (_, group, prepare, work, expected) => {
  /** The provider repeats a callback that was not answered; a client repeats its request. */
  async function settled(subject: Subject): Promise<Body> {
    if (group === 'disputes') await retryUntilDone(host, async () => (await work(subject)) as ApiResponse);
    for (let n = 0; n < 8; n += 1) {
      await drain(host);
      if ((await disputeOf(subject.payment))?.status === expected.status) break;
      await pause(300);
    }
    await runScheduledWork(host);
    return disputeOf(subject.payment);
  }

  async function struck(point: CrashPoint): Promise<void> {
    const subject = await prepare();
    if (await strike(host, point, group, async () => work(subject))) crashes += 1;
    const where = describePoint(point);
    const { id, status, answer } = await settled(subject);
    expect(status, where).toBe(expected.status);
    if (group === 'disputes') expect(answer, where).not.toBeNull();
    expect(await read(host, subject.payment.id), where).toMatchObject({
      status: 'succeeded',
      amount_refunded: 0,
      amount_disputed: expected.withheld,
    });
    const { withheld = {} } = (await host.control('GET', `/psp/calls?payment_id=${subject.payment.id}`)).body;
    expect(withheld[subject.payment.id], where).toBe(expected.withheld);
    const once: Record<string, number> = Object.fromEntries(expected.events.map((type) => [`dispute.${type}`, 1]));
    // If the callback was faster than the repeated request, the answer shows in an update of its own.
    const answeredLate = { ...once, 'dispute.updated': (once['dispute.updated'] ?? 0) + 1 };
    const told = await eventsAbout(host, 'shop', id);
    expect(group === 'disputes' ? [once, answeredLate] : [once], where).toContainEqual(told);
  }

  it('loses none and doubles none', async () => {
    const probe = await prepare();
    const points = await crashPointsOf(host, group, async () => {
      await work(probe);
      await drain(host);
    });
    expect(points.length).toBeGreaterThanOrEqual(2);
    const before = crashes;
    for (const point of points) await struck(point);
    expect(crashes - before).toBeGreaterThanOrEqual(Math.min(points.length, 2));
  }, 300_000);
});
