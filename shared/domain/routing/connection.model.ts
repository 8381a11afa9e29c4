import type { Stage } from '#shared/domain/reference/stage.model.ts';

/** A PSP's name: a line of the registry (`shared/psp/registry.ts`). Input is validated against it. */
export type Provider = string;

/** Different ones; duplicates count once. */
export const MAX_LABELS = 20;

/** What a connection says by payment method: more than all providers together support. */
export const MAX_CONNECTION_METHODS = 100;

export type Capabilities = {
  readonly methods: readonly string[];
  readonly currencies: readonly string[] | 'all';
  readonly countries: readonly string[] | 'all';
  readonly refunds: boolean;
  readonly partial_refunds: boolean;
  readonly cancel: boolean;
  readonly off_session: boolean;
  /** What its provider can do where missing. A merchant may switch them off. */
  readonly manual_capture?: boolean;
  readonly partial_capture?: boolean;
  readonly multi_capture?: boolean;
};

export type RoutingHints = {
  readonly country_preference: readonly string[];
  /** From −1 to 1, by method. */
  readonly method_bias: Readonly<Record<string, number>>;
  readonly fallback_only: boolean;
};

type Fee = { readonly percentage?: number; readonly fixed?: number };
/** `percentage` in percent, `fixed` in minor units. */
export type FeeStructure = Fee & {
  readonly per_method?: Readonly<Record<string, Fee>>;
  readonly per_currency?: Readonly<Record<string, Fee>>;
};

/** Replaced credentials, still sealed: in use since `from`, kept until `until`. */
export type FormerCredentials = {
  readonly mark?: string;
  readonly sealed_credentials: string;
  readonly from: string;
  readonly until: string;
};

/**
 * An organization's own account at a PSP. Fields that no reply schema names never leave the service, above all the
 * credentials.
 */
export type Connection = {
  readonly id: string;
  readonly org_id: string;
  readonly provider: Provider;
  readonly mode: Stage;
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
  /** Number of its audit entries. */
  readonly audits: number;
  /** Number of routing rules that name it; while there are any it can't be deleted. */
  readonly used_by_rules: number;
  /** The ordinal of this connection among those that have had its id. */
  readonly generation: number;
  /** Empty after the purge. */
  readonly sealed_credentials: string;
  /**
   * Keyed hashes to compare credentials by: of what opens the account, and of everything with the webhook secret.
   * Missing on older records.
   */
  readonly credentials_mark?: string;
  readonly content_mark?: string;
  /** When the present credentials were saved. */
  readonly credentials_at?: string;
  /** Earlier credentials, kept for a while for the payments made with them. */
  readonly former: readonly FormerCredentials[];
  /** When it was deleted. Payments made through it stay readable, and refundable until the credentials are purged. */
  readonly deleted_at?: string;
};

/** What routing and a new attempt need of a connection. Its credentials are read once it is chosen. */
export type RoutedConnection = Pick<
  Connection,
  | 'id'
  | 'org_id'
  | 'provider'
  | 'mode'
  | 'status'
  | 'capabilities'
  | 'routing_hints'
  | 'workflow_id'
  | 'fee_structure'
  | 'credentials_mark'
  | 'generation'
>;
