import { findOwned } from '#lib/simulators/kit/account-scope.ts';
import { isObject, parseObject } from '#lib/simulators/kit/json.ts';
import type { StoredObject } from '#lib/simulators/kit/object-store.ts';
import type { Call, Route, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import type { WireRequest } from '#lib/simulators/kit/wire.ts';
import { invalid, json, unknownId } from '#lib/simulators/razorpay/errors.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** The type of a field. A number is text of at most this length, a list is its values, `fields` is an object. */
type FieldRule =
  | 'text'
  | 'integer'
  | 'boolean'
  | 'flag'
  | 'notes'
  | 'any'
  | number
  | readonly string[]
  | { readonly fields: BodyShape };
export type BodyShape = Readonly<Record<string, FieldRule>>;

const MAX_NOTES = 15;
const MAX_NOTE_LENGTH = 256;

/** Rejects what Razorpay rejects, with its messages. */
function validateFields(input: Fields, shape: BodyShape, required: readonly string[] = []): void {
  for (const name of required) if (input[name] === undefined) throw invalid(`${name}: is required.`, name);
  for (const [name, value] of Object.entries(input)) {
    const rule = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (rule === undefined) throw invalid(`${name} is/are not required and should not be sent`, name);
    checkField(name, value, rule);
  }
}

function checkField(name: string, value: unknown, rule: FieldRule): void {
  if (rule === 'any') return;
  if (rule === 'notes') checkNotes(value);
  else if (rule === 'integer')
    ensure(typeof value === 'number' && Number.isInteger(value), name, `The ${name} must be an integer.`);
  else if (rule === 'boolean') ensure(typeof value === 'boolean', name, `The ${name} field must be true or false.`);
  else if (rule === 'flag')
    ensure(
      value === true || value === false || value === 0 || value === 1,
      name,
      `The ${name} field must be true or false.`,
    );
  else if (typeof rule === 'object' && 'fields' in rule) checkObject(name, value, rule.fields);
  else checkText(name, value, rule);
}

function ensure(holds: boolean, field: string, description: string): void {
  if (!holds) throw invalid(description, field);
}

function checkObject(name: string, value: unknown, fields: BodyShape): void {
  if (!isObject(value)) throw invalid(`The ${name} must be an object.`, name);
  validateFields(value, fields);
}

function checkText(name: string, value: unknown, rule: 'text' | number | readonly string[]): void {
  if (typeof value !== 'string' || value === '') throw invalid(`The ${name} must be a string.`, name);
  if (typeof rule === 'number')
    ensure(value.length <= rule, name, `The ${name} may not be greater than ${rule} characters.`);
  if (typeof rule === 'object') ensure(rule.includes(value), name, `The selected ${name} is invalid.`);
}

function checkNotes(value: unknown): void {
  if (Array.isArray(value) && value.length === 0) return;
  if (!isObject(value)) throw invalid('The notes must be an object.', 'notes');
  const pairs = Object.entries(value);
  ensure(pairs.length <= MAX_NOTES, 'notes', `Number of fields in notes should be less than or equal to ${MAX_NOTES}`);
  for (const [, text] of pairs)
    ensure(
      typeof text === 'string' || typeof text === 'number',
      'notes',
      'Only strings and numbers are allowed in notes',
    );
  for (const [, text] of pairs)
    ensure(
      String(text).length <= MAX_NOTE_LENGTH,
      'notes',
      `Notes value cannot be greater than ${MAX_NOTE_LENGTH} characters`,
    );
}

export const textIn = (input: Fields, name: string): string | null => {
  const value = input[name];
  return typeof value === 'string' ? value : null;
};
export const integerIn = (input: Fields, name: string): number | null => {
  const value = input[name];
  return typeof value === 'number' ? value : null;
};
export const objectIn = (input: Fields, name: string): Fields => {
  const value = input[name];
  return isObject(value) ? value : {};
};
/** Notes as responses show them: empty notes are a list. */
export const notesIn = (input: Fields): Fields | readonly [] =>
  Object.keys(objectIn(input, 'notes')).length === 0 ? [] : objectIn(input, 'notes');
/** Our payment id in the notes, where the merchant's dashboard shows it. */
export const paymentIdIn = (input: Fields): string | null => textIn(objectIn(input, 'notes'), 'payment_id');

/** A validated request. `keySecret` is the secret it was authenticated with. */
export type ApiRequest = {
  readonly input: Fields;
  readonly query: URLSearchParams;
  readonly id: string;
  readonly call: Call;
  readonly keySecret: string;
};

type Endpoint = {
  readonly shape?: BodyShape;
  readonly required?: readonly string[];
  /** The query parameters that are allowed. */
  readonly filters?: readonly string[];
  /** Returns the response body or throws an `ApiError`. It must validate before it writes. */
  readonly run: (request: ApiRequest, work: UnitOfWork) => object;
};

const parsed = new WeakMap<WireRequest, Fields | undefined>();

/** The fields of the body, empty if there is none; undefined if it is not a JSON object. */
export function parseBody(request: WireRequest): Fields | undefined {
  if (!parsed.has(request)) parsed.set(request, request.body === '' ? {} : parseObject(request.body));
  return parsed.get(request);
}

export const basicCredentials = ({ headers }: WireRequest): readonly [keyId: string, keySecret: string] | undefined => {
  const [, encoded = ''] = /^Basic ([A-Za-z0-9+/]+={0,2})$/.exec(headers.authorization ?? '') ?? [];
  const [, keyId, keySecret] = /^([^:]+):(.+)$/.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? [];
  return keyId === undefined || keySecret === undefined ? undefined : [keyId, keySecret];
};

function readInput({ request }: Call): Fields {
  const type = request.headers['content-type'];
  if (request.body !== '' && !type?.startsWith('application/json'))
    throw invalid('The content type of the request must be application/json.');
  const fields = parseBody(request);
  if (!fields) throw invalid('The request body could not be parsed as JSON.');
  return fields;
}

function checkFilters(query: URLSearchParams, allowed: readonly string[]): void {
  for (const [name, value] of query) {
    if (!allowed.includes(name)) throw invalid(`${name} is/are not required and should not be sent`, name);
    if (name === 'count' && !/^([1-9]\d?|100)$/.test(value))
      throw invalid('The count must be between 1 and 100.', 'count');
    if (name === 'skip' && !/^\d{1,9}$/.test(value)) throw invalid('The skip must be at least 0.', 'skip');
  }
}

/** A route of the API: validates, runs, and responds with JSON. */
export function apiRoute(
  method: Route['method'],
  path: string,
  operation: string,
  { shape = {}, required = [], filters = [], run }: Endpoint,
): Route {
  return {
    method,
    path,
    operation,
    run: (call, work) => {
      const input = readInput(call);
      validateFields(input, shape, required);
      checkFilters(call.request.query, filters);
      const keySecret = basicCredentials(call.request)?.[1] ?? '';
      return json(200, run({ input, query: call.request.query, id: call.params.id ?? '', call, keySecret }, work));
    },
  };
}

export function findObject<T extends StoredObject>(
  work: UnitOfWork,
  id: string,
  is: (stored: StoredObject) => stored is T,
): T {
  const stored = findOwned(work, id, is);
  if (!stored) throw unknownId();
  return stored;
}

/** A page of a list, with 10 items by default. */
export function collection(items: readonly object[], query: URLSearchParams): object {
  const skip = Number(query.get('skip') ?? 0);
  const page = items.slice(skip, skip + Number(query.get('count') ?? 10));
  return { entity: 'collection', count: page.length, items: page };
}
