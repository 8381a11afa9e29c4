/**
 * Whose a bootstrapped organization is: owner of it, and of the platform, from the first sign-in with this address on. There
 * are no users yet; sign-in finds this record by the address and makes the user of it.
 */
export type Owner = {
  readonly email: string;
  readonly org_id: string;
  readonly created_at: string;
  /** When its owner signed in first. From then on memberships say who owns what, and this gives nothing again. */
  readonly taken_up_at?: string;
};

/** Mail knows no case in practice, and nobody should come twice for a capital letter. */
export const normalEmail = (email: string): string => email.trim().toLowerCase();
