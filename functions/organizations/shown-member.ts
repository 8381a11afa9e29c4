import type { Membership } from '#shared/domain/accounts/user.model.ts';

export const shownMember = ({ user_id, email, role, created_at, invited_at, joined_at }: Membership) => ({
  id: user_id,
  email,
  role,
  status: joined_at === null ? ('invited' as const) : ('active' as const),
  created_at,
  invited_at,
  joined_at,
});
