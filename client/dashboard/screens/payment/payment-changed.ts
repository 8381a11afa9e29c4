import { invalidate } from '#client/dashboard/api/query-cache.ts';

/** After a change of a payment: what is shown of it is loaded again. */
export const paymentChanged = (): void => invalidate('payment', 'timeline', 'payments', 'stats', 'attention');
