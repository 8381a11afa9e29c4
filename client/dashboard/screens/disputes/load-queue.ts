import type { Load } from '#client/dashboard/api/use-query.ts';
import { awaitsAnswer } from '#client/dashboard/screens/disputes/dispute-deadline.tsx';
import type { Dispute } from '#client/typescript/src/generated/schemas.ts';

type Queue = { readonly disputes: readonly Dispute[]; readonly hasMore: boolean };

/** Few disputes wait at a time. With more than a page of each kind, the rest comes once the first are answered. */
const LIMIT = 200;
const LAST = '~';

/** What waits for an answer, the soonest deadline first. One that the provider keeps to itself comes last. */
export const loadQueue: Load<Queue> = async (api, options) => {
  const pages = await Promise.all([
    api.disputes.list({ status: 'needs_response', limit: LIMIT }, options),
    api.disputes.list({ status: 'warning', limit: LIMIT }, options),
  ]);
  const disputes = pages
    .flatMap(({ items }) => items)
    .filter(awaitsAnswer)
    .sort((a, b) => ((a.respond_by ?? LAST) < (b.respond_by ?? LAST) ? -1 : 1));
  return { disputes, hasMore: pages.some(({ hasMore }) => hasMore) };
};
