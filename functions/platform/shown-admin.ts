import type { PlatformAdmin } from '#shared/domain/accounts/platform.model.ts';

export const shownAdmin = ({ user_id: id, email, role, created_at }: PlatformAdmin) => ({
  id,
  email,
  role,
  created_at,
});
