import { isObject, parseObject, textAt } from '#lib/simulators/kit/json.ts';
import type { Call, Input, Route, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import type { WireRequest } from '#lib/simulators/kit/wire.ts';
import { apiError, hal, invalid } from '#lib/simulators/mollie/errors.ts';
import { leavesMandate } from '#lib/simulators/mollie/mandates.ts';
import {
  applePayOfToken,
  cardOfToken,
  isKnownCustomer,
  isRevokedMandate,
  mandateInstrument,
  type TestMethod,
} from '#lib/simulators/mollie/test-methods.ts';

/** A validated request. */
export type ApiRequest = {
  readonly input: Input;
  readonly id: string;
  readonly call: Call;
  readonly mode: 'test' | 'live';
};

/** The type of a field. Its endpoint validates the value. */
type FieldRule = 'text' | 'object' | 'boolean' | 'any';
type BodyShape = Readonly<Record<string, FieldRule>>;

type Endpoint = {
  /** The fields of the body. */
  readonly shape?: BodyShape;
  /** The parameters of the query. */
  readonly query?: readonly string[];
  readonly status?: number;
  /** Returns the response body (undefined: empty), or throws an `ApiError`. */
  readonly run: (request: ApiRequest, work: UnitOfWork) => object | undefined;
};

/** The fields of the body, empty if there is none; undefined if it is not a JSON object. */
export const parseBody = ({ body }: WireRequest): Input | undefined => (body === '' ? {} : parseObject(body));

function readInput({ request }: Call, { shape = {}, query = [] }: Endpoint): Input {
  const input = parseBody(request);
  if (request.body !== '' && !request.headers['content-type']?.startsWith('application/json')) {
    throw apiError(415, 'The request body must be application/json');
  }
  if (input === undefined) throw apiError(400, 'Invalid JSON in the request body');
  for (const name of request.query.keys())
    if (!query.includes(name)) throw apiError(400, `Non-existent query parameter "${name}" for this API call.`, name);
  for (const [name, value] of Object.entries(input))
    checkField(name, value, Object.hasOwn(shape, name) ? shape[name] : undefined);
  return input;
}

/** Whether a value has the type of its rule. */
const FIELD_CHECKS: Readonly<Record<Exclude<FieldRule, 'any'>, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  object: isObject,
};

function checkField(name: string, value: unknown, rule: FieldRule | undefined): void {
  if (rule === undefined) throw invalid(`Non-existent body parameter "${name}" for this API call.`, name);
  if (rule === 'any' || value === null) return;
  if (!FIELD_CHECKS[rule](value)) throw invalid(`The '${name}' field has an invalid type`, name);
}

const LIVE = /^Bearer\s+live_/i;

/** A route of the API: validates, runs, and responds with JSON. */
export function apiRoute(method: Route['method'], path: string, operation: string, endpoint: Endpoint): Route {
  return {
    method,
    path,
    operation,
    run: (call, work) => {
      const input = readInput(call, endpoint);
      const mode = LIVE.test(call.request.headers.authorization ?? '') ? 'live' : 'test';
      const value = endpoint.run({ input, id: call.params.id ?? '', call, mode }, work);
      const status = endpoint.status ?? 200;
      return value === undefined ? { status, headers: {}, body: '' } : hal(status, value);
    },
  };
}

export const CREATE_FIELDS: BodyShape = {
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
  lines: 'any',
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
  `applepay bacs bancomatpay bancontact banktransfer belfius bizum blik creditcard directdebit eps giftcard ideal
  kbc mbway mobilepay multibanco mybank paybybank paypal paysafecard przelewy24 satispay swish trustly twint
  vipps`.split(/\s+/),
);

/** A single method is used at once. Of several, or none, the customer chooses. */
export function methodOf({ method, cardToken, applePayPaymentToken }: Input): string | null {
  const methods = [method ?? []].flat();
  for (const each of methods) {
    if (typeof each !== 'string' || !METHODS.has(each))
      throw invalid(`The payment method is invalid: ${String(each)}`, 'method');
  }
  if (methods.length > 1) return null;
  if (methods.length === 1) return String(methods[0]);
  if (cardToken !== undefined) return 'creditcard';
  return applePayPaymentToken === undefined ? null : 'applepay';
}

/** A first payment leaves a mandate, which needs a customer and a method that can be charged again. */
export function checkFirst(input: Input): void {
  if (input.sequenceType !== 'first') return;
  if (textAt(input, 'customerId') === null) throw invalid('The customer id is missing', 'customerId');
  const methods = [input.method ?? []].flat().map(String);
  if (!methods.every(leavesMandate)) throw invalid('The payment method does not support first payments', 'method');
}

export function instrumentOf(input: Input, method: string | null): TestMethod | null {
  if (input.sequenceType !== undefined && !['oneoff', 'first', 'recurring'].includes(String(input.sequenceType))) {
    throw invalid('The sequence type is invalid', 'sequenceType');
  }
  const customer = textAt(input, 'customerId');
  if (input.sequenceType === 'recurring') return recurringInstrument(input, customer, method);
  if (customer !== null && !isKnownCustomer(customer)) throw invalid('The customer id is invalid', 'customerId');
  const card = textAt(input, 'cardToken');
  if (card !== null && method !== 'creditcard') throw invalid('A card token needs the method creditcard', 'cardToken');
  if (card !== null) return cardOfToken(card) ?? failWith('The card token is invalid', 'cardToken');
  const applePayToken = textAt(input, 'applePayPaymentToken');
  return applePayToken === null
    ? null
    : (applePayOfToken(applePayToken) ?? failWith('The Apple Pay token is invalid', 'applePayPaymentToken'));
}

/** Methods that create a mandate and so can be charged again. */
const RECURRING_METHODS: ReadonlySet<string> = new Set(['creditcard', 'directdebit', 'paypal']);

/** Off-session payments need a valid mandate, and take no single-use token. */
function recurringInstrument(input: Input, customer: string | null, method: string | null): TestMethod {
  if (customer === null) throw invalid('The customer id is missing', 'customerId');
  for (const name of ['cardToken', 'applePayPaymentToken']) {
    if (typeof input[name] === 'string')
      throw invalid(`The ${name} can only be used for oneoff and first payments`, name);
  }
  if (input.method !== undefined && !RECURRING_METHODS.has(method ?? ''))
    throw invalid('The payment method does not support recurring payments', 'method');
  const mandate = textAt(input, 'mandateId');
  if (isRevokedMandate(mandate)) throw invalid('No suitable mandates found for customer');
  return (
    mandateInstrument(customer, mandate, method) ??
    failWith('The customer or mandate is invalid', mandate === null ? 'customerId' : 'mandateId')
  );
}

function failWith(detail: string, field: string): never {
  throw invalid(detail, field);
}

export function captureModeOf(input: Input): string {
  const mode = textAt(input, 'captureMode') ?? 'automatic';
  if (mode !== 'automatic' && mode !== 'manual') throw invalid('The capture mode is invalid', 'captureMode');
  return mode;
}

export function urlIn(input: Input, name: string): string | null {
  const text = textAt(input, name);
  if (text !== null && !/^https?:$/.test(URL.parse(text)?.protocol ?? ''))
    throw invalid(`The ${name} is invalid`, name);
  return text;
}

/** Mollie refuses an address that it cannot reach. It accepts any address to which the customer's browser returns. */
export function webhookUrlIn(input: Input): string | null {
  const url = urlIn(input, 'webhookUrl');
  if (url !== null && isPrivateHost(new URL(url).hostname))
    throw invalid("The webhook URL is invalid because it is unreachable from Mollie's point of view", 'webhookUrl');
  return url;
}

/** Names without a dot, names of local networks, and addresses that are not routed in the internet. */
const PRIVATE_HOSTS: readonly RegExp[] = [
  /^[^.]+$/,
  /\.(localhost|local|internal|lan|home\.arpa)$/,
  /^(0|10|127)\.\d+\.\d+\.\d+$/,
  /^169\.254\./,
  /^172\.(1[6-9]|2\d|3[01])\.\d+\.\d+$/,
  /^192\.168\.\d+\.\d+$/,
];

const isPrivateHost = (host: string): boolean => PRIVATE_HOSTS.some((pattern) => pattern.test(host));

export function checkMetadata(metadata: unknown): void {
  if (JSON.stringify(metadata ?? null).length > 1_024) throw invalid('The metadata is larger than 1 kB', 'metadata');
}
