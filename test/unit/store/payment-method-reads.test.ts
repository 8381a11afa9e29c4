import { expect, it } from 'vitest';
import type { PaymentMethod } from '#shared/domain/payment-methods/payment-method.model.ts';
import { withMethod, withoutMethod } from '#shared/domain/payment-methods/payment-method.rules.ts';
import { PaymentMethodRepo } from '#shared/store/repos/payment-methods/payment-method.repo.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';
import { changed, memoryStore } from '#test/support/memory-store.ts';
import { ORG } from '#test/support/payment.builder.ts';

/** A store that has not caught up with the latest writes answers reads that do not ask for them so. */
const lagging = (table: TablePort): TablePort =>
  changed(table, {
    get: async (key, how) => (how?.consistent ? table.get(key, how) : undefined),
    getMany: async (all) => all.map(() => undefined),
  });

const METHOD: PaymentMethod = {
  id: 'pm_01kjmma2g0ec597y544ezcfag9',
  org_id: ORG,
  mode: 'sandbox',
  customer_id: 'kim',
  type: 'card',
  card: null,
  providers: ['stripe'],
  network_transaction_id: null,
  created_at: '2026-03-01T12:00:00.000Z',
  updated_at: '2026-03-01T12:00:00.000Z',
  version: 1,
  sealed_tokens: 'sealed',
  token_marks: ['mark'],
};

it('the methods of a customer are read as they were last written, so that an erasure leaves none behind', async () => {
  const methods = new PaymentMethodRepo(lagging(memoryStore().table), { hashSecret: 'a secret for hashes' });
  const before = await methods.customer(ORG, 'kim');
  await methods.commit({ before, after: withMethod(before, METHOD.id, true) }, [{ after: METHOD }]);
  const customer = await methods.customer(ORG, 'kim');
  expect(await methods.many(ORG, customer.method_ids)).toEqual([METHOD]);
  await methods.commit({ before: customer, after: withoutMethod(customer, METHOD.id) }, [{ before: METHOD }]);
  expect(await methods.get(ORG, METHOD.id)).toBeUndefined();
});
