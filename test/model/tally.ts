import { isAutomatic } from '#test/model/watch.ts';
import type { Body } from '#test/support/host.ts';

/** What the runs covered, so that the result shows what was tested. */
class Tally {
  readonly #counts = new Map<string, number>();

  count(what: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
  }

  countPayment({ status, review, late_success, attempts, refunds }: Body): void {
    this.count(status);
    if (review) this.count(`review: ${review.reason}`);
    if (late_success) this.count('late success');
    if (attempts.length > 1) this.count('several attempts');
    if (new Set(attempts.map((a: Body) => a.connection_id)).size > 1) this.count('several connections');
    for (const refund of refunds) this.count(isAutomatic(refund) ? refund.reason : `refund ${refund.status}`);
  }

  has(what: string): boolean {
    return this.#counts.has(what);
  }

  get text(): string {
    return [...this.#counts]
      .sort(([, a], [, b]) => b - a)
      .map(([what, count]) => `${count} ${what}`)
      .join(', ');
  }
}

export const tally = new Tally();
