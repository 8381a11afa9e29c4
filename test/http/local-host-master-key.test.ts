import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bootstrapLocally } from '#lib/bootstrap/bootstrap-locally.ts';
import { StartError } from '#lib/local/start-errors.ts';
import { aPaymentBody, startHost } from '#test/support/host.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let dataDir: string;
let key: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  dataDir = folder.path('data');
  key = join(dataDir, 'master.key');
});
afterEach(() => folder.remove());

/** One run of a host on the folder: its organization, and a payment under always the same idempotency key. */
async function run() {
  const host = await startHost({ dataDir });
  const { body } = await host.call('POST', '/v1/payments', aPaymentBody(), { idempotencyKey: 'once' });
  await host.close();
  return { organization: host.info.org_id, payment: body.id };
}

const contents = () =>
  Object.fromEntries(readdirSync(dataDir).map((name) => [name, existsSync(join(dataDir, name)) && name !== 'lock']));

describe('a data folder whose master key', () => {
  it('was deleted starts no host, and says what to do', async () => {
    const before = await run();
    renameSync(key, folder.path('backup'));
    const files = contents();
    const error = await startHost({ dataDir }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StartError);
    expect(String(error)).toContain(`${key} is missing, and ${join(dataDir, 'sandbox')}`);
    expect(String(error)).toMatch(/Restore the key from a backup\. To start without this data, move the folder away/);
    expect(contents()).toEqual(files);

    renameSync(folder.path('backup'), key);
    expect(await run()).toEqual(before);
  });

  it('was deleted is found by the other stage, by the bootstrap command, and beside the simulators’ data alone', async () => {
    await run();
    rmSync(key);
    await expect(startHost({ dataDir, stage: 'live' })).rejects.toThrow(/master\.key is missing/);
    const options = { stage: 'sandbox', name: 'a', legalName: 'a', owner: 'a@example.com', newKey: false, local: true };
    await expect(bootstrapLocally(options as never, { dataDir, store: 'sqlite' })).rejects.toThrow(/is missing/);
    for (const name of readdirSync(dataDir)) if (/^sandbox\.sqlite/.test(name)) rmSync(join(dataDir, name));
    await expect(startHost({ dataDir })).rejects.toThrow(/sandbox-simulators\.sqlite can only be read with it/);
  });

  it('is another one starts no host, and says what to do', async () => {
    const before = await run();
    const own = readFileSync(key);
    writeFileSync(key, `${randomBytes(32).toString('base64url')}\n`);
    const error = await startHost({ dataDir }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StartError);
    expect(String(error)).toMatch(/sandbox\.sqlite is sealed with another key than that in master\.key.*backup/);
    writeFileSync(key, own);
    expect(await run()).toEqual(before);
  });

  it('is older than its mark in the data starts, and is known from then on', async () => {
    const before = await run();
    const database = new DatabaseSync(join(dataDir, 'sandbox.sqlite'));
    database.exec('DROP TABLE master_key');
    database.close();
    expect(await run()).toEqual(before);
    writeFileSync(key, `${randomBytes(32).toString('base64url')}\n`);
    await expect(startHost({ dataDir })).rejects.toThrow(/another key/);
  });

  it('is missing starts a host if there is no data', async () => {
    await run();
    for (const name of readdirSync(dataDir)) rmSync(join(dataDir, name), { recursive: true });
    expect((await run()).payment).toMatch(/^pay_/);
  });
});
