import { lazyScreen } from '#client/dashboard/shell/lazy-screen.ts';
import type { Screen } from '#client/dashboard/shell/screen.ts';

/** Every screen, by its path below /dashboard. Adding a screen is adding a line; the first that matches is shown. */
export const SCREENS: readonly Screen[] = [
  {
    path: '/',
    screen: lazyScreen(
      async () => (await import('#client/dashboard/screens/today/today.screen.tsx')).TodayScreen,
      true,
    ),
  },
  {
    path: '/payments',
    screen: lazyScreen(
      async () => (await import('#client/dashboard/screens/payments/payments.screen.tsx')).PaymentsScreen,
    ),
  },
  {
    path: '/payments/links',
    screen: lazyScreen(
      async () => (await import('#client/dashboard/screens/payments/payment-links.screen.tsx')).PaymentLinksScreen,
    ),
  },
  {
    path: '/payments/:id',
    screen: lazyScreen(
      async () => (await import('#client/dashboard/screens/payment/payment.screen.tsx')).PaymentScreen,
    ),
  },
  {
    path: '/reviews',
    screen: lazyScreen(
      async () => (await import('#client/dashboard/screens/reviews/reviews.screen.tsx')).ReviewsScreen,
    ),
  },
  {
    path: '/approvals/:id?',
    screen: lazyScreen(
      async () => (await import('#client/dashboard/screens/approvals/approvals.screen.tsx')).ApprovalsScreen,
    ),
  },
  {
    path: '/disputes',
    screen: lazyScreen(
      async () => (await import('#client/dashboard/screens/disputes/disputes.screen.tsx')).DisputesScreen,
    ),
  },
  {
    path: '/disputes/:id',
    screen: lazyScreen(
      async () => (await import('#client/dashboard/screens/disputes/dispute.screen.tsx')).DisputeScreen,
    ),
  },
  {
    path: '/developers/:part?',
    screen: lazyScreen(
      async () => (await import('#client/dashboard/screens/developers/developers.screen.tsx')).DevelopersScreen,
    ),
  },
  {
    path: '/team/:part?',
    screen: lazyScreen(async () => (await import('#client/dashboard/screens/team/team.screen.tsx')).TeamScreen),
  },
  {
    path: '/account',
    screen: lazyScreen(
      async () => (await import('#client/dashboard/screens/account/account.screen.tsx')).AccountScreen,
    ),
  },
  {
    path: '/platform/:part?',
    screen: lazyScreen(
      async () => (await import('#client/dashboard/screens/platform/platform.screen.tsx')).PlatformScreen,
    ),
  },
  {
    path: '/subscriptions',
    screen: lazyScreen(
      async () =>
        (await import('#client/dashboard/screens/subscriptions/subscriptions.screen.tsx')).SubscriptionsScreen,
    ),
  },
  {
    path: '/subscriptions/:id',
    screen: lazyScreen(
      async () => (await import('#client/dashboard/screens/subscriptions/subscription.screen.tsx')).SubscriptionScreen,
    ),
  },
  {
    path: '/invoices',
    screen: lazyScreen(
      async () => (await import('#client/dashboard/screens/invoices/invoices.screen.tsx')).InvoicesScreen,
    ),
  },
  {
    path: '/invoices/:id',
    screen: lazyScreen(
      async () => (await import('#client/dashboard/screens/invoices/invoice.screen.tsx')).InvoiceScreen,
    ),
  },
  {
    path: '/workflows/templates/:id',
    screen: lazyScreen(
      async () => (await import('#client/dashboard/screens/workflows/template.screen.tsx')).TemplateScreen,
    ),
  },
  {
    path: '/workflows/runs/:id',
    screen: lazyScreen(async () => (await import('#client/dashboard/screens/workflows/run.screen.tsx')).RunScreen),
  },
  {
    path: '/workflows/:part?',
    screen: lazyScreen(
      async () => (await import('#client/dashboard/screens/workflows/workflows.screen.tsx')).WorkflowsScreen,
    ),
  },
  {
    path: '/webhooks',
    screen: lazyScreen(async () => (await import('#client/dashboard/screens/webhooks/events.screen.tsx')).EventsScreen),
  },
  {
    path: '/webhooks/endpoint',
    screen: lazyScreen(
      async () => (await import('#client/dashboard/screens/webhooks/endpoint.screen.tsx')).EndpointScreen,
    ),
  },
  {
    path: '/webhooks/verify',
    screen: lazyScreen(async () => (await import('#client/dashboard/screens/webhooks/verify.screen.tsx')).VerifyScreen),
  },
  {
    path: '/webhooks/changes',
    screen: lazyScreen(
      async () => (await import('#client/dashboard/screens/webhooks/changes.screen.tsx')).ChangesScreen,
    ),
  },
  {
    path: '/webhooks/events/:id',
    screen: lazyScreen(async () => (await import('#client/dashboard/screens/webhooks/event.screen.tsx')).EventScreen),
  },
  {
    path: '/lab/:part?',
    screen: lazyScreen(async () => (await import('#client/dashboard/screens/lab/lab.screen.tsx')).LabScreen),
  },
  {
    path: '/routing/:part?',
    screen: lazyScreen(
      async () => (await import('#client/dashboard/screens/routing/routing.screen.tsx')).RoutingScreen,
    ),
  },
  {
    path: '/connections',
    screen: lazyScreen(
      async () => (await import('#client/dashboard/screens/connections/connections.screen.tsx')).ConnectionsScreen,
    ),
  },
  {
    path: '/connections/:id',
    screen: lazyScreen(
      async () => (await import('#client/dashboard/screens/connections/connection.screen.tsx')).ConnectionScreen,
    ),
  },
];
