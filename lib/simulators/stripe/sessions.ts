import { scenarioNotes } from '#lib/simulators/kit/behaviour.ts';
import type { UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { randomId } from '#lib/simulators/kit/random-id.ts';
import { BASE_URL } from '#lib/simulators/kit/wire.ts';
import { checkDetails } from '#lib/simulators/stripe/details.ts';
import { invalid, invalidState, missingParameter, resourceMissing } from '#lib/simulators/stripe/errors.ts';
import { type Form, formAt, integerAt, isForm, metadataOf, textAt, textsAt } from '#lib/simulators/stripe/form.ts';
import { checkMoney } from '#lib/simulators/stripe/money.ts';
import { findSession, type Session, seconds } from '#lib/simulators/stripe/objects.ts';
import { CREATE_SESSION, EXPAND_ONLY } from '#lib/simulators/stripe/parameters.ts';
import { type ApiRequest, apiRoute, checkCaptureMethod } from '#lib/simulators/stripe/requests.ts';
import { expireSession } from '#lib/simulators/stripe/session-outcomes.ts';

/** The total of all line items, which must have one currency. */
function lineItemTotal(input: Form): { readonly amount: number; readonly currency: string } {
  const lines = Array.isArray(input.line_items) ? input.line_items.filter(isForm) : [];
  if (lines.length === 0) throw missingParameter('line_items');
  const priced = lines.map((line, index) => lineTotal(line, `line_items[${index}]`));
  const currency = priced[0]?.currency ?? '';
  if (priced.some((line) => line.currency !== currency))
    throw invalid('All line items must have the same currency.', { param: 'line_items' });
  return { amount: priced.reduce((sum, line) => sum + line.amount, 0), currency };
}

function lineTotal(line: Form, at: string): { readonly amount: number; readonly currency: string } {
  const price = textAt(line, 'price');
  if (price !== null) throw resourceMissing('price', price, `${at}[price]`, 400);
  const data = formAt(line, 'price_data');
  const currency = textAt(data, 'currency');
  const each = integerAt(data, 'unit_amount');
  const quantity = integerAt(line, 'quantity');
  if (currency === null) throw missingParameter(`${at}[price_data][currency]`);
  if (textAt(data, 'product') === null && textAt(data, 'product_data', 'name') === null)
    throw missingParameter(`${at}[price_data][product_data][name]`);
  if (each === null) throw missingParameter(`${at}[price_data][unit_amount]`);
  if (quantity === null) throw missingParameter(`${at}[quantity]`);
  return { amount: each * quantity, currency: currency.toLowerCase() };
}

type SessionInput = {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly livemode: boolean;
  readonly now: number;
  readonly expires_at: number;
};

/** Builds an open session for a hosted page. */
function newSession(input: Form, { id, amount, currency, livemode, now, expires_at }: SessionInput): Session {
  const allowed = textsAt(input, 'allowed_payment_method_types');
  return {
    id,
    object: 'checkout.session',
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: allowed.length > 0 ? allowed : null,
    amount_subtotal: amount,
    amount_total: amount,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: textAt(input, 'billing_address_collection'),
    cancel_url: textAt(input, 'cancel_url'),
    client_reference_id: textAt(input, 'client_reference_id'),
    client_secret: null,
    consent: null,
    consent_collection: null,
    created: now,
    currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    customer: textAt(input, 'customer'),
    customer_account: null,
    customer_creation: textAt(input, 'customer_creation') ?? 'if_required',
    customer_details: null,
    customer_email: textAt(input, 'customer_email'),
    discounts: [],
    expires_at,
    invoice: null,
    invoice_creation: { enabled: false },
    livemode,
    locale: textAt(input, 'locale'),
    metadata: metadataOf(input),
    mode: 'payment',
    payment_intent: null,
    payment_link: null,
    payment_method_collection: 'if_required',
    payment_method_configuration_details: null,
    payment_method_options: { card: { request_three_d_secure: 'automatic' } },
    payment_method_types: allowed.length > 0 ? allowed : ['card'],
    payment_status: 'unpaid',
    phone_number_collection: { enabled: false },
    recovered_from: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: null,
    subscription: null,
    success_url: textAt(input, 'success_url'),
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: `${BASE_URL}/stripe/pay/${id}`,
    wallet_options: null,
  };
}

const MIN_EXPIRY_SECONDS = 30 * 60;
const MAX_EXPIRY_SECONDS = 24 * 60 * 60;
/** Stripe tolerates small differences between clocks. */
const CLOCK_TOLERANCE_SECONDS = 60;

function expiryOf(input: Form, now: number): number {
  const expiresAt = integerAt(input, 'expires_at') ?? now + MAX_EXPIRY_SECONDS;
  if (expiresAt < now + MIN_EXPIRY_SECONDS - CLOCK_TOLERANCE_SECONDS)
    throw invalid('The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.', {
      param: 'expires_at',
    });
  if (expiresAt > now + MAX_EXPIRY_SECONDS + CLOCK_TOLERANCE_SECONDS)
    throw invalid('The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.', {
      param: 'expires_at',
    });
  return expiresAt;
}

function checkSession(input: Form): void {
  if (textAt(input, 'mode') !== 'payment')
    throw invalid('This simulator knows sessions in `payment` mode only.', { param: 'mode' });
  if ((textAt(input, 'ui_mode') ?? 'hosted_page') !== 'hosted_page')
    throw invalid('This simulator knows hosted pages only.', { param: 'ui_mode' });
  for (const name of ['success_url', 'cancel_url']) {
    const url = textAt(input, name);
    if (url !== null && !/^https?:\/\/\S+$/.test(url))
      throw invalid('Not a valid URL', { param: name, code: 'url_invalid' });
  }
  if (textAt(input, 'customer') !== null && textAt(input, 'customer_email') !== null)
    throw invalid('You may only specify one of these parameters: customer, customer_email.', { param: 'customer' });
  if (textAt(input, 'success_url') === null) throw missingParameter('success_url');
}

const typesOf = (input: Form): readonly string[] =>
  ['allowed_payment_method_types', 'payment_method_types'].flatMap((name) => textsAt(input, name));

function createSession({ input, call, livemode }: ApiRequest, work: UnitOfWork): Session {
  checkSession(input);
  const { amount, currency } = lineItemTotal(input);
  checkMoney(amount, currency, typesOf(input), 'line_items[0][price_data][unit_amount]');
  checkCaptureMethod(formAt(input, 'payment_intent_data'), typesOf(input));
  checkDetails(formAt(input, 'payment_intent_data'), typesOf(input), amount);
  const now = seconds(work.now);
  const expires_at = expiryOf(input, now);
  const id = `cs_${livemode ? 'live' : 'test'}_${randomId(58)}`;
  const intentData = formAt(input, 'payment_intent_data');
  const body = newSession(input, { id, amount, currency, livemode, now, expires_at });
  const paymentId = metadataOf(intentData).payment_id ?? metadataOf(input).payment_id ?? null;
  const { behaviour, webhook } = scenarioNotes(call.scenario);
  const options = formAt(input, 'payment_method_options');
  const customer = textAt(input, 'customer');
  const intent = { ...intentData, payment_method_options: options, ...(customer && { customer }) };
  const notes = { behaviour, webhook, intent };
  work.objects.put({
    id,
    account: work.account,
    kind: 'checkout.session',
    paymentId,
    parent: null,
    due: expires_at * 1_000,
    body,
    notes,
  });
  return body;
}

function expireOpenSession({ id }: ApiRequest, work: UnitOfWork): Session {
  const session = findSession(work, id);
  if (session.body.status !== 'open') {
    throw invalidState(
      'Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a ' +
        `status of \`${session.body.status}\`.`,
    );
  }
  return expireSession(work, session).body;
}

export const sessionRoutes = [
  apiRoute('POST', '/v1/checkout/sessions', 'create', {
    responseType: 'checkout.session',
    shape: CREATE_SESSION,
    required: ['mode', 'line_items'],
    acceptsLegacyTypes: true,
    run: createSession,
  }),
  apiRoute('GET', '/v1/checkout/sessions/{id}', 'fetch', {
    responseType: 'checkout.session',
    shape: EXPAND_ONLY,
    run: ({ id }, work) => findSession(work, id).body,
  }),
  apiRoute('POST', '/v1/checkout/sessions/{id}/expire', 'cancel', {
    responseType: 'checkout.session',
    shape: EXPAND_ONLY,
    run: expireOpenSession,
  }),
];
