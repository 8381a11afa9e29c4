import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { bind, decrypt, encrypt, fromBase64Url } from '#shared/adapters/vault/envelope.rules.ts';
import { Secret } from '#shared/kernel/secret.ts';
import { type KeyWrapper, VaultRefused } from '#shared/ports/vault.port.ts';

const KEY_BYTES = 32;

/** Data keys under a master key that this host holds itself: KMS's part on a single host. */
export function masterKeyWrapper(master: Secret<Buffer>): KeyWrapper {
  const bound = (orgId: string) => bind('payfork/data-key', orgId);
  return {
    async generate(orgId) {
      const plain = randomBytes(KEY_BYTES);
      return { plain, wrapped: encrypt(master.reveal(), randomBytes(12), plain, bound(orgId)).toString('base64url') };
    },
    async unwrap(wrapped, orgId) {
      const box = fromBase64Url(wrapped);
      const plain = box && decrypt(master.reveal(), box, bound(orgId));
      if (!plain)
        throw new VaultRefused(
          'The data key was changed, is of another organization, or was made under another master key.',
        );
      return plain;
    },
  };
}

/** The key in this file, which is made on first use; without a path, a key that lives as long as the process. */
export function loadMasterKey(path: string | undefined): Secret<Buffer> {
  if (path === undefined) return new Secret(randomBytes(KEY_BYTES));
  if (!existsSync(path)) create(path);
  const key = fromBase64Url(readFileSync(path, 'utf8').trim());
  if (key?.length !== KEY_BYTES)
    throw new Error(`${path} holds no master key; restore it from a backup, for nothing sealed opens without it.`);
  return new Secret(key);
}

/**
 * A hard link appears with its whole content or not at all, and never replaces a file: of two processes one wins, and
 * both read its key.
 */
function create(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(draft, `${randomBytes(KEY_BYTES).toString('base64url')}\n`, { mode: 0o600, flag: 'wx', flush: true });
    linkSync(draft, path);
  } catch (error) {
    if (!existsSync(path)) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  syncFolder(dirname(path));
}

/** Otherwise a power cut may lose the file after data was sealed with its key. */
function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
