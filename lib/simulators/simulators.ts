import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SIMULATORS } from '#lib/simulators/all.ts';
import { accountHash } from '#lib/simulators/frame/account-book.ts';
import { openDatabase } from '#lib/simulators/frame/database.ts';
import { Exchange, type Reply } from '#lib/simulators/frame/exchange.ts';
import { readBody, type WireAnswer, writeAnswer } from '#lib/simulators/frame/wire.ts';
import { carryOut, createWorld, DEFAULT_NAME, type World } from '#lib/simulators/frame/world.ts';
import type { Simulators, SimulatorsOptions } from '#lib/simulators/simulator.port.ts';

/** How often, in real time, it is looked at what the service clock has made due. */
const SWEEP_EVERY = 1_000;

/** Starts every PSP of this machine behind one port: `http://127.0.0.1:<port>/<provider>/…`. */
export async function startSimulators(options: SimulatorsOptions): Promise<Simulators> {
  const database = openDatabase(options.database);
  let base = '';
  const world = createWorld(options, database, SIMULATORS, () => base);
  const answer = answering(world, () => base);
  const server = createServer(
    { keepAliveTimeout: 60_000 },
    (message, response) => void answer(message, response).catch(() => response.destroy()),
  );
  await listen(server, options.port).catch((error: unknown) => {
    database.close();
    throw error;
  });
  base = `http://127.0.0.1:${port(server.address())}`;
  for (const { provider } of SIMULATORS) world.sender.resume(provider);
  const sweeping = setInterval(() => sweep(world), SWEEP_EVERY).unref();
  return {
    base,
    roots: SIMULATORS.flatMap(({ root = [] }) => root),
    ...controls(world),
    close: async () => {
      clearInterval(sweeping);
      world.sender.close();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      database.close();
    },
  };
}

function listen(server: Server, at: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(at, '127.0.0.1', resolve);
  });
}

function port(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address ? address.port : 0;
}

function answering(
  world: World,
  address: () => string,
): (message: IncomingMessage, response: ServerResponse) => Promise<void> {
  const exchanges = new Map(
    SIMULATORS.map((simulator) => [`${simulator.provider}`, { simulator, exchange: new Exchange(world, simulator) }]),
  );
  return async (message, response) => {
    const url = new URL(message.url ?? '/', address());
    const [, provider = '', ...rest] = url.pathname.split('/');
    const found = exchanges.get(provider);
    const hungUp = new Promise<void>((resolve) => response.once('close', resolve));
    const reply: Reply = Object.assign((wire: WireAnswer) => writeAnswer(response, wire, address()), { hungUp });
    if (!found) return reply({ status: 404, headers: {}, body: '' });
    const body = await readBody(message);
    if (body === undefined) return reply(found.simulator.refusals.tooLarge());
    const path = `/${rest.join('/')}`;
    await found.exchange.handle(
      { method: message.method ?? 'GET', path, query: url.searchParams, headers: message.headers, body },
      reply,
    );
  };
}

/** What time alone changes: hosted pages that expire, and the like. */
function sweep(world: World): void {
  for (const simulator of SIMULATORS) {
    for (const object of world.objectsOf(simulator).dueAt(world.options.clock.now())) {
      const { outgoing } = carryOut(world, { simulator, account: object.account, asked: null }, (work) =>
        simulator.fallDue(object, work),
      );
      void world.sender.dispatch(outgoing.jobs, outgoing.mode);
    }
  }
}

function controls(world: World): Omit<Simulators, 'base' | 'roots' | 'close'> {
  return {
    learnAccount(provider, credentials, accountName = DEFAULT_NAME) {
      const settings = world.byName.get(provider)?.settings(credentials);
      if (!settings) return;
      const { identity, publicId, webhookSecrets } = settings;
      world.accounts.learn(provider, accountHash(identity), { name: accountName, publicId, webhookSecrets });
    },
    setScenario: (scenario) => world.scenarios.add(scenario),
    clearScenarios: () => world.scenarios.clear(),
    refusesConnection: (provider, operation, paymentId) => world.scenarios.refuses(provider, operation, paymentId),
    calls: (filter) => world.ledger.read(filter),
    complete(provider, reference, outcome) {
      const simulator = world.byName.get(provider);
      if (!simulator) return false;
      const objects = world.objectsOf(simulator);
      const known = objects.get(reference);
      const found = known ? [known] : objects.ofPayment(reference);
      const account = found.at(-1)?.account;
      if (account === undefined) return false;
      // What lies at another account is another one's money, told under another secret.
      const candidates = found.filter((object) => object.account === account);
      const { outgoing } = carryOut(world, { simulator, account, asked: null }, (work) =>
        simulator.complete(candidates, outcome, work),
      );
      void world.sender.dispatch(outgoing.jobs, outgoing.mode);
      return true;
    },
    async idle() {
      sweep(world);
      await world.sender.idle();
    },
  };
}
