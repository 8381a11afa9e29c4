import { isClosed } from '#shared/domain/billing/subscription.model.ts';
import {
  type Erasure,
  eraseInvoice,
  eraseLink,
  erasePayment,
  eraseSubscription,
  isInvoiceOver,
  isPaymentOver,
  isSubscriptionOver,
  mayEnd,
  nextPass,
  pseudonymOf,
} from '#shared/domain/payment-methods/erasure.model.ts';
import type { Customer } from '#shared/domain/payment-methods/payment-method.model.ts';
import { METHODS_CONFLICT } from '#shared/domain/payment-methods/payment-method.rules.ts';
import type { ListPage } from '#shared/domain/reference/page.rules.ts';
import { retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import type { Deps } from '#shared/ports/deps.ts';

export type EraseDeps = Pick<
  Deps,
  | 'erasures'
  | 'paymentMails'
  | 'paymentMethods'
  | 'payments'
  | 'invoices'
  | 'subscriptions'
  | 'paymentLinks'
  | 'clock'
  | 'log'
>;

/**
 * Marks the customer, and deletes all methods with it, so that nothing more is kept from then on. Returns the erasure
 * that runs: an earlier one, if there is one.
 */
export async function beginErasure(
  { id, org_id, customer_id }: Erasure,
  { paymentMethods }: Pick<Deps, 'paymentMethods'>,
): Promise<string> {
  const methods = await paymentMethods();
  return retryOnConflict(async () => {
    const before = await methods.customer(org_id, customer_id);
    if (before.erasure_id !== undefined && before.method_ids.length === 0) return before.erasure_id;
    const erasure_id = before.erasure_id ?? id;
    const after: Customer = { ...before, method_ids: [], default_id: null, erasure_id };
    const gone = (await methods.many(org_id, before.method_ids)).map((method) => ({ before: method }));
    return (await methods.commit({ before, after }, gone)) ? erasure_id : undefined;
  }, METHODS_CONFLICT);
}

/** What one pass does at most, so that it ends well within the function's time. */
const MAX_ERASED = 200;
const PAGE = 50;

type Pass = { readonly erased: number; readonly left: number };

/**
 * One pass over what names the customer. What is still under way is left for a later pass. It goes through the lists
 * again and again, each time from their beginning, so that a pass after a crash finds what is left.
 */
export async function processErasure(erasure: Erasure, deps: EraseDeps): Promise<void> {
  const running = isBegun(erasure) ? await runningErasure(erasure, deps) : await beginErasure(erasure, deps);
  // Another request was first, or an earlier run has died at its very end.
  if (running !== erasure.id) return deps.erasures.end(erasure);
  const pass = await runPass(erasure, deps);
  const at = deps.clock.now();
  if (pass.erased + pass.left === 0 && mayEnd(erasure, at)) return endErasure(erasure, deps);
  await deps.erasures.change(erasure, (current) =>
    pass.erased >= MAX_ERASED ? { ...current, due_at: at.toISOString() } : nextPass(current, pass.erased > 0, at),
  );
}

/** A pass has been written. It marks the customer no more: that would delete what was saved since its end. */
const isBegun = ({ version }: Erasure): boolean => version > 1;

async function runningErasure({ org_id, customer_id }: Erasure, deps: EraseDeps): Promise<string | undefined> {
  const methods = await deps.paymentMethods();
  return (await methods.customer(org_id, customer_id)).erasure_id;
}

async function runPass(erasure: Erasure, deps: EraseDeps): Promise<Pass> {
  const { org_id, customer_id } = erasure;
  const pseudonym = pseudonymOf(erasure);
  const of = (cursor: string | undefined) => ({ customer_id, limit: PAGE, offset: 0, ...(cursor && { cursor }) });
  const isOfCustomer = (record: { readonly customer_id: string | null }) => record.customer_id === customer_id;
  const payments = await eachOf(
    (cursor) => deps.payments.list(org_id, [], of(cursor)),
    isPaymentOver,
    async (payment) => {
      // First, as a run after a crash finds only what still names the customer.
      await deps.erasures.eraseResponse(payment.id);
      await deps.paymentMails.erase(payment);
      const after = await deps.payments.change(payment, (p) =>
        isOfCustomer(p) && isPaymentOver(p) ? erasePayment(p) : undefined,
      );
      // Somebody has changed it meanwhile, and so has stored its response.
      if (after.version > payment.version + 1) await deps.erasures.eraseResponse(payment.id);
    },
  );
  const invoices = await eachOf(
    (cursor) => deps.invoices.list(org_id, of(cursor)),
    isInvoiceOver,
    (one) =>
      deps.invoices.change(one, (i) => (isOfCustomer(i) && isInvoiceOver(i) ? eraseInvoice(i, pseudonym) : undefined)),
  );
  const subscriptions = await eachOf(
    (cursor) => deps.subscriptions.list(org_id, of(cursor)),
    isSubscriptionOver,
    (one) =>
      deps.subscriptions.change(one, (s) =>
        isOfCustomer(s) && isSubscriptionOver(s) ? eraseSubscription(s, pseudonym) : undefined,
      ),
    // One that was made since is a new agreement: it keeps what it needs.
    (one) => !isClosed(one) && one.created_at > erasure.requested_at,
  );
  const all = [payments, invoices, subscriptions, await eraseLinks(erasure, deps)];
  return { erased: sum(all.map(({ erased }) => erased)), left: sum(all.map(({ left }) => left)) };
}

/** An expired link may be stored as active: it is closed either way. */
async function eraseLinks({ org_id, customer_id }: Erasure, { paymentLinks, clock }: EraseDeps): Promise<Pass> {
  const links = await paymentLinks.ofCustomer(org_id, customer_id, PAGE);
  for (const link of links)
    await paymentLinks.change(link, (l) => (l.customer_id === customer_id ? eraseLink(l, clock.now()) : undefined));
  return { erased: links.length, left: 0 };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** Erases all that are over, up to the most of one pass, and counts the others. */
async function eachOf<T>(
  list: (cursor: string | undefined) => Promise<ListPage<T>>,
  isOver: (record: T) => boolean,
  erase: (record: T) => Promise<unknown>,
  isKept: (record: T) => boolean = () => false,
): Promise<Pass> {
  let [erased, left, cursor]: [number, number, string | undefined] = [0, 0, undefined];
  do {
    const { items, next } = await list(cursor);
    const over = items.filter(isOver);
    for (const record of over) await erase(record);
    erased += over.length;
    left += items.filter((record) => !isOver(record) && !isKept(record)).length;
    cursor = next;
  } while (cursor !== undefined && erased < MAX_ERASED);
  return { erased, left };
}

/** The customer's mark goes before the erasure: a run after a crash between them finds a customer without a mark. */
async function endErasure(erasure: Erasure, deps: EraseDeps): Promise<void> {
  const { id, org_id, customer_id } = erasure;
  const methods = await deps.paymentMethods();
  await retryOnConflict(async () => {
    const before = await methods.customer(org_id, customer_id);
    if (before.erasure_id !== id) return true;
    const { erasure_id: _, ...after } = before;
    return (await methods.commit({ before, after })) || undefined;
  }, 'Others keep changing this customer. Try again.');
  await deps.erasures.end(erasure);
  deps.log.info('customer_erased', { org_id, erasure_id: id });
}
