import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { accountHash } from '#lib/simulators/kit/account-scope.ts';
import { captureInDashboard, refundInDashboard, voidInDashboard } from '#lib/simulators/kit/dashboard.ts';
import { openDatabase } from '#lib/simulators/kit/database.ts';
import { listDisputes, moveDispute, openDispute } from '#lib/simulators/kit/disputes.ts';
import { type Reply, RequestHandler } from '#lib/simulators/kit/request-handler.ts';
import {
  createContext,
  DEFAULT_ACCOUNT_NAME,
  runInTransaction,
  type SimulatorContext,
} from '#lib/simulators/kit/simulator-context.ts';
import { readBody, type WireResponse, writeResponse } from '#lib/simulators/kit/wire.ts';
import { SIMULATORS } from '#lib/simulators/simulator-registry.ts';
import type { Simulators, SimulatorsOptions } from '#lib/simulators/simulators.port.ts';

/** How often, in real time, expired objects are looked for. They expire on the service clock. */
const SWEEP_INTERVAL_MS = 1_000;

/** Starts every PSP of this machine behind one port: `http://127.0.0.1:<port>/<provider>/…`. */
export async function startSimulators(options: SimulatorsOptions): Promise<Simulators> {
  const database = openDatabase(options.database);
  let base = '';
  const context = createContext(options, database, SIMULATORS, () => base);
  const handle = requestListener(context, () => base);
  const server = createServer(
    { keepAliveTimeout: 60_000 },
    (message, response) => void handle(message, response).catch(() => response.destroy()),
  );
  await listen(server, options.port).catch((error: unknown) => {
    database.close();
    throw error;
  });
  base = `http://127.0.0.1:${portOf(server.address())}`;
  for (const { provider } of SIMULATORS) context.sender.resume(provider);
  const sweepTimer = setInterval(() => sweepOrLater(context), SWEEP_INTERVAL_MS).unref();
  return {
    base,
    rootCertificates: SIMULATORS.flatMap(({ rootCertificate = [] }) => rootCertificate),
    ...controls(context),
    close: async () => {
      clearInterval(sweepTimer);
      context.sender.close();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      database.close();
    },
  };
}

function listen(server: Server, portNumber: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(portNumber, '127.0.0.1', resolve);
  });
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address ? address.port : 0;
}

const NO_PROVIDER: WireResponse = {
  status: 404,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: `Here are the simulated providers: ${SIMULATORS.map(({ provider }) => `/${provider}/`).join(', ')}.\n`,
};

function requestListener(
  context: SimulatorContext,
  address: () => string,
): (message: IncomingMessage, response: ServerResponse) => Promise<void> {
  const handlers = new Map(
    SIMULATORS.map((simulator) => [
      `${simulator.provider}`,
      { simulator, handler: new RequestHandler(context, simulator) },
    ]),
  );
  return async (message, response) => {
    const url = new URL(message.url ?? '/', address());
    const [, provider = '', ...rest] = url.pathname.split('/');
    const found = handlers.get(provider);
    const disconnected = new Promise<void>((resolve) => response.once('close', resolve));
    const neverRespond = () => {
      const { hangUpAfterMs } = context.options;
      if (hangUpAfterMs !== undefined) setTimeout(() => response.destroy(), hangUpAfterMs);
      return disconnected;
    };
    const reply: Reply = Object.assign((wire: WireResponse) => writeResponse(response, wire, address()), {
      neverRespond,
    });
    if (!found) return reply(NO_PROVIDER);
    const body = await readBody(message);
    if (body === undefined) return reply(found.simulator.errors.tooLarge());
    const path = `/${rest.join('/')}`;
    await found.handler.handle(
      { method: message.method ?? 'GET', path, query: url.searchParams, headers: message.headers, body },
      reply,
    );
  };
}

/** If the disk is full, the next sweep finds the same objects. */
function sweepOrLater(context: SimulatorContext): void {
  try {
    sweepDueObjects(context);
  } catch {
    // An exception in a timer would end the process.
  }
}

/** Expires hosted pages and whatever else changes by time alone. */
function sweepDueObjects(context: SimulatorContext): void {
  for (const simulator of SIMULATORS) {
    for (const object of context.objectsOf(simulator).dueAt(context.options.clock.now())) {
      const { outgoing } = runInTransaction(context, { simulator, account: object.account, apiRequest: null }, (work) =>
        simulator.onDue(object, work),
      );
      void context.sender.dispatch(outgoing.jobs, outgoing.mode);
    }
  }
}

function controls(context: SimulatorContext): Omit<Simulators, 'base' | 'rootCertificates' | 'close'> {
  return {
    registerAccount(provider, credentials, name = DEFAULT_ACCOUNT_NAME, webhookQuery = '') {
      const account = context.byName.get(provider)?.accountOf(credentials);
      if (!account) return;
      const { identity, publicId, webhookSecrets } = account;
      const merchant = { name, publicId, webhookSecrets, webhookQuery: webhookQuery && `?${webhookQuery}` };
      context.accounts.register(provider, accountHash(identity), merchant);
    },
    setScenario: (scenario) => context.scenarios.add(scenario),
    clearScenarios: () => context.scenarios.clear(),
    scenarios: () => context.scenarios.list(),
    refusesConnection: (provider, operation, paymentId) =>
      context.scenarios.refusesConnection(provider, operation, paymentId),
    calls: (filter) => {
      const withheld = context.disputeBook.withheld(filter.provider, filter.payment_id);
      const disputes = listDisputes(context, filter);
      const disputed = disputes.length > 0 && { withheld, disputes };
      return { ...context.ledger.read(filter), ...disputed };
    },
    complete(provider, reference, outcome) {
      const simulator = context.byName.get(provider);
      if (!simulator) return false;
      const objects = context.objectsOf(simulator);
      const byId = objects.get(reference);
      const found = byId ? [byId] : objects.ofPayment(reference);
      const account = found.at(-1)?.account;
      if (account === undefined) return false;
      // Objects of another account have another webhook secret, so they are not completed together.
      const candidates = found.filter((object) => object.account === account);
      const { outgoing } = runInTransaction(context, { simulator, account, apiRequest: null }, (work) =>
        simulator.complete(candidates, outcome, work),
      );
      void context.sender.dispatch(outgoing.jobs, outgoing.mode);
      return true;
    },
    refundInDashboard: (provider, paymentId, amount) => refundInDashboard(context, provider, { paymentId, amount }),
    captureInDashboard: (provider, paymentId, amount, final = true) =>
      captureInDashboard(context, provider, { paymentId, amount, final }),
    voidInDashboard: (provider, paymentId) => voidInDashboard(context, provider, paymentId),
    openDispute: (provider, paymentId, dispute = {}) => openDispute(context, provider, { ...dispute, paymentId }),
    moveDispute: (provider, reference, step, webhook) => moveDispute(context, provider, { reference, step, webhook }),
    async idle() {
      sweepDueObjects(context);
      await context.sender.idle();
    },
  };
}
