import type { SearchResults } from '#client/typescript/src/index.ts';

export type Found = SearchResults['results'][number];

/** Where a record of each type is shown. */
export function addressOfFound({ type, id, payment_id }: Pick<Found, 'type' | 'id' | 'payment_id'>): string {
  const payments = (name: string): string => `/dashboard/payments?${name}=${encodeURIComponent(id)}`;
  switch (type) {
    case 'payment':
      return `/dashboard/payments/${id}`;
    case 'dispute':
      return `/dashboard/disputes/${id}`;
    case 'subscription':
      return `/dashboard/subscriptions/${id}`;
    case 'invoice':
      return `/dashboard/invoices/${id}`;
    case 'connection':
      return `/dashboard/connections/${id}`;
    case 'event':
      return `/dashboard/webhooks/events/${id}`;
    case 'workflow_run':
      return `/dashboard/workflows/runs/${id}`;
    case 'customer':
      return payments('customer_id');
    case 'payment_link':
      return `/dashboard/payments/links?id=${id}`;
    case 'refund':
    case 'attempt':
    case 'payment_method':
      return payment_id === null ? payments('search') : `/dashboard/payments/${payment_id}`;
  }
}
