import { jsonAs, parseObject } from '#lib/simulators/frame/json.ts';
import type { Call, Input, Route, Work } from '#lib/simulators/frame/provider.port.ts';
import { Refusal } from '#lib/simulators/frame/refusal.ts';
import type { WireAnswer } from '#lib/simulators/frame/wire.ts';

export type Body = Input;

const json = jsonAs('application/json;charset=utf-8');

type ErrorType = 'validation' | 'security' | 'configuration' | 'internal';

/** An answer that is not 2xx, in the form of the Checkout API. */
export const errorAnswer = (
  status: number,
  errorCode: string,
  message: string,
  errorType: ErrorType = 'validation',
): WireAnswer => json(status, { status, errorCode, message, errorType }, status < 500);

export const refused = (...fault: Parameters<typeof errorAnswer>): Refusal => new Refusal(errorAnswer(...fault));

export const invalid = (errorCode: string, message: string): Refusal => refused(422, errorCode, message);

export const noSuchPayment = (): Refusal => invalid('167', 'Original pspReference required for this operation');

export type Ask = { readonly body: Body; readonly id: string; readonly call: Call };

type Endpoint = {
  readonly method: Route['method'];
  readonly path: string;
  readonly operation: string;
  readonly status: number;
  readonly check: (body: Body, work: Work) => void;
  readonly run: (ask: Ask, work: Work) => object;
};

/** A route of the API: checks, carries out, and puts into JSON. */
export const api = ({ method, path, operation, status, check, run }: Endpoint): Route => ({
  method,
  path,
  operation,
  run: (call, work) => {
    const body = method === 'GET' ? {} : given(call);
    check(body, work);
    return json(status, run({ body, id: call.params.id ?? '', call }, work));
  },
});

function given({ request: { body, headers }, key }: Call): Body {
  if (!headers['content-type']?.startsWith('application/json'))
    throw refused(415, '000', 'HTTP Status Response - Unsupported Media Type');
  if ((key?.length ?? 0) > 64) throw invalid('702', 'The Idempotency-Key must not be longer than 64 characters');
  const read = parseObject(body);
  if (!read) throw refused(400, '702', 'Invalid JSON payload');
  return read;
}
