import type { Invoice } from '#shared/domain/billing/invoice.model.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { EVENT_SHARDS, eventPartition, indexKeys, LIST_SHARDS, shards } from '#shared/store/keys.ts';
import type { IndexName, Item, TablePort } from '#shared/store/table/table.port.ts';
import { AMOUNT } from '#test/bench/renewals-due.ts';
import type { WatchedHost } from '#test/bench/renewals-host.ts';

/** The events of one renewal, each once. */
const EVENTS = ['invoice.created', 'invoice.paid', 'payment.created', 'payment.succeeded', 'subscription.renewed'];
const PAGE = 1_000;
const READ = 100;

type Findings = {
  readonly lines: readonly string[];
  /** What is missing, duplicate or otherwise wrong, in a few words each. */
  readonly faults: readonly string[];
};

/**
 * Checks everything that is stored, and the provider's own records: each of these subscriptions was charged once.
 */
export async function checkBilled(
  { host, bare }: WatchedHost,
  orgs: readonly string[],
  ids: ReadonlySet<string>,
): Promise<Findings> {
  const faults = faultBook();
  const invoices = await invoicesBySubscription(bare, orgs, ids, faults);
  const payments = new Map<string, string>();
  for (const invoice of invoices.values()) if (invoice.payment_id) payments.set(invoice.payment_id, invoice.id);
  if (payments.size !== ids.size) faults.note(`${ids.size - payments.size} invoices without a payment of their own`);
  await checkPayments(bare, orgs, payments, faults);
  const taken = checkCharges(host, payments, faults);
  const types = await checkEvents(bare, orgs, { ids, invoices, payments }, faults);
  return {
    lines: [
      `invoices: ${invoices.size} of ${ids.size} subscriptions, one each; paid: ${[...invoices.values()].filter(({ status }) => status === 'paid').length}`,
      `charges at the provider: ${taken.charges} of ${AMOUNT} each, calls that charge: ${taken.calls}`,
      `events: ${[...types]
        .toSorted()
        .map(([type, n]) => `${type} ${n}`)
        .join(', ')}`,
    ],
    faults: faults.all(),
  };
}

function faultBook() {
  const counts = new Map<string, number>();
  return {
    note: (fault: string) => void counts.set(fault, (counts.get(fault) ?? 0) + 1),
    all: () => [...counts].map(([fault, n]) => (n > 1 ? `${n} times: ${fault}` : fault)),
  };
}
type FaultBook = ReturnType<typeof faultBook>;

/** Every item in this partition of an index. */
async function* itemsIn(table: TablePort, index: IndexName, pk: string): AsyncGenerator<Item> {
  let after: string | undefined;
  do {
    const page = await table.entries(index, { pk, limit: PAGE, ...(after !== undefined && { after }) });
    for (let from = 0; from < page.items.length; from += READ) {
      const items = await table.getMany(page.items.slice(from, from + READ).map(({ pk, sk }) => ({ pk, sk })));
      yield* items.filter((item) => item !== undefined);
    }
    after = page.next;
  } while (after !== undefined);
}

async function invoicesBySubscription(
  table: TablePort,
  orgs: readonly string[],
  ids: ReadonlySet<string>,
  { note }: FaultBook,
): Promise<Map<string, Pick<Invoice, 'id' | 'status' | 'payment_id'>>> {
  const found = new Map<string, Pick<Invoice, 'id' | 'status' | 'payment_id'>>();
  for (const pk of orgs.flatMap((org) => shards(LIST_SHARDS).map((n) => indexKeys.invoices(org, n)))) {
    for await (const item of itemsIn(table, 'list', pk)) {
      const { id, status, payment_id, subscription_id, amount, outbox } = item as unknown as Invoice;
      if (!ids.has(subscription_id)) continue;
      if (found.has(subscription_id)) note('a second invoice of a subscription');
      if (status !== 'paid' || amount !== AMOUNT) note(`an invoice that is ${status}, over ${amount}`);
      if (outbox.length > 0) note('an invoice with events that were not passed on');
      found.set(subscription_id, { id, status, payment_id });
    }
  }
  for (const id of ids) if (!found.has(id)) note('a subscription without an invoice');
  return found;
}

async function checkPayments(
  table: TablePort,
  orgs: readonly string[],
  wanted: ReadonlyMap<string, string>,
  { note }: FaultBook,
): Promise<void> {
  let found = 0;
  const ofInvoices = new Set(wanted.values());
  for (const pk of orgs.flatMap((org) =>
    shards(LIST_SHARDS).flatMap((n) => [indexKeys.payments(org, 'main', n), indexKeys.payments(org, null, n)]),
  )) {
    for await (const item of itemsIn(table, 'list', pk)) {
      const { id, status, invoice_id, outbox, attempts } = item as unknown as Payment;
      if (!ofInvoices.has(invoice_id ?? '')) continue;
      if (wanted.get(id) !== invoice_id) note('a payment of an invoice that has another');
      if (status !== 'succeeded' || attempts.length !== 1)
        note(`a payment that is ${status} after ${attempts.length} attempts`);
      if (outbox.length > 0) note('a payment with events that were not passed on');
      found += 1;
    }
  }
  if (found !== wanted.size) note(`${found} payments instead of ${wanted.size}`);
}

/** The provider's record, not the service's. */
function checkCharges({ simulators }: WatchedHost['host'], payments: ReadonlyMap<string, string>, { note }: FaultBook) {
  const { charges, calls } = simulators.calls({});
  for (const id of payments.keys()) {
    const charge = charges[id];
    if (!charge) note('a payment that the provider never took');
    else if (charge.count !== 1 || charge.amount !== AMOUNT || charge.refunded !== 0)
      note(`a payment that was taken ${charge.count} times, ${charge.amount} in all`);
  }
  const ours = Object.keys(charges).filter((id) => payments.has(id)).length;
  return {
    charges: ours,
    calls: calls.filter(({ operation, payment_id }) => operation === 'create' && payments.has(payment_id ?? '')).length,
  };
}

type Billed = {
  readonly ids: ReadonlySet<string>;
  readonly invoices: ReadonlyMap<string, { readonly id: string }>;
  readonly payments: ReadonlyMap<string, string>;
};

/** Every event about the renewals, by type; each must exist once per renewal. */
async function checkEvents(
  table: TablePort,
  orgs: readonly string[],
  { ids, invoices, payments }: Billed,
  { note }: FaultBook,
): Promise<ReadonlyMap<string, number>> {
  const about = new Set([...ids, ...[...invoices.values()].map(({ id }) => id), ...payments.keys()]);
  const [types, seen] = [new Map<string, number>(), new Set<string>()];
  for (const pk of orgs.flatMap((org) => shards(EVENT_SHARDS).map((n) => eventPartition(org, n)))) {
    for (let after: string | undefined, more = true; more; ) {
      const page = await table.query({ pk, limit: PAGE, ...(after !== undefined && { after }) });
      for (const { type, data, status } of page.items as readonly { readonly [name: string]: unknown }[]) {
        const { id } = data as { readonly id: string };
        if (!about.has(id)) continue;
        if (seen.has(`${type} ${id}`)) note(`a second ${type}`);
        if (status !== 'skipped') note(`a ${type} that is ${status}, though nobody listens`);
        seen.add(`${type} ${id}`);
        types.set(String(type), (types.get(String(type)) ?? 0) + 1);
      }
      [after, more] = [page.next, page.next !== undefined];
    }
  }
  for (const type of new Set([...EVENTS, ...types.keys()])) {
    const wanted = EVENTS.includes(type) ? ids.size : 0;
    if ((types.get(type) ?? 0) !== wanted) note(`${types.get(type) ?? 0} ${type} instead of ${wanted}`);
  }
  return types;
}
