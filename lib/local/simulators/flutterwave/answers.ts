import type { Call, Route, Work } from '#lib/local/simulators/frame/provider.port.ts';
import type { WireAnswer } from '#lib/local/simulators/frame/wire.ts';

export function answer(status: number, body: object, turnedAway = false): WireAnswer {
  return { status, headers: { 'content-type': 'application/json; charset=utf-8' }, body: JSON.stringify(body), ...(turnedAway && { turnedAway }) };
}

/** A refusal has the same envelope as all else, with nothing in it. */
export const refusal = (status: number, message: string): WireAnswer => answer(status, { status: 'error', message, data: null }, true);

export class FlutterwaveRefusal extends Error {
  override readonly name = 'FlutterwaveRefusal';
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export const invalid = (message: string): FlutterwaveRefusal => new FlutterwaveRefusal(400, message);
export const missing = (what: string): FlutterwaveRefusal => new FlutterwaveRefusal(404, `No ${what} was found for this id`);

/** `data` absent where Flutterwave sends none. */
export type Success = { readonly message: string; readonly data?: unknown; readonly meta?: unknown };

/** A route of the API. It writes nothing before it knows that it will not refuse. */
export function api(method: Route['method'], path: string, operation: string, run: (call: Call, work: Work) => Success | WireAnswer): Route {
  return {
    method,
    path,
    operation,
    run: (call, work) => {
      try {
        const said = run(call, work);
        return 'headers' in said ? said : answer(200, { status: 'success', ...said });
      } catch (error) {
        if (error instanceof FlutterwaveRefusal) return refusal(error.status, error.message);
        throw error;
      }
    },
  };
}
