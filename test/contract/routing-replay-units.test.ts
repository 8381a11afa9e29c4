import { beforeAll, expect, it } from 'vitest';
import { replayRouting } from '#functions/routing-simulator/replay-routing.usecase.ts';
import { PaymentRepo } from '#shared/store/repos/payments/payment.repo.ts';
import { openDatabase } from '#shared/store/sqlite/sqlite-database.ts';
import { SqliteTable } from '#shared/store/sqlite/sqlite-table.adapter.ts';
import { readCounter } from '#test/bench/list-reads.ts';
import { MIXED_CONNECTIONS, putMixed } from '#test/bench/mixed-payments.ts';
import { ORG } from '#test/support/payment.builder.ts';
import { type World, world } from '#test/support/world.ts';

/** What a replay of a thousand payments reads, without the other costs of its request. */
const [FEW, MANY] = [1_200, 6_000];
const bare = new SqliteTable({ database: openDatabase(':memory:') });
const { table, readsOf } = readCounter(bare);
let w: World;
beforeAll(async () => {
  w = await world();
  await putMixed(bare, ORG, 0, FEW);
});

async function replayReads() {
  const { deps, clock, caller } = w;
  const data = { ...(await deps.organizations.routingData(ORG)), deletedConnections: MIXED_CONNECTIONS };
  const repo = new PaymentRepo(table, clock, deps.config);
  const input = { rules: [], limit: 1_000 };
  const { result, reads } = await readsOf(() =>
    replayRouting(input, caller({ routingData: () => Promise.resolve(data) }), { ...deps, payments: repo }),
  );
  expect(result.payments).toBe(1_000);
  return reads;
}

it('costs half a unit for each payment and a few for keys, however many payments there are', async () => {
  const few = await replayReads();
  await putMixed(bare, ORG, FEW, MANY);
  const many = await replayReads();
  // A thousand payments of up to 4 KB, and the keys of five lists with four partitions each.
  expect([few.rru, many.rru].every((rru) => rru > 500 && rru < 560)).toBe(true);
  expect(Math.abs(many.rru - few.rru)).toBeLessThan(15);
  expect(Math.max(few.calls, many.calls)).toBeLessThan(80);
});
