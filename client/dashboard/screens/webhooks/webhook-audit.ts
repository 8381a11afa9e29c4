import type { PageOf } from '#client/dashboard/api/use-pages.ts';
import type { Load } from '#client/dashboard/api/use-query.ts';
import { isPayforkError, type WebhookAudit } from '#client/typescript/src/index.ts';

const NONE: PageOf<WebhookAudit> = { items: [], hasMore: false, next: async () => undefined };

/** Who changed the webhooks, newest first. Without a configuration there is nothing, and that is no mistake. */
export const loadWebhookAudit: Load<PageOf<WebhookAudit>> = async (api, options) => {
  try {
    return await api.logs.listWebhookAudit({}, options);
  } catch (error) {
    if (isPayforkError(error) && error.status === 404) return NONE;
    throw error;
  }
};
