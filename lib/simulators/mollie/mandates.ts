import { findOwned } from '#lib/simulators/kit/account-scope.ts';
import type { StoredObject } from '#lib/simulators/kit/object-store.ts';
import type { UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { newMollieId, type Payment, timestamp } from '#lib/simulators/mollie/objects.ts';

type Mandate = {
  readonly id: string;
  readonly customerId: string;
  readonly _links: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
};

type StoredMandate = StoredObject<Mandate, object>;

export const isMandate = (stored: StoredObject): stored is StoredMandate => stored.kind === 'mandate';

/** The method of the mandate that a first payment leaves, by the method it is paid with. */
export const MANDATE_METHODS: Readonly<Record<string, string>> = {
  creditcard: 'creditcard',
  applepay: 'creditcard',
  paypal: 'paypal',
  ideal: 'directdebit',
  bancontact: 'directdebit',
  belfius: 'directdebit',
  eps: 'directdebit',
  kbc: 'directdebit',
};

/** Whether a first payment can be made with it. */
export const leavesMandate = (method: string): boolean => Object.hasOwn(MANDATE_METHODS, method);

/** The customer has agreed to later charges, by paying the first one. */
export function createMandate(work: UnitOfWork, payment: Payment): StoredMandate {
  const id = newMollieId('mdt');
  const customerId = String(payment.customerId);
  const customer = `https://api.mollie.com/v2/customers/${customerId}`;
  const body = {
    resource: 'mandate',
    id,
    mode: payment.mode,
    status: 'valid',
    method: MANDATE_METHODS[payment.method ?? ''] ?? 'creditcard',
    details: {},
    customerId,
    mandateReference: null,
    signatureDate: timestamp(work.now).slice(0, 10),
    createdAt: timestamp(work.now),
    _links: {
      self: { href: `${customer}/mandates/${id}`, type: 'application/hal+json' },
      customer: { href: customer, type: 'application/hal+json' },
    },
  };
  const own = { account: work.account, paymentId: null, parent: customerId, due: null };
  return work.objects.put({ id, kind: 'mandate', ...own, body, notes: {} });
}

export const findMandate = (work: UnitOfWork, id: string | null): StoredMandate | undefined =>
  findOwned(work, id, isMandate);
