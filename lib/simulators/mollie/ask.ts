import { isObject, parseObject } from '#lib/simulators/frame/json.ts';
import type { Call, Input, Route, Work } from '#lib/simulators/frame/provider.port.ts';
import type { WireRequest } from '#lib/simulators/frame/wire.ts';
import { hal, invalid, refused } from '#lib/simulators/mollie/errors.ts';

/** A request whose body has only fields that its endpoint takes. */
export type Ask = { readonly input: Input; readonly id: string; readonly call: Call; readonly mode: 'test' | 'live' };

/** What a field may be. What each means is its endpoint's business. */
type Rule = 'text' | 'object' | 'boolean' | 'any';
export type Shape = Readonly<Record<string, Rule>>;

type Endpoint = {
  /** The fields of the body; an endpoint without one takes none. */
  readonly shape?: Shape;
  /** The parameters of the query. */
  readonly query?: readonly string[];
  readonly status?: number;
  /** Answers the object to show (undefined: an empty body), or throws the refusal. */
  readonly run: (ask: Ask, work: Work) => object | undefined;
};

/** What of a body can be read; whether it is a good one is looked at later. */
export const inputOf = ({ body }: WireRequest): Input | undefined => (body === '' ? {} : parseObject(body));

function checkWire({ request }: Call, { shape = {}, query = [] }: Endpoint): Input {
  const input = inputOf(request);
  if (request.body !== '' && !request.headers['content-type']?.startsWith('application/json')) {
    throw refused(415, 'The request body must be application/json');
  }
  if (input === undefined) throw refused(400, 'Invalid JSON in the request body');
  for (const name of request.query.keys())
    if (!query.includes(name)) throw refused(400, `Non-existent query parameter "${name}" for this API call.`, name);
  for (const [name, value] of Object.entries(input))
    checkField(name, value, Object.hasOwn(shape, name) ? shape[name] : undefined);
  return input;
}

function checkField(name: string, value: unknown, rule: Rule | undefined): void {
  if (rule === undefined) throw invalid(`Non-existent body parameter "${name}" for this API call.`, name);
  if (rule === 'any' || value === null) return;
  const fits =
    rule === 'text' ? typeof value === 'string' : rule === 'boolean' ? typeof value === 'boolean' : isObject(value);
  if (!fits) throw invalid(`The '${name}' field has an invalid type`, name);
}

const LIVE = /^Bearer\s+live_/i;

/** A route of the API: checks, carries out and puts into JSON. */
export function api(method: Route['method'], path: string, operation: string, endpoint: Endpoint): Route {
  return {
    method,
    path,
    operation,
    run: (call, work) => {
      const input = checkWire(call, endpoint);
      const mode = LIVE.test(call.request.headers.authorization ?? '') ? 'live' : 'test';
      const value = endpoint.run({ input, id: call.params.id ?? '', call, mode }, work);
      const status = endpoint.status ?? 200;
      return value === undefined ? { status, headers: {}, body: '' } : hal(status, value);
    },
  };
}
