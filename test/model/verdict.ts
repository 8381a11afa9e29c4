import { expect } from 'vitest';
import { verifyDisputes } from '#test/model/disputes.ts';
import { verifyEvents } from '#test/model/events.ts';
import type { Model, Tracked } from '#test/model/model.ts';
import { verifyMoney } from '#test/model/money.ts';
import type { Round } from '#test/model/round.ts';
import { see } from '#test/model/watch.ts';
import type { Body } from '#test/support/host.ts';

/** What must be true at the end of every run. */
export async function verifyRun(payments: readonly Body[], model: Model, round: Round): Promise<void> {
  const about = payments.map((payment) => ({ payment, tracked: trackedOf(payment, model) }));
  expect(new Set(about.map(({ tracked }) => tracked.order)).size, 'payments, each of a key of its own').toBe(
    payments.length,
  );
  const missing = model.payments.filter(({ id }) => id !== undefined && !payments.some((p) => p.id === id));
  expect(missing, 'payments that were answered and are not listed').toEqual([]);
  for (const { payment, tracked } of about) {
    see(tracked, payment);
    verifyMoney(payment, tracked, round);
    verifyRefunds(payment, tracked, model);
  }
  const events = await verifyEvents(about, round);
  for (const payment of payments) await verifyDisputes(payment, events, model, round);
}

/** A response with a refund has one, whatever happened to it. */
function verifyRefunds({ refunds }: Body, tracked: Tracked, { requests }: Model): void {
  const made = refunds.map(({ metadata }: Body) => metadata.request);
  const promised = [...requests.entries()].filter(
    ([, { act, about, answer }]) => act === 'refund' && about === tracked && answer?.status === 200,
  );
  expect(
    promised.map(([n]) => n).filter((n) => !made.includes(n)),
    'requests without their refund',
  ).toEqual([]);
}

const trackedOf = (payment: Body, { payments }: Model): Tracked => {
  const tracked = payments[payment.metadata.order];
  if (!tracked) throw new Error(`Nobody asked for ${payment.id}.`);
  return tracked;
};
