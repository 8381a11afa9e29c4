import {
  FAILED_REQUEST_DAYS,
  type FailedRequest,
  type FailedRequestShare,
  MAX_ALIKE_PER_MINUTE,
  MAX_KEPT_PER_MINUTE,
  shareOf,
} from '#shared/domain/reporting/failed-request.model.ts';
import type { FailureLogPort } from '#shared/ports/failed-requests.port.ts';
import type { Key, TablePort } from '#shared/store/table/table.port.ts';

/** Not in `keys.ts`: that is loaded with every payment, and this at the first failure of a process. */
export const failedRequestKeys = {
  failedRequest: (orgId: string, createdAt: string, requestId: string): Key => ({
    pk: `FAILED#${orgId}`,
    sk: `${createdAt}#${requestId}`,
  }),
  failedRequestCount: (orgId: string, share: FailedRequestShare, minute: number): Key => ({
    pk: `FAILCOUNT#${orgId}`,
    sk: `${share}#${minute}`,
  }),
};

/** How many kinds of failures a process tells apart in a minute. */
const MAX_KINDS = 10_000;

const [MINUTE_SECONDS, DAY_SECONDS] = [60, 86_400];

/**
 * A failure costs at most two writes, and an organization keeps at most 25 a minute. A process that has seen a minute
 * full writes no more in it.
 */
export class FailureLogRepo implements FailureLogPort {
  readonly #table: TablePort;
  #minute = 0;
  readonly #alike = new Map<string, number>();
  readonly #full = new Set<string>();
  constructor(table: TablePort) {
    this.#table = table;
  }

  async record(orgId: string, failed: FailedRequest): Promise<void> {
    const seconds = Math.floor(Date.parse(failed.created_at) / 1_000);
    const [share, minute] = [shareOf(failed), Math.floor(seconds / MINUTE_SECONDS)];
    if (!this.#isSampled(`${share} ${orgId}`, failed, minute)) return;
    const counted = await this.#table.update(
      failedRequestKeys.failedRequestCount(orgId, share, minute),
      { add: { count: 1 }, set: { ttl: seconds + 2 * MINUTE_SECONDS } },
      { any: [{ absent: 'count' }, { lt: ['count', MAX_KEPT_PER_MINUTE[share]] }] },
    );
    if (!counted.ok) {
      this.#full.add(`${share} ${orgId}`);
      return;
    }
    const key = failedRequestKeys.failedRequest(orgId, failed.created_at, failed.request_id);
    const ttl = seconds + FAILED_REQUEST_DAYS * DAY_SECONDS;
    await this.#table.put({ ...key, item_type: 'failed_request', ...failed, ttl });
  }

  #isSampled(whose: string, failed: FailedRequest, minute: number): boolean {
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#alike.clear();
      this.#full.clear();
    }
    if (this.#full.has(whose)) return false;
    const kind = [whose, failed.credential_id, failed.method, failed.route, failed.code].join(' ');
    const count = this.#alike.get(kind) ?? 0;
    if (count >= MAX_ALIKE_PER_MINUTE || this.#alike.size >= MAX_KINDS) return false;
    this.#alike.set(kind, count + 1);
    return true;
  }
}
