import { invalid, json } from '#lib/simulators/flutterwave/errors.ts';
import { toMinorUnits } from '#lib/simulators/flutterwave/money.ts';
import type { Meta } from '#lib/simulators/flutterwave/objects.ts';
import { textAt as anyTextAt, isObject } from '#lib/simulators/kit/json.ts';
import type { Call, Input, Route, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import type { WireResponse } from '#lib/simulators/kit/wire.ts';
import { isCurrency } from '#shared/domain/reference/currencies.catalog.ts';

/** `data` is missing if Flutterwave sends none. */
export type Success = { readonly message: string; readonly data?: unknown; readonly meta?: unknown };

/** A route of the API. `run` must validate before it writes. */
export function apiRoute(
  method: Route['method'],
  path: string,
  operation: string,
  run: (call: Call, work: UnitOfWork) => Success | WireResponse,
): Route {
  return {
    method,
    path,
    operation,
    run: (call, work) => {
      const result = run(call, work);
      return 'headers' in result ? result : json(200, { status: 'success', ...result });
    },
  };
}

/** The text at this path. Empty text counts as missing. */
export const textIn = (input: Input, ...path: readonly string[]): string | null => anyTextAt(input, ...path) || null;

export function requiredText(input: Input, ...path: readonly string[]): string {
  const text = textIn(input, ...path);
  if (text === null) throw invalid(`${path.join('.')} is required`);
  return text;
}

/** Rejects bodies that are not JSON objects, and unknown fields. */
export function checkBody({ request, input }: Call, known: readonly string[]): void {
  if (!request.headers['content-type']?.startsWith('application/json'))
    throw invalid('Content type must be application/json');
  if (Object.keys(input).length === 0 && !/^\s*\{\s*\}\s*$/.test(request.body)) throw invalid('Invalid request body');
  const unknown = Object.keys(input).find((name) => !known.includes(name));
  if (unknown !== undefined) throw invalid(`${unknown} is not allowed`);
}

function emailFrom(text: string): string {
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)) throw invalid('email must be a valid email');
  return text;
}

export function urlFrom(text: string): string {
  if (!URL.canParse(text) || !/^https?:/.test(text)) throw invalid('redirect_url must be a valid uri');
  return text;
}

function metaFrom(value: unknown): Meta | null {
  if (value === undefined || value === null) return null;
  if (!isObject(value)) throw invalid('meta must be an object');
  const pairs = Object.entries(value).map(([key, content]): [string, string | number | boolean] => {
    if (!/^\w+$/.test(key)) throw invalid(`meta.${key} is not allowed`);
    if (typeof content !== 'string' && typeof content !== 'number' && typeof content !== 'boolean')
      throw invalid(`meta.${key} must be a string`);
    return [key, content];
  });
  return Object.fromEntries(pairs);
}

/** The fields that all charges share. */
export function chargeFields({ input }: Call, ...emailAt: readonly string[]) {
  const txRef = requiredText(input, 'tx_ref');
  if (txRef.length > 100) throw invalid('tx_ref length must be less than or equal to 100 characters long');
  const currency = requiredText(input, 'currency');
  if (!isCurrency(currency)) throw invalid('currency is not supported');
  return {
    txRef,
    currency,
    amount: toMinorUnits(input.amount, currency),
    email: emailFrom(requiredText(input, ...emailAt)),
    meta: metaFrom(input.meta),
  };
}
