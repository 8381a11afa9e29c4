import { describe, expect, it } from 'vitest';
import type { PendingStart } from '#shared/domain/workflows/execution.model.ts';
import { DAY, MINUTE, SECOND } from '#shared/kernel/clock.ts';
import { newId } from '#shared/kernel/ids.ts';
import { keys } from '#shared/store/keys.ts';
import { ExecutionRepo } from '#shared/store/repos/workflows/execution.repo.ts';
import { memoryStore } from '#test/support/memory-store.ts';
import { ORG } from '#test/support/payment.builder.ts';
import { later, START } from '#test/support/stopped-clock.ts';

/**
 * A message of the event lives 14 days, usually in the dead-letter queue, and 14 more once somebody moves it back
 * from there.
 */
const MESSAGES_LIVE = 28 * DAY;

async function aPendingStart() {
  const { table, clock } = memoryStore();
  const executions = new ExecutionRepo(table, clock);
  const pending: PendingStart = {
    id: newId('event', START),
    org_id: ORG,
    type: 'payment.succeeded',
    since: START.toISOString(),
  };
  await executions.addPendingStart(pending, later(MINUTE));
  const item = () => table.get(keys.pendingStart(pending.id), { consistent: true });
  return { executions, pending, item };
}

export function pendingStarts(): void {
  describe('a pending start', () => {
    it('is claimed by one of several sweeps', async () => {
      const { executions, pending } = await aPendingStart();
      const takes = Array.from({ length: 3 }, () =>
        executions.claimPendingStart(pending, later(MINUTE).toISOString(), later(2 * MINUTE)),
      );
      expect((await Promise.all(takes)).filter(Boolean)).toHaveLength(1);
    });

    it('stays due until it is completed', async () => {
      const { item } = await aPendingStart();
      expect(await item()).toMatchObject({ due_pk: expect.any(String), since: START.toISOString() });
      expect(await item()).not.toHaveProperty('ttl');
    });

    it('is deleted once its event can no longer be delivered again', async () => {
      const { executions, pending, item } = await aPendingStart();
      await executions.completePendingStart(pending, later(DAY));
      const { ttl, ...rest } = (await item())!;
      expect(rest).not.toHaveProperty('due_pk');
      expect(Number(ttl) * SECOND).toBeGreaterThan(later(DAY + MESSAGES_LIVE).getTime());
      await executions.addPendingStart(pending, later(2 * DAY));
      expect(await item()).toEqual({ ...rest, ttl });
    });
  });
}
