import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SIMULATORS } from '#lib/simulators/simulator-registry.ts';
import { startSimulators } from '#lib/simulators/simulators.ts';
import { startDeadline } from '#shared/kernel/clock.ts';
import type { DisputeRef, PspDisputes } from '#shared/ports/dispute.port.ts';
import type { ChargeOrder, InboundCallback, PspContext, PspOutcome, UnverifiedEvent } from '#shared/ports/psp.port.ts';
import { makePspTransport } from '#shared/psp/kit/http.ts';
import { PSPS } from '#shared/psp/providers.ts';
import { AN_ORDER } from '#test/contract/psp.contract.ts';

/** What a charge at this provider needs to be paid at once. */
export type Payer = { readonly currency?: string; readonly more?: Partial<ChargeOrder> };

const START = Date.parse('2027-03-01T10:00:00Z');

/** A merchant's webhook endpoint, which keeps what it gets. */
async function openEndpoint() {
  const callbacks: InboundCallback[] = [];
  const server = createServer(async (request, response) => {
    const rawBody = Buffer.concat(await request.toArray());
    const { searchParams } = new URL(request.url ?? '/', 'http://shop');
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    callbacks.push({ headers, rawBody, query: Object.fromEntries(searchParams) });
    response.writeHead(200).end();
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    callbacks,
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** One provider's adapter and its simulator, with an account, on a clock that tests move. */
export async function openTestbed(provider: string, { currency = 'EUR', more = {} }: Payer) {
  let now = START;
  const endpoint = await openEndpoint();
  const psp = PSPS[provider];
  const simulator = SIMULATORS.find((each) => each.provider === provider);
  if (!psp || !simulator) throw new Error(`There is no ${provider}.`);
  const adapter = await psp.load();
  const simulators = await startSimulators({
    port: 0,
    database: ':memory:',
    clock: { now: () => new Date(now) },
    webhookBase: () => endpoint.address,
    protect: { seal: (text) => text, open: (text) => text },
    ...(adapter.registeredEvents && { registeredEvents: { [provider]: adapter.registeredEvents } }),
  });
  const credentials = simulator.randomCredentials('sandbox');
  simulators.registerAccount(provider, credentials, 'Sock Shop Ltd');
  const parsed = adapter.parseCredentials(credentials);
  if (!parsed.ok) throw new Error(`The credentials of ${provider} are not valid.`);
  const transport = makePspTransport({ baseUrls: () => `${simulators.base}/${provider}` });
  const context: PspContext<unknown> = {
    credentials: parsed.credentials,
    now: () => new Date(now),
    send: (request) => transport.send(provider, request, startDeadline(5_000)),
    rootCertificates: () => simulators.rootCertificates,
  };
  let payments = 0;
  const order = (): ChargeOrder => {
    payments += 1;
    const id = String(payments).padStart(26, '0');
    const metadata = { ...AN_ORDER.metadata, payment_id: `pay_${id}` };
    const paymentMethod = { type: 'card', token: 'ok' };
    const ids = { paymentId: `pay_${id}`, attemptId: `att_${id}`, metadata };
    return {
      ...AN_ORDER,
      amount: 5_000,
      currency,
      paymentMethod,
      startedAt: new Date(now).toISOString(),
      ...ids,
      ...more,
    };
  };
  /** Callbacks that arrived since the last time, verified and read. */
  const events = async (): Promise<readonly UnverifiedEvent[]> => {
    await simulators.idle();
    const fresh = endpoint.callbacks.splice(0);
    const found: UnverifiedEvent[] = [];
    for (const callback of fresh) {
      if (!(await adapter.verifyCallback(callback, context))) throw new Error('The signature is not valid.');
      found.push(...adapter.parseCallback(callback));
    }
    return found;
  };
  return {
    adapter,
    context,
    credentials,
    calls: (await adapter.disputeCalls?.()) as PspDisputes<unknown>,
    simulators,
    events,
    lastCallbacks: () => endpoint.callbacks,
    advance: (ms: number) => {
      now += ms;
    },
    now: () => new Date(now),
    withheld: (paymentId: string) => simulators.calls({ payment_id: paymentId }).withheld?.[paymentId],
    /** A charge that took its money. */
    pay: async (): Promise<{ readonly paymentId: string; readonly reference: string; readonly order: ChargeOrder }> => {
      const charged = order();
      let outcome: PspOutcome = await adapter.create(charged, context);
      if (outcome.kind === 'requires_action') simulators.complete(provider, charged.paymentId, 'succeeded');
      if (outcome.kind !== 'succeeded' && 'reference' in outcome && outcome.reference) {
        await events();
        const { paymentId, attemptId } = charged;
        outcome = await adapter.fetch(
          { reference: outcome.reference, paymentId, attemptId, mayCapture: true },
          context,
        );
      }
      if (outcome.kind !== 'succeeded') throw new Error(`The charge is ${outcome.kind}.`);
      await events();
      return { paymentId: charged.paymentId, reference: outcome.reference, order: charged };
    },
    refOf: (reference: string, charge: { readonly paymentId: string; readonly reference: string }): DisputeRef => ({
      reference,
      paymentId: charge.paymentId,
      charge: charge.reference,
      amount: 5_000,
      currency,
    }),
    close: async () => {
      await simulators.close();
      endpoint.close();
    },
  };
}

export type Testbed = Awaited<ReturnType<typeof openTestbed>>;
