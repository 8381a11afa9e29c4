import { expect } from 'vitest';
import type { Model, Tracked } from '#test/model/model.ts';
import type { Round } from '#test/model/round.ts';
import { see } from '#test/model/watch.ts';

/** A GET, which may look the payment up at the provider. */
export async function look(about: Tracked, { faulty }: Model, { get, host }: Round): Promise<void> {
  const answer = await get(`/v1/payments/${about.id}`);
  if (answer.status >= 500 && faulty) return;
  expect(answer.status, answer.text).toBe(200);
  see(about, answer.body);
  const { charges } = host.simulators.calls({ payment_id: answer.body.id });
  for (const { amount, refunded } of Object.values(charges)) expect(refunded, 'given back').toBeLessThanOrEqual(amount);
}
