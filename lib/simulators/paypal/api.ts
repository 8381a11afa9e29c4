import { keyIn } from '#lib/simulators/frame/credentials.ts';
import { parseObject, textAt } from '#lib/simulators/frame/json.ts';
import type { Call, Input, ProviderSimulator, Route, Work } from '#lib/simulators/frame/provider.port.ts';
import { Refusal } from '#lib/simulators/frame/refusal.ts';
import type { WireAnswer, WireRequest } from '#lib/simulators/frame/wire.ts';
import { errorAnswer, malformed } from '#lib/simulators/paypal/errors.ts';
import { hasExpired, oldToken } from '#lib/simulators/paypal/tokens.ts';

const inputOf = ({ body }: WireRequest): Input | undefined => (body === '' ? {} : parseObject(body));

/** Our payment id is the last part of what is made, else that of the object the call is about. */
export const read: ProviderSimulator['read'] = (request, params, objects) => {
  const input = (request.headers['content-type']?.startsWith('application/json') && inputOf(request)) || {};
  const custom = textAt(input, 'purchase_units', 0, 'custom_id')?.split('|')[2];
  const paymentId = custom ?? (params.id === undefined ? undefined : objects.get(params.id)?.paymentId) ?? null;
  return { input, key: keyIn(request, 'paypal-request-id'), paymentId, customerId: null };
};

function checkWire({ request, key }: Call): void {
  if (request.method === 'GET') return;
  if (!request.headers['content-type']?.startsWith('application/json')) {
    throw new Refusal({
      ...errorAnswer(400),
      status: 415,
      body: JSON.stringify({
        name: 'UNSUPPORTED_MEDIA_TYPE',
        message: 'The server does not support the request payload’s media type.',
      }),
    });
  }
  if (!inputOf(request)) throw malformed('/', 'MALFORMED_REQUEST_JSON', 'The request JSON is not well formed.');
  if ((key?.length ?? 0) > 108)
    throw malformed(
      'PayPal-Request-Id',
      'INVALID_STRING_LENGTH',
      'The value of a field is either too short or too long.',
    );
}

/** PayPal's own way to ask for trouble in its sandbox: a header that names the error to answer with. */
function mocked({ request }: Call): WireAnswer | undefined {
  const header = request.headers['paypal-mock-response'];
  const [, code] = /"mock_application_codes"\s*:\s*"([A-Z_]+)"/.exec(typeof header === 'string' ? header : '') ?? [];
  if (code === undefined) return undefined;
  return code === 'INTERNAL_SERVER_ERROR'
    ? errorAnswer(500)
    : errorAnswer(422, [{ issue: code, description: 'Asked for by the mock header.' }]);
}

/** A route of the API: checks, carries out, and answers what is refused. */
export function api(method: Route['method'], path: string, operation: string, run: Route['run']): Route {
  return {
    method,
    path,
    operation,
    run: (call: Call, work: Work) => {
      if (hasExpired(call.request, work.now)) return oldToken;
      checkWire(call);
      return mocked(call) ?? run(call, work);
    },
  };
}

/** By default PayPal answers with little; what is asked for with `Prefer` is the whole. */
export const wantsAll = ({ request }: Call): boolean => request.headers.prefer === 'return=representation';
