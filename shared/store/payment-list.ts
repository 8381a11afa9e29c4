import { positionIn, positionText } from '#shared/domain/list-position.rules.ts';
import type { Payment } from '#shared/domain/payment.model.ts';
import { idFloor } from '#shared/kernel/ids.ts';
import type { ListPage, ListWhere } from '#shared/ports/stores.port.ts';
import type { TablePort } from '#shared/ports/table.port.ts';
import { entriesOf } from '#shared/store/payment-list-entries.ts';
import { lookedAt } from '#shared/store/payment-list-items.ts';
import { filterOf, sourceOf } from '#shared/store/payment-list-source.ts';

/**
 * What ends a page before it is full: so many payments looked at beside the offset, and bytes, as a function can answer 6 MB.
 * Such a page has a next, which goes on from there.
 */
const MOST = { looked: 2_000, bytes: 4 * 1024 * 1024 };

/** A page costs what it holds: the narrowest index serves it, and the rest is judged on the payments themselves. */
export async function listPayments(
  table: TablePort,
  orgId: string,
  connectionIds: readonly string[],
  where: ListWhere,
  most = MOST,
): Promise<ListPage<Payment>> {
  const source = sourceOf(orgId, connectionIds, where);
  const from = startOf(where);
  const entries = entriesOf(table, source, { ...from, floor: floorOf(where), wanted: from.skip + where.limit + 1 });
  const page: Payment[] = [];
  let [skip, looked, bytes, passed] = [source.exact ? 0 : from.skip, 0, 0, ''];
  for await (const { at, hit } of lookedAt(table, entries, filterOf(orgId, where), skip + where.limit + 1)) {
    const isFull = page.length === where.limit || bytes >= most.bytes;
    if (hit && skip === 0 && isFull) return { items: page, next: passed };
    if (hit && skip > 0) skip -= 1;
    else if (hit) {
      page.push(hit);
      bytes += Buffer.byteLength(JSON.stringify(hit));
    }
    passed = at;
    looked += 1;
    if (looked === most.looked + where.offset) return { items: page, next: positionText({ below: at, skip }) };
  }
  return { items: page, next: undefined };
}

/** A cursor of another list may lie beyond where this one begins. */
function startOf({ cursor, offset, created_before }: ListWhere): { readonly before: string | undefined; readonly skip: number } {
  const from = cursor === undefined ? undefined : positionIn(cursor);
  const end = created_before === undefined ? undefined : idFloor('payment', new Date(created_before));
  const before = [from?.below, end].filter((text) => text !== undefined).sort()[0];
  return { before, skip: offset + (from?.skip ?? 0) };
}

const floorOf = ({ created_after }: ListWhere): string => (created_after === undefined ? '' : idFloor('payment', new Date(created_after)));
