import type { Owner } from '#shared/domain/accounts/owner.model.ts';

export interface OwnersPort {
  /** True if this call made the record; false if the address had one, which stays. */
  record(owner: Owner): Promise<boolean>;
  byEmail(email: string): Promise<Owner | undefined>;
}
