import { expect, it } from 'vitest';
import { openDispute } from '#shared/domain/disputes/dispute.machine.ts';
import type { Dispute } from '#shared/domain/disputes/dispute.model.ts';
import { HOUR, plus } from '#shared/kernel/clock.ts';
import { derivedId } from '#shared/kernel/ids.ts';
import { disputeEntity } from '#shared/store/repos/disputes/dispute.entity.ts';
import { listDisputes } from '#shared/store/repos/disputes/dispute.repo.ts';
import { type ListedKind, type MadeTable, recordLists } from '#test/contract/repos/list-records.contract.ts';
import { aPayment, paymentId } from '#test/support/payment.builder.ts';
import { later, START } from '#test/support/stopped-clock.ts';

const aDispute = (about: Partial<Dispute>): Dispute => {
  const { created_at = START.toISOString(), id = derivedId('dispute', START, 'any') } = about;
  const of = { ...aPayment(), connection_id: 'conn_1', provider: 'stripe' } as const;
  const said = { status: 'needs_response', reason: 'general', provider_reason: null } as const;
  const found = { reference: id, paymentReference: 'pi_1', amount: 5_000, currency: 'EUR', ...said };
  return { ...openDispute(of, found, new Date(created_at)), outbox: [], ...about };
};

const DISPUTES: ListedKind<Dispute> = {
  name: 'disputes',
  idKind: 'dispute',
  filters: {
    status: ['needs_response', 'won', 'warning'],
    provider: ['stripe', 'adyen'],
    payment_id: [paymentId(1), paymentId(2), paymentId(3)],
  },
  moving: ['status'],
  make: (about) => aDispute(about as Partial<Dispute>),
  entity: disputeEntity,
  due: {
    at: plus(later(777), 12 * HOUR).toISOString(),
    asks: { status: 'under_review', asked_at: later(777).toISOString() },
    rests: { status: 'lost' },
  },
  list: listDisputes,
};

export function disputeLists(made: MadeTable): void {
  recordLists(DISPUTES, made);

  it(`lists by their deadline on ${made.store} only the disputes that still wait for an answer`, async () => {
    const table = await made.makeTable();
    const org_id = derivedId('organization', START, 'deadlines', made.store);
    const given = (n: number, status: Dispute['status'], respond_by: string | null) =>
      aDispute({
        id: derivedId('dispute', later(n), `${n}`),
        created_at: later(n).toISOString(),
        org_id,
        status,
        respond_by,
      });
    const [soon, due] = [later(1_000).toISOString(), later(2_000).toISOString()];
    const disputes = [
      given(1, 'needs_response', soon),
      given(2, 'warning', soon),
      given(3, 'needs_response', due),
      given(4, 'under_review', soon),
      given(5, 'lost', soon),
      given(6, 'needs_response', null),
    ];
    for (const dispute of disputes) await table.put(disputeEntity.toItem(dispute));
    const listed = async (where: object) =>
      (await listDisputes(table, org_id, { limit: 50, offset: 0, ...where })).items.map(({ id }) => id);
    const ids = disputes.map(({ id }) => id);
    expect(await listed({ respond_by_before: due })).toEqual([ids[1], ids[0]]);
    expect(await listed({ respond_by_before: due, status: 'warning' })).toEqual([ids[1]]);
    expect(await listed({ respond_by_before: due, status: 'lost' })).toEqual([]);
    expect(await listed({ respond_by_before: later(9_000).toISOString() })).toEqual([ids[2], ids[1], ids[0]]);
  });
}
