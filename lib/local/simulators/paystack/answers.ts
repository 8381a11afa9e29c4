import type { Call, Route, Work } from '#lib/local/simulators/frame/provider.port.ts';
import type { WireAnswer } from '#lib/local/simulators/frame/wire.ts';

type Fault = { readonly message: string; readonly code?: string; readonly type?: string; readonly nextStep?: string };

/** An answer of Paystack that is no success. It writes nothing before it is thrown. */
export class PaystackRefusal extends Error {
  override readonly name = 'PaystackRefusal';
  readonly status: number;
  readonly fault: Fault;
  constructor(status: number, fault: Fault) {
    super(fault.message);
    this.status = status;
    this.fault = fault;
  }
}

export const json = (status: number, value: unknown): WireAnswer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify(value),
});

export function errorAnswer(status: number, { message, code, type = 'validation_error', nextStep }: Fault): WireAnswer {
  return json(status, { status: false, message, ...(nextStep && { meta: { nextStep } }), ...(code && { type, code }) });
}

export const invalid = (message: string, code = 'invalid_params'): PaystackRefusal =>
  new PaystackRefusal(400, { message, code, nextStep: 'Ensure that the value(s) you are passing are valid.' });

export const notFound = (message: string, code: string): PaystackRefusal =>
  new PaystackRefusal(404, { message, code, nextStep: 'Ensure that the value you are passing exists on this integration' });

export type Ask = { readonly input: Readonly<Record<string, unknown>>; readonly id: string; readonly call: Call; readonly domain: 'live' | 'test' };

export type Told = { readonly message: string; readonly data: unknown; readonly meta?: unknown };

/** A route of the API: checks that the body is one, carries out, and puts the answer into its envelope. */
export function api(method: Route['method'], path: string, operation: string, run: (ask: Ask, work: Work) => Told): Route {
  return {
    method,
    path,
    operation,
    run: (call, work) => {
      try {
        if (bodyOf(call.request) === undefined) throw invalid('Invalid JSON in request body', 'invalid_json');
        const domain = /sk_live_/.test(call.request.headers.authorization ?? '') ? 'live' : 'test';
        const { message, data, meta } = run({ input: call.input, id: decodeURIComponent(call.params.id ?? ''), call, domain }, work);
        return json(200, { status: true, message, data, ...(meta !== undefined && { meta }) });
      } catch (error) {
        if (error instanceof PaystackRefusal) return errorAnswer(error.status, error.fault);
        throw error;
      }
    },
  };
}

type Input = Readonly<Record<string, unknown>>;
export const isObject = (value: unknown): value is Input => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Both media types that Paystack documents; undefined for what is neither. */
export function bodyOf({ body, headers }: Call['request']): Input | undefined {
  if (body === '') return {};
  if (headers['content-type']?.startsWith('application/x-www-form-urlencoded')) return Object.fromEntries(new URLSearchParams(body));
  try {
    const value: unknown = JSON.parse(body);
    return headers['content-type']?.startsWith('application/json') && isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export const textIn = (input: Input, name: string): string | undefined => {
  const value = input[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

export function need(input: Input, name: string): string {
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
