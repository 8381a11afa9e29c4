import { type FindByIdDeps, findById } from '#functions/search/find-by-id.ts';
import { ALL_PROVIDERS, type FoundBy, type SearchQuery, type SearchResult } from '#functions/search/search.schema.ts';
import { MAX_CUSTOMER_ID } from '#shared/domain/payment-methods/payment-method.model.ts';
import { isEmail } from '#shared/domain/reference/email.rules.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

type SearchDeps = FindByIdDeps & Pick<Deps, 'paymentMails'>;

/** Of each kind that belongs to a customer, so many are shown: the newest. */
const MAX_OF_CUSTOMER = 10;

/**
 * Looks up an exact text as everything that it can be. Each look reads one record, or one short page of an index, so a
 * search costs the same however many payments there are.
 */
export async function search(
  { q }: SearchQuery,
  caller: Caller,
  deps: SearchDeps,
): Promise<{ readonly results: readonly SearchResult[] }> {
  const found = await Promise.all([
    findById(q, caller, deps),
    byPspReference(q, caller, deps),
    byCustomerId(q, caller, deps),
    byCustomerEmail(q, caller, deps),
  ]);
  return { results: withoutRepeats(found.flat()) };
}

const paymentResult = (id: string, found_by: FoundBy): SearchResult => ({
  type: 'payment',
  id,
  found_by,
  payment_id: id,
});

/** A reference does not tell its provider: all are asked for it. */
async function byPspReference(
  q: string,
  { orgId }: Caller,
  { payments, disputes }: Pick<Deps, 'payments' | 'disputes'>,
): Promise<readonly SearchResult[]> {
  const found = await Promise.all(
    ALL_PROVIDERS.map((provider) =>
      Promise.all([payments.byReference(provider, q), disputes.byPspReference(provider, q)]),
    ),
  );
  return found.flatMap(([payment, dispute]) => [
    ...(payment?.org_id === orgId ? [paymentResult(payment.id, 'psp_reference')] : []),
    ...(dispute?.org_id === orgId
      ? [{ type: 'dispute', id: dispute.id, found_by: 'psp_reference', payment_id: dispute.payment_id } as const]
      : []),
  ]);
}

async function byCustomerId(
  q: string,
  { orgId, scopes }: Caller,
  deps: Pick<Deps, 'payments' | 'subscriptions' | 'paymentMethods' | 'paymentLinks'>,
): Promise<readonly SearchResult[]> {
  if (q.length > MAX_CUSTOMER_ID) return [];
  const of = { customer_id: q, limit: MAX_OF_CUSTOMER, offset: 0 };
  const [payments, subscriptions, links, { method_ids }] = await Promise.all([
    deps.payments.list(orgId, [], of),
    scopes.includes('subscriptions:read') ? deps.subscriptions.list(orgId, of) : { items: [] },
    deps.paymentLinks.ofCustomer(orgId, q, MAX_OF_CUSTOMER),
    (await deps.paymentMethods()).customer(orgId, q),
  ]);
  const isKnown = [payments.items, subscriptions.items, links, method_ids].some(({ length }) => length > 0);
  if (!isKnown) return [];
  const own = { found_by: 'customer_id', payment_id: null } as const;
  return [
    { ...own, type: 'customer', id: q },
    ...payments.items.map(({ id }) => paymentResult(id, 'customer_id')),
    ...subscriptions.items.map(({ id }) => ({ ...own, type: 'subscription', id }) as const),
    ...links.map(({ id }) => ({ ...own, type: 'payment_link', id }) as const),
  ];
}

/** What is filed under the address is looked at: a payment whose customer was erased since is not shown. */
async function byCustomerEmail(
  q: string,
  { orgId }: Caller,
  { payments, paymentMails }: Pick<Deps, 'payments' | 'paymentMails'>,
): Promise<readonly SearchResult[]> {
  if (!isEmail(q)) return [];
  const ids = await paymentMails.find(orgId, q, MAX_OF_CUSTOMER);
  const found = await Promise.all(ids.map((id) => payments.recent(id)));
  return found.flatMap((payment) =>
    payment?.org_id === orgId && payment.customer_email !== null ? [paymentResult(payment.id, 'customer_email')] : [],
  );
}

/** A payment may have its customer's id as its reference: the first way that found it is told. */
function withoutRepeats(results: readonly SearchResult[]): readonly SearchResult[] {
  const first = new Map<string, SearchResult>();
  for (const result of results) {
    const name = `${result.type} ${result.id}`;
    if (!first.has(name)) first.set(name, result);
  }
  return [...first.values()];
}
