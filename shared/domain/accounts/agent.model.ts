/** What an agent may move in a day without a person, in minor units by currency. Without a line of its own: nothing. */
export type AgentLimits = Readonly<Record<string, number>>;

/** Money that a request moves. `asks`: a person decides in any case, as it goes on moving it. */
export type MovedMoney = { readonly amount: number; readonly currency: string; readonly asks?: true };

/** What else a request says, by the field of its body: who decides must know what runs. */
export type AgentTerms = Readonly<Record<string, string | number | boolean>>;

/**
 * A changing request of an agent's key, under its idempotency key. `allowed`: it needed nobody. Any other one has
 * waited for a person. It decides about repeats until `expires_at`.
 */
export type AgentRequest = {
  readonly id: string;
  readonly org_id: string;
  readonly key_id: string;
  /** The name of the agent's program, as it calls itself. */
  readonly agent_name: string | null;
  /** A keyed hash of what was asked for: an approval is for exactly this. */
  readonly request: string;
  /** Method and path of the endpoint, such as `POST /v1/payments/{id}/refund`. */
  readonly operation: string;
  /** Who decides about it must have this scope too. */
  readonly scope: string;
  readonly resource_id: string | null;
  /** Null where it is not known beforehand, or where nothing is moved. */
  readonly amount: number | null;
  readonly currency: string | null;
  readonly customer_id: string | null;
  readonly description: string | null;
  readonly terms: AgentTerms;
  readonly status: 'allowed' | 'pending' | 'approved' | 'rejected';
  readonly created_at: string;
  readonly expires_at: string;
  readonly decided_by: string | null;
  readonly decided_at: string | null;
  /** When it was let through for the first time. */
  readonly used_at: string | null;
};

/** As people see a request that has waited for one of them. */
export const APPROVAL_STATUSES = ['pending', 'approved', 'rejected', 'used', 'expired'] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];
