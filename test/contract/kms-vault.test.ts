import { KMSClient } from '@aws-sdk/client-kms';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordOf } from '#lib/aws/function-table.ts';
import { RETRYING } from '#shared/adapters/aws/client-settings.ts';
import { macSecretFrom, macSecretsFrom } from '#shared/adapters/aws/kms-hash-secret.adapter.ts';
import { kmsKeyWrapper } from '#shared/adapters/aws/kms-key-wrapper.adapter.ts';
import { makeVault } from '#shared/adapters/vault/envelope-vault.adapter.ts';
import { vaultByPurpose } from '#shared/adapters/vault/vault-by-purpose.adapter.ts';
import { Secret } from '#shared/kernel/secret.ts';
import { SEALING_KEYS, UnsealError } from '#shared/ports/vault.port.ts';
import { vaultContract } from '#test/contract/vault.contract.ts';
import { FAKE_ACCOUNT, wireError } from '#test/support/aws-wire.ts';
import { type KmsFake, startKmsFake } from '#test/support/kms-fake.ts';

const PLACE = { orgId: 'org_1', purpose: 'credentials', id: 'conn_1' } as const;

let kms: KmsFake;
let client: KMSClient;
const wrapperOf = (keyId: string) => kmsKeyWrapper({ client, keyId });
const vaultOf = (keyId: string) => makeVault(wrapperOf(keyId));

beforeAll(async () => {
  kms = await startKmsFake();
  client = new KMSClient({ ...RETRYING, ...FAKE_ACCOUNT, endpoint: kms.endpoint });
});
afterAll(async () => {
  client.destroy();
  await kms.stop();
});

vaultContract('KMS', () => wrapperOf(kms.createKey()));

describe('data keys from KMS', () => {
  it('decrypt texts from before two rotations of the key', async () => {
    const key = kms.createKey();
    const sealed = [];
    for (const text of ['first', 'second', 'third']) {
      sealed.push(await vaultOf(key).seal(new Secret(text), PLACE));
      kms.rotate(key);
    }
    const opened = await Promise.all(sealed.map((text) => vaultOf(key).open(text, PLACE)));
    expect(opened.map((text) => text.reveal())).toEqual(['first', 'second', 'third']);
  });

  it('are requested by key and bound to the organization', async () => {
    const key = kms.createKey();
    await vaultOf(key).open(await vaultOf(key).seal(new Secret('text'), PLACE), PLACE);
    const asked = kms.calls
      .slice(-2)
      .map(({ operation, body }) => [operation, body.KeyId, body.KeySpec, body.EncryptionContext]);
    expect(asked).toEqual([
      ['GenerateDataKey', key, 'AES_256', { org_id: 'org_1' }],
      ['Decrypt', key, undefined, { org_id: 'org_1' }],
    ]);
  });

  it('are stored in one text format', async () => {
    expect((await wrapperOf(kms.createKey()).generate('org_1')).wrapped).toMatch(/^[\w-]+$/);
  });

  it.each(['', 'AAAA=', 'x'.repeat(20_000)])('are not requested for text that KMS would reject', async (wrapped) => {
    const before = kms.calls.length;
    await expect(wrapperOf(kms.createKey()).unwrap(wrapped, 'org_1')).rejects.toBeInstanceOf(UnsealError);
    expect(kms.calls).toHaveLength(before);
  });
});

describe('a failure of KMS', () => {
  const THROTTLED = wireError('ThrottlingException', 'Rate exceeded');

  it.each([
    ['throttling', THROTTLED],
    ['an internal error', wireError('KMSInternalException', 'internal', 500)],
    ['a broken connection', 'drop' as const],
  ])('is retried: %s', async (_, failure) => {
    const key = kms.createKey();
    const sealed = await vaultOf(key).seal(new Secret('text'), PLACE);
    kms.fail(failure, failure);
    expect((await vaultOf(key).open(sealed, PLACE)).reveal()).toBe('text');
  });

  it.each([
    ['ThrottlingException', [THROTTLED, THROTTLED, THROTTLED]],
    ['AccessDeniedException', [wireError('AccessDeniedException')]],
    ['KMSInvalidStateException', [wireError('KMSInvalidStateException')]],
    [
      'DependencyTimeoutException',
      Array.from({ length: 3 }, () => wireError('DependencyTimeoutException', 'timeout', 500)),
    ],
  ])('does not count as invalid credentials: %s', async (name, failures) => {
    const key = kms.createKey();
    const sealed = await vaultOf(key).seal(new Secret('text'), PLACE);
    kms.fail(...failures);
    await expect(vaultOf(key).open(sealed, PLACE)).rejects.toMatchObject({ name });
  });

  it('does not count as invalid credentials when the key is disabled', async () => {
    const key = kms.createKey();
    const sealed = await vaultOf(key).seal(new Secret('text'), PLACE);
    kms.disable(key);
    await expect(vaultOf(key).open(sealed, PLACE)).rejects.toMatchObject({ name: 'DisabledException' });
  });
});

describe('a vault with a key for each kind of secret', () => {
  it.each([
    ['credentials', 'psp'],
    ['payment_method', 'psp'],
    ['integration', 'integration'],
    ['signing_secret', 'signing'],
    ['answer', 'answer'],
    ['totp_secret', 'totp'],
  ] as const)('encrypts %s with the key %s', async (purpose, name) => {
    const { keys, vault } = separateKeys();
    const sealed = await vault.seal(new Secret('text'), { ...PLACE, purpose });
    expect(kms.calls.at(-1)?.body.KeyId).toBe(keys[name]);
    expect((await vault.open(sealed, { ...PLACE, purpose })).reveal()).toBe('text');
  });

  it('opens a secret of an authenticator app that was sealed before apps had a key of their own', async () => {
    const { keys, vault } = separateKeys();
    const place = { orgId: 'usr_1', purpose: 'totp_secret', id: 'usr_1' } as const;
    const former = await vaultOf(keys.signing).seal(new Secret('text'), place);
    expect((await vault.open(former, place)).reveal()).toBe('text');
    await expect(vault.open(former, { ...place, id: 'usr_2' })).rejects.toBeInstanceOf(UnsealError);
  });

  it.each(['credentials', 'integration', 'answer'] as const)(
    'does not open what is called %s with the key that signing secrets are sealed with',
    async (purpose) => {
      const { keys, vault } = separateKeys();
      const sealed = await vaultOf(keys.signing).seal(new Secret('text'), { ...PLACE, purpose });
      await expect(vault.open(sealed, { ...PLACE, purpose })).rejects.toBeInstanceOf(UnsealError);
    },
  );
});

function separateKeys() {
  const keys = recordOf(SEALING_KEYS, () => kms.createKey());
  return { keys, vault: vaultByPurpose(recordOf(SEALING_KEYS, (key) => vaultOf(keys[key]))) };
}

describe('the secrets of a function', () => {
  it('are those of its keys, all different, and reading another one says what to do', async () => {
    const key = () => kms.createKey('GENERATE_VERIFY_MAC');
    const secrets = await macSecretsFrom(client, { hashSecret: key(), tokenSecret: key() });
    expect(secrets.hashSecret).toMatch(/^[0-9a-f]{64}$/);
    expect(secrets.tokenSecret).not.toBe(secrets.hashSecret);
    expect(() => secrets.recoverySecret).toThrow('This function has no recoverySecret.');
  });

  it('cost no call where a function has no key', async () => {
    const before = kms.calls.length;
    await macSecretsFrom(client, {});
    expect(kms.calls).toHaveLength(before);
  });
});

describe('the hash secret', () => {
  it('is the same each time, and different for another key', async () => {
    const [key, other] = [kms.createKey('GENERATE_VERIFY_MAC'), kms.createKey('GENERATE_VERIFY_MAC')];
    const secret = await macSecretFrom(client, key);
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(await macSecretFrom(client, key)).toBe(secret);
    expect(await macSecretFrom(client, other)).not.toBe(secret);
  });

  it('cannot come from a key that encrypts', async () => {
    await expect(macSecretFrom(client, kms.createKey())).rejects.toMatchObject({ name: 'InvalidKeyUsageException' });
  });
});
