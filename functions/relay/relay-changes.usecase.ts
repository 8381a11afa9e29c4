import { currentAttempt } from '#shared/domain/payments/attempts.rules.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { FeedRecord, Item } from '#shared/ports/table.port.ts';
import { relayInvoice } from '#shared/services/relay/relay-invoice.service.ts';
import { relayLink } from '#shared/services/relay/relay-link.service.ts';
import { relayPayment } from '#shared/services/relay/relay-payment.service.ts';
import { relaySubscription } from '#shared/services/relay/relay-subscription.service.ts';

/** The relay of each item type's outbox. A new resource with events is a line here. */
const RELAYS: Readonly<Record<string, (item: Item, deps: Deps) => Promise<unknown>>> = {
  payment: relayPaymentNews,
  payment_link: (item, deps) => relayLink(deps.paymentLinks.read(item), deps),
  subscription: (item, deps) => relaySubscription(deps.subscriptions.read(item), deps),
  invoice: relayInvoiceNews,
};

/** Turns changes into events. Answers where to resume after a failure, so that the feed delivers again from there. */
export async function relayChanges(
  records: readonly FeedRecord[],
  deps: Deps,
): Promise<{ readonly retryFrom?: string }> {
  const failed = await Promise.all(byResource(records).map((group) => relayResource(group, deps)));
  const [retryFrom] = failed.filter((seq) => seq !== undefined).sort();
  return retryFrom === undefined ? {} : { retryFrom };
}

async function relayResource(group: readonly FeedRecord[], deps: Deps): Promise<string | undefined> {
  const first = group[0];
  const newest = group.at(-1)?.new;
  if (!first || !newest) return undefined;
  try {
    await RELAYS[String(newest.item_type)]?.(newest, deps);
    return undefined;
  } catch (error) {
    deps.log.warn('relay_failed', { error });
    return first.seq;
  }
}

/** All changes of one resource in a batch are handled once, on its newest state, in the order of their first change. */
function byResource(records: readonly FeedRecord[]): FeedRecord[][] {
  const announcing = records.filter((r) => Object.hasOwn(RELAYS, String(r.new?.item_type)));
  return [...Map.groupBy(announcing, (r) => r.key.pk).values()];
}

/** During a PSP call its outcome is about to be written with more events: all are relayed then. */
async function relayPaymentNews(item: Item, deps: Deps): Promise<void> {
  const payment = deps.payments.read(item);
  if (payment.outbox.length > 0 && currentAttempt(payment)?.phase !== 'calling') await relayPayment(payment, deps);
}

/** The same for an invoice whose first try is under way. */
async function relayInvoiceNews(item: Item, deps: Deps): Promise<void> {
  const invoice = deps.invoices.read(item);
  if (!invoice.trying || invoice.trying.parked) await relayInvoice(invoice, deps);
}
