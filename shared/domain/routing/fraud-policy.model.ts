/** The fields that lists match payments by. */
export type FraudLists = {
  readonly countries: readonly string[];
  readonly emails: readonly string[];
  /** Subdomains included. */
  readonly email_domains: readonly string[];
  readonly customer_ids: readonly string[];
  /** Addresses, or networks such as 203.0.113.0/24. */
  readonly ips: readonly string[];
};

export const VELOCITY_FIELDS = ['customer_id', 'customer_email', 'ip', 'token'] as const;
export type VelocityField = (typeof VELOCITY_FIELDS)[number];

/** At most this many payments, or this much money, with the same value of this field, in any window of this length. */
export type VelocityRule = {
  readonly field: VelocityField;
  readonly max_payments: number;
  readonly max_amount?: number;
  readonly currency?: string;
  /** `10m`: seconds, minutes, hours or days. */
  readonly window: string;
};

export type FraudPolicy = {
  readonly enabled: boolean;
  /** In minor units, by currency. */
  readonly max_amount: Readonly<Record<string, number>>;
  readonly velocity: readonly VelocityRule[];
  readonly blocked: FraudLists;
  readonly allowed: FraudLists;
  readonly action: 'block' | 'flag';
  readonly updated_at: string | null;
  /** The number of saves. */
  readonly version: number;
};

const EMPTY_LISTS: FraudLists = { countries: [], emails: [], email_domains: [], customer_ids: [], ips: [] };

/** The default of an organization without a policy. */
export const NO_POLICY: FraudPolicy = {
  enabled: false,
  max_amount: {},
  velocity: [],
  blocked: EMPTY_LISTS,
  allowed: EMPTY_LISTS,
  action: 'block',
  updated_at: null,
  version: 0,
};
