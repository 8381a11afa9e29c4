import type { ChargeOrder, PspContext, PspOperation } from '#shared/ports/psp.port.ts';

/** Which of our operations a request belongs to. */
export type RequestPurpose = { readonly operation: PspOperation; readonly paymentId: string | null };

/**
 * For requests that may capture a charge when they look it up. `mayCapture` is false once the payment has ended: a
 * charge that is only authorized is then left as it is.
 */
export type ChargePurpose = RequestPurpose & { readonly mayCapture?: boolean };

/** The first send of an order happens within this time. */
const FIRST_SEND_WITHIN_MS = 30_000;

/** Whether the same order may have been sent before: by a worker that died, or without a response. */
export const isRepeat = ({ startedAt }: ChargeOrder, { now }: Pick<PspContext<unknown>, 'now'>): boolean =>
  now().getTime() - Date.parse(startedAt) > FIRST_SEND_WITHIN_MS;

export type FormValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly FormValue[]
  | { readonly [name: string]: FormValue };

/**
 * `application/x-www-form-urlencoded` with brackets for nested values: `a[b][0]=c`. Nothing is sent for null and
 * undefined.
 */
export function form(values: { readonly [name: string]: FormValue }): string {
  return Object.entries(values)
    .flatMap(([name, value]) => pairs(encodeURIComponent(name), value))
    .join('&');
}

function pairs(name: string, value: FormValue): string[] {
  if (value === null || value === undefined) return [];
  if (typeof value !== 'object') return [`${name}=${encodeURIComponent(value)}`];
  return Object.entries(value).flatMap(([key, inner]) => pairs(`${name}[${encodeURIComponent(key)}]`, inner));
}
