import { FILTERS, type FilterValues } from '#client/dashboard/screens/payments/payments-query.ts';

/** Filters under a name, kept in this browser for one organization. */
export type SavedView = { readonly name: string; readonly filters: FilterValues };

const MAX_VIEWS = 20;
export const MAX_NAME_LENGTH = 40;
const keyOf = (orgId: string): string => `payfork.views.payments.${orgId}`;

/** What a browser keeps may be of another release, or changed by hand: what is no view is left out. */
export function readViews(orgId: string, storage: Pick<Storage, 'getItem'> = localStorage): readonly SavedView[] {
  const kept = parsed(storage.getItem(keyOf(orgId)));
  return Array.isArray(kept) ? kept.flatMap(viewOf).slice(0, MAX_VIEWS) : [];
}

export function saveViews(
  orgId: string,
  views: readonly SavedView[],
  storage: Pick<Storage, 'setItem'> = localStorage,
): void {
  storage.setItem(keyOf(orgId), JSON.stringify(views.slice(-MAX_VIEWS)));
}

/** Whether these are the same filters, in whatever order. */
export const isSameView = (a: FilterValues, b: FilterValues): boolean =>
  FILTERS.every((name) => (a[name] ?? '') === (b[name] ?? ''));

function viewOf(kept: unknown): readonly SavedView[] {
  if (typeof kept !== 'object' || kept === null || !('name' in kept) || typeof kept.name !== 'string') return [];
  const filters = 'filters' in kept ? Object(kept.filters) : {};
  const entries = FILTERS.flatMap((name) => (typeof filters[name] === 'string' ? [[name, filters[name]]] : []));
  return kept.name === '' ? [] : [{ name: kept.name.slice(0, MAX_NAME_LENGTH), filters: Object.fromEntries(entries) }];
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return undefined;
  }
}
