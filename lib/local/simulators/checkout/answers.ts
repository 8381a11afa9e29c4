import type { Call, Route, Work } from '#lib/local/simulators/frame/provider.port.ts';
import type { WireAnswer } from '#lib/local/simulators/frame/wire.ts';

export const json = (status: number, value: unknown): WireAnswer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify(value),
});

/** A 401, 403 and 404 have no body. */
export const wordless = (status: number): WireAnswer => ({ status, headers: {}, body: '', turnedAway: true });

export const errorAnswer = (status: number, error_codes: readonly string[], error_type = 'request_invalid'): WireAnswer => ({
  ...json(status, { request_id: '{request_id}', error_type, error_codes }),
  turnedAway: true,
});

/** Nothing was done: whoever throws it writes nothing before. */
export class CheckoutRefusal extends Error {
  override readonly name = 'CheckoutRefusal';
  readonly answer: WireAnswer;
  constructor(answer: WireAnswer) {
    super(`HTTP ${answer.status}`);
    this.answer = answer;
  }
}

export const invalid = (...codes: readonly string[]): CheckoutRefusal => new CheckoutRefusal(errorAnswer(422, codes));
export const notAllowed = (): CheckoutRefusal => new CheckoutRefusal(wordless(403));
export const notFound = (): CheckoutRefusal => new CheckoutRefusal(wordless(404));

/** A route of the API. */
export const api = (method: Route['method'], path: string, operation: string, run: (call: Call, work: Work) => WireAnswer): Route => ({
  method,
  path,
  operation,
  run: (call, work) => {
    try {
      return run(call, work);
    } catch (error) {
      if (error instanceof CheckoutRefusal) return error.answer;
      throw error;
    }
  },
});
