import type { Call, ProviderSimulator } from '#lib/simulators/kit/provider-simulator.port.ts';
import { randomId } from '#lib/simulators/kit/random-id.ts';
import { runInTransaction, type SimulatorContext } from '#lib/simulators/kit/simulator-context.ts';
import { ApiError, type WireRequest } from '#lib/simulators/kit/wire.ts';
import type { Provider } from '#shared/domain/routing/connection.model.ts';

/** In minor units of a currency with two decimals. */
type Refund = { readonly charge: string; readonly amount: number; readonly currency: string };

const decimals = (amount: number): string => (amount / 100).toFixed(2);

/** How each PSP's own dashboard asks its API for a refund: without any id of ours. */
const REQUESTS: Readonly<
  Record<string, (refund: Refund, publicId: string | null) => { readonly path: string; readonly body: object }>
> = {
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

/**
 * What the merchant does in the PSP's dashboard: refunds a part of the newest charge of our payment. Returns the
 * response's status, as the PSP may refuse it; undefined if nothing was charged.
 */
export function refundInDashboard(
  context: SimulatorContext,
  provider: Provider,
  paymentId: string,
  amount: number,
): number | undefined {
  const simulator = context.byName.get(provider);
  const charge = context.ledger.newestCharge(provider, paymentId);
  const account = simulator && charge && context.objectsOf(simulator).get(charge.id)?.account;
  if (!simulator || !charge || account === undefined) return undefined;
  const publicId = context.accounts.find(provider, account)?.publicId ?? null;
  const request = REQUESTS[provider]?.({ charge: charge.id, amount, currency: charge.currency }, publicId);
  if (!request) return undefined;
  const { result, outgoing } = runInTransaction(context, { simulator, account, apiRequest: null }, (work) =>
    run(simulator, wireRequest(provider, request), work),
  );
  void context.sender.dispatch(outgoing.jobs, outgoing.mode);
  return result;
}

function wireRequest(
  provider: Provider,
  { path, body }: { readonly path: string; readonly body: object },
): WireRequest {
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
  request: WireRequest,
  work: Parameters<ProviderSimulator['routes'][number]['run']>[1],
): number {
  for (const route of simulator.routes) {
    if (route.operation !== 'refund' || route.method !== request.method) continue;
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
  throw new Error(`${simulator.provider} has no route for refunds.`);
}
