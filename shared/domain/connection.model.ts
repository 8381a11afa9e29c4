import type { Provider } from '#shared/domain/provider.model.ts';

export type Capabilities = {
  readonly methods: readonly string[];
  readonly currencies: readonly string[] | 'all';
  readonly countries: readonly string[] | 'all';
  readonly refunds: boolean;
  readonly partial_refunds: boolean;
  readonly cancel: boolean;
  readonly off_session: boolean;
};

export type RoutingHints = {
  readonly country_preference: readonly string[];
  /** Method to −1…1. */
  readonly method_bias: Readonly<Record<string, number>>;
  readonly fallback_only: boolean;
};

type Fee = { readonly percentage?: number; readonly fixed?: number };
/** `percentage` in percent, `fixed` in minor units. */
export type FeeStructure = Fee & { readonly per_method?: Readonly<Record<string, Fee>>; readonly per_currency?: Readonly<Record<string, Fee>> };

/** Credentials that were replaced, still sealed: in use since `from`, kept until `until`. */
export type FormerCredentials = { readonly mark?: string; readonly sealed_credentials: string; readonly from: string; readonly until: string };

/** An organization's own account at a PSP. What no shape of an answer names never leaves the service, the credentials above all. */
export type Connection = {
  readonly id: string;
  readonly org_id: string;
  readonly provider: Provider;
  readonly mode: 'sandbox' | 'live';
  readonly status: 'active' | 'inactive';
  readonly capabilities: Capabilities;
  readonly routing_hints: RoutingHints;
  readonly labels: readonly string[];
  readonly workflow_id: string | null;
  readonly fee_structure: FeeStructure | null;
  readonly last_validated_at: string | null;
  readonly last_validation_status: 'never' | 'valid' | 'invalid' | 'unreachable';
  readonly last_validation_error: string | null;
  readonly validation_failures: number;
  readonly name_match_status: 'unknown' | 'match' | 'mismatch';
  readonly created_at: string;
  readonly updated_at: string;
  readonly version: number;
  /** How many entries its audit has. */
  readonly audits: number;
  /** How many routing rules name it; one that is named is not deleted. */
  readonly used_by_rules: number;
  /** How many connections have had this id, this one included. */
  readonly generation: number;
  /** Empty once they were purged. */
  readonly sealed_credentials: string;
  /** Keyed hashes that tell them from others: of what opens the account, and of all with the webhook secret. Missing where they were saved before this was noted. */
  readonly credentials_mark?: string;
  readonly content_mark?: string;
  /** Since when they are these. */
  readonly credentials_at?: string;
  /** What payments were made with earlier; theirs alone, and for a while. */
  readonly former: readonly FormerCredentials[];
  /** Gone for everybody but the payments that were made through it, which stay refundable until the credentials are purged. */
  readonly deleted_at?: string;
};
