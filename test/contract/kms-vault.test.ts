import { KMSClient } from '@aws-sdk/client-kms';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordOf } from '#lib/aws/function-table.ts';
import { RETRYING } from '#shared/adapters/aws/client-settings.ts';
import { macSecretFrom, macSecretsFrom } from '#shared/adapters/aws/kms-hash-secret.adapter.ts';
import { kmsKeyWrapper } from '#shared/adapters/aws/kms-key-wrapper.adapter.ts';
import { makeVault } from '#shared/adapters/vault/envelope-vault.adapter.ts';
import { vaultByPurpose } from '#shared/adapters/vault/vault-by-purpose.adapter.ts';
import { Secret } from '#shared/kernel/secret.ts';
import { KEY_OF_KIND, SEALED_KINDS, type SealedKind, UnsealError } from '#shared/ports/vault.port.ts';
import { vaultContract } from '#test/contract/vault.contract.ts';
import { FAKE_ACCOUNT, wireError } from '#test/support/aws-wire.ts';
import { type KmsFake, startKmsFake } from '#test/support/kms-fake.ts';

const PLACE = { orgId: 'org_1', purpose: 'credentials', id: 'conn_1' } as const;

let kms: KmsFake;
let client: KMSClient;
const wrapperOf = (keyId: string, kind: SealedKind = 'psp') => kmsKeyWrapper({ client, keyId, kind });
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

  it('are requested by key and bound to the organization and the kind of secret', async () => {
    const key = kms.createKey();
    await vaultOf(key).open(await vaultOf(key).seal(new Secret('text'), PLACE), PLACE);
    const asked = kms.calls
      .slice(-2)
      .map(({ operation, body }) => [operation, body.KeyId, body.KeySpec, body.EncryptionContext]);
    expect(asked).toEqual([
      ['GenerateDataKey', key, 'AES_256', { org_id: 'org_1', kind: 'psp' }],
      ['Decrypt', key, undefined, { org_id: 'org_1', kind: 'psp' }],
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

describe('a vault with data keys for each kind of secret', () => {
  it.each([
    ['credentials', 'psp', 'psp'],
    ['payment_method', 'psp', 'psp'],
    ['integration', 'integration', 'secrets'],
    ['signing_secret', 'signing', 'secrets'],
    ['answer', 'answer', 'secrets'],
    ['totp_secret', 'totp', 'secrets'],
  ] as const)('encrypts %s as the kind %s under the key %s', async (purpose, kind, key) => {
    const { keys, vault } = vaultOfAllKinds();
    const sealed = await vault.seal(new Secret('text'), { ...PLACE, purpose });
    expect(kms.calls.at(-1)?.body).toMatchObject({ KeyId: keys[key], EncryptionContext: { org_id: 'org_1', kind } });
    expect((await vault.open(sealed, { ...PLACE, purpose })).reveal()).toBe('text');
  });

  it.each(SEALED_KINDS.flatMap((kind) => SEALED_KINDS.filter((other) => other !== kind).map((other) => [kind, other])))(
    'wraps data keys of the kind %s so that they cannot be unwrapped as %s',
    async (kind, other) => {
      const { keys } = vaultOfAllKinds();
      const { wrapped } = await wrapperOf(keys[KEY_OF_KIND[kind!]], kind).generate('org_1');
      await expect(wrapperOf(keys[KEY_OF_KIND[kind!]], other).unwrap(wrapped, 'org_1')).rejects.toBeInstanceOf(
        UnsealError,
      );
    },
  );
});

function vaultOfAllKinds() {
  const keys = { psp: kms.createKey(), secrets: kms.createKey() };
  return {
    keys,
    vault: vaultByPurpose(recordOf(SEALED_KINDS, (kind) => makeVault(wrapperOf(keys[KEY_OF_KIND[kind]], kind)))),
  };
}

describe('the secrets of a function', () => {
  it('are those of its keys, all different, and reading another one says what to do', async () => {
    const key = () => kms.createKey('GENERATE_VERIFY_MAC');
    const first = () => ({ arn: key(), versions: { current: 1 } });
    const secrets = await macSecretsFrom(client, { hashSecret: first(), tokenSecret: first() });
    expect(secrets.rotations).toBeUndefined();
    expect(secrets.hashSecret).toMatch(/^[0-9a-f]{64}$/);
    expect(secrets.tokenSecret).not.toBe(secrets.hashSecret);
    expect(() => secrets.recoverySecret).toThrow('This function has no recoverySecret.');
  });

  it('have as many versions as the deployment lists, each different, and stay the same when another is added', async () => {
    const arn = kms.createKey('GENERATE_VERIFY_MAC');
    const first = await macSecretsFrom(client, { hashSecret: { arn, versions: { current: 1 } } });
    const announced = await macSecretsFrom(client, { hashSecret: { arn, versions: { current: 1, next: 2 } } });
    const changed = await macSecretsFrom(client, { hashSecret: { arn, versions: { current: 2, previous: 1 } } });
    const next = changed.hashSecret;
    expect(next).not.toBe(first.hashSecret);
    expect([announced.hashSecret, announced.rotations]).toEqual([
      first.hashSecret,
      { hashSecret: { version: 1, beside: { version: 2, secret: next }, others: [{ version: 2, secret: next }] } },
    ]);
    expect(changed.rotations?.hashSecret).toMatchObject({
      version: 2,
      others: [{ version: 1, secret: first.hashSecret }],
    });
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
