import type { ChargeOrder, PspContext, PspOperation } from '#shared/ports/psp.port.ts';

/** The operation and payment that a request belongs to. */
export type RequestPurpose = { readonly operation: PspOperation; readonly paymentId: string | null };

/**
 * For look-ups that may capture the charge. `mayCapture` is false once the payment has ended: an authorized charge is
 * then left as it is.
 */
export type ChargePurpose = RequestPurpose & { readonly mayCapture?: boolean };

/** An order is sent for the first time within this time. */
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
 * A body in `application/x-www-form-urlencoded`, with brackets for nested values: `a[b][0]=c`. Null and undefined
 * values are omitted.
 */
export function formBody(values: { readonly [name: string]: FormValue }): string {
  return Object.entries(values)
    .flatMap(([name, value]) => formPairs(encodeURIComponent(name), value))
    .join('&');
}

function formPairs(name: string, value: FormValue): string[] {
  if (value === null || value === undefined) return [];
  if (typeof value !== 'object') return [`${name}=${encodeURIComponent(value)}`];
  return Object.entries(value).flatMap(([key, inner]) => formPairs(`${name}[${encodeURIComponent(key)}]`, inner));
}
