import type { StoredObject } from '#lib/simulators/kit/object-store.ts';
import type { UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { apiError } from '#lib/simulators/mollie/errors.ts';
import { isPayment, isRefund } from '#lib/simulators/mollie/objects.ts';
import { type ApiRequest, apiRoute } from '#lib/simulators/mollie/requests.ts';

const DEFAULT_PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 250;

type List = {
  readonly url: string;
  readonly name: 'payments' | 'refunds' | 'captures' | 'chargebacks' | 'mandates';
  readonly documentation: string;
};

/** Newest first, starting with the object that `from` names. */
export function halPage(all: readonly StoredObject[], { call }: ApiRequest, list: List): object {
  const { query } = call.request;
  const limit = Number(query.get('limit') ?? DEFAULT_PAGE_SIZE);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_PAGE_SIZE)
    throw apiError(400, 'The limit is invalid', 'limit');
  const from = query.get('from');
  const start = from === null ? 0 : all.findIndex(({ id }) => id === from);
  if (start < 0) throw apiError(400, 'Invalid cursor value', 'from');
  const items = all.slice(start, start + limit).map(({ body }) => withoutDocumentation(Object(body)));
  const following = all[start + limit];
  const type = 'application/hal+json';
  const next = following ? { href: `${list.url}?from=${following.id}&limit=${limit}`, type } : null;
  const self = { href: `${list.url}?limit=${limit}`, type };
  const documentation = { href: `https://docs.mollie.com/reference/${list.documentation}`, type: 'text/html' };
  return {
    count: items.length,
    _embedded: { [list.name]: items },
    _links: { self, previous: null, next, documentation },
  };
}

type Linked = { readonly _links: Readonly<Record<string, unknown>> };

/** In a list an object has no link to its documentation. */
function withoutDocumentation<T extends Linked>(body: T): T {
  const { documentation: _, ...links } = body._links;
  return { ...body, _links: links };
}

const API = 'https://api.mollie.com/v2';

/** Of the whole account. */
function listRoute(name: List['name'], kind: string, is: (stored: StoredObject) => boolean) {
  const list = { url: `${API}/${name}`, name, documentation: `list-${name}` };
  const run = (request: ApiRequest, work: UnitOfWork): object =>
    halPage(work.objects.ofKind(work.account, kind).filter(is).toReversed(), request, list);
  return apiRoute('GET', `/v2/${name}`, 'list', { query: ['embed', 'from', 'limit'], run });
}

export const listRoutes = [listRoute('payments', 'payment', isPayment), listRoute('refunds', 'refund', isRefund)];
