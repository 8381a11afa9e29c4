import { randomBytes } from 'node:crypto';
import { type DataKeyLimits, dataKeyCache } from '#shared/adapters/vault/data-keys.ts';
import { bind, decrypt, encrypt, formatEnvelope, parseEnvelope } from '#shared/adapters/vault/envelope.rules.ts';
import { MINUTE, monotonic } from '#shared/kernel/clock.ts';
import { Secret } from '#shared/kernel/secret.ts';
import { type KeyWrapper, type SealContext, UnsealError, type VaultPort } from '#shared/ports/vault.port.ts';

const DEFAULT_LIMITS: DataKeyLimits = { life: 5 * MINUTE, uses: 10_000, entries: 1_000, monotonic };

/**
 * Envelope encryption: a data key of the organization encrypts the text, and is stored wrapped beside it. Failures of
 * the key service pass through.
 */
export function makeVault(wrapper: KeyWrapper, options: Partial<DataKeyLimits> = {}): VaultPort {
  const limits = { ...DEFAULT_LIMITS, ...options };
  const keys = dataKeyCache(wrapper, limits);
  return {
    async seal(text, context) {
      const content = Buffer.from(text.reveal());
      const { plain, wrapped } = await keys.toSeal(context.orgId, limits.monotonic());
      return formatEnvelope({ wrapped, box: encrypt(plain, randomBytes(12), content, bound(context)) });
    },
    async open(sealed, context) {
      const envelope = parseEnvelope(sealed);
      if (!envelope) throw new UnsealError('This is not a sealed text.');
      const { plain } = await keys.toOpen(context.orgId, envelope.wrapped, limits.monotonic());
      const text = decrypt(plain, envelope.box, bound(context));
      if (!text) throw new UnsealError('The sealed text was changed, or belongs elsewhere.');
      return new Secret(text.toString());
    },
  };
}

const bound = (context: SealContext) => bind('payfork/sealed', context.orgId, context.purpose, context.id);
