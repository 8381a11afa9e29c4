import { isAutomatic } from '#test/model/watch.ts';
import type { Body } from '#test/support/host.ts';

/** What the runs covered, so that the result shows what was tested. */
class Tally {
  readonly #counts = new Map<string, number>();

  count(what: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
  }

  countPayment(payment: Body): void {
    const { status, review, late_success, attempts, refunds, capture, failure } = payment;
    const { captures = [], partially_approved, released_amount = 0 } = payment;
    this.count('payments');
    this.count(status);
    if (review) this.count(`review: ${review.reason}`);
    if (late_success) this.count('late success');
    if (attempts.length > 1) this.count('several attempts');
    if (new Set(attempts.map((a: Body) => a.connection_id)).size > 1) this.count('several connections');
    for (const refund of refunds) this.count(kindOf(refund));
    for (const { status: is } of captures) this.count(`capture ${is}`);
    if (capture === 'manual') this.count(`captured later: ${status}`);
    if (failure?.code === 'authorization_expired') this.count('authorization expired');
    if (partially_approved) this.count('partly approved');
    if (released_amount > 0 && captures.some((c: Body) => c.status === 'succeeded')) this.count('partly captured');
  }

  has(what: string): boolean {
    return this.#counts.has(what);
  }

  /** How many of the payments that were sent anywhere went to several connections. */
  get failovers(): string {
    const [moved = 0, all = 0] = ['several connections', 'payments'].map((what) => this.#counts.get(what));
    return `${moved} of ${all} payments failed over (${((100 * moved) / Math.max(1, all)).toFixed(2)} %)`;
  }

  get text(): string {
    return [...this.#counts]
      .sort(([, a], [, b]) => b - a)
      .map(([what, count]) => `${count} ${what}`)
      .join(', ');
  }
}

function kindOf(refund: Body): string {
  if (isAutomatic(refund)) return refund.reason;
  return refund.reason === 'made_at_provider' ? `made at the provider: ${refund.status}` : `refund ${refund.status}`;
}

export const tally = new Tally();
