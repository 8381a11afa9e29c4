import type { Call, Route, Work } from '#lib/local/simulators/frame/provider.port.ts';
import type { WireAnswer } from '#lib/local/simulators/frame/wire.ts';

export type Body = Readonly<Record<string, unknown>>;

export const isBody = (value: unknown): value is Body => typeof value === 'object' && value !== null && !Array.isArray(value);

export const json = (status: number, value: object): WireAnswer => ({
  status,
  headers: { 'content-type': 'application/json;charset=utf-8' },
  body: JSON.stringify(value),
});

type ErrorType = 'validation' | 'security' | 'configuration' | 'internal';

/** An answer that is not 2xx, in the form of the Checkout API. */
export class AdyenRefusal extends Error {
  override readonly name = 'AdyenRefusal';
  readonly answer: WireAnswer;
  constructor(status: number, errorCode: string, message: string, errorType: ErrorType = 'validation') {
    super(message);
    this.answer = { ...json(status, { status, errorCode, message, errorType }), turnedAway: status < 500 };
  }
}

export const errorAnswer = (...fault: ConstructorParameters<typeof AdyenRefusal>): WireAnswer => new AdyenRefusal(...fault).answer;

export const invalid = (errorCode: string, message: string): AdyenRefusal => new AdyenRefusal(422, errorCode, message);

export const noSuchPayment = (): AdyenRefusal => invalid('167', 'Original pspReference required for this operation');

/** The parameters of a request; undefined where they are no JSON object. */
export function bodyOf(text: string): Body | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isBody(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

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
    try {
      const body = method === 'GET' ? {} : given(call);
      check(body, work);
      return json(status, run({ body, id: call.params.id ?? '', call }, work));
    } catch (error) {
      if (error instanceof AdyenRefusal) return error.answer;
      throw error;
    }
  },
});

function given({ request: { body, headers }, key }: Call): Body {
  if (!headers['content-type']?.startsWith('application/json')) throw new AdyenRefusal(415, '000', 'HTTP Status Response - Unsupported Media Type');
  if ((key?.length ?? 0) > 64) throw invalid('702', 'The Idempotency-Key must not be longer than 64 characters');
  const read = bodyOf(body);
  if (!read) throw new AdyenRefusal(400, '702', 'Invalid JSON payload');
  return read;
}
