import type { PlatformAct, PlatformAdmin } from '#shared/domain/accounts/platform.model.ts';
import type { Item } from '#shared/ports/table.port.ts';
import { keys } from '#shared/store/keys.ts';
import { recordIn } from '#shared/store/record-in.ts';

export const adminItem = (admin: PlatformAdmin): Item => ({
  ...keys.platformAdmin(admin.user_id),
  item_type: 'platform_admin',
  ...admin,
});

export const toAdmin = (item: Item): PlatformAdmin => {
  const { user_id, email, role, created_at } = item as unknown as PlatformAdmin;
  return { user_id, email, role, created_at };
};

export const actItem = (act: PlatformAct): Item => ({
  ...keys.platformAct(act.id),
  item_type: 'platform_act',
  ...(act as unknown as Item),
});

export const toAct = (item: Item): PlatformAct => recordIn<PlatformAct>(item);
