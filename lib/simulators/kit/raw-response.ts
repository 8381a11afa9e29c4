import { valueAt } from '#lib/simulators/kit/json.ts';
import type { Call } from '#lib/simulators/kit/provider-simulator.port.ts';
import type { WireResponse } from '#lib/simulators/kit/wire.ts';
import type { RawResponse } from '#lib/simulators/simulators.port.ts';

/** Headers that describe how a body travels. The simulator sends it whole and uncompressed, whatever they say. */
const TRANSFER_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'keep-alive',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const PLACEHOLDER = /\{\{request\.([\w.-]+)\}\}/g;

/** The response of a `raw` scenario, as this call gets it. */
export function rawWireResponse({ status, headers = {}, body }: RawResponse, call: Call): WireResponse {
  const sent = Object.entries(headers)
    .map(([name, value]): [string, string] => [name.toLowerCase(), value])
    .filter(([name]) => !TRANSFER_HEADERS.has(name));
  return {
    status,
    headers: { 'content-type': 'application/json', ...Object.fromEntries(sent) },
    body: typeof body === 'string' ? fillText(body, call) : JSON.stringify(body, (_, value) => fillValue(value, call)),
    rejected: true,
  };
}

/**
 * Replaces `{{request.<field>}}` by that field of the request. A PSP repeats our reference in its responses, and a
 * scenario cannot know it before the payment is made. An unknown field leaves the text as it is.
 */
const fillText = (text: string, call: Call): string =>
  text.replaceAll(PLACEHOLDER, (placeholder, field: string) => {
    const value = fieldOf(call, field);
    return value === undefined ? placeholder : textOf(value);
  });

/** A placeholder that stands alone keeps the type of its value, such as a number. */
function fillValue(value: unknown, call: Call): unknown {
  if (typeof value !== 'string') return value;
  const [alone] = value.matchAll(PLACEHOLDER);
  if (alone?.[0] === value && alone[1] !== undefined) return fieldOf(call, alone[1]) ?? value;
  return fillText(value, call);
}

const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** A field of the body, such as `metadata.payment_id`, of the query, or of the path. */
function fieldOf({ input, request, params }: Call, field: string): unknown {
  return valueAt(input, ...field.split('.')) ?? request.query.get(field) ?? params[field];
}
