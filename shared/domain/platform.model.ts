import type { PlatformRole } from '#shared/domain/roles.catalog.ts';

/** One of those who run the platform, whatever else he is in organizations. */
export type PlatformAdmin = { readonly user_id: string; readonly email: string; readonly role: PlatformRole; readonly created_at: string };

export const PLATFORM_ACTIONS = ['kyc_approved', 'kyc_rejected', 'plan_changed', 'admin_added', 'admin_changed', 'admin_removed'] as const;
export type PlatformAction = (typeof PLATFORM_ACTIONS)[number];

/** Who did what on the platform, and to whom; written with the act itself, at once or not at all. */
export type PlatformAct = {
  readonly id: string;
  readonly actor_id: string;
  readonly actor_email: string;
  readonly action: PlatformAction;
  readonly target: { readonly type: 'organization' | 'user'; readonly id: string; readonly name: string };
  readonly metadata: {
    readonly changes: Readonly<Record<string, { readonly from: string | null; readonly to: string | null }>>;
    /** Why, where that is said. */
    readonly reason: string | null;
    /** Whose identity it was: a name that is changed later was not looked at. */
    readonly legal_name?: string | null;
  };
  /** When it was asked for. */
  readonly created_at: string;
};
