import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { isDisputeBehind } from '#test/model/disputes.ts';
import type { Model } from '#test/model/model.ts';
import type { Round } from '#test/model/round.ts';
import type { Body } from '#test/support/host.ts';

const isOpen = ({ status }: Body): boolean =>
  status === 'processing' || status === 'requires_action' || status === 'pending';

/** It will still change over time. */
const isUnderWay = ({ review, status, attempts, refunds, captures = [] }: Body): boolean =>
  (isOpen({ status }) && !review) || [...attempts, ...refunds, ...captures].some(isOpen) || attempts.some(isHeld);

/** It is captured, given back, or lapses. */
const isHeld = ({ status }: Body): boolean => status === 'authorized';

/** Longer than the longest schedule: a day for a page, a week of lookups, a month of a hold, and what follows. */
const WAITS = ['30m', '26h', '9d', '9d', '12d'] as const;

/** Late callbacks have arrived. */
const LATE_MS = 25;

/** All faults end, pending work arrives, and time does the rest. Returns the run's payments afterwards. */
export async function bringToRest(model: Model, round: Round): Promise<readonly Body[]> {
  await round.control('DELETE', '/faults');
  await round.control('DELETE', '/psp/scenario');
  if (model.belated) await pause(LATE_MS);
  await round.control('POST', '/drain');
  const settled = await settleAll(model, round);
  if (model.disputes.length === 0) return settled;
  await afterLookUps(settled, round);
  // The end of a dispute lets refunds go on.
  return settleAll(model, round);
}

async function settleAll(model: Model, round: Round): Promise<readonly Body[]> {
  const payments = await runScheduledWork(round);
  for (const payment of payments) await endReviews(payment, model, round);
  return runScheduledWork(round);
}

/** How often the timer looks an open dispute up, at the least. */
const LOOK_UPS = ['26h', '26h', '3d'] as const;

async function afterLookUps(payments: readonly Body[], round: Round): Promise<void> {
  for (const advance of LOOK_UPS) {
    if (!(await isDisputeBehind(payments, round))) break;
    await round.control('POST', '/clock', { advance });
  }
}

async function runScheduledWork(round: Round): Promise<readonly Body[]> {
  let payments = await paymentsOf(round);
  for (const advance of WAITS) {
    if (!payments.some(isUnderWay)) break;
    await round.control('POST', '/clock', { advance });
    payments = await paymentsOf(round);
  }
  return payments;
}

/** More than a run can cause for one payment: each cancel ends one review. */
const MOST_REVIEWS = 12;

const BELIEVED: ReadonlySet<string> = new Set(['already_refunded', 'charge_disputed']);

/**
 * Ends reviews of known problems until none is left. A missing verdict stays missing, and what it hides is unknown.
 */
async function endReviews({ id }: Body, model: Model, round: Round): Promise<void> {
  for (let n = 0; n < MOST_REVIEWS; n += 1) {
    const { review, refunds } = (await round.get(`/v1/payments/${id}`)).body;
    if (!review || review.reason === 'no_verdict') return;
    const tracked = model.payments.find((p) => p.id === id);
    // A provider that says the money was already refunded is believed, and so is one that says the bank has it.
    if (tracked && refunds.some(({ failure }: Body) => BELIEVED.has(failure?.code))) tracked.reviewEnded = true;
    const answer = await round.post(`/v1/payments/${id}/cancel`, undefined, randomUUID());
    expect([answer.status, answer.body.code], answer.text).toEqual([200, undefined]);
    await round.control('POST', '/drain');
  }
  expect.fail(`The reviews of ${id} have no end.`);
}

async function paymentsOf({ get, customer }: Round): Promise<readonly Body[]> {
  const answer = await get(`/v1/payments?customer_id=${customer}&limit=200`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.payments;
}
