import { abTestRoutes } from '#functions/ab-tests/ab-tests.routes.ts';
import { agentRoutes } from '#functions/agents/agents.routes.ts';
import { apiKeyRoutes } from '#functions/api-keys/api-keys.routes.ts';
import { attentionRoutes } from '#functions/attention/attention.routes.ts';
import { authRoutes } from '#functions/auth/auth.routes.ts';
import { connectionRoutes } from '#functions/connections/connections.routes.ts';
import { customerRoutes } from '#functions/customers/customers.routes.ts';
import { dashboardRoutes } from '#functions/dashboard/dashboard.routes.ts';
import { disputeRoutes } from '#functions/disputes/disputes.routes.ts';
import { healthRoutes } from '#functions/health/health.routes.ts';
import { hostedPageRoutes } from '#functions/hosted-pages/hosted-pages.routes.ts';
import { invoiceRoutes } from '#functions/invoices/invoices.routes.ts';
import { mcpRoutes } from '#functions/mcp/mcp.routes.ts';
import { openApiRoutes } from '#functions/openapi/openapi.routes.ts';
import { organizationRoutes } from '#functions/organizations/organizations.routes.ts';
import { paymentActionRoutes } from '#functions/payment-actions/payment-actions.routes.ts';
import { paymentLinkRoutes } from '#functions/payment-links/payment-links.routes.ts';
import { paymentMethodRoutes } from '#functions/payment-methods/payment-methods.routes.ts';
import { paymentStatsRoutes } from '#functions/payment-stats/payment-stats.routes.ts';
import { paymentTimelineRoutes } from '#functions/payment-timeline/payment-timeline.routes.ts';
import { paymentRoutes } from '#functions/payments/payments.routes.ts';
import { platformRoutes } from '#functions/platform/platform.routes.ts';
import { policyRoutes } from '#functions/policies/policies.routes.ts';
import { callbackRoutes } from '#functions/psp-webhooks/psp-webhooks.routes.ts';
import { referenceRoutes } from '#functions/reference/reference.routes.ts';
import { routingRuleRoutes } from '#functions/routing-rules/routing-rules.routes.ts';
import { routingSimulatorRoutes } from '#functions/routing-simulator/routing-simulator.routes.ts';
import { searchRoutes } from '#functions/search/search.routes.ts';
import { subscriptionStatsRoutes } from '#functions/subscription-stats/subscription-stats.routes.ts';
import { subscriptionRoutes } from '#functions/subscriptions/subscriptions.routes.ts';
import { webhookRoutes } from '#functions/webhooks/webhooks.routes.ts';
import { workflowRoutes } from '#functions/workflows/workflows.routes.ts';
import type { AnyRoute } from '#shared/http/route.ts';
import type { Deps } from '#shared/ports/deps.ts';

const TABLE = {
  'api-keys': apiKeyRoutes,
  agents: agentRoutes,
  connections: connectionRoutes,
  'routing-rules': routingRuleRoutes,
  'routing-simulator': routingSimulatorRoutes,
  'ab-tests': abTestRoutes,
  payments: paymentRoutes,
  'payment-actions': paymentActionRoutes,
  'payment-stats': paymentStatsRoutes,
  attention: attentionRoutes,
  'payment-timeline': paymentTimelineRoutes,
  search: searchRoutes,
  disputes: disputeRoutes,
  'payment-methods': paymentMethodRoutes,
  customers: customerRoutes,
  'payment-links': paymentLinkRoutes,
  'hosted-pages': hostedPageRoutes,
  dashboard: dashboardRoutes,
  reference: referenceRoutes,
  subscriptions: subscriptionRoutes,
  'subscription-stats': subscriptionStatsRoutes,
  invoices: invoiceRoutes,
  policies: policyRoutes,
  webhooks: webhookRoutes,
  workflows: workflowRoutes,
  'psp-webhooks': callbackRoutes,
  auth: authRoutes,
  organizations: organizationRoutes,
  platform: platformRoutes,
  health: healthRoutes,
  openapi: openApiRoutes,
  mcp: mcpRoutes,
} as const;

export type FunctionGroup = keyof typeof TABLE;

/**
 * Every endpoint, by the function that serves it. The local gateway, the tests, CDK and the OpenAPI document read this.
 */
export const ROUTES: Readonly<Record<FunctionGroup, readonly AnyRoute<Deps>[]>> = TABLE;

/** The function URL's routes: callbacks must get through even where the API's own limits would refuse them. */
export const FUNCTION_URL_GROUP = 'psp-webhooks' satisfies FunctionGroup;
