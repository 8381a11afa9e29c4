import { AppError, need } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** Refuses where there is no receiver: the caller of a replay or test waits for it to arrive. */
export async function needReceiver(orgId: string, { receivers }: Pick<Deps, 'receivers'>): Promise<void> {
  const { enabled } = need(
    await receivers.get(orgId),
    'There is nowhere to send it. Configure webhooks first: POST /v1/webhooks/config.',
  );
  if (!enabled)
    throw new AppError(
      'webhooks_disabled',
      'Webhooks are turned off. Turn them on first: POST /v1/webhooks/config with "enabled": true.',
    );
}
