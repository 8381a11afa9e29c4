// Written by `npm run client` from the route table. Do not edit.
import type { ApiPromise } from '../api-promise.ts';
import type { Call } from '../call.ts';
import type { List } from '../list.ts';
import type { NoInput, RequestOptions } from '../options.ts';
import { path } from '../path.ts';
import type {
  Dispute,
  DisputeEvidence,
  DisputeList,
  DisputeStatus,
  Provider,
} from './schemas.ts';

export type ListDisputesQuery = {
  /** The most objects that a page may have. */
  limit?: number;
  /** How many objects to skip. */
  offset?: number;
  /**
   * From the `Link` header or `next_cursor` of the page before: such a page costs the same wherever it is in the
   * list.
   */
  cursor?: string;
  /** Only disputes with this status. */
  status?: DisputeStatus;
  /** Only disputes that still wait for an answer (`warning`, `needs_response`), due before this time. */
  respond_by_before?: string;
  /** Only disputes at this provider. */
  provider?: Provider;
  /** Only disputes of this payment. */
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
   * `GET /v1/disputes`: Requires the scope `payments:read`.
   * With examples at `/docs/api/disputes#listDisputes`.
   */
  list: (input?: ListDisputesQuery, options?: RequestOptions): List<Dispute, DisputeList> =>
    call.list('/v1/disputes', 'disputes', input, options),

  /**
   * Get a dispute.
   * `GET /v1/disputes/{id}`: Requires the scope `payments:read`.
   * With examples at `/docs/api/disputes#getDispute`.
   * @throws {PayforkError} `not_found`
   */
  get: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<Dispute> =>
    call.get(path`/v1/disputes/${id}`, input, options),

  /**
   * Accept a dispute.
   * `POST /v1/disputes/{id}/accept`: Requires the scope `payments:write`.
   * With examples at `/docs/api/disputes#acceptDispute`.
   * @throws {PayforkError} `approval_required`, `approval_rejected`, `not_found`, `outcome_unknown`,
   * `dispute_not_answerable`, `dispute_answer_refused`, `dispute_answer_unsupported`, `approval_limit_reached`,
   * `write_conflict`, `record_full`, `provider_error`, `events_waiting`
   */
  accept: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<Dispute> =>
    call.change('POST', path`/v1/disputes/${id}/accept`, input, options),

  /**
   * Submit evidence against a dispute.
   * `POST /v1/disputes/{id}/evidence`: Requires the scope `payments:write`.
   * With examples at `/docs/api/disputes#submitDisputeEvidence`.
   * @throws {PayforkError} `not_found`, `outcome_unknown`, `dispute_not_answerable`, `dispute_answer_refused`,
   * `dispute_answer_unsupported`, `write_conflict`, `record_full`, `provider_error`, `events_waiting`
   */
  submitEvidence: (id: string, input: DisputeEvidence, options?: RequestOptions): ApiPromise<Dispute> =>
    call.change('POST', path`/v1/disputes/${id}/evidence`, input, options),
});
