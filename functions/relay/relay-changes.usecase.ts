import type { Invoice } from '#shared/domain/billing/invoice.model.ts';
import { currentAttempt } from '#shared/domain/payments/payment.machine.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { inTrace } from '#shared/kernel/operation.ts';
import {
  type ChangesResult,
  type ChangeWithEvents,
  KINDS_WITH_EVENTS,
  type RecordChange,
} from '#shared/ports/changes.port.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { PublishDeps } from '#shared/services/relay/publish-outbox.service.ts';
import {
  relayDispute,
  relayInvoice,
  relayLink,
  relayPayment,
  relaySubscription,
} from '#shared/services/relay/relay-events.service.ts';
import { SharedBus } from '#shared/services/relay/shared-bus.service.ts';

type RelayChangesDeps = PublishDeps &
  Pick<
    Deps,
    | 'billing'
    | 'config'
    | 'disputes'
    | 'invoices'
    | 'log'
    | 'paymentLinks'
    | 'paymentMails'
    | 'payments'
    | 'retryPolicies'
    | 'subscriptions'
  >;

/** Publishes the events of changed resources, those of several resources in one call. */
export async function relayChanges(changes: readonly RecordChange[], deps: RelayChangesDeps): Promise<ChangesResult> {
  // All changes of one resource are handled once, on its newest state.
  const groups = Map.groupBy(changes.filter(hasEvents), ({ resource }) => resource);
  const bus = new SharedBus(deps.bus, groups.size);
  const failed = await Promise.all(
    [...groups.values()].map((group) => relayNewest(group, { ...deps, bus }).finally(() => bus.leave())),
  );
  const [retryFrom] = failed.filter((seq) => seq !== undefined).sort();
  return retryFrom === undefined ? {} : { retryFrom };
}

const hasEvents = (change: RecordChange): change is ChangeWithEvents =>
  change.new !== undefined && KINDS_WITH_EVENTS.some((kind) => kind === change.kind);

/** Returns the first of the changes if they must be delivered again. */
async function relayNewest(changes: readonly ChangeWithEvents[], deps: RelayChangesDeps): Promise<string | undefined> {
  const newest = changes.at(-1);
  if (!newest) return undefined;
  // A record that cannot be read holds up no other one of the batch.
  const isDone = await isRelayed(newest, deps).catch((error: unknown) => notRelayed(error, deps));
  return isDone ? undefined : changes[0]?.seq;
}

/** A new resource with events is a case here. */
async function isRelayed(change: ChangeWithEvents, deps: RelayChangesDeps): Promise<boolean> {
  switch (change.kind) {
    case 'payment':
      return relayed(change.new?.(), deps, relayPaymentUnlessCalling);
    case 'payment_link':
      return relayed(change.new?.(), deps, relayLink);
    case 'subscription':
      return relayed(change.new?.(), deps, relaySubscription);
    case 'invoice':
      return relayed(change.new?.(), deps, relayInvoiceUnlessCollecting);
    case 'dispute':
      return relayed(change.new?.(), deps, relayDispute);
  }
}

/** The log names the request that has written the resource. */
async function relayed<T extends { readonly trace?: string }>(
  resource: T | undefined,
  deps: RelayChangesDeps,
  relay: (resource: T, deps: RelayChangesDeps) => Promise<unknown>,
): Promise<boolean> {
  if (!resource) return true;
  return inTrace(resource.trace, () =>
    relay(resource, deps).then(
      () => true,
      (error: unknown) => notRelayed(error, deps),
    ),
  );
}

function notRelayed(error: unknown, { log }: Pick<Deps, 'log'>): false {
  log.warn('relay_failed', { error });
  return false;
}

/** During a PSP call the outcome will soon be stored with more events: then all of them are published together. */
async function relayPaymentUnlessCalling(payment: Payment, deps: RelayChangesDeps): Promise<void> {
  if (payment.outbox.length > 0 && currentAttempt(payment)?.phase !== 'calling') await relayPayment(payment, deps);
}

/** Skips an invoice whose collection attempt is running, unless the attempt waits for the customer or the PSP. */
async function relayInvoiceUnlessCollecting(invoice: Invoice, deps: RelayChangesDeps): Promise<void> {
  if (!invoice.trying || invoice.trying.parked) await relayInvoice(invoice, deps);
}
