import { invalid } from '#lib/simulators/checkout/answers.ts';
import type { Metadata } from '#lib/simulators/checkout/objects.ts';
import { isObject, parseObject } from '#lib/simulators/frame/json.ts';
import type { Call, Input } from '#lib/simulators/frame/provider.port.ts';

/** The body, or what the query says where there is none. Undefined: it is not JSON. */
export const inputOf = (body: string): Input | undefined => (body === '' ? {} : parseObject(body));

/** Refuses a body that is no JSON object, or is not called one. */
export function checkWire({ request }: Call): void {
  if (request.body === '') return;
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '') || inputOf(request.body) === undefined)
    throw invalid('request_json_invalid');
}

export function textAt(input: Input, name: string, most: number): string | undefined {
  const value = input[name];
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || value === '' || value.length > most) throw invalid(`${name}_invalid`);
  return value;
}

function flagAt(input: Input, name: string): boolean | undefined {
  const value = input[name];
  if (value !== undefined && typeof value !== 'boolean') throw invalid(`${name}_invalid`);
  return value;
}

export function urlAt(input: Input, name: string, most: number): string | null {
  const url = textAt(input, name, most) ?? null;
  if (url !== null && !/^https?:\/\/\S+$/.test(url)) throw invalid(`${name}_invalid`);
  return url;
}

export const requiredUrl = (input: Input, name: string): string =>
  urlAt(input, name, 255) ?? refuse(`${name}_required`);

function refuse(code: string): never {
  throw invalid(code);
}

const MOST_FIELDS = 20;
const LONGEST_VALUE = 255;

/** One level of plain values. */
export function metadataAt(input: Input): Metadata {
  const { metadata = {} } = input;
  if (!isObject(metadata) || Object.keys(metadata).length > MOST_FIELDS) throw invalid('metadata_invalid');
  const plain: Record<string, string | number | boolean> = {};
  for (const [key, value] of Object.entries(metadata)) {
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
      throw invalid('metadata_invalid');
    if (String(value).length > LONGEST_VALUE) throw invalid('metadata_invalid');
    plain[key] = value;
  }
  return plain;
}

/** What a payment and a page are asked with alike. */
export function commonOf(input: Input) {
  const channel = textAt(input, 'processing_channel_id', 29);
  if (channel === undefined) throw invalid('processing_channel_id_required');
  if (!/^pc_\w{26}$/.test(channel)) throw invalid('processing_channel_id_invalid');
  const customer = input.customer === undefined ? undefined : customerOf(input.customer);
  const reference = textAt(input, 'reference', 80);
  const description = textAt(input, 'description', 100);
  return {
    ...(reference !== undefined && { reference }),
    ...(description !== undefined && { description }),
    ...(customer && { customer }),
    metadata: metadataAt(input),
    capture: flagAt(input, 'capture') ?? true,
  };
}

function customerOf(value: unknown): { readonly email?: string } {
  if (!isObject(value)) throw invalid('customer_invalid');
  const email = textAt(value, 'email', 255);
  if (email !== undefined && !/^\S+@\S+$/.test(email)) throw invalid('customer_email_invalid');
  return email === undefined ? {} : { email };
}

/** Whether 3-D Secure is asked for. */
export function asksFor3ds(input: Input): boolean {
  const wish = input['3ds'];
  if (wish === undefined) return false;
  if (!isObject(wish)) throw invalid('3ds_invalid');
  return flagAt(wish, 'enabled') ?? false;
}

const TYPES: ReadonlySet<string> = new Set(['Regular', 'Recurring', 'MOTO', 'Installment', 'PayLater', 'Unscheduled']);

/** Those that a merchant may charge under by itself. */
const BY_MERCHANT: ReadonlySet<string> = new Set(['Recurring', 'Installment', 'Unscheduled']);

/** Which agreement the charge is made under, and whether the merchant makes it off-session. */
export function seriesOf(input: Input) {
  const payment_type = textAt(input, 'payment_type', 20) ?? 'Regular';
  const absent = flagAt(input, 'merchant_initiated') ?? false;
  if (!TYPES.has(payment_type) || (absent && !BY_MERCHANT.has(payment_type))) throw invalid('payment_type_invalid');
  const before = textAt(input, 'previous_payment_id', 100);
  if (before !== undefined && !/^[\w-]+$/.test(before)) throw invalid('previous_payment_id_invalid');
  return { payment_type, absent };
}
