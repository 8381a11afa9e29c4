import type { CreatePaymentLinkBody, ListPaymentLinksQuery } from '#functions/payment-links/payment-links.schema.ts';
import { deactivate, statusAt } from '#shared/domain/links/payment-link.machine.ts';
import type { PaymentLink } from '#shared/domain/links/payment-link.model.ts';
import { publicLink } from '#shared/domain/links/payment-link.rules.ts';
import { invalidFields, orNotFound } from '#shared/kernel/errors.ts';
import { operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { linkUrl } from '#shared/domain/links/payment-link.rules.ts';

type LinkDeps = Pick<Deps, 'paymentLinks' | 'clock' | 'config'>;

const DEFAULT_METHOD = 'card';

/** A retried operation creates the same link again, not a second one. */
export async function createPaymentLink(input: CreatePaymentLinkBody, caller: Caller, deps: LinkDeps) {
  const {
    amount,
    currency,
    description = null,
    methods = [DEFAULT_METHOD],
    expires_at = null,
    max_payments = 1,
    metadata = {},
  } = input;
  const { at } = caller.operation;
  if (expires_at !== null && new Date(expires_at) <= at)
    throw invalidFields([{ path: 'expires_at', message: 'Must be in the future.' }]);
  const link = await deps.paymentLinks.create({
    id: operationId(caller.operation, 'link'),
    org_id: caller.orgId,
    mode: deps.config.stage,
    amount,
    currency,
    description,
    methods,
    status: 'active',
    max_payments,
    payments_made: 0,
    expires_at,
    metadata,
    created_at: at.toISOString(),
    updated_at: at.toISOString(),
    version: 1,
    slots_left: max_payments,
    slots: {},
    outbox: [],
    announced: 0,
  });
  return viewLink(link, deps);
}

export async function getPaymentLink({ id }: { readonly id: string }, caller: Caller, deps: LinkDeps) {
  return viewLink(
    orNotFound(await deps.paymentLinks.get(caller.orgId, id), 'There is no payment link with this id.'),
    deps,
  );
}

export async function listPaymentLinks(query: ListPaymentLinksQuery, caller: Caller, deps: LinkDeps) {
  const page = await deps.paymentLinks.list(caller.orgId, query);
  return { ...page, items: page.items.map((link) => viewLink(link, deps)) };
}

/** Stops new payments. Started ones may finish. */
export async function deactivatePaymentLink({ id }: { readonly id: string }, caller: Caller, deps: LinkDeps) {
  const link = orNotFound(await deps.paymentLinks.get(caller.orgId, id), 'There is no payment link with this id.');
  return viewLink(await deps.paymentLinks.change(link, (l) => deactivate(l, deps.clock.now())), deps);
}

/** The link as the API shows it: with its URL, and `expired` as soon as it is, not only once that is stored. */
const viewLink = (link: PaymentLink, { clock, config }: Pick<Deps, 'clock' | 'config'>) => ({
  ...publicLink(link),
  status: statusAt(link, clock.now()),
  url: linkUrl(link.id, config),
});
