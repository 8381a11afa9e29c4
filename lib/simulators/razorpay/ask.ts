import { parseObject } from '#lib/simulators/frame/json.ts';
import type { Stored } from '#lib/simulators/frame/object-store.ts';
import { ownOf } from '#lib/simulators/frame/own.ts';
import type { Call, Route, Work } from '#lib/simulators/frame/provider.port.ts';
import type { WireRequest } from '#lib/simulators/frame/wire.ts';
import { invalid, json, noSuchId } from '#lib/simulators/razorpay/errors.ts';
import { type Fields, type Shape, validate } from '#lib/simulators/razorpay/validation.ts';

/** A request whose fields have the form that its endpoint takes. `keySecret` is what the caller signed in with. */
export type Ask = {
  readonly input: Fields;
  readonly query: URLSearchParams;
  readonly id: string;
  readonly call: Call;
  readonly keySecret: string;
};

type Endpoint = {
  readonly shape?: Shape;
  readonly required?: readonly string[];
  /** Filters that are known; any other is refused. */
  readonly filters?: readonly string[];
  /**
   * Answers the object to show, or throws the refusal. It writes nothing before it knows that it will not refuse, but
   * for declines.
   */
  readonly run: (ask: Ask, work: Work) => object;
};

const parsed = new WeakMap<WireRequest, Fields | undefined>();

/** The body as an object; undefined where it is none. */
export function fieldsOf(request: WireRequest): Fields | undefined {
  if (!parsed.has(request)) parsed.set(request, request.body === '' ? {} : parseObject(request.body));
  return parsed.get(request);
}

export const signedIn = ({ headers }: WireRequest): readonly [keyId: string, keySecret: string] | undefined => {
  const [, coded = ''] = /^Basic ([A-Za-z0-9+/]+={0,2})$/.exec(headers.authorization ?? '') ?? [];
  const [, keyId, keySecret] = /^([^:]+):(.+)$/.exec(Buffer.from(coded, 'base64').toString('utf8')) ?? [];
  return keyId === undefined || keySecret === undefined ? undefined : [keyId, keySecret];
};

function inputOf({ request }: Call): Fields {
  const type = request.headers['content-type'];
  if (request.body !== '' && !type?.startsWith('application/json'))
    throw invalid('The content type of the request must be application/json.');
  const fields = fieldsOf(request);
  if (!fields) throw invalid('The request body could not be parsed as JSON.');
  return fields;
}

function checkFilters(query: URLSearchParams, known: readonly string[]): void {
  for (const [name, value] of query) {
    if (!known.includes(name)) throw invalid(`${name} is/are not required and should not be sent`, name);
    if (name === 'count' && !/^([1-9]\d?|100)$/.test(value))
      throw invalid('The count must be between 1 and 100.', 'count');
    if (name === 'skip' && !/^\d{1,9}$/.test(value)) throw invalid('The skip must be at least 0.', 'skip');
  }
}

/** A route of the API: checks, carries out and puts into JSON. */
export function api(
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
      const input = inputOf(call);
      validate(input, shape, required);
      checkFilters(call.request.query, filters);
      const keySecret = signedIn(call.request)?.[1] ?? '';
      return json(200, run({ input, query: call.request.query, id: call.params.id ?? '', call, keySecret }, work));
    },
  };
}

export function find<T extends Stored>(work: Work, id: string, is: (stored: Stored) => stored is T): T {
  const stored = ownOf(work, id, is);
  if (!stored) throw noSuchId();
  return stored;
}

/** A page of a list; ten where nothing else is asked for. */
export function collection(items: readonly object[], query: URLSearchParams): object {
  const skip = Number(query.get('skip') ?? 0);
  const page = items.slice(skip, skip + Number(query.get('count') ?? 10));
  return { entity: 'collection', count: page.length, items: page };
}
