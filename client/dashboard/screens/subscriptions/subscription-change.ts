import { invalidate } from '#client/dashboard/api/query-cache.ts';
import { showToast } from '#client/dashboard/ui/toast.tsx';
import type { Subscription } from '#client/typescript/src/index.ts';

export type SubscriptionDialogProps = { readonly subscription: Subscription; readonly onClose: () => void };

/** Whatever shows the subscription, its revenue or its invoices is loaded again. */
export function afterSubscriptionChange(toast: string): void {
  invalidate('subscription', 'subscriptions', 'subscription-stats', 'invoices', 'invoice', 'dunning', 'attention');
  showToast(toast);
}
