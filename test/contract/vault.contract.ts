import { inspect } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeVault } from '#shared/adapters/vault/envelope-vault.adapter.ts';
import { MINUTE } from '#shared/kernel/clock.ts';
import { Secret } from '#shared/kernel/secret.ts';
import { type KeyWrapper, type SealContext, UnsealError } from '#shared/ports/vault.port.ts';

const PLACE: SealContext = { orgId: 'org_1', purpose: 'credentials', id: 'conn_1' };
const TEXT = '{"secret_key":"sk_test_4eC39HqLyjWDarjtT1zdp7dc","note":"Grüße 💳"}';

const at = (change: Partial<SealContext>): SealContext => ({ ...PLACE, ...change });

/** The contract of every vault. `newWrapper` returns one with another master key each time. */
export function vaultContract(name: string, newWrapper: () => KeyWrapper | Promise<KeyWrapper>): void {
  describe(`${name} as a vault`, () => {
    let wrapper: KeyWrapper & { readonly calls: { generate: number; unwrap: number } };
    let time: number;
    const vault = (options = {}) => makeVault(wrapper, { monotonic: () => time, ...options });
    const seal = (text = TEXT) => vault().seal(new Secret(text), PLACE);

    beforeEach(async () => {
      wrapper = counting(await newWrapper());
      time = 0;
    });

    it.each([
      ['credentials', TEXT],
      ['an empty text', ''],
      ['a long text', 'x'.repeat(100_000)],
    ])('decrypts %s unchanged', async (_, text) => {
      expect((await vault().open(await seal(text), PLACE)).reveal()).toBe(text);
    });

    it('encrypts the same text differently each time', async () => {
      const one = vault();
      const sealed = await Promise.all(Array.from({ length: 50 }, () => one.seal(new Secret(TEXT), PLACE)));
      expect(new Set(sealed).size).toBe(50);
    });

    it('rejects a text with any character changed', async () => {
      const sealed = await seal('short');
      for (const changed of variants(sealed))
        await expect(vault().open(changed, PLACE), changed).rejects.toBeInstanceOf(UnsealError);
    });

    it.each(['', 'v1', 'v1..', 'v1.AAAA.AAAA', 'v2.AAAA.AAAA', TEXT, 'null'])(
      'rejects text that was never encrypted: %j',
      async (text) => {
        await expect(vault().open(text, PLACE)).rejects.toBeInstanceOf(UnsealError);
      },
    );

    it('rejects a text that was truncated or extended', async () => {
      const sealed = await seal();
      for (const changed of [sealed.slice(0, -4), `${sealed}AAAA`, `${sealed}=`, ` ${sealed}`, `${sealed}.AAAA`])
        await expect(vault().open(changed, PLACE)).rejects.toBeInstanceOf(UnsealError);
    });

    it.each<[string, Partial<SealContext>]>([
      ['organization', { orgId: 'org_2' }],
      ['connection', { id: 'conn_2' }],
      ['purpose', { purpose: 'signing_secret' }],
      ['place with the same concatenated name', { orgId: 'org_', id: '1conn_1' }],
    ])('rejects a text that was moved to another %s', async (_, change) => {
      const sealed = await seal();
      await expect(vault().open(sealed, at(change))).rejects.toBeInstanceOf(UnsealError);
    });

    it('rejects a text that was moved to another organization while its key is in memory', async () => {
      const one = vault();
      const sealed = await one.seal(new Secret(TEXT), PLACE);
      await expect(one.open(sealed, at({ orgId: 'org_2' }))).rejects.toBeInstanceOf(UnsealError);
    });

    it('rejects a ciphertext next to the wrapped key of another', async () => {
      const [one, other] = [await seal(), await seal()].map((sealed) => sealed.split('.'));
      await expect(vault().open(['v1', one?.[1], other?.[2]].join('.'), PLACE)).rejects.toBeInstanceOf(UnsealError);
    });

    it('rejects a text encrypted with another master key', async () => {
      const elsewhere = await makeVault(await newWrapper()).seal(new Secret(TEXT), PLACE);
      await expect(vault().open(elsewhere, PLACE)).rejects.toBeInstanceOf(UnsealError);
    });

    it('shows no plaintext in the encrypted text, the decrypted secret or an error', async () => {
      const sealed = await seal();
      const opened = await vault().open(sealed, PLACE);
      const refused = await vault()
        .open(sealed, at({ id: 'conn_2' }))
        .catch((error: unknown) => error);
      const shown = [
        sealed,
        JSON.stringify({ opened }),
        inspect(opened, { showHidden: true }),
        `${opened}`,
        inspect(refused, { depth: 9 }),
        inspect(vault()),
      ];
      for (const text of shown) expect(text).not.toContain('4eC39HqLyjWDarjtT1zdp7dc');
    });

    it('requests a data key once, however many encrypt and decrypt at once', async () => {
      const one = vault();
      const sealed = await Promise.all(Array.from({ length: 20 }, () => one.seal(new Secret(TEXT), PLACE)));
      await Promise.all(sealed.map((text) => one.open(text, PLACE)));
      const cold = vault();
      await Promise.all(sealed.map((text) => cold.open(text, PLACE)));
      expect(wrapper.calls).toEqual({ generate: 1, unwrap: 1 });
    });

    it('drops data keys after five minutes', async () => {
      const one = vault();
      const sealed = await one.seal(new Secret(TEXT), PLACE);
      time = 5 * MINUTE;
      await one.open(sealed, PLACE);
      await one.seal(new Secret(TEXT), PLACE);
      expect(wrapper.calls).toEqual({ generate: 2, unwrap: 1 });
    });

    it('requests another data key after so many texts', async () => {
      const one = vault({ uses: 3 });
      for (let i = 0; i < 7; i += 1) await one.seal(new Secret(TEXT), PLACE);
      expect(wrapper.calls.generate).toBe(3);
    });

    it('never uses the data key of one organization for another', async () => {
      const one = vault();
      const sealed = await Promise.all(['org_1', 'org_2'].map((orgId) => one.seal(new Secret(TEXT), at({ orgId }))));
      expect(new Set(sealed.map((text) => text.split('.')[1])).size).toBe(2);
    });

    it('keeps only so many data keys, those used last', async () => {
      const one = vault({ entries: 2 });
      for (const orgId of ['org_1', 'org_2', 'org_1', 'org_3', 'org_1'])
        await one.seal(new Secret(TEXT), at({ orgId }));
      expect(wrapper.calls.generate).toBe(3);
      await one.seal(new Secret(TEXT), at({ orgId: 'org_2' }));
      expect(wrapper.calls.generate).toBe(4);
    });

    it('requests a key again after the key service failed, and reports the failure', async () => {
      const broken = { ...wrapper, generate: () => Promise.reject(new Error('throttled')) };
      let use: KeyWrapper = broken;
      const one = makeVault({
        generate: (orgId) => use.generate(orgId),
        unwrap: (wrapped, orgId) => use.unwrap(wrapped, orgId),
      });
      await expect(one.seal(new Secret(TEXT), PLACE)).rejects.toThrow('throttled');
      use = wrapper;
      expect((await one.open(await one.seal(new Secret(TEXT), PLACE), PLACE)).reveal()).toBe(TEXT);
    });
  });
}

function counting(wrapper: KeyWrapper) {
  const calls = { generate: 0, unwrap: 0 };
  return {
    calls,
    generate: (orgId: string) => {
      calls.generate += 1;
      return wrapper.generate(orgId);
    },
    unwrap: (wrapped: string, orgId: string) => {
      calls.unwrap += 1;
      return wrapper.unwrap(wrapped, orgId);
    },
  };
}

/**
 * Each character with its lowest bit flipped (or the letter next to it, for spare bits of base64), and as a foreign
 * character.
 */
function* variants(text: string): Generator<string> {
  for (let i = 0; i < text.length; i += 1) {
    for (const other of [String.fromCharCode(text.charCodeAt(i) ^ 1), 'A', '_', '*']) {
      if (other !== text[i]) yield text.slice(0, i) + other + text.slice(i + 1);
    }
  }
}
