import type { RecordChange } from '#shared/ports/changes.port.ts';
import type { Deps } from '#shared/ports/deps.ts';

/**
 * Keeps the list of payments under review as these changes say. Returns the first change that could not be noted: it is
 * delivered again, with all after it.
 */
export async function listReviews(
  changes: readonly RecordChange[],
  { reviews, clock, log }: Pick<Deps, 'reviews' | 'clock' | 'log'>,
): Promise<string | undefined> {
  const failed = await Promise.all(
    changes.map(async (change) => {
      if (change.kind !== 'payment') return [];
      const next = change.new?.();
      if (!next || !(next.review ?? change.old?.().review)) return [];
      try {
        await reviews.note(next, clock.now());
        return [];
      } catch (error) {
        log.warn('review_not_listed', { payment_id: next.id, org_id: next.org_id, error });
        return [change.seq];
      }
    }),
  );
  return failed.flat().sort()[0];
}
