/** Periods to choose from, by what stands in the address. They end now, so a saved view stays current. */
export const RANGES = { today: 1, '7d': 7, '30d': 30, '90d': 90 } as const;
export type RangeName = keyof typeof RANGES;

type Chosen = { readonly created?: string; readonly from?: string; readonly to?: string };
export type CreatedRange = { readonly created_after?: string; readonly created_before?: string };

const isRange = (name: string | undefined): name is RangeName => name !== undefined && Object.hasOwn(RANGES, name);

/** The start of a day in the viewer's zone, `days` after it. Undefined for what is no day. */
function startOf(day: string | undefined, days = 0): string | undefined {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day ?? '') ?? [];
  if (year === undefined) return undefined;
  const start = new Date(Number(year), Number(month) - 1, Number(date) + days);
  return Number.isNaN(start.getTime()) ? undefined : start.toISOString();
}

/** The days in the address as moments. Both days belong to it; the API leaves `created_before` itself out. */
export function createdRange({ created, from, to }: Chosen, now: Date): CreatedRange {
  if (isRange(created)) {
    const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() - RANGES[created] + 1);
    return { created_after: day.toISOString() };
  }
  const [after, before] = [startOf(from), startOf(to, 1)];
  return { ...(after && { created_after: after }), ...(before && { created_before: before }) };
}
