import { countPayments, type KindLoad, loadByKind, type PaymentLoad } from '#test/bench/payment-load.ts';
import { advance, arrange } from '#test/support/payment-steps.ts';

const STREAM = { shards: 100, batch: 100, rounds: 1 };
const PAYMENTS = 8;

/** What a payment takes when all is well, when its events cannot be delivered, and when its provider is down. */
export type ScenarioLoads = Readonly<Record<'usual' | 'deadReceiver' | 'pspOutage', readonly KindLoad[]>>;

export async function countScenarios(): Promise<ScenarioLoads> {
  return {
    usual: loadByKind(await countPayments({ payments: PAYMENTS, projector: STREAM })),
    deadReceiver: loadByKind(withoutSweeps(await countPayments({ payments: PAYMENTS, projector: STREAM, play: dead }))),
    pspOutage: loadByKind(withoutSweeps(await countPayments({ payments: PAYMENTS, projector: STREAM, play: outage }))),
  };
}

type Play = NonNullable<Parameters<typeof countPayments>[0]['play']>;

/** The receiver answers 500 to every try of the first hour. */
const dead: Play = async (host, pay) => {
  await host.control('PUT', '/receiver/shop', { status: 500 });
  await pay(PAYMENTS);
  for (let minutes = 0; minutes < 60; minutes += 5) await advance(host, '5m');
};

/** The provider answers 500 for ten minutes, and then says what became of the charges. */
const outage: Play = async (host, pay) => {
  await arrange(host, 'http_500', { times: 1_000, webhook: 'none' });
  await pay(PAYMENTS);
  await advance(host, '10m');
  await host.control('DELETE', '/psp/scenario');
  await advance(host, '1h');
};

/** A sweep reads the due index once a minute, however many payments there are. */
const withoutSweeps = (load: PaymentLoad): PaymentLoad => ({
  ...load,
  lines: load.lines.filter(({ on }) => on !== 'index due'),
});
