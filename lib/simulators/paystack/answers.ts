import { jsonAs, parseObject, textAt } from '#lib/simulators/frame/json.ts';
import type { Call, Input, Route, Work } from '#lib/simulators/frame/provider.port.ts';
import { Refusal } from '#lib/simulators/frame/refusal.ts';
import type { WireAnswer } from '#lib/simulators/frame/wire.ts';

type Fault = { readonly message: string; readonly code?: string; readonly type?: string; readonly nextStep?: string };

const json = jsonAs('application/json; charset=utf-8');

export function errorAnswer(status: number, { message, code, type = 'validation_error', nextStep }: Fault): WireAnswer {
  return json(status, { status: false, message, ...(nextStep && { meta: { nextStep } }), ...(code && { type, code }) });
}

/** It writes nothing before it is thrown. */
export const refused = (status: number, fault: Fault): Refusal => new Refusal(errorAnswer(status, fault));

export const invalid = (message: string, code = 'invalid_params'): Refusal =>
  refused(400, { message, code, nextStep: 'Ensure that the value(s) you are passing are valid.' });

export const notFound = (message: string, code: string): Refusal =>
  refused(404, { message, code, nextStep: 'Ensure that the value you are passing exists on this integration' });

export type Ask = {
  readonly input: Readonly<Record<string, unknown>>;
  readonly id: string;
  readonly call: Call;
  readonly domain: 'live' | 'test';
};

export type Told = { readonly message: string; readonly data: unknown; readonly meta?: unknown };

/** A route of the API: checks that the body is one, carries out, and puts the answer into its envelope. */
export function api(
  method: Route['method'],
  path: string,
  operation: string,
  run: (ask: Ask, work: Work) => Told,
): Route {
  return {
    method,
    path,
    operation,
    run: (call, work) => {
      if (bodyOf(call.request) === undefined) throw invalid('Invalid JSON in request body', 'invalid_json');
      const domain = /sk_live_/.test(call.request.headers.authorization ?? '') ? 'live' : 'test';
      const { message, data, meta } = run(
        { input: call.input, id: decodeURIComponent(call.params.id ?? ''), call, domain },
        work,
      );
      return json(200, { status: true, message, data, ...(meta !== undefined && { meta }) });
    },
  };
}

/** Both media types that Paystack documents; undefined for what is neither. */
export function bodyOf({ body, headers }: Call['request']): Input | undefined {
  if (body === '') return {};
  if (headers['content-type']?.startsWith('application/x-www-form-urlencoded'))
    return Object.fromEntries(new URLSearchParams(body));
  return headers['content-type']?.startsWith('application/json') ? parseObject(body) : undefined;
}

/** Empty text is as good as none. */
export const textIn = (input: Input, name: string): string | undefined => textAt(input, name) || undefined;

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
