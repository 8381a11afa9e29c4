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
import { type KeyWrapper, UnsealError } from '#shared/ports/vault.port.ts';

const KEY_BYTES = 32;

/** Data keys under a master key in a file: what KMS does on AWS. */
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
      if (!plain) throw new UnsealError('The data key was changed, or belongs to another organization or master key.');
      return plain;
    },
  };
}

/** The key in this file, which is created on first use. Without a path the key lasts as long as the process. */
export function loadMasterKey(path: string | undefined): Secret<Buffer> {
  if (path === undefined) return new Secret(randomBytes(KEY_BYTES));
  if (!existsSync(path)) create(path);
  const key = fromBase64Url(readFileSync(path, 'utf8').trim());
  if (key?.length !== KEY_BYTES)
    throw new Error(`${path} holds no master key. Restore it from a backup: sealed data cannot be opened without it.`);
  return new Secret(key);
}

/** A hard link appears with its whole content, and never replaces a file: two processes end up with the same key. */
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
