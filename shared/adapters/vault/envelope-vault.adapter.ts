import { randomBytes } from 'node:crypto';
import { type DataKeyLimits, dataKeys } from '#shared/adapters/vault/data-keys.ts';
import { bind, decrypt, encrypt, formatEnvelope, parseEnvelope } from '#shared/adapters/vault/envelope.rules.ts';
import { MINUTE, monotonic } from '#shared/kernel/clock.ts';
import { Secret } from '#shared/kernel/secret.ts';
import { type KeyWrapper, type SealedPlace, type VaultPort, VaultRefused } from '#shared/ports/vault.port.ts';

const USUAL: DataKeyLimits = { life: 5 * MINUTE, uses: 10_000, entries: 1_000, monotonic };

/**
 * Envelope encryption: a data key of the organization encrypts, and lies wrapped beside the ciphertext. A wrapper's own
 * failures (not refusals) pass through.
 */
export function makeVault(wrapper: KeyWrapper, options: Partial<DataKeyLimits> = {}): VaultPort {
  const keys = dataKeys(wrapper, { ...USUAL, ...options });
  return {
    async seal(text, place) {
      const { plain, wrapped } = await keys.toSeal(place.orgId);
      return formatEnvelope({
        wrapped,
        box: encrypt(plain, randomBytes(12), Buffer.from(text.reveal()), bound(place)),
      });
    },
    async open(sealed, place) {
      const envelope = parseEnvelope(sealed);
      if (!envelope) throw new VaultRefused('This is not a sealed text.');
      const { plain } = await keys.toOpen(place.orgId, envelope.wrapped);
      const text = decrypt(plain, envelope.box, bound(place));
      if (!text) throw new VaultRefused('The sealed text was changed, or belongs to another place.');
      return new Secret(text.toString());
    },
  };
}

const bound = (place: SealedPlace) => bind('payfork/sealed', place.orgId, place.purpose, place.id);
