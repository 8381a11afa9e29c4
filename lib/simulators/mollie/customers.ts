import { findOwned } from '#lib/simulators/kit/account-scope.ts';
import type { StoredObject } from '#lib/simulators/kit/object-store.ts';
import type { UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { notFound } from '#lib/simulators/mollie/errors.ts';
import { halPage } from '#lib/simulators/mollie/lists.ts';
import { isMandate, MANDATE_METHODS } from '#lib/simulators/mollie/mandates.ts';
import { newMollieId, timestamp } from '#lib/simulators/mollie/objects.ts';
import { type ApiRequest, apiRoute, checkMetadata } from '#lib/simulators/mollie/requests.ts';

type Linked = { readonly [field: string]: unknown; readonly _links: Readonly<Record<string, unknown>> };

type StoredCustomer = StoredObject<Linked & { readonly id: string }, object>;

const isCustomer = (stored: StoredObject): stored is StoredCustomer => stored.kind === 'customer';

const API = 'https://api.mollie.com/v2';
const link = (href: string, type = 'application/hal+json') => ({ href, type });
const documentationOf = (name: string) => link(`https://docs.mollie.com/reference/${name}`, 'text/html');

function createCustomer({ input, mode }: ApiRequest, work: UnitOfWork): object {
  const { name = null, email = null, locale = null, metadata = null } = input;
  checkMetadata(metadata);
  const id = newMollieId('cst');
  const body = {
    resource: 'customer',
    id,
    mode,
    name,
    email,
    locale,
    metadata,
    createdAt: timestamp(work.now),
    _links: {
      self: link(`${API}/customers/${id}`),
      dashboard: link(`https://my.mollie.com/dashboard/customers/${id}`, 'text/html'),
      documentation: documentationOf('create-customer'),
    },
  };
  const own = { account: work.account, paymentId: null, parent: null, due: null };
  return work.objects.put({ id, kind: 'customer', ...own, body, notes: {} }).body;
}

function findCustomer(work: UnitOfWork, id: string): StoredCustomer {
  const found = findOwned(work, id, isCustomer);
  if (!found) throw notFound(id);
  return found;
}

function listMandates(request: ApiRequest, work: UnitOfWork): object {
  const { id } = findCustomer(work, request.id);
  const list = { url: `${API}/customers/${id}/mandates`, name: 'mandates', documentation: 'list-mandates' } as const;
  return halPage(work.objects.childrenOf(id).filter(isMandate).toReversed(), request, list);
}

/** The methods that the account may use. A merchant asks for those of first payments. */
function listMethods(): object {
  const methods = Object.keys(MANDATE_METHODS).map((id) => ({
    resource: 'method',
    id,
    description: id,
    minimumAmount: { value: '0.01', currency: 'EUR' },
    maximumAmount: { value: '10000.00', currency: 'EUR' },
    image: {
      size1x: `https://www.mollie.com/external/icons/payment-methods/${id}.png`,
      size2x: `https://www.mollie.com/external/icons/payment-methods/${id}%402x.png`,
      svg: `https://www.mollie.com/external/icons/payment-methods/${id}.svg`,
    },
    status: 'activated',
    _links: { self: link(`${API}/methods/${id}`) },
  }));
  return {
    count: methods.length,
    _embedded: { methods },
    _links: { self: link(`${API}/methods`), documentation: documentationOf('list-methods') },
  };
}

export const customerRoutes = [
  apiRoute('POST', '/v2/customers', 'customer', {
    shape: { name: 'text', email: 'text', locale: 'text', metadata: 'any' },
    status: 201,
    run: createCustomer,
  }),
  apiRoute('GET', '/v2/customers/{id}', 'customer', {
    query: ['include'],
    run: ({ id }, work) => findCustomer(work, id).body,
  }),
  apiRoute('GET', '/v2/customers/{id}/mandates', 'customer', { query: ['from', 'limit'], run: listMandates }),
  apiRoute('GET', '/v2/methods', 'customer', {
    query: ['sequenceType', 'locale', 'resource', 'billingCountry', 'includeWallets', 'include'],
    run: listMethods,
  }),
];
