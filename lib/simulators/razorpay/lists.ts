import type { StoredObject } from '#lib/simulators/kit/object-store.ts';
import type { UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { invalid } from '#lib/simulators/razorpay/errors.ts';
import {
  isLink,
  isOrder,
  isPayment,
  isRefund,
  type Link,
  type Notes,
  receiptKey,
  referenceKey,
} from '#lib/simulators/razorpay/objects.ts';
import {
  type ApiRequest,
  apiRoute,
  type BodyShape,
  collection,
  findObject,
  notesIn,
} from '#lib/simulators/razorpay/requests.ts';

type Listed = { readonly id: string; readonly created_at?: unknown; readonly [field: string]: unknown };

/** Unix seconds; the SDK writes them from dates. */
function secondIn(query: URLSearchParams, name: string, none: number): number {
  const text = query.get(name);
  if (text === null) return none;
  if (!/^\d{1,11}$/.test(text)) throw invalid(`The ${name} must be an integer.`, name);
  return Number(text);
}

/** Newest first, of the given time. */
function listed(objects: readonly StoredObject[], query: URLSearchParams): readonly Listed[] {
  const [from, to] = [secondIn(query, 'from', 0), secondIn(query, 'to', Number.MAX_SAFE_INTEGER)];
  return objects
    .map(({ body }) => body as Listed)
    .filter(({ created_at }) => Number(created_at) >= from && Number(created_at) <= to)
    .toReversed();
}

const PAGING = ['count', 'skip', 'from', 'to'];

const objectsOf = (work: UnitOfWork, kind: string): readonly StoredObject[] => work.objects.ofKind(work.account, kind);

function listOrders({ query }: ApiRequest, work: UnitOfWork): object {
  const receipt = query.get('receipt');
  const orders =
    receipt === null ? objectsOf(work, 'order') : work.objects.childrenOf(receiptKey(work.account, receipt));
  const authorized = query.get('authorized');
  return collection(
    listed(orders.filter(isOrder), query).filter(
      ({ status }) => authorized === null || (status === 'paid') === (authorized === '1'),
    ),
    query,
  );
}

const paidBy = ({ payments }: Link, paymentId: string): boolean => JSON.stringify(payments ?? []).includes(paymentId);

function listLinks({ query }: ApiRequest, work: UnitOfWork): object {
  const reference = query.get('reference_id');
  const links =
    reference === null
      ? objectsOf(work, 'payment_link')
      : work.objects.childrenOf(referenceKey(work.account, reference));
  const paymentId = query.get('payment_id');
  const found = links.filter(isLink).filter(({ body }) => paymentId === null || paidBy(body, paymentId));
  return { payment_links: listed(found, query) };
}

const NOTES: BodyShape = { notes: 'notes' };

/** Notes are what can be changed of every object. */
function editNotes<T extends StoredObject<{ readonly notes: Notes }>>(
  path: string,
  is: (stored: StoredObject) => stored is T,
) {
  const run = ({ id, input }: ApiRequest, work: UnitOfWork): object => {
    const stored = findObject(work, id, is);
    const body = { ...stored.body, notes: notesIn(input) };
    work.objects.put({ ...stored, body });
    return body;
  };
  return apiRoute('PATCH', path, 'update', { shape: NOTES, required: ['notes'], run });
}

/** The adapter's ping is the list of payments. Finding an order or a link by our reference is a list, too. */
export const listRoutes = [
  apiRoute('GET', '/v1/payments', 'ping', {
    filters: PAGING,
    run: ({ query }, work) => collection(listed(objectsOf(work, 'payment'), query), query),
  }),
  apiRoute('GET', '/v1/orders', 'find', { filters: [...PAGING, 'receipt', 'authorized'], run: listOrders }),
  apiRoute('GET', '/v1/refunds', 'fetch_refund', {
    filters: PAGING,
    run: ({ query }, work) => collection(listed(objectsOf(work, 'refund'), query), query),
  }),
  apiRoute('GET', '/v1/payment_links', 'find', {
    filters: [...PAGING, 'reference_id', 'payment_id'],
    run: listLinks,
  }),
  editNotes('/v1/orders/{id}', isOrder),
  editNotes('/v1/payments/{id}', isPayment),
  editNotes('/v1/refunds/{id}', isRefund),
  editNotes('/v1/payment_links/{id}', isLink),
];
