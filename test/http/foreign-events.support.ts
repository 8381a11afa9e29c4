import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startSimulators } from '#lib/simulators/simulators.ts';
import type { Provider } from '#shared/domain/routing/connection.model.ts';
import { type Clock, startDeadline } from '#shared/kernel/clock.ts';
import { Secret } from '#shared/kernel/secret.ts';
import type { ChargeOrder, PspMetadata } from '#shared/ports/psp.port.ts';
import type { VaultPort } from '#shared/ports/vault.port.ts';
import { makePspTransport } from '#shared/psp/kit/http.ts';
import { makePspGateway } from '#shared/psp/psp-gateway.adapter.ts';

/** A callback as a provider sent it. */
export type SentCallback = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

/** PayPal's adapter joins these into one text; the others send what is there. */
const NO_IDS = { paypal: { org_id: '', connection_id: '', payment_id: '' } } as const;

/** A charge of another system on the merchant's account: without our ids. */
const anOrder = (provider: Provider, at: Date): ChargeOrder => ({
  paymentId: 'order 7001',
  attemptId: 'order-7001',
  amount: 4_900,
  currency: { flutterwave: 'NGN', paystack: 'NGN', razorpay: 'INR' }[provider] ?? 'EUR',
  method: 'card',
  country: 'DE',
  description: 'Order 7001',
  customerEmail: 'ada@shop.example',
  customerIp: '192.0.2.1',
  paymentMethod: { type: 'card', token: 'ok' },
  returnUrl: 'https://shop.example/thanks',
  callbackUrl: `https://shop.example/webhooks/${provider}`,
  offSession: false,
  metadata: (NO_IDS[provider as keyof typeof NO_IDS] ?? {}) as PspMetadata,
  startedAt: at.toISOString(),
});

/** The providers as the merchant's other system uses them: its webhooks arrive in a list. */
export async function anotherSystem(clock: Clock) {
  const received: SentCallback[] = [];
  const endpoint = createServer(async (request, response) => {
    const body = (await request.toArray()).join('');
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
    received.push({ headers: headers as SentCallback['headers'], body });
    response.writeHead(200).end();
  });
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`;
  const plain = (text: string) => text;
  const simulators = await startSimulators({
    port: 0,
    database: ':memory:',
    clock,
    webhookBase: () => address,
    protect: { seal: plain, open: plain },
  });
  const gateway = makePspGateway({
    transport: makePspTransport({ baseUrls: (provider) => `${simulators.base}/${provider}` }),
    vault: {} as VaultPort,
    clock,
    rootCertificates: () => simulators.rootCertificates,
  });
  return {
    /** Charges a card there, and returns what the provider tells the endpoint. */
    async charge(provider: Provider, credentials: object): Promise<readonly SentCallback[]> {
      received.length = 0;
      simulators.registerAccount(provider, { ...credentials });
      const secret = new Secret(JSON.stringify(credentials));
      const session = await gateway.openWith(provider, secret, startDeadline(10_000));
      const outcome = await session.create(anOrder(provider, clock.now()));
      if (outcome.kind === 'requires_action') simulators.complete(provider, outcome.reference, 'succeeded');
      await simulators.idle();
      return [...received];
    },
    async close() {
      await simulators.close();
      endpoint.close();
    },
  };
}
