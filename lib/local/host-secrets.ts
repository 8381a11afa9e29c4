import { createHmac, randomBytes } from 'node:crypto';
import type { DataFolder } from '#lib/local/data-folder.ts';
import { StartError } from '#lib/local/start-errors.ts';
import type { SimulatorsOptions } from '#lib/simulators/simulators.port.ts';
import { bind, decrypt, encrypt } from '#shared/adapters/vault/envelope.rules.ts';
import { FIRST_HASH_VERSION, type HashVersions, rotationOf } from '#shared/kernel/hash-versions.ts';
import type { Secret } from '#shared/kernel/secret.ts';
import type { MacSecrets } from '#shared/ports/deps.ts';
import type { SqliteDatabase } from '#shared/store/sqlite/sqlite-database.ts';

/** This host's other keys, derived from the one that it stores. */
const deriveSecret = (master: Secret<Buffer>, purpose: string): Buffer =>
  createHmac('sha256', master.reveal()).update(`payfork/${purpose}`).digest();

const FIRST: HashVersions = { current: FIRST_HASH_VERSION };

/**
 * The secrets of hashes. One for all purposes, as existing folders hold recovery codes and payments whose hashes were
 * made with it. Here one process does everything, so separate ones would protect nothing.
 */
export function macSecretsOf(master: Secret<Buffer>, versions: HashVersions = FIRST): MacSecrets {
  const secretOf = (version: number): string =>
    deriveSecret(master, version === FIRST_HASH_VERSION ? 'hash-secret' : `hash-secret/${version}`).toString('hex');
  const secret = secretOf(versions.current);
  const rotation = rotationOf(versions, secretOf);
  const rotations = { hashSecret: rotation, tokenSecret: rotation, recoverySecret: rotation };
  return { hashSecret: secret, tokenSecret: secret, recoverySecret: secret, ...(rotation && { rotations }) };
}

/** What the host makes for itself derives from the first version, and stays the same for all of them. */
export const demoSecretOf = (master: Secret<Buffer>): string => macSecretsOf(master).hashSecret;

const KEY_TABLE = 'CREATE TABLE IF NOT EXISTS master_key (mark TEXT NOT NULL) STRICT';

/** The data file keeps a mark of the key that its data is sealed with, and knows another key by it. */
export function assertSameMasterKey(database: Pick<SqliteDatabase, 'setUp'>, folder: DataFolder): void {
  const mark = deriveSecret(folder.masterKey, 'mark').toString('hex', 0, 8);
  const stored = database.setUp((db) => {
    db.exec(KEY_TABLE);
    db.prepare('INSERT INTO master_key SELECT ? WHERE NOT EXISTS (SELECT 1 FROM master_key)').run(mark);
    return db.prepare('SELECT mark FROM master_key').get()?.mark;
  });
  if (stored !== mark)
    throw new StartError(
      `The data in ${folder.database} is sealed with another key than that in master.key beside it. Restore that key ` +
        'from a backup. To start without this data, move the folder away or set DATA_DIR to another one.',
    );
}

/** Seals webhook secrets in the simulators' own file. */
export function simulatorProtection(master: Secret<Buffer>): SimulatorsOptions['protect'] {
  const key = deriveSecret(master, 'simulators');
  const place = bind('payfork/simulators');
  return {
    seal: (text) => encrypt(key, randomBytes(12), Buffer.from(text), place).toString('base64url'),
    open: (sealed) => {
      const text = decrypt(key, Buffer.from(sealed, 'base64url'), place);
      if (!text) throw new Error("The simulators' file was made under another master key.");
      return text.toString();
    },
  };
}
