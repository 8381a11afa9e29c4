import { invalid } from '#lib/simulators/flutterwave/answers.ts';
import { minorFrom } from '#lib/simulators/flutterwave/money.ts';
import type { Meta } from '#lib/simulators/flutterwave/objects.ts';
import { textAt } from '#lib/simulators/flutterwave/reading.ts';
import { isObject } from '#lib/simulators/frame/json.ts';
import type { Call, Input } from '#lib/simulators/frame/provider.port.ts';
import { isCurrency } from '#shared/domain/reference/currencies.catalog.ts';

export function needText(input: Input, ...path: readonly string[]): string {
  const text = textAt(input, ...path);
  if (text === null) throw invalid(`${path.join('.')} is required`);
  return text;
}

/** What a call must send at least, and may send; what Flutterwave has no name for is refused. */
export function checkBody({ request, input }: Call, known: readonly string[]): void {
  if (!request.headers['content-type']?.startsWith('application/json'))
    throw invalid('Content type must be application/json');
  if (Object.keys(input).length === 0 && !/^\s*\{\s*\}\s*$/.test(request.body)) throw invalid('Invalid request body');
  const stranger = Object.keys(input).find((name) => !known.includes(name));
  if (stranger !== undefined) throw invalid(`${stranger} is not allowed`);
}

function emailFrom(text: string): string {
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)) throw invalid('email must be a valid email');
  return text;
}

export function addressFrom(text: string): string {
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

/** The part that all charges have in common. */
export function asked({ input }: Call, ...emailAt: readonly string[]) {
  const txRef = needText(input, 'tx_ref');
  if (txRef.length > 100) throw invalid('tx_ref length must be less than or equal to 100 characters long');
  const currency = needText(input, 'currency');
  if (!isCurrency(currency)) throw invalid('currency is not supported');
  return {
    txRef,
    currency,
    amount: minorFrom(input.amount, currency),
    email: emailFrom(needText(input, ...emailAt)),
    meta: metaFrom(input.meta),
  };
}
