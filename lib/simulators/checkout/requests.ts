import { invalid } from '#lib/simulators/checkout/errors.ts';
import type { Metadata } from '#lib/simulators/checkout/objects.ts';
import { isObject, parseObject } from '#lib/simulators/kit/json.ts';
import type { Call, Input, Route, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import type { WireResponse } from '#lib/simulators/kit/wire.ts';

/** A route of the API. */
export const apiRoute = (
  method: Route['method'],
  path: string,
  operation: string,
  run: (call: Call, work: UnitOfWork) => WireResponse,
): Route => ({
  method,
  path,
  operation,
  run,
});

/** The fields of the body, empty if there is none; undefined if it is not a JSON object. */
export const parseBody = (body: string): Input | undefined => (body === '' ? {} : parseObject(body));

/** Rejects a body that is not a JSON object or has another content type. */
export function checkBody({ request }: Call): void {
  if (request.body === '') return;
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '') || parseBody(request.body) === undefined)
    throw invalid('request_json_invalid');
}

export function textIn(input: Input, name: string, maxLength: number): string | undefined {
  const value = input[name];
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || value === '' || value.length > maxLength) throw invalid(`${name}_invalid`);
  return value;
}

function flagIn(input: Input, name: string): boolean | undefined {
  const value = input[name];
  if (value !== undefined && typeof value !== 'boolean') throw invalid(`${name}_invalid`);
  return value;
}

export function urlIn(input: Input, name: string, maxLength: number): string | null {
  const url = textIn(input, name, maxLength) ?? null;
  if (url !== null && !/^https?:\/\/\S+$/.test(url)) throw invalid(`${name}_invalid`);
  return url;
}

export const requiredUrl = (input: Input, name: string): string =>
  urlIn(input, name, 255) ?? failWith(`${name}_required`);

function failWith(code: string): never {
  throw invalid(code);
}

const MAX_METADATA_FIELDS = 20;
const MAX_METADATA_LENGTH = 255;

/** Metadata must be one level of plain values. */
export function metadataIn(input: Input): Metadata {
  const { metadata = {} } = input;
  if (!isObject(metadata) || Object.keys(metadata).length > MAX_METADATA_FIELDS) throw invalid('metadata_invalid');
  const values: Record<string, string | number | boolean> = {};
  for (const [key, value] of Object.entries(metadata)) {
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
      throw invalid('metadata_invalid');
    if (String(value).length > MAX_METADATA_LENGTH) throw invalid('metadata_invalid');
    values[key] = value;
  }
  return values;
}

/** The fields that a payment and a hosted page share. */
export function commonFields(input: Input) {
  const channel = textIn(input, 'processing_channel_id', 29);
  if (channel === undefined) throw invalid('processing_channel_id_required');
  if (!/^pc_\w{26}$/.test(channel)) throw invalid('processing_channel_id_invalid');
  const customer = input.customer === undefined ? undefined : customerOf(input.customer);
  const reference = textIn(input, 'reference', 80);
  const description = textIn(input, 'description', 100);
  return {
    ...(reference !== undefined && { reference }),
    ...(description !== undefined && { description }),
    ...(customer && { customer }),
    metadata: metadataIn(input),
    capture: flagIn(input, 'capture') ?? true,
  };
}

function customerOf(value: unknown): { readonly email?: string; readonly name?: string } {
  if (!isObject(value)) throw invalid('customer_invalid');
  const email = textIn(value, 'email', 255);
  if (email !== undefined && !/^\S+@\S+$/.test(email)) throw invalid('customer_email_invalid');
  const name = textIn(value, 'name', 255);
  return { ...(email !== undefined && { email }), ...(name !== undefined && { name }) };
}

/** Whether the request wants 3-D Secure. */
export function wants3ds(input: Input): boolean {
  const threeDs = input['3ds'];
  if (threeDs === undefined) return false;
  if (!isObject(threeDs)) throw invalid('3ds_invalid');
  return flagIn(threeDs, 'enabled') ?? false;
}

const PAYMENT_TYPES: ReadonlySet<string> = new Set([
  'Regular',
  'Recurring',
  'MOTO',
  'Installment',
  'PayLater',
  'Unscheduled',
]);

/** Payment types that the merchant may charge off-session. */
const MERCHANT_INITIATED_TYPES: ReadonlySet<string> = new Set(['Recurring', 'Installment', 'Unscheduled']);

/** The payment type, and whether the merchant charges off-session. */
export function seriesIn(input: Input) {
  const payment_type = textIn(input, 'payment_type', 20) ?? 'Regular';
  const offSession = flagIn(input, 'merchant_initiated') ?? false;
  if (!PAYMENT_TYPES.has(payment_type) || (offSession && !MERCHANT_INITIATED_TYPES.has(payment_type)))
    throw invalid('payment_type_invalid');
  const previous = textIn(input, 'previous_payment_id', 100);
  if (previous !== undefined && !/^[\w-]+$/.test(previous)) throw invalid('previous_payment_id_invalid');
  return { payment_type, offSession };
}
