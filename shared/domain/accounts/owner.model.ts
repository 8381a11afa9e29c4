/**
 * The owner-to-be of a bootstrapped organization, and of the platform, from the first sign-in with this address on.
 * There is no user yet; sign-in finds this record by the address and makes the user.
 */
export type Owner = {
  readonly email: string;
  readonly org_id: string;
  readonly created_at: string;
  /** When its owner first signed in. From then on memberships count, and this grants nothing again. */
  readonly taken_up_at?: string;
};
