import { parseObject, textAt } from '#lib/simulators/kit/json.ts';
import type { Call, Input, Route, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { apiError, invalid, json } from '#lib/simulators/paystack/errors.ts';
import { newCode } from '#lib/simulators/paystack/objects.ts';

export type ApiRequest = {
  readonly input: Readonly<Record<string, unknown>>;
  readonly id: string;
  readonly call: Call;
  readonly domain: 'live' | 'test';
  /** The account lets its customers bear Paystack's fees, as set in its dashboard. */
  readonly feeOnTop: boolean;
};

export type Success = { readonly message: string; readonly data: unknown; readonly meta?: unknown };

/** The key of a simulated account whose customers bear the fees. */
const FEE_ON_TOP = /customerfee/;

/** A route of the API: parses the body, runs, and wraps the result in Paystack's envelope. */
export function apiRoute(
  method: Route['method'],
  path: string,
  operation: string,
  run: (request: ApiRequest, work: UnitOfWork) => Success,
): Route {
  return {
    method,
    path,
    operation,
    run: (call, work) => {
      if (parseBody(call.request) === undefined) throw invalid('Invalid JSON in request body', 'invalid_json');
      const key = call.request.headers.authorization ?? '';
      const domain = /sk_live_/.test(key) ? 'live' : 'test';
      const feeOnTop = FEE_ON_TOP.test(key);
      const id = decodeURIComponent(call.params.id ?? '');
      const { message, data, meta } = run({ input: call.input, id, call, domain, feeOnTop }, work);
      return json(200, { status: true, message, data, ...(meta !== undefined && { meta }) });
    },
  };
}

/**
 * Parses both content types that Paystack documents, and JSON without one, as its own samples send it; undefined for
 * others or invalid JSON.
 */
export function parseBody({ body, headers }: Call['request']): Input | undefined {
  if (body === '') return {};
  if (headers['content-type']?.startsWith('application/x-www-form-urlencoded'))
    return Object.fromEntries(new URLSearchParams(body));
  return headers['content-type']?.startsWith('application/json') === false ? undefined : parseObject(body);
}

/** The text of this field. Empty text counts as missing. */
export const textIn = (input: Input, name: string): string | undefined => textAt(input, name) || undefined;

export function requiredText(input: Input, name: string): string {
  const value = textIn(input, name);
  if (value === undefined) throw invalid(`"${name}" is required`);
  return value;
}

export function integerIn(input: Input, name: string): number | undefined {
  const value = input[name];
  if (value === undefined || value === null) return undefined;
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number <= 0)
    throw invalid(`Invalid ${name} passed. It should be a positive integer.`, `invalid_${name}`);
  return number;
}

/** Metadata is an object or its JSON text. */
export function metadataIn(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

const DUPLICATE_REFERENCE = {
  message: 'Duplicate Transaction Reference',
  code: 'duplicate_reference',
  nextStep: 'Try and create the Transaction or Charge with a new reference',
};

export function referenceIn(input: ApiRequest['input'], work: UnitOfWork): string {
  const reference = textIn(input, 'reference') ?? newCode();
  if (!/^[A-Za-z0-9.=-]{1,100}$/.test(reference))
    throw invalid('Transaction reference should only include -,., =and alphanumeric characters', 'invalid_reference');
  if (work.objects.get(reference)) throw apiError(400, DUPLICATE_REFERENCE);
  return reference;
}

export function emailIn(input: ApiRequest['input']): string {
  const email = requiredText(input, 'email');
  if (!/^\S+@\S+\.\S+$/.test(email)) throw invalid('Invalid Email Address Passed', 'invalid_email_address');
  return email;
}
