import { jsonAs } from '#lib/simulators/frame/json.ts';
import type { Call, Route, Work } from '#lib/simulators/frame/provider.port.ts';
import { Refusal } from '#lib/simulators/frame/refusal.ts';
import type { WireAnswer } from '#lib/simulators/frame/wire.ts';

export const answer = jsonAs('application/json; charset=utf-8');

/** A refusal has the same envelope as all else, with nothing in it. */
export const refusal = (status: number, message: string): WireAnswer =>
  answer(status, { status: 'error', message, data: null }, true);

export const invalid = (message: string): Refusal => new Refusal(refusal(400, message));
export const missing = (what: string): Refusal => new Refusal(refusal(404, `No ${what} was found for this id`));

/** `data` absent where Flutterwave sends none. */
export type Success = { readonly message: string; readonly data?: unknown; readonly meta?: unknown };

/** A route of the API. It writes nothing before it knows that it will not refuse. */
export function api(
  method: Route['method'],
  path: string,
  operation: string,
  run: (call: Call, work: Work) => Success | WireAnswer,
): Route {
  return {
    method,
    path,
    operation,
    run: (call, work) => {
      const said = run(call, work);
      return 'headers' in said ? said : answer(200, { status: 'success', ...said });
    },
  };
}
