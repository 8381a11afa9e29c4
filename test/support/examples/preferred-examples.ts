import type { Body } from '#test/support/host.ts';

type Preferred = (example: { readonly request: Body; readonly response: Body }) => boolean;

const succeeded: Preferred = ({ response }) =>
  response.status === 'succeeded' && response.provider === 'stripe' && response.attempts.length === 1;
const atStripe: Preferred = ({ response }) => response.provider === 'stripe' && response.status === 'active';

const isOfPayment = (event: Body): boolean => event?.type.startsWith('payment.') && event.status === 'delivered';

/** One currency, and an amount that somebody would set. */
const isUsualLimit = (daily: Body): boolean => {
  const limits = Object.values(daily);
  return limits.length === 1 && limits.every((limit) => Number(limit) >= 1_000);
};

/** What an operation's example should show, where several would do. A line that nothing fits has no effect. */
export const PREFERRED: Readonly<Record<string, Preferred>> = {
  'POST /v1/payments': ({ request, response }) =>
    succeeded({ request, response }) && request.customer_id === 'kim-doe' && request.customer_email !== undefined,
  'GET /v1/payments/{id}': succeeded,
  'GET /v1/payments': ({ response }) => response.payments[0]?.status === 'succeeded',
  'POST /v1/payments/{id}/confirm': succeeded,
  'POST /v1/payments/{id}/retry': succeeded,
  'POST /v1/payments/{id}/refund': ({ response }) => response.refunds[0]?.status === 'succeeded',
  'POST /v1/payments/{id}/capture': ({ response }) => response.captures?.[0]?.status === 'succeeded',
  'POST /v1/payments/{id}/cancel': ({ response }) => response.status === 'canceled',
  'POST /v1/connections': ({ request, response }) =>
    atStripe({ request, response }) && response.capabilities.refunds === true,
  'GET /v1/connections/{id}': atStripe,
  'GET /v1/connections': ({ response }) => response.connections[0]?.provider === 'stripe',
  'POST /v1/connections/test': ({ response }) => response.ok === true,
  'GET /v1/disputes/{id}': ({ response }) => response.status === 'needs_response',
  'GET /v1/disputes': ({ response }) => response.disputes[0]?.status === 'needs_response',
  'GET /v1/webhooks/events': ({ response }) => isOfPayment(response.events[0]),
  'GET /v1/webhooks/events/{id}': ({ response }) => isOfPayment(response),
  'POST /v1/webhooks/config': ({ request }) => request.enabled !== false,
  // The policy that `GET /v1/policies/retry` reads.
  'POST /v1/policies/retry': ({ request }) => request.plan_id === undefined,
  'POST /v1/api-keys': ({ request }) => request.agent === undefined && [2, 3].includes(request.scopes?.length),
  'POST /v1/payment-links': ({ response }) => response.status === 'active',
  'GET /v1/payment-links/{id}': ({ response }) => response.status === 'active',
  'POST /v1/subscriptions': ({ request, response }) =>
    response.status === 'active' && response.amount > 100 && /^\w+$/.test(request.customer_id),
  'GET /v1/subscriptions/{id}': ({ response }) => response.status === 'active',
  'GET /v1/invoices/{id}': ({ response }) => response.status === 'paid',
  'GET /v1/organization/agent-limits': ({ response }) => isUsualLimit(response.daily),
  'PATCH /v1/organization/agent-limits': ({ request, response }) =>
    isUsualLimit(request.daily) && isUsualLimit(response.daily),
  'GET /v1/agent-approvals': ({ response }) => response.agent_approvals[0]?.operation.endsWith('/refund'),
  'GET /v1/auth/session': ({ response }) => response.stage === 'sandbox',
};

/** What the example of an error code should show, where the shortest one shows less. */
export const PREFERRED_ERRORS: Readonly<Record<string, (error: Body) => boolean>> = {
  approval_required: ({ details }) => details.approve_at !== undefined,
};
