import type { CreatePaymentLinkInput, ListPaymentLinksInput } from '#functions/payment-links/payment-links.schema.ts';
import { deactivate, statusAt } from '#shared/domain/links/payment-link.machine.ts';
import type { PaymentLink } from '#shared/domain/links/payment-link.model.ts';
import { linkUrl, publicLink } from '#shared/domain/links/payment-link.rules.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';
import { invalidFields, orNotFound } from '#shared/kernel/errors.ts';
import { operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

type LinkDeps = Pick<Deps, 'paymentLinks' | 'clock' | 'config'>;

const DEFAULT_METHOD = 'card';

/** A retried operation creates the same link again, not a second one. */
export async function createPaymentLink(input: CreatePaymentLinkInput, caller: Caller, deps: LinkDeps) {
  const { at } = caller.operation;
  if (input.expires_at !== undefined && new Date(input.expires_at) <= at)
    throw invalidFields([{ path: 'expires_at', message: 'Must be in the future.' }]);
  return viewLink(await deps.paymentLinks.create(newLink(input, caller, deps.config.stage)), deps);
}

function newLink(input: CreatePaymentLinkInput, { orgId, operation }: Caller, stage: Stage): PaymentLink {
  const { amount, currency, description, methods, expires_at, max_payments = 1, metadata } = input;
  const created_at = operation.at.toISOString();
  return {
    id: operationId(operation, 'link'),
    org_id: orgId,
    mode: stage,
    amount,
    currency,
    description: description ?? null,
    methods: methods ?? [DEFAULT_METHOD],
    status: 'active',
    max_payments,
    payments_made: 0,
    expires_at: expires_at ?? null,
    metadata: metadata ?? {},
    created_at,
    updated_at: created_at,
    version: 1,
    slots_left: max_payments,
    slots: {},
    outbox: [],
    announced: 0,
  };
}

export async function getPaymentLink({ id }: { readonly id: string }, caller: Caller, deps: LinkDeps) {
  return viewLink(
    orNotFound(await deps.paymentLinks.get(caller.orgId, id), 'There is no payment link with this id.'),
    deps,
  );
}

export async function listPaymentLinks(query: ListPaymentLinksInput, caller: Caller, deps: LinkDeps) {
  const page = await deps.paymentLinks.list(caller.orgId, query);
  return { ...page, items: page.items.map((link) => viewLink(link, deps)) };
}

/** Stops new payments. Started ones may finish. */
export async function deactivatePaymentLink({ id }: { readonly id: string }, caller: Caller, deps: LinkDeps) {
  const link = orNotFound(await deps.paymentLinks.get(caller.orgId, id), 'There is no payment link with this id.');
  return viewLink(await deps.paymentLinks.change(link, (l) => deactivate(l, deps.clock.now())), deps);
}

/** The link as the API returns it: with its URL, and `expired` from its `expires_at` on, even before that is stored. */
const viewLink = (link: PaymentLink, { clock, config }: Pick<Deps, 'clock' | 'config'>) => ({
  ...publicLink(link),
  status: statusAt(link, clock.now()),
  url: linkUrl(link.id, config),
});
