import type { CreatePaymentLinkInput, ListPaymentLinksInput } from '#functions/payment-links/payment-links.schema.ts';
import { type MethodObstacle, obstacleOf } from '#shared/domain/links/link-methods.rules.ts';
import { deactivate, statusAt } from '#shared/domain/links/payment-link.machine.ts';
import type { PaymentLink } from '#shared/domain/links/payment-link.model.ts';
import { linkUrl, publicLink } from '#shared/domain/links/payment-link.rules.ts';
import type { PaymentMethod } from '#shared/domain/payment-methods/payment-method.model.ts';
import { SAVED_METHOD_TYPE } from '#shared/domain/payments/payment-input.model.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';
import type { RoutedConnection } from '#shared/domain/routing/connection.model.ts';
import { invalidFields, orNotFound } from '#shared/kernel/errors.ts';
import { operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { withLinkDetails } from '#shared/services/links/link-details.service.ts';
import { findSavedMethod } from '#shared/services/payment-methods/use-saved-method.service.ts';

type LinkDeps = Pick<Deps, 'paymentLinks' | 'clock' | 'config' | 'vault'>;
type CreateDeps = LinkDeps & PspDeps & Pick<Deps, 'paymentMethods'>;
type PspDeps = Pick<Deps, 'psp'>;

const DEFAULT_METHOD = 'card';

/**
 * A retried operation creates the same link again, not a second one. A connection may be added later, so a method that
 * none takes yet is only a warning.
 */
export async function createPaymentLink(input: CreatePaymentLinkInput, caller: Caller, deps: CreateDeps) {
  const { connections } = await caller.routingData();
  assertValidLink(input, caller.operation.at, connections, deps);
  const saved = await savedMethodOf(input, caller, deps);
  const detailed = await withLinkDetails(newLink(input, saved, caller, deps.config.stage), input, deps);
  const link = await deps.paymentLinks.create(detailed);
  const warnings = warningsFor(link, connections, deps);
  return { ...viewLink(link, deps), ...(warnings.length > 0 && { warnings }) };
}

function assertValidLink(
  { expires_at, methods = [] }: CreatePaymentLinkInput,
  at: Date,
  connections: readonly RoutedConnection[],
  deps: PspDeps,
): void {
  const known = knownMethods(connections, deps);
  const message = `No provider has this payment method. Known methods are ${[...known].sort().join(', ')}.`;
  const errors = [
    ...(expires_at !== undefined && new Date(expires_at) <= at
      ? [{ path: 'expires_at', message: 'Must be in the future.' }]
      : []),
    ...methods.flatMap((method, n) => (known.has(method) ? [] : [{ path: `methods.${n}`, message }])),
  ];
  if (errors.length > 0) throw invalidFields(errors);
}

/** Those of all providers, and those that a connection's own capabilities name. */
const knownMethods = (connections: readonly RoutedConnection[], { psp }: PspDeps): ReadonlySet<string> =>
  new Set([...psp.methods(), ...connections.flatMap(({ capabilities }) => capabilities.methods)]);

/** What follows "No connection". */
const OBSTACLE_TEXTS: Readonly<Record<MethodObstacle, string>> = {
  no_connection: 'exists yet. Add one: POST /v1/connections',
  wrong_mode: 'of this stage exists. Add one: POST /v1/connections',
  inactive: 'that takes this method is active. Activate one: POST /v1/connections with "status": "active"',
  method_not_supported: 'takes this method. Add one that does, or leave the method out',
  currency_not_supported: 'takes this method in this currency. Add one that does, or leave the method out',
  amount_not_supported:
    'takes this method with this amount: it is too small, too large or too finely divided for each provider',
  capture_not_supported:
    'captures this method later (capabilities.manual_capture). Add one that does, or leave out capture: manual',
};

function warningsFor(link: PaymentLink, connections: readonly RoutedConnection[], { psp }: PspDeps) {
  return link.methods.flatMap((method) => {
    const code = obstacleOf(method, link, connections, (provider) => psp.adapter(provider));
    return code === undefined
      ? []
      : [{ method, code, message: `Customers cannot pay by ${method} now: no connection ${OBSTACLE_TEXTS[code]}.` }];
  });
}

/** A link with a saved method takes that alone, and is its customer's. */
async function savedMethodOf(
  { payment_method, customer_id, methods }: CreatePaymentLinkInput,
  { orgId }: Caller,
  deps: Pick<Deps, 'paymentMethods'>,
): Promise<PaymentMethod | undefined> {
  if (!payment_method) return undefined;
  const given = { ...payment_method, type: SAVED_METHOD_TYPE };
  const method = await findSavedMethod(customer_id === undefined ? {} : { customer_id }, given, orgId, deps);
  if (methods && (methods.length > 1 || methods[0] !== method.type))
    throw invalidFields([
      { path: 'methods', message: `Must be left out, or ${method.type} alone, as payment_method is.` },
    ]);
  return method;
}

function newLink(
  input: CreatePaymentLinkInput,
  saved: PaymentMethod | undefined,
  { orgId, operation }: Caller,
  stage: Stage,
): PaymentLink {
  const { amount, currency, description, methods, expires_at, max_payments = 1, metadata, capture } = input;
  const created_at = operation.at.toISOString();
  return {
    id: operationId(operation, 'link'),
    org_id: orgId,
    mode: stage,
    amount,
    currency,
    description: description ?? null,
    methods: saved ? [saved.type] : (methods ?? [DEFAULT_METHOD]),
    status: 'active',
    max_payments,
    payments_made: 0,
    expires_at: expires_at ?? null,
    metadata: metadata ?? {},
    ...(capture === 'manual' && { capture }),
    ...(input.customer_id !== undefined && { customer_id: input.customer_id }),
    ...(saved && { customer_id: saved.customer_id, payment_method_id: saved.id }),
    ...(input.save && { save: true }),
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
