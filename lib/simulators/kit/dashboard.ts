import type { Call, ProviderSimulator } from '#lib/simulators/kit/provider-simulator.port.ts';
import { randomId } from '#lib/simulators/kit/random-id.ts';
import { runInTransaction, type SimulatorContext } from '#lib/simulators/kit/simulator-context.ts';
import { ApiError, type WireRequest } from '#lib/simulators/kit/wire.ts';
import type { Provider } from '#shared/domain/routing/connection.model.ts';

/** Of a charge or a hold. In minor units of a currency with two decimals. */
type Money = { readonly charge: string; readonly amount: number; readonly currency: string };
type Capture = Money & { readonly final: boolean };

/** A request that has none of our ids. */
type DashboardRequest = { readonly path: string; readonly body: object };
type Requests<T> = Readonly<Record<string, (subject: T, publicId: string | null) => DashboardRequest>>;

const decimals = (amount: number): string => (amount / 100).toFixed(2);

/** How each PSP's own dashboard asks its API for a refund. */
const REFUNDS: Requests<Money> = {
  stripe: ({ charge, amount }) => ({ path: '/v1/refunds', body: { charge, amount } }),
  adyen: ({ charge, amount, currency }, publicId) => ({
    path: `/v72/payments/${charge}/refunds`,
    body: { merchantAccount: publicId, amount: { value: amount, currency } },
  }),
  checkout: ({ charge, amount }) => ({ path: `/payments/${charge}/refunds`, body: { amount } }),
  mollie: ({ charge, amount, currency }) => ({
    path: `/v2/payments/${charge}/refunds`,
    body: { amount: { value: decimals(amount), currency }, description: `By phone ${randomId(8)}` },
  }),
  paypal: ({ charge, amount, currency }) => ({
    path: `/v2/payments/captures/${charge}/refund`,
    body: { amount: { value: decimals(amount), currency_code: currency } },
  }),
  paystack: ({ charge, amount }) => ({ path: '/refund', body: { transaction: charge, amount } }),
  flutterwave: ({ charge, amount }) => ({
    path: `/v3/transactions/${charge}/refund`,
    body: { amount: amount / 100, comments: 'By phone' },
  }),
  razorpay: ({ charge, amount }) => ({ path: `/v1/payments/${charge}/refund`, body: { amount } }),
};

/** The same for a capture. A PSP that cannot capture later, or not from its dashboard, has none. */
const CAPTURES: Requests<Capture> = {
  stripe: ({ charge, amount, final }) => ({
    path: `/v1/payment_intents/${charge}/capture`,
    body: { amount_to_capture: amount, ...(!final && { final_capture: false }) },
  }),
  adyen: ({ charge, amount, currency }, publicId) => ({
    path: `/v72/payments/${charge}/captures`,
    body: { merchantAccount: publicId, amount: { value: amount, currency } },
  }),
  checkout: ({ charge, amount, final }) => ({
    path: `/payments/${charge}/captures`,
    body: { amount, capture_type: final ? 'Final' : 'NonFinal' },
  }),
  // The rest is released by a call of its own.
  mollie: ({ charge, amount, currency }) => ({
    path: `/v2/payments/${charge}/captures`,
    body: { amount: { value: decimals(amount), currency } },
  }),
  // Only the whole amount.
  razorpay: ({ charge, amount, currency }) => ({ path: `/v1/payments/${charge}/capture`, body: { amount, currency } }),
  paypal: ({ charge, amount, currency, final }) => ({
    path: `/v2/payments/authorizations/${charge}/capture`,
    body: { amount: { value: decimals(amount), currency_code: currency }, final_capture: final },
  }),
};

/** The same for a void of what is still reserved. */
const VOIDS: Requests<{ readonly charge: string }> = {
  stripe: ({ charge }) => ({ path: `/v1/payment_intents/${charge}/cancel`, body: {} }),
  adyen: ({ charge }, publicId) => ({ path: `/v72/payments/${charge}/cancels`, body: { merchantAccount: publicId } }),
  checkout: ({ charge }) => ({ path: `/payments/${charge}/voids`, body: {} }),
  mollie: ({ charge }) => ({ path: `/v2/payments/${charge}/release-authorization`, body: {} }),
  paypal: ({ charge }) => ({ path: `/v2/payments/authorizations/${charge}/void`, body: {} }),
};

type Subject = { readonly id: string; readonly currency: string };

/**
 * What the merchant does in the PSP's dashboard: refunds a part of the newest charge of our payment. Returns the
 * response's status, as the PSP may refuse it; undefined if nothing was charged.
 */
export function refundInDashboard(
  context: SimulatorContext,
  provider: Provider,
  { paymentId, amount }: { readonly paymentId: string; readonly amount: number },
): number | undefined {
  const charge = context.ledger.newestCharge(provider, paymentId);
  return act(context, provider, { subject: charge, operation: 'refund' }, ({ id, currency }, publicId) =>
    REFUNDS[provider]?.({ charge: id, amount, currency }, publicId),
  );
}

/** The same: captures a part of the newest hold of our payment. */
export function captureInDashboard(
  context: SimulatorContext,
  provider: Provider,
  { paymentId, amount, final }: { readonly paymentId: string; readonly amount: number; readonly final: boolean },
): number | undefined {
  const hold = context.ledger.newestHold(provider, paymentId);
  return act(context, provider, { subject: hold, operation: 'capture' }, ({ id, currency }, publicId) =>
    CAPTURES[provider]?.({ charge: id, amount, currency, final }, publicId),
  );
}

/** The same: gives back what is reserved. */
export function voidInDashboard(context: SimulatorContext, provider: Provider, paymentId: string): number | undefined {
  const hold = context.ledger.newestHold(provider, paymentId);
  return act(context, provider, { subject: hold, operation: 'cancel' }, ({ id }, publicId) =>
    VOIDS[provider]?.({ charge: id }, publicId),
  );
}

type Action = { readonly subject: Subject | undefined; readonly operation: string };

function act(
  context: SimulatorContext,
  provider: Provider,
  { subject, operation }: Action,
  requestFor: (subject: Subject, publicId: string | null) => DashboardRequest | undefined,
): number | undefined {
  const simulator = context.byName.get(provider);
  const account = simulator && subject && context.objectsOf(simulator).get(subject.id)?.account;
  if (!simulator || !subject || account === undefined) return undefined;
  const request = requestFor(subject, context.accounts.find(provider, account)?.publicId ?? null);
  if (!request) return undefined;
  const { result, outgoing } = runInTransaction(context, { simulator, account, apiRequest: null }, (work) =>
    run(simulator, { operation, request: wireRequest(provider, request) }, work),
  );
  void context.sender.dispatch(outgoing.jobs, outgoing.mode);
  return result;
}

function wireRequest(provider: Provider, { path, body }: DashboardRequest): WireRequest {
  const isForm = provider === 'stripe';
  const pairs = Object.entries(body).map(([name, value]): [string, string] => [name, String(value)]);
  return {
    method: 'POST',
    path,
    query: new URLSearchParams(),
    headers: { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' },
    body: isForm ? new URLSearchParams(pairs).toString() : JSON.stringify(body),
  };
}

function run(
  simulator: ProviderSimulator,
  { operation, request }: { readonly operation: string; readonly request: WireRequest },
  work: Parameters<ProviderSimulator['routes'][number]['run']>[1],
): number {
  for (const route of simulator.routes) {
    if (route.operation !== operation || route.method !== request.method) continue;
    const pattern = new RegExp(`^${route.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
    const params = pattern.exec(request.path);
    if (!params) continue;
    const facts = simulator.readRequest(request, { ...params.groups }, work.objects);
    const call: Call = { ...facts, request, params: { ...params.groups }, requestId: randomId(14), scenario: null };
    try {
      return route.run(call, work).status;
    } catch (error) {
      if (error instanceof ApiError) return error.response.status;
      throw error;
    }
  }
  throw new Error(`${simulator.provider} has no route for the operation ${operation}.`);
}
