import type { ChargeOrder, PspContext, PspOperation } from '#shared/ports/psp.port.ts';

/** The operation and payment that a request belongs to. */
export type RequestPurpose = { readonly operation: PspOperation; readonly paymentId: string | null };

/**
 * For look-ups that may capture the charge. `mayCapture` is false once the payment has ended: an authorized charge is
 * then left as it is. `manual`: only our own capture takes its money, and a look-up reads what is reserved.
 */
export type ChargePurpose = RequestPurpose & { readonly mayCapture?: boolean; readonly manual?: true };

/** Whether a charge is captured later, as a purpose names it. */
export const manualOf = ({ capture }: Pick<ChargeOrder, 'capture'>): Pick<ChargePurpose, 'manual'> =>
  capture === 'manual' ? { manual: true } : {};

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
