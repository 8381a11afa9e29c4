import type { Scope } from '#shared/domain/reference/access.catalog.ts';
import { STAGE_NAMES, type Stage } from '#shared/domain/reference/stage.model.ts';
import { lettersAndDigits, withTag } from '#shared/kernel/ids.ts';

export type KeyKind = 'service' | 'secret' | 'public';

export type ApiKey = {
  readonly id: string;
  readonly org_id: string;
  readonly name: string;
  readonly kind: KeyKind;
  readonly scopes: readonly Scope[];
  readonly created_at: string;
  /** The API key or the user that created it; `system` for the bootstrap command. Null if that was not recorded. */
  readonly created_by: string | null;
  /** A program that decides by itself has it: see `agent.rules`. */
  readonly agent?: true;
};

/** The prefix of a key names its kind and stage. */
const KEY_PREFIX: Record<Stage, Record<KeyKind, string>> = {
  sandbox: { service: 'pfk_test_', secret: 'sk_sandbox_', public: 'pk_sandbox_' },
  live: { service: 'pfk_live_', secret: 'sk_live_', public: 'pk_live_' },
};

/** Random letters and digits: 142 bits. */
const SECRET_LENGTH = 24;

/**
 * The key's text. It ends with a tag, so that most forged keys are recognized without the store. `bytes` are 32 random
 * bytes: far more bits than the secret needs, so that all characters are equally likely.
 */
export function keyText({ stage, kind, orgId }: KeyParts, bytes: Buffer, hashSecret: string): string {
  const secret = lettersAndDigits(bytes, SECRET_LENGTH);
  return withTag(`${KEY_PREFIX[stage][kind]}${orgId.slice('org_'.length)}${secret}`, hashSecret);
}

type KeyParts = { readonly stage: Stage; readonly kind: KeyKind; readonly orgId: string };

/**
 * The parts of a key's text. They let a request read the organization's data while the key is still being checked. None
 * of them is trusted before the key's hash is found.
 */
export function parseKey(text: string): KeyParts | undefined {
  for (const stage of STAGE_NAMES) {
    for (const kind of ['service', 'secret', 'public'] as const) {
      const prefix = KEY_PREFIX[stage][kind];
      const match = text.startsWith(prefix) ? /^([0-9a-z]{26})[A-Za-z0-9]{32}$/.exec(text.slice(prefix.length)) : null;
      if (match) return { stage, kind, orgId: `org_${match[1]}` };
    }
  }
  return undefined;
}
