import { following } from '#lib/simulators/frame/following.ts';
import { textAt } from '#lib/simulators/frame/json.ts';
import type { Input, Work } from '#lib/simulators/frame/provider.port.ts';
import type { Ask, Shape } from '#lib/simulators/mollie/ask.ts';
import { invalid } from '#lib/simulators/mollie/errors.ts';
import {
  applePay,
  type Instrument,
  isCustomer,
  isRevoked,
  mandated,
  tokenised,
} from '#lib/simulators/mollie/instruments.ts';
import { readAmount } from '#lib/simulators/mollie/money.ts';
import { newMollieId, type Payment, type StoredPayment, timestamp } from '#lib/simulators/mollie/objects.ts';
import { pageOf } from '#lib/simulators/mollie/outcomes.ts';
import { DAY, HOUR, MINUTE } from '#shared/kernel/clock.ts';

export const NEW_PAYMENT: Shape = {
  amount: 'object',
  applePayPaymentToken: 'text',
  billingAddress: 'object',
  cancelUrl: 'text',
  captureDelay: 'text',
  captureMode: 'text',
  cardToken: 'text',
  customerId: 'text',
  description: 'text',
  issuer: 'text',
  locale: 'text',
  mandateId: 'text',
  metadata: 'any',
  method: 'any',
  redirectUrl: 'text',
  restrictPaymentMethodsToCountry: 'text',
  sequenceType: 'text',
  shippingAddress: 'object',
  storeCredentials: 'boolean',
  webhookUrl: 'text',
};

const METHODS: ReadonlySet<string> = new Set(
  `applepay bacs bancomatpay bancontact banktransfer belfius bizum blik creditcard directdebit eps giftcard ideal kbc mbway mobilepay multibanco mybank paybybank
   paypal paysafecard przelewy24 satispay swish trustly twint vipps`.split(/\s+/),
);

/** How long the customer has; elsewhere a quarter of an hour. */
const LIFE: Readonly<Record<string, number>> = { paypal: 3 * HOUR, banktransfer: 14 * DAY, multibanco: 7 * DAY };

/** The new payment. A script that takes money at once is applied by the caller. */
export function newPayment({ input, call, mode }: Ask, work: Work): StoredPayment {
  const method = methodOf(input);
  const instrument = instrumentOf(input, method);
  const amount = readAmount(input.amount);
  const description = textAt(input, 'description');
  if (!description) throw invalid("The 'description' field is missing", 'description');
  checkMetadata(input.metadata);
  const recurring = input.sequenceType === 'recurring';
  const redirectUrl = addressAt(input, 'redirectUrl');
  if (redirectUrl === null && !recurring && input.applePayPaymentToken === undefined)
    throw invalid('The redirect URL is missing', 'redirectUrl');
  const id = newMollieId('tr');
  const expires = new Date(work.now.getTime() + (LIFE[method ?? ''] ?? 15 * MINUTE));
  const body: Payment = {
    resource: 'payment',
    id,
    mode,
    createdAt: timestamp(work.now),
    amount,
    description: description.slice(0, 255),
    method,
    metadata: input.metadata ?? null,
    status: 'open',
    // Few methods let an open payment be canceled.
    isCancelable: method === 'banktransfer',
    expiresAt: timestamp(expires),
    profileId: profileId(work),
    sequenceType: textAt(input, 'sequenceType') ?? 'oneoff',
    redirectUrl,
    cancelUrl: addressAt(input, 'cancelUrl'),
    // The real one refuses what it can't reach from outside; this one lives on the merchant's own machine.
    webhookUrl: addressAt(input, 'webhookUrl'),
    captureMode: captureModeOf(input),
    ...(typeof input.customerId === 'string' && { customerId: shown(input.customerId, 'cst') }),
    ...(recurring && { mandateId: shown(input.mandateId, 'mdt') }),
    _links: {
      self: { href: `https://api.mollie.com/v2/payments/${id}`, type: 'application/hal+json' },
      checkout: { href: pageOf(id), type: 'text/html' },
      dashboard: { href: `https://my.mollie.com/dashboard/payments/${id}`, type: 'text/html' },
      documentation: { href: 'https://docs.mollie.com/reference/create-payment', type: 'text/html' },
    },
  };
  const notes = { ...following(call.script), instrument, asks: 'payment' } as const;
  return work.objects.put({
    id,
    account: work.account,
    kind: 'payment',
    paymentId: call.paymentId,
    parent: null,
    due: expires.getTime(),
    body,
    notes,
  });
}

/** The words that stand for customers and mandates here are no ids. */
const shown = (given: unknown, prefix: 'cst' | 'mdt'): string =>
  typeof given === 'string' && given.startsWith(`${prefix}_`) ? given : `${prefix}_simulated`;

export const profileId = (work: Work): string => `pfl_${work.account.slice(0, 10)}`;

/** One method is taken at once; of several, or of none named, the customer chooses. */
function methodOf({ method, cardToken, applePayPaymentToken }: Input): string | null {
  const given = [method ?? []].flat();
  for (const each of given) {
    if (typeof each !== 'string' || !METHODS.has(each))
      throw invalid(`The payment method is invalid: ${String(each)}`, 'method');
  }
  if (given.length > 1) return null;
  if (given.length === 0)
    return cardToken === undefined ? (applePayPaymentToken === undefined ? null : 'applepay') : 'creditcard';
  return String(given[0]);
}

function instrumentOf(input: Input, method: string | null): Instrument | null {
  if (input.sequenceType !== undefined && !['oneoff', 'first', 'recurring'].includes(String(input.sequenceType))) {
    throw invalid('The sequence type is invalid', 'sequenceType');
  }
  const customer = textAt(input, 'customerId');
  if (input.sequenceType === 'recurring') return mandateOf(input, customer, method);
  if (customer !== null && !isCustomer(customer)) throw invalid('The customer id is invalid', 'customerId');
  const card = textAt(input, 'cardToken');
  if (card !== null && method !== 'creditcard') throw invalid('A card token needs the method creditcard', 'cardToken');
  if (card !== null) return tokenised(card) ?? refuseToken('The card token is invalid', 'cardToken');
  const phone = textAt(input, 'applePayPaymentToken');
  return phone === null
    ? null
    : (applePay(phone) ?? refuseToken('The Apple Pay token is invalid', 'applePayPaymentToken'));
}

/** Methods that leave a mandate; others can't be charged again. */
const MANDATED: ReadonlySet<string> = new Set(['creditcard', 'directdebit', 'paypal']);

/** Off-session: no page, no single-use token, and a valid mandate. */
function mandateOf(input: Input, customer: string | null, method: string | null): Instrument {
  if (customer === null) throw invalid('The customer id is missing', 'customerId');
  for (const name of ['cardToken', 'applePayPaymentToken']) {
    if (typeof input[name] === 'string')
      throw invalid(`The ${name} can only be used for oneoff and first payments`, name);
  }
  if (input.method !== undefined && !MANDATED.has(method ?? ''))
    throw invalid('The payment method does not support recurring payments', 'method');
  const mandate = textAt(input, 'mandateId');
  if (isRevoked(mandate)) throw invalid('No suitable mandates found for customer');
  return (
    mandated(customer, mandate, method) ??
    refuseToken('The customer or mandate is invalid', mandate === null ? 'customerId' : 'mandateId')
  );
}

function refuseToken(detail: string, field: string): never {
  throw invalid(detail, field);
}

function captureModeOf(input: Input): string {
  const mode = textAt(input, 'captureMode') ?? 'automatic';
  if (mode !== 'automatic' && mode !== 'manual') throw invalid('The capture mode is invalid', 'captureMode');
  return mode;
}

function addressAt(input: Input, name: string): string | null {
  const text = textAt(input, name);
  if (text !== null && !/^https?:$/.test(URL.parse(text)?.protocol ?? ''))
    throw invalid(`The ${name} is invalid`, name);
  return text;
}

export function checkMetadata(metadata: unknown): void {
  if (JSON.stringify(metadata ?? null).length > 1_024) throw invalid('The metadata is larger than 1 kB', 'metadata');
}
