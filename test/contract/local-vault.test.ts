import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect, promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadMasterKey, masterKeyWrapper } from '#shared/adapters/local/master-key.adapter.ts';
import { makeVault } from '#shared/adapters/vault/envelope-vault.adapter.ts';
import { Secret } from '#shared/kernel/secret.ts';
import type { SealContext } from '#shared/ports/vault.port.ts';
import { vaultContract } from '#test/contract/vault.contract.ts';

vaultContract('a local master key', () => masterKeyWrapper(loadMasterKey(undefined)));

/** Encrypted when credentials and integrations still shared a key on AWS. The local host has one key in any case. */
const OLD_KEY = 'YW4gb2xkIGtleSBvZiBhIGRhdGEgZm9sZGVyOiAzMiA\n';
const WRAPPED = 'ls_ch8KbxtpFXq7JaYaBF2YD03fCaQK1L-SfwYtPuS86lL03QwSHmWFZihHv7Ynky-bJO1RhNmhpGtHs';
const SEALED_LONG_AGO = {
  credentials: `v1.${WRAPPED}.EyXFLR9UwFrG37ltquvrFNOV6B6GN4XDDN0TLYSDsk3HMACIifcNpQ_vlcRYZng`,
  integration: `v1.${WRAPPED}.HN_Bde4XplTqSGr5niC5eyy2tS0sG3WEvlxbfkMz9DT2aVnJu3MDlDpJUZpIq2c`,
};

describe('the file of the master key', () => {
  let folder: string;
  const file = () => join(folder, 'data', 'master.key');
  const hex = () => loadMasterKey(file()).reveal().toString('hex');
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'payfork-key-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is created once, readable by its owner only, without a temporary file', () => {
    const first = hex();
    expect(hex()).toBe(first);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder, 'data'))).toEqual(['master.key']);
  });

  it('decrypts texts from before a restart', async () => {
    const place = { orgId: 'org_1', purpose: 'answer', id: 'a' } as const;
    const sealed = await makeVault(masterKeyWrapper(loadMasterKey(file()))).seal(new Secret('text'), place);
    expect((await makeVault(masterKeyWrapper(loadMasterKey(file()))).open(sealed, place)).reveal()).toBe('text');
  });

  it.each(Object.entries(SEALED_LONG_AGO))('decrypts texts of old data folders: %s', async (purpose, sealed) => {
    mkdirSync(join(folder, 'data'));
    writeFileSync(file(), OLD_KEY);
    const place = { orgId: 'org_1', purpose: purpose as SealContext['purpose'], id: 'it_1' };
    expect((await makeVault(masterKeyWrapper(loadMasterKey(file()))).open(sealed, place)).reveal()).toBe(
      `text of ${purpose}`,
    );
  });

  it('is the same for processes that start at the same time', async () => {
    const keys = await Promise.all(Array.from({ length: 4 }, () => keyOfAnotherProcess(file())));
    expect(new Set([...keys, hex()]).size).toBe(1);
  });

  it('is never replaced when it is damaged', () => {
    hex();
    writeFileSync(file(), 'half a k');
    expect(hex).toThrow('Restore it from a backup');
    expect(readFileSync(file(), 'utf8')).toBe('half a k');
  });

  it('prints as a secret', () => {
    const key = loadMasterKey(file());
    expect([inspect(key), JSON.stringify({ key })]).toEqual(['[secret]', '{"key":"[secret]"}']);
  });
});

async function keyOfAnotherProcess(path: string): Promise<string> {
  const code =
    "import('#shared/adapters/local/master-key.adapter.ts').then((m) => console.log(m.loadMasterKey(process.argv[1]).reveal().toString('hex')))";
  return (await promisify(execFile)(process.execPath, ['-e', code, path])).stdout.trim();
}
