import { isId } from '#shared/kernel/ids.ts';

/** Where a page of payments begins: below a payment, and past so many that fit, which an offset still asks for. */
export type ListPosition = { readonly below: string; readonly skip: number };

/** What a cursor holds. */
export const positionText = ({ below, skip }: ListPosition): string => (skip > 0 ? `${below}+${skip}` : below);

export function positionIn(text: string): ListPosition | undefined {
  const [, below = '', skip = '0'] = /^([^+]*)(?:\+([1-9]\d{0,4}))?$/.exec(text) ?? [];
  return isId('payment', below) ? { below, skip: Number(skip) } : undefined;
}
