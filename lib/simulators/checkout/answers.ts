import { jsonAs } from '#lib/simulators/frame/json.ts';
import type { Call, Route, Work } from '#lib/simulators/frame/provider.port.ts';
import { Refusal } from '#lib/simulators/frame/refusal.ts';
import type { WireAnswer } from '#lib/simulators/frame/wire.ts';

export const json = jsonAs('application/json; charset=utf-8');

/** A 401, 403 and 404 have no body. */
export const wordless = (status: number): WireAnswer => ({ status, headers: {}, body: '', turnedAway: true });

export const errorAnswer = (
  status: number,
  error_codes: readonly string[],
  error_type = 'request_invalid',
): WireAnswer => json(status, { request_id: '{request_id}', error_type, error_codes }, true);

export const invalid = (...codes: readonly string[]): Refusal => new Refusal(errorAnswer(422, codes));
export const notAllowed = (): Refusal => new Refusal(wordless(403));
export const notFound = (): Refusal => new Refusal(wordless(404));

/** A route of the API. */
export const api = (
  method: Route['method'],
  path: string,
  operation: string,
  run: (call: Call, work: Work) => WireAnswer,
): Route => ({
  method,
  path,
  operation,
  run,
});
