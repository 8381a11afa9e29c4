import type { StoredObject } from '#lib/simulators/kit/object-store.ts';
import type { UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { invalid, resourceMissing } from '#lib/simulators/stripe/errors.ts';
import { type Form, formAt, integerAt, textAt } from '#lib/simulators/stripe/form.ts';
import { findCharge, findIntent } from '#lib/simulators/stripe/objects.ts';
import { type ApiRequest, apiRoute, type BodyShape } from '#lib/simulators/stripe/requests.ts';

type Listed = { readonly id: string; readonly created?: unknown; readonly [field: string]: unknown };

const PAGING = {
  created: 'hash',
  ending_before: 'text',
  expand: 'texts',
  limit: 'integer',
  starting_after: 'text',
} as const satisfies BodyShape;

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 100;

function limitOf(input: Form): number {
  const limit = integerAt(input, 'limit') ?? DEFAULT_LIMIT;
  if (limit < 1) throw invalid('Limit must be between 1 and 100.', { param: 'limit' });
  if (limit > MAX_LIMIT) throw invalid(`Limit cannot exceed ${MAX_LIMIT}.`, { param: 'limit' });
  return limit;
}

/** `created` is a second, or a hash of bounds. */
function wasCreatedIn(input: Form, { created }: Listed): boolean {
  const at = Number(created);
  const exact = textAt(input, 'created');
  if (exact !== null) return at === Number(exact);
  const bounds = formAt(input, 'created');
  const bound = (name: string, none: number) => integerAt(bounds, name) ?? none;
  return (
    at > bound('gt', -1) &&
    at >= bound('gte', 0) &&
    at < bound('lt', Number.MAX_SAFE_INTEGER) &&
    at <= bound('lte', Number.MAX_SAFE_INTEGER)
  );
}

/** A page of the objects, newest first, and whether there are more in its direction. */
function pageOf(input: Form, objects: readonly Listed[], url: string): object {
  const limit = limitOf(input);
  const newest = objects.toReversed();
  const indexOf = (name: string) => {
    const id = textAt(input, name);
    const index = newest.findIndex((object) => object.id === id);
    if (id !== null && index < 0) throw resourceMissing('object', id, name, 400);
    return id === null ? undefined : index;
  };
  const before = indexOf('ending_before');
  const after = indexOf('starting_after');
  const left = before === undefined ? newest.slice((after ?? -1) + 1) : newest.slice(0, before);
  const data = before === undefined ? left.slice(0, limit) : left.slice(-limit);
  return { object: 'list', data, has_more: left.length > data.length, url };
}

type ListRoute = {
  readonly path: string;
  readonly kind: string;
  /** Parameters that a field of the object must equal. */
  readonly filters: readonly string[];
  readonly operation?: string;
};

/** An object that a filter names must exist. */
function checkFilters(input: Form, work: UnitOfWork): void {
  const intent = textAt(input, 'payment_intent');
  if (intent !== null) findIntent(work, intent, 'payment_intent', 400);
  const charge = textAt(input, 'charge');
  if (charge !== null) findCharge(work, charge, 'charge', 400);
}

/** Charges and refunds have their intent as parent, so that not all objects of the account are read. */
function candidates(input: Form, kind: string, work: UnitOfWork): readonly StoredObject[] {
  const intent = textAt(input, 'payment_intent');
  if (intent === null || kind === 'checkout.session') return work.objects.ofKind(work.account, kind);
  return work.objects.childrenOf(intent).filter((stored) => stored.kind === kind);
}

function listRoute({ path, kind, filters, operation = 'list' }: ListRoute) {
  const run = ({ input }: ApiRequest, work: UnitOfWork): object => {
    checkFilters(input, work);
    const matches = (object: Listed) =>
      filters.every((name) => textAt(input, name) === null || object[name] === textAt(input, name));
    const objects = candidates(input, kind, work).map(({ body }) => body as Listed);
    return pageOf(
      input,
      objects.filter((object) => matches(object) && wasCreatedIn(input, object)),
      path,
    );
  };
  const shape = { ...PAGING, ...Object.fromEntries(filters.map((name) => [name, 'text' as const])) };
  return apiRoute('GET', path, operation, { responseType: `list:${kind}`, shape, run });
}

export const listRoutes = [
  listRoute({ path: '/v1/payment_intents', kind: 'payment_intent', filters: ['customer'] }),
  listRoute({ path: '/v1/charges', kind: 'charge', filters: ['customer', 'payment_intent', 'transfer_group'] }),
  listRoute({
    path: '/v1/refunds',
    kind: 'refund',
    filters: ['charge', 'payment_intent'],
    operation: 'fetch_refund',
  }),
  listRoute({ path: '/v1/disputes', kind: 'dispute', filters: ['charge', 'payment_intent'], operation: 'dispute' }),
  listRoute({
    path: '/v1/checkout/sessions',
    kind: 'checkout.session',
    filters: ['customer', 'payment_intent', 'status'],
  }),
];
