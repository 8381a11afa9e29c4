import type { Call, Route, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import type { WireRequest } from '#lib/simulators/kit/wire.ts';
import { invalid, json, missingParameter } from '#lib/simulators/stripe/errors.ts';
import {
  type Form,
  type FormValue,
  flagAt,
  formAt,
  isForm,
  parseForm,
  textAt,
  textsAt,
} from '#lib/simulators/stripe/form.ts';
import { API_VERSION } from '#lib/simulators/stripe/objects.ts';
import type { CustomerPresence } from '#lib/simulators/stripe/outcomes.ts';
import { BEFORE_ENDIVE } from '#lib/simulators/stripe/parameters.ts';

/** The type of a parameter. `fields`: a hash of these fields; `items`: a list of such hashes; `hash`: any hash. */
type FieldRule =
  | 'text'
  | 'integer'
  | 'boolean'
  | 'texts'
  | 'hash'
  | 'metadata'
  | { readonly oneOf: readonly string[] }
  | { readonly fields: BodyShape }
  | { readonly items: BodyShape };

export type BodyShape = Readonly<Record<string, FieldRule>>;

const MAX_METADATA_KEYS = 50;
const MAX_KEY_LENGTH = 40;
const MAX_VALUE_LENGTH = 500;

/** Rejects what Stripe rejects, with its messages. `at` is the name of the enclosing hash. */
function validateParameters(input: Form, shape: BodyShape, required: readonly string[] = [], at = ''): void {
  for (const [name, value] of Object.entries(input)) {
    const param = at === '' ? name : `${at}[${name}]`;
    const rule = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (rule === undefined) throw invalid(`Received unknown parameter: ${param}`, { param, code: 'parameter_unknown' });
    checkParameter(value, rule, param);
  }
  for (const name of required)
    if (!Object.hasOwn(input, name)) throw missingParameter(at === '' ? name : `${at}[${name}]`);
}

function checkParameter(value: FormValue, rule: FieldRule, param: string): void {
  if (rule === 'hash') return;
  if (rule === 'metadata') checkMetadata(value, param);
  else if (rule === 'texts') listOf(value, param);
  else if (typeof rule === 'object' && 'fields' in rule) checkHash(value, rule.fields, param);
  else if (typeof rule === 'object' && 'items' in rule)
    for (const [index, item] of listOf(value, param).entries()) checkHash(item, rule.items, `${param}[${index}]`);
  else checkText(value, rule, param);
}

function listOf(value: FormValue, param: string): readonly FormValue[] {
  if (!Array.isArray(value)) throw invalid('Invalid array', { param });
  return value;
}

function checkHash(value: FormValue, fields: BodyShape, param: string): void {
  if (!isForm(value)) throw invalid('Invalid object', { param });
  validateParameters(value, fields, [], param);
}

function checkText(
  value: FormValue,
  rule: 'text' | 'integer' | 'boolean' | { readonly oneOf: readonly string[] },
  param: string,
): void {
  if (typeof value !== 'string') throw invalid(`Invalid string: ${JSON.stringify(value)}`, { param });
  if (value === '') {
    const message =
      `You passed an empty string for '${param}'. We assume empty values are an attempt to unset a ` +
      `parameter; however '${param}' cannot be unset. You should remove '${param}' from your request ` +
      'or supply a non-empty value.';
    throw invalid(message, { param, code: 'parameter_invalid_empty' });
  }
  if (rule === 'integer' && !/^-?\d{1,15}$/.test(value))
    throw invalid(`Invalid integer: ${value}`, { param, code: 'parameter_invalid_integer' });
  if (rule === 'boolean' && value !== 'true' && value !== 'false')
    throw invalid(`Invalid boolean: ${value}`, { param });
  if (typeof rule === 'object' && !rule.oneOf.includes(value)) {
    throw invalid(`Invalid ${param}: must be one of ${rule.oneOf.slice(0, -1).join(', ')}, or ${rule.oneOf.at(-1)}`, {
      param,
    });
  }
}

function checkMetadata(value: FormValue, param: string): void {
  if (value === '') return;
  if (!isForm(value)) throw invalid('Invalid object', { param });
  const pairs = Object.entries(value);
  if (pairs.length > MAX_METADATA_KEYS)
    throw invalid(`You can only set up to ${MAX_METADATA_KEYS} metadata keys.`, { param });
  for (const [key, text] of pairs) {
    if (typeof text !== 'string')
      throw invalid(`Metadata values must be strings, but for key '${key}' you passed in a value of another type.`, {
        param,
      });
    if (key.length > MAX_KEY_LENGTH)
      throw invalid(`Metadata keys can be at most ${MAX_KEY_LENGTH} characters, but you passed in '${key}'.`, {
        param,
      });
    if (text.length > MAX_VALUE_LENGTH) {
      throw invalid(
        `Metadata values can have up to ${MAX_VALUE_LENGTH} characters, but you passed in a value that ` +
          `is ${text.length} characters.`,
        { param },
      );
    }
  }
}

/** A validated request. */
export type ApiRequest = { readonly input: Form; readonly id: string; readonly call: Call; readonly livemode: boolean };

type Endpoint = {
  readonly shape: BodyShape;
  /** The type of the response, which decides what can be expanded. */
  readonly responseType: string;
  readonly required?: readonly string[];
  /** Whether older API versions accept `payment_method_types`. */
  readonly acceptsLegacyTypes?: boolean;
  /** Returns the response body or throws an `ApiError`. Apart from declines, it must validate before it writes. */
  readonly run: (request: ApiRequest, work: UnitOfWork) => object;
};

/** The parameters of the body, or of the query for GET. */
export function parametersOf(request: WireRequest): Form {
  const form = parsed.get(request) ?? parseForm(request.method === 'GET' ? request.query.toString() : request.body);
  parsed.set(request, form);
  return form;
}

const parsed = new WeakMap<WireRequest, Form>();

const apiVersionOf = (call: Call): string => {
  const version = call.request.headers['stripe-version'];
  return typeof version === 'string' ? version : API_VERSION;
};

function checkRequest(call: Call): void {
  const type = call.request.headers['content-type'];
  if (call.request.body !== '' && !type?.startsWith('application/x-www-form-urlencoded')) {
    throw invalid(
      'Invalid request (check that your POST content type is application/x-www-form-urlencoded). ' +
        `Received ${type ?? 'none'}.`,
    );
  }
  if (!/^\d{4}-\d{2}-\d{2}(\.[a-z]+)?$/.test(apiVersionOf(call)))
    throw invalid(`Invalid Stripe API version: ${apiVersionOf(call)}`);
  if ((call.key?.length ?? 0) > 255) throw invalid('Idempotency-Key must be at most 255 characters.');
}

/** A route of the API: validates, runs, expands, and responds with JSON. */
export function apiRoute(method: Route['method'], path: string, operation: string, endpoint: Endpoint): Route {
  return {
    method,
    path,
    operation,
    run: (call, work) => {
      checkRequest(call);
      const input = parametersOf(call.request);
      const legacy = endpoint.acceptsLegacyTypes && apiVersionOf(call) < '2026-09-30' ? BEFORE_ENDIVE : {};
      validateParameters(input, { ...endpoint.shape, ...legacy }, endpoint.required);
      checkExpand(endpoint.responseType, textsAt(input, 'expand'));
      const livemode = /(sk|rk)_live_/.test(call.request.headers.authorization ?? '');
      const value = endpoint.run({ input, id: call.params.id ?? '', call, livemode }, work);
      return json(200, expand(value, textsAt(input, 'expand'), work));
    },
  };
}

/** Object type → its expandable fields → their type. A `list:` has its objects under `data`. */
const EXPANDABLE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  payment_intent: { latest_charge: 'charge' },
  charge: { payment_intent: 'payment_intent' },
  customer: {},
  refund: { charge: 'charge', payment_intent: 'payment_intent' },
  dispute: { charge: 'charge', payment_intent: 'payment_intent' },
  'checkout.session': { payment_intent: 'payment_intent' },
  'list:payment_intent': { data: 'payment_intent' },
  'list:charge': { data: 'charge' },
  'list:refund': { data: 'refund' },
  'list:dispute': { data: 'dispute' },
  'list:checkout.session': { data: 'checkout.session' },
};

/** Rejects paths that cannot be expanded, before the request runs. */
function checkExpand(shown: string, paths: readonly string[]): void {
  for (const path of paths) {
    path.split('.').reduce((kind, name) => {
      const next = EXPANDABLE[kind]?.[name];
      if (next === undefined) throw invalid(`This property cannot be expanded (${path}).`, { param: 'expand' });
      return next;
    }, shown);
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `latest_charge`, `payment_intent.latest_charge`, `data.latest_charge` … */
function expand(value: object, paths: readonly string[], work: UnitOfWork): unknown {
  return paths.reduce<unknown>((shown, path) => expandPath(shown, path.split('.'), work), value);
}

function expandPath(value: unknown, [head, ...rest]: readonly string[], work: UnitOfWork): unknown {
  if (head === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => expandPath(item, [head, ...rest], work));
  if (!isObject(value)) return value;
  const inner = value[head];
  const found = typeof inner === 'string' ? (work.objects.get(inner)?.body ?? inner) : inner;
  return { ...value, [head]: expandPath(found, rest, work) };
}

export function presenceOf(input: Form): CustomerPresence {
  if (flagAt(input, 'error_on_requires_action')) return 'strict';
  const offSession = textAt(input, 'off_session');
  return offSession === null || offSession === 'false' ? 'present' : 'absent';
}

const RETURN_URL_MESSAGE =
  'This PaymentIntent is configured to accept payment methods enabled in your Dashboard. Because ' +
  'some of these payment methods might redirect your customer off of your page, you must provide a ' +
  "`return_url`. If you don't want to accept redirect-based payment methods, set " +
  '`automatic_payment_methods[enabled]` to `true` and `automatic_payment_methods[allow_redirects]` ' +
  'to `never` when creating Setup Intents and Payment Intents.';

/** Methods enabled in the dashboard may redirect, so a return URL is required. */
export function checkReturnUrl(input: Form, automatic: unknown): void {
  const url = textAt(input, 'return_url');
  if (url !== null && !/^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(url))
    throw invalid('Not a valid URL', { param: 'return_url', code: 'url_invalid' });
  const redirects = automatic !== null && textAt(automatic, 'allow_redirects') !== 'never';
  if (url === null && redirects && presenceOf(input) === 'present' && !flagAt(input, 'use_stripe_sdk'))
    throw invalid(RETURN_URL_MESSAGE);
}

/** Payment method types that can hold money for a later capture. Source: docs.stripe.com (read 2026-11). */
const HOLDING_TYPES: ReadonlySet<string> = new Set(['card', 'link', 'klarna', 'affirm', 'afterpay_clearpay', 'paypal']);

/** Manual capture with only such types as take the money at once is refused. */
export function checkCaptureMethod(input: Form, types: readonly string[]): void {
  if (textAt(input, 'capture_method') !== 'manual' || types.length === 0) return;
  if (types.some((type) => HOLDING_TYPES.has(type))) return;
  throw invalid(`The payment method types ${types.join(', ')} do not support \`capture_method\` manual.`, {
    param: 'capture_method',
  });
}

/** The `automatic_payment_methods` of a creation; null if it names the methods itself. */
export const automaticMethodsIn = (input: Form): Form | null =>
  textsAt(input, 'allowed_payment_method_types').length + textsAt(input, 'payment_method_types').length > 0
    ? null
    : formAt(input, 'automatic_payment_methods');
