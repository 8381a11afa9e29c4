import { type IdKind, isId } from '#shared/kernel/ids.ts';

/** Where a page begins: below a record, and after as many hits as remain of the offset. */
type ListPosition = { readonly below: string; readonly skip: number };

/** What a cursor holds. */
export const positionText = ({ below, skip }: ListPosition): string => (skip > 0 ? `${below}+${skip}` : below);

export function positionIn(text: string, kind: IdKind = 'payment'): ListPosition | undefined {
  const [, below = '', skip = '0'] = /^([^+]*)(?:\+([1-9]\d{0,8}))?$/.exec(text) ?? [];
  return isId(kind, below) ? { below, skip: Number(skip) } : undefined;
}
