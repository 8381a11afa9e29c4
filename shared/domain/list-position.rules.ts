import { type IdKind, isId } from '#shared/kernel/ids.ts';

/** Where a page of a list begins: below a record, and past so many that fit, which an offset still asks for. */
export type ListPosition = { readonly below: string; readonly skip: number };

/** What a cursor holds. */
export const positionText = ({ below, skip }: ListPosition): string => (skip > 0 ? `${below}+${skip}` : below);

export function positionIn(text: string, kind: IdKind = 'payment'): ListPosition | undefined {
  const [, below = '', skip = '0'] = /^([^+]*)(?:\+([1-9]\d{0,4}))?$/.exec(text) ?? [];
  return isId(kind, below) ? { below, skip: Number(skip) } : undefined;
}
