import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { endAll, eventually, type Running, startReady } from '#test/faults/process.support.ts';
import { fourFreePorts } from '#test/support/free-ports.ts';
import { aPaymentBody, type Body } from '#test/support/host.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

/**
 * The system refuses to let the host's files grow, or to write where they have grown to, as a full disk does. `prlimit`
 * sets that limit of a running process; it is a part of every Linux.
 */
const canLimit = process.platform === 'linux';
if (!canLimit) console.warn('Skipped: a full disk needs prlimit, which is a part of Linux.');
const limitFiles = ({ child }: Running, bytes: string): void =>
  void execFileSync('prlimit', ['--pid', String(child.pid), `--fsize=${bytes}:`]);

describe.skipIf(!canLimit)('a host whose disk is full', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let host: Running;
  let complaint: string;
  beforeEach(async () => {
    folder = await temporaryFolder();
    host = await startReady(await fourFreePorts(), folder.path('data'));
    host.child.stderr?.on('data', (chunk: Buffer) => {
      complaint += chunk;
    });
    complaint = '';
  });
  afterEach(async () => {
    endAll();
    await folder.remove();
  });

  const pay = (key: string) => host.call('POST', '/v1/payments', aPaymentBody(), key);
  const isAlive = () => host.child.exitCode === null && host.child.signalCode === null;

  it('refuses requests with a clear error, lives, and goes on where it stopped once there is room', async () => {
    const [before, during] = [randomUUID(), randomUUID()];
    const paid = await pay(before);
    expect(paid.body.status).toBe('succeeded');
    limitFiles(host, '1');

    for (let n = 0; n < 20; n += 1) {
      const { status, body, headers } = await pay(during);
      expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'storage_full', '10']);
      expect(body.message).toMatch(/full.*Make room.*same idempotency key/);
      expect(body.message).toContain(folder.path('data'));
    }
    expect((await host.call('GET', `/v1/payments/${paid.body.id}`)).status).toBe(503);
    for (const path of ['/pay/plink_none', '/pay/return/none', '/sign-in']) {
      const page = await fetch(`${host.info.api}${path}`, { headers: { 'accept-language': 'de' } });
      expect([page.status, page.headers.get('retry-after')]).toEqual([503, '10']);
      expect([page.headers.get('content-type'), await page.text()]).toEqual([
        expect.stringMatching(/^text\/html/),
        expect.stringMatching(/<html lang="de"[\s\S]*<h1/),
      ]);
    }
    expect(isAlive()).toBe(true);
    expect(complaint.match(/"disk_full"/g)).toHaveLength(1);

    limitFiles(host, 'unlimited');
    const after = await pay(during);
    expect([after.status, after.body.status]).toEqual([201, 'succeeded']);
    expect((await pay(before)).text).toBe(paid.text);
    const { charges } = await host.control('GET', `/psp/calls?payment_id=${after.body.id}`);
    expect(charges).toMatchObject({ [after.body.id]: { amount: 5_000, count: 1 } });
    expect(complaint).toContain('"disk_has_room"');
    await eventually(async () => {
      const { events } = (await host.call('GET', '/v1/webhooks/events')).body;
      return events.filter(({ status }: Body) => status !== 'pending').length === 4;
    });
    expect(isAlive()).toBe(true);
  }, 60_000);

  it('stays alive when the disk fills up amid its work', async () => {
    for (let round = 0; round < 8; round += 1) {
      const keys = Array.from({ length: 6 }, () => randomUUID());
      const sent = keys.map(pay);
      limitFiles(host, '1');
      for (const { status, body } of await Promise.all(sent))
        if (status !== 201) expect(body.code).toBe('storage_full');
      limitFiles(host, 'unlimited');
      for (const key of keys) await eventually(async () => (await pay(key)).body.status === 'succeeded');
      const { payments } = (await host.call('GET', '/v1/payments?limit=200')).body;
      expect(payments.filter(({ attempts }: Body) => attempts.length !== 1)).toEqual([]);
    }
    expect(isAlive()).toBe(true);
  }, 120_000);
});
