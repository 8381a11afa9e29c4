import type { PlatformRole } from '#shared/domain/reference/roles.catalog.ts';

/** A user who runs the platform, whatever their roles in organizations. */
export type PlatformAdmin = {
  readonly user_id: string;
  readonly email: string;
  readonly role: PlatformRole;
  readonly created_at: string;
};

export const PLATFORM_ACTIONS = [
  'kyc_approved',
  'kyc_rejected',
  'plan_changed',
  'admin_added',
  'admin_changed',
  'admin_removed',
] as const;
type PlatformAction = (typeof PLATFORM_ACTIONS)[number];

/** An audit entry of the platform: written with its act, in one transaction. */
export type PlatformAct = {
  readonly id: string;
  readonly actor_id: string;
  readonly actor_email: string;
  readonly action: PlatformAction;
  readonly target: { readonly type: 'organization' | 'user'; readonly id: string; readonly name: string };
  readonly metadata: {
    readonly changes: Readonly<Record<string, { readonly from: string | null; readonly to: string | null }>>;
    /** The reason, if one was given. */
    readonly reason: string | null;
    /** The legal name that the verdict is about: a later name was not verified. */
    readonly legal_name?: string | null;
  };
  /** When it was requested. */
  readonly created_at: string;
};
