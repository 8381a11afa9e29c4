import { findOwned } from '#lib/simulators/kit/account-scope.ts';
import type { StoredObject } from '#lib/simulators/kit/object-store.ts';
import type { UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { randomId } from '#lib/simulators/kit/random-id.ts';
import { invalid, resourceMissing } from '#lib/simulators/stripe/errors.ts';
import { type Form, metadataOf, textAt } from '#lib/simulators/stripe/form.ts';
import { type StoredIntent, seconds } from '#lib/simulators/stripe/objects.ts';
import { CREATE_CUSTOMER, EXPAND_ONLY } from '#lib/simulators/stripe/parameters.ts';
import { apiRoute } from '#lib/simulators/stripe/requests.ts';
import { methodIn, type TestMethod } from '#lib/simulators/stripe/test-methods.ts';

type Customer = { readonly id: string; readonly object: 'customer'; readonly [field: string]: unknown };
type StoredCustomer = StoredObject<Customer>;
type StoredMethod = StoredObject<{ readonly id: string }, { readonly method: TestMethod; readonly customer: string }>;

const isCustomer = (stored: StoredObject): stored is StoredCustomer => stored.kind === 'customer';
const isMethod = (stored: StoredObject): stored is StoredMethod => stored.kind === 'payment_method';

export function newCustomer(work: UnitOfWork, input: Form, livemode: boolean): Customer {
  const id = `cus_${randomId(14)}`;
  const body: Customer = {
    id,
    object: 'customer',
    address: null,
    balance: 0,
    created: seconds(work.now),
    currency: null,
    default_source: null,
    delinquent: false,
    description: textAt(input, 'description'),
    email: textAt(input, 'email'),
    invoice_prefix: randomId(8).toUpperCase(),
    livemode,
    metadata: metadataOf(input),
    name: textAt(input, 'name'),
    phone: textAt(input, 'phone'),
    shipping: null,
    tax_exempt: 'none',
  };
  work.objects.put({
    id,
    account: work.account,
    kind: 'customer',
    paymentId: null,
    parent: null,
    due: null,
    body,
    notes: {},
  });
  return body;
}

/**
 * Attaches the method of a paid intent to its customer, if the intent was to set it up. Test tokens may name customers
 * that do not exist here, so that the customer itself is not looked for.
 */
export function keepMethod(work: UnitOfWork, { account, body, notes }: StoredIntent): void {
  const { payment_method: id, customer, setup_future_usage: usage } = body;
  if (typeof id !== 'string' || typeof customer !== 'string' || !usage || !notes.method) return;
  const method = { id, object: 'payment_method', customer, type: notes.method.type };
  work.objects.put({
    id,
    account,
    kind: 'payment_method',
    paymentId: null,
    parent: customer,
    due: null,
    body: method,
    notes: { method: notes.method, customer },
  });
}

/** The method that the parameters name: one that a customer has kept, or a test method. */
export function chosenMethod(input: Form, work: UnitOfWork): TestMethod | null {
  const id = textAt(input, 'payment_method');
  const kept = id === null ? undefined : findOwned(work, id, isMethod);
  if (!kept) return methodIn(input);
  if (textAt(input, 'customer') !== kept.notes.customer)
    throw invalid(
      `The customer does not have a payment method with the ID ${kept.id}. The payment method must be attached to the ` +
        'customer.',
      { param: 'payment_method' },
    );
  return { ...kept.notes.method, id: kept.id };
}

export const customerRoutes = [
  apiRoute('POST', '/v1/customers', 'create', {
    responseType: 'customer',
    shape: CREATE_CUSTOMER,
    run: ({ input, livemode }, work) => newCustomer(work, input, livemode),
  }),
  apiRoute('GET', '/v1/customers/{id}', 'fetch', {
    responseType: 'customer',
    shape: EXPAND_ONLY,
    run: ({ id }, work) => {
      const found = findOwned(work, id, isCustomer);
      if (!found) throw resourceMissing('customer', id, 'id');
      return found.body;
    },
  }),
];
