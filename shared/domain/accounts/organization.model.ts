import type { ListShardCount } from '#shared/domain/accounts/capacity.rules.ts';
import type { PlanName } from '#shared/domain/accounts/plans.catalog.ts';
import type { OrganizationRate } from '#shared/domain/accounts/rate-limits.rules.ts';

/** The status of identity verification. Live keys work only while it is approved. */
export const KYC_STATUSES = ['pending', 'approved', 'rejected'] as const;

/** The languages of customers' pages and mails. */
export const CUSTOMER_LANGUAGES = ['en', 'de', 'fr', 'es', 'nl', 'pt'] as const;
export type CustomerLanguage = (typeof CUSTOMER_LANGUAGES)[number];

/** What customers see of the organization on payment pages and receipts, and whether they get receipts by mail. */
export type OrganizationSettings = {
  readonly support_email: string | null;
  readonly support_phone: string | null;
  readonly website_url: string | null;
  readonly logo_url: string | null;
  readonly email_receipts: boolean;
  readonly receipt_language: CustomerLanguage;
};

/** Nothing is shown or mailed unless the organization says so. */
export const DEFAULT_SETTINGS: OrganizationSettings = {
  support_email: null,
  support_phone: null,
  website_url: null,
  logo_url: null,
  email_receipts: false,
  receipt_language: 'en',
};

/** What the platform gives a large organization more of. Missing: what a usual one needs. */
export type OrganizationCapacity = {
  /** Copies of the routing snapshot, which its payments read: one partition takes 3,000 reads a second. */
  readonly routing_copies?: number;
  /** Over how many partitions its lists are spread, and the number until `since`: see `capacity.rules`. */
  readonly list_shards?: ListShardCount;
  readonly list_shards_before?: ListShardCount;
  readonly since?: string;
};

export type Organization = {
  readonly id: string;
  readonly name: string;
  readonly legal_name: string | null;
  /** The name that the owner of an approved organization wants it to have. It takes effect when it is approved. */
  readonly requested_legal_name?: string | null;
  readonly kyc: (typeof KYC_STATUSES)[number];
  readonly plan: PlanName;
  readonly created_at: string;
  /** The user who changed a name last. Missing until one does. */
  readonly renamed_by?: string;
  /** Missing until they are first saved. */
  readonly settings?: OrganizationSettings;
  readonly capacity?: OrganizationCapacity;
  /** The rate limits of each of its API keys. Missing: those of everybody. */
  readonly rate?: OrganizationRate;
  /** Since when an operator has stopped it: it can neither call the API nor charge anybody. Missing: it is free. */
  readonly quarantined_at?: string;
};

/**
 * The future owner of a bootstrapped organization and of the platform. There is no user yet: the first sign-in with
 * this address finds the record and creates the user.
 */
export type Owner = {
  readonly email: string;
  readonly org_id: string;
  readonly created_at: string;
  /** When the owner first signed in. From then on only memberships count, and this record grants nothing more. */
  readonly taken_up_at?: string;
};
