import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Receivers } from '#lib/local/receivers.ts';
import type { Simulators } from '#lib/simulators/simulators.port.ts';
import { startSimulators } from '#lib/simulators/simulators.ts';
import { systemClock } from '#shared/kernel/clock.ts';

/** The stages' own addresses, at which the probe and whoever follows a link of ours calls. */
const OWN_API = /\.execute-api\./;
/** Which simulator answers under a name. */
const PROVIDERS: Readonly<Record<string, string>> = { 'api.stripe.com': 'stripe', 'api.mollie.com': 'mollie' };
/** Receivers of a fictional customer: `hooks.shop.example` is the receiver `hooks`. */
const RECEIVER = /^([\w-]+)\.shop\.example$/;

type Target = { readonly port: number; readonly host: string; readonly path: string };
type Callback = { readonly path: string; readonly status: number };

/** What lies around a deployed stage: the providers, the customer's receivers, and the way of callbacks to a stage. */
export type Surroundings = {
  readonly simulators: Simulators;
  readonly receivers: Receivers;
  readonly callbacks: readonly Callback[];
  /** Where callbacks go from now on: a function URL, under its own name. */
  readonly lead: (callbackUrl: string) => void;
  readonly close: () => Promise<void>;
};

export async function startSurroundings(port: number, emulatorPort: number): Promise<Surroundings> {
  const simulators = await startSimulators({
    port: port + 1,
    database: ':memory:',
    clock: systemClock,
    webhookBase: () => `http://127.0.0.1:${port}`,
    protect: { seal: (text) => text, open: (text) => text },
  });
  const internet = {
    port,
    emulatorPort,
    callbackHost: 'nowhere.example',
    callbacks: [],
    receivers: new Receivers(systemClock),
  };
  const server = createServer(
    (message, response) => void answer(internet, message, response).catch(() => response.destroy()),
  );
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve));
  return {
    simulators,
    receivers: internet.receivers,
    callbacks: internet.callbacks,
    lead: (callbackUrl) => {
      internet.callbackHost = new URL(callbackUrl).host;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await simulators.close();
    },
  };
}

type Internet = {
  readonly port: number;
  readonly emulatorPort: number;
  readonly receivers: Receivers;
  readonly callbacks: Callback[];
  callbackHost: string;
};

async function answer(internet: Internet, message: IncomingMessage, response: ServerResponse): Promise<void> {
  const { port, emulatorPort, receivers, callbacks, callbackHost } = internet;
  const body = await buffer(message);
  const host = message.headers.host ?? '';
  const path = message.url ?? '/';
  const [, receiver] = RECEIVER.exec(host) ?? [];
  if (receiver !== undefined) {
    const headers = message.headers as Record<string, string>;
    const { status } = await receivers.take(receiver, { headers, raw_body: body.toString() });
    response.writeHead(status).end();
    return;
  }
  const to = (target: Target) => pass(target, message, body, response);
  const provider = PROVIDERS[host];
  if (OWN_API.test(host)) await to({ port: emulatorPort, host, path });
  else if (provider !== undefined) await to({ port: port + 1, host, path: `/${provider}${path}` });
  else if (path.startsWith('/webhooks/'))
    callbacks.push({ path, status: await to({ port: emulatorPort, host: callbackHost, path }) });
  else response.writeHead(502).end(`The drill knows no ${host}.`);
}

function pass(to: Target, message: IncomingMessage, body: Buffer, response: ServerResponse): Promise<number> {
  const headers = { ...message.headers, host: to.host };
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port: to.port, method: message.method, path: to.path, headers });
    outgoing.on('error', reject).on('response', (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(response).on('finish', () => resolve(reply.statusCode ?? 502));
    });
    // A scenario may never answer: then the caller hangs up first.
    response.on('close', () => outgoing.destroy());
    outgoing.end(body);
  });
}
