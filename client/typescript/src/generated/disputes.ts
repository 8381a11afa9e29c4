// Written by `npm run client` from the route table. Do not edit.
import type { Call } from '../call.ts';
import type { List } from '../list.ts';
import type { NoInput, RequestOptions } from '../options.ts';
import { path } from '../path.ts';
import type {
  Dispute,
  DisputeEvidence,
  DisputeList,
} from './schemas.ts';

export type ListDisputesQuery = {
  limit?: number;
  offset?: number;
  /** From the `Link` header of the page before: such a page costs the same wherever it is in the list. */
  cursor?: string;
  status?: 'warning' | 'needs_response' | 'under_review' | 'won' | 'lost' | 'accepted' | 'expired';
  /** Only disputes that still wait for an answer (`warning`, `needs_response`), due before this time. */
  respond_by_before?: string;
  provider?:
    | 'adyen'
    | 'checkout'
    | 'flutterwave'
    | 'mollie'
    | 'paypal'
    | 'paystack'
    | 'razorpay'
    | 'stripe';
  payment_id?: string;
  /** Inclusive: an object created at exactly this time is in the list. */
  created_after?: string;
  /**
   * Exclusive: an object created at exactly this time is not in the list, so adjoining time ranges neither overlap
   * nor leave a gap.
   */
  created_before?: string;
};

export const disputes = (call: Call) => ({
  /**
   * List disputes.
   * `GET /v1/disputes`: Requires the scope `payments:read`. Counts among the 500 reads a minute.
   */
  list: (input?: ListDisputesQuery, options?: RequestOptions): List<Dispute, DisputeList> =>
    call.list('/v1/disputes', 'disputes', input, options),

  /**
   * Get a dispute.
   * `GET /v1/disputes/{id}`: Requires the scope `payments:read`. Counts among the 500 reads a minute.
   */
  get: (id: string, input?: NoInput, options?: RequestOptions): Promise<Dispute> =>
    call.get(path`/v1/disputes/${id}`, input, options),

  /**
   * Accept a dispute.
   * `POST /v1/disputes/{id}/accept`: Requires the scope `payments:write`. Counts among the 100 other writes a
   * minute.
   */
  accept: (id: string, input?: NoInput, options?: RequestOptions): Promise<Dispute> =>
    call.change('POST', path`/v1/disputes/${id}/accept`, input, options),

  /**
   * Submit evidence against a dispute.
   * `POST /v1/disputes/{id}/evidence`: Requires the scope `payments:write`. Counts among the 100 other writes a
   * minute.
   */
  submitEvidence: (id: string, input: DisputeEvidence, options?: RequestOptions): Promise<Dispute> =>
    call.change('POST', path`/v1/disputes/${id}/evidence`, input, options),
});
