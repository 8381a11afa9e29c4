import type { PlatformRole } from '#shared/domain/reference/access.catalog.ts';

/** A user with a role on the platform, apart from any roles in organizations. */
export type PlatformAdmin = {
  readonly user_id: string;
  readonly email: string;
  readonly role: PlatformRole;
  readonly created_at: string;
};

export const PLATFORM_ACTIONS = [
  'kyc_approved',
  'kyc_rejected',
  'legal_name_rejected',
  'plan_changed',
  'rate_changed',
  'capacity_changed',
  'admin_added',
  'admin_changed',
  'admin_removed',
  'recovery_requested',
  'recovery_approved',
  'recovery_rejected',
  'recovery_canceled',
  'recovery_finished',
  'organization_quarantined',
  'organization_released',
  'command_run',
] as const;
type PlatformAction = (typeof PLATFORM_ACTIONS)[number];

/** An entry of the platform's audit log. It is written in one transaction with the change. */
export type PlatformAuditEntry = {
  readonly id: string;
  readonly actor_id: string;
  readonly actor_email: string;
  readonly action: PlatformAction;
  readonly target: { readonly type: 'organization' | 'user'; readonly id: string; readonly name: string };
  readonly metadata: {
    readonly changes: Readonly<Record<string, { readonly from: string | null; readonly to: string | null }>>;
    /** The reason, if the administrator gave one. */
    readonly reason: string | null;
    /** The legal name that was decided about. A later name was not verified. */
    readonly legal_name?: string | null;
  };
  /** When the change was requested. */
  readonly created_at: string;
};
