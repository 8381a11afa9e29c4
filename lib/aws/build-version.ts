import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { FileSystem } from 'aws-cdk-lib';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** What functions, and the dashboard and the documentation beside two of them, are made from. */
const SOURCES = [
  ...['functions', 'shared', 'client', 'docs', 'lib/client', 'lib/dashboard', 'lib/reference'],
  ...['CHANGELOG.md', 'openapi.json', 'openapi-dashboard.json', 'package-lock.json'],
];

let version: string | undefined;

/** The version of the package and a hash of its sources: the same sources have the same version on every machine. */
export function buildVersion(): string {
  version ??= readVersion();
  return version;
}

function readVersion(): string {
  const { version: released }: { version: string } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'));
  const hash = createHash('sha256');
  for (const source of SOURCES) hash.update(FileSystem.fingerprint(ROOT + source));
  return `${released}+${hash.digest('hex').slice(0, 12)}`;
}
