import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KINDS, type Left } from '#test/releases/kinds.ts';
import {
  hasLastRelease,
  isWithoutHistory,
  LAST_RELEASE,
  type ReleaseHost,
  ROOT,
  startRelease,
  unpackLastRelease,
} from '#test/releases/release-host.support.ts';
import { type ShopReceiver, startShopReceiver } from '#test/releases/shop-receiver.support.ts';
import { fourFreePorts } from '#test/support/free-ports.ts';
import type { Body } from '#test/support/host.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

/*
 * While a new version is rolled out, and after it was taken back, the code of the last release and this code work on one
 * table. So each of them must read and continue what the other wrote. Both are run here as they are, one after the other
 * on one folder of data: one is killed while events and messages are on their way, and the other goes on.
 */

const isThere = await hasLastRelease();
// What is left out must say why.
if (!isThere)
  process.stdout.write(
    `Releases are not compared: this clone lacks the commit ${LAST_RELEASE} (git fetch --unshallow).\n`,
  );

it('has the last release to compare with, or a clone without history', async () => {
  expect(isThere || (await isWithoutHistory())).toBe(true);
});

/** What both releases have counted. */
const TOTALS: Left['reads'] = [['/v1/payments/stats'], ['/v1/connections']];

type Release = 'the last release' | 'this code';

const compare = () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let roots: Readonly<Record<Release, string>>;
  let receiver: ShopReceiver;
  beforeAll(async () => {
    folder = await temporaryFolder();
    receiver = await startShopReceiver();
    roots = { 'this code': ROOT, 'the last release': await unpackLastRelease(folder.path('last')) };
  });
  afterAll(async () => {
    receiver?.close();
    await folder?.remove();
  });

  describe.each<[Release, Release]>([
    ['this code', 'the last release'],
    ['the last release', 'this code'],
  ])('%s, after %s', (reader, writer) => {
    let host: ReleaseHost | undefined;
    let port: number;
    let left: readonly Left[];
    let seen: ReadonlyMap<string, Body>;
    /** Its events are on their way when the writer is killed. */
    let lastPayment: string;

    const dataDir = () => folder.path(writer.replaceAll(' ', '-'));
    const running = (): ReleaseHost => {
      if (!host) throw new Error('No release is running.');
      return host;
    };
    const answersOf = async (from: readonly Left[], more: Left['reads'] = []) =>
      new Map(
        await Promise.all(
          [...from.flatMap(({ reads }) => reads), ...more].map(
            async ([path, how]) => [path, (await running().call('GET', path, undefined, how)).body] as const,
          ),
        ),
      );

    beforeAll(async () => {
      port = await fourFreePorts();
      host = await startRelease(roots[writer], port, dataDir());
      const written: Left[] = [];
      for (const kind of KINDS) written.push(await kind.write(host, receiver));
      left = written;
      seen = await answersOf(left);
      const method = { amount: 5_000, currency: 'EUR', payment_method: { type: 'card', token: 'ok' } };
      lastPayment = (await host.call('POST', '/v1/payments', method)).body.id;
      await host.kill();
      host = await startRelease(roots[reader], port, dataDir());
    });
    afterAll(() => host?.kill());

    it('answers every question about the records as the writer did', async () => {
      const answers = await answersOf(left);
      for (const [path, before] of seen) {
        const [older, newer] = writer === 'this code' ? [answers.get(path), before] : [before, answers.get(path)];
        // Responses may gain fields from one release to the next.
        expect(newer, path).toMatchObject(older);
      }
    });

    it('delivers the events of a payment after which the writer was killed', async () => {
      await running().control('POST', '/drain');
      const types = receiver.calls.filter(({ body }) => body.data?.id === lastPayment).map(({ body }) => body.type);
      expect([...new Set(types)].sort()).toEqual(['payment.created', 'payment.succeeded']);
    });

    it.each(KINDS.map(({ does }, n) => [does, n] as const))('%s', async (_, n) => {
      await left[n]?.go(running());
    });

    it('leaves to the writer what it changed: a version that is taken back reads it', async () => {
      await running().control('POST', '/drain');
      const changed = await answersOf(left, TOTALS);
      await host?.kill();
      host = await startRelease(roots[writer], port, dataDir());
      const answers = await answersOf(left, TOTALS);
      for (const [path, after] of changed) {
        const [older, newer] = writer === 'this code' ? [after, answers.get(path)] : [answers.get(path), after];
        expect(newer, path).toMatchObject(older);
      }
    });
  });
};

if (isThere) describe('two releases on one table', compare);
