import { execFile } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { portError } from '#lib/local/http-server.ts';
import { StartError } from '#lib/local/start-errors.ts';
import { killStarted, start } from '#test/http/local-host-start.support.ts';
import { fourFreePorts } from '#test/support/free-ports.ts';
import { startHost } from '#test/support/host.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'payfork-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(killStarted);

/** The user without any rights of its own. */
const NOBODY = 65_534;

const GARBAGE = Buffer.alloc(8_192, 'not a database ');
/** A file of SQLite whose first page is sound, and whose others are not. */
function damaged(path: string): void {
  const db = new DatabaseSync(path);
  db.exec('CREATE TABLE a (b TEXT)');
  for (let n = 0; n < 40; n += 1) db.prepare('INSERT INTO a VALUES (?)').run('x'.repeat(1_000));
  db.close();
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(7, 4_096));
}

describe('a start that cannot succeed', () => {
  /** Each prepares the folder that it gets, and may return another one to start with. */
  type Case = readonly [string, (dir: string) => unknown, RegExp];
  const inFolder =
    (prepare: (dir: string) => void): Case[1] =>
    (dir) => {
      mkdirSync(dir, { recursive: true });
      prepare(dir);
    };

  it.each<Case>([
    ['it is a file', (dir) => writeFileSync(dir, ''), /^DIR is a file, .* set DATA_DIR/],
    ['it lies below a file', () => '/dev/null/shop', /^\/dev\/null\/shop .*part of its path is a file.* set DATA_DIR/],
    ['none can be created there', () => '/proc/shop', /^\/proc\/shop cannot be created: .* set DATA_DIR/],
    ['it is a link to nothing', (dir) => symlinkSync('/nowhere', dir), /^DIR cannot be created: .* set DATA_DIR/],
    [
      'its name is too long',
      (dir) => join(dir, 'x'.repeat(300)),
      /the name is too long\. Choose a shorter one, or set DATA_DIR/,
    ],
    [
      'its lock is damaged',
      inFolder((dir) => writeFileSync(join(dir, 'lock'), GARBAGE)),
      /^DIR\/lock is damaged\. It holds no data: delete it\.$/,
    ],
    [
      'its lock is a folder',
      inFolder((dir) => mkdirSync(join(dir, 'lock'))),
      /^DIR\/lock is a folder.*Move it away\.$/,
    ],
    [
      'its data is no database',
      inFolder((dir) => writeFileSync(join(dir, 'sandbox.sqlite'), GARBAGE)),
      /^DIR\/sandbox\.sqlite is damaged.*backup/,
    ],
    [
      'its data is damaged further on',
      inFolder((dir) => damaged(join(dir, 'sandbox.sqlite'))),
      /^DIR\/sandbox\.sqlite is damaged.*backup/,
    ],
    [
      'the data of the simulators is damaged',
      inFolder((dir) => damaged(join(dir, 'sandbox-simulators.sqlite'))),
      /^DIR\/sandbox-simulators\.sqlite is damaged/,
    ],
    [
      'its data is a folder',
      inFolder((dir) => mkdirSync(join(dir, 'sandbox.sqlite'))),
      /^DIR\/sandbox\.sqlite is a folder/,
    ],
    ['its key is a folder', inFolder((dir) => mkdirSync(join(dir, 'master.key'))), /^DIR\/master\.key is a folder/],
    ['its info is a folder', inFolder((dir) => mkdirSync(join(dir, 'info.json'))), /^DIR\/info\.json is a folder/],
  ])('names the data folder or the file, and the remedy: %s', async (name, prepare, message) => {
    const dir = join(folder, name.replaceAll(' ', '-'));
    const other = prepare(dir);
    const dataDir = typeof other === 'string' ? other : dir;
    const error: unknown = await startHost({ dataDir, store: 'sqlite' }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StartError);
    expect(String((error as Error).message).replace(dir, 'DIR')).toMatch(message);
  });

  it.each<[string, Readonly<Record<string, string>>, RegExp]>([
    ['a port that is no number', { PORT: 'abc' }, /^PORT must be a whole number.* It is "abc"\.$/],
    ['a folder where none can be created', { DATA_DIR: '/proc/shop' }, /^\/proc\/shop cannot be created: /],
    ['a variable of no provider', { PSP_URL_STRIP: 'http://127.0.0.1:9' }, /^PSP_URL_STRIP names no provider\. /],
  ])('ends with code 1 and a line or two, without a stack: %s', async (_, variables, message) => {
    const host = await start({ PORT: String(await fourFreePorts()), DATA_DIR: ':memory:', ...variables });
    expect(await host.ended).toBe(1);
    const complaint = (await host.complaint).trimEnd();
    expect(complaint).toMatch(message);
    expect(complaint.split('\n').length).toBeLessThanOrEqual(2);
    expect(host.lines).toEqual([]);
  });

  it('names the variable of an address that names no provider', async () => {
    const pspUrls: Readonly<Record<string, string>> = { strip: 'http://127.0.0.1:9' };
    await expect(startHost({ pspUrls })).rejects.toThrow(
      /^PSP_URL_STRIP names no provider\. There are .*PSP_URL_STRIPE/,
    );
  });

  it('names the file that another process has locked', async () => {
    const dataDir = join(folder, 'locked-file');
    await (await startHost({ dataDir, store: 'sqlite' })).close();
    const file = join(dataDir, 'sandbox.sqlite');
    const other = new DatabaseSync(file);
    other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    await expect(startHost({ dataDir, store: 'sqlite' })).rejects.toThrow(`${file} is locked by another process.`);
    other.close();
    await (await startHost({ dataDir, store: 'sqlite' })).close();
  });

  it('names the file that may not be written', async () => {
    // In a folder of its own, whose parent anybody may enter.
    const dataDir = mkdtempSync(join(tmpdir(), 'payfork-rights-'));
    await (await startHost({ dataDir, store: 'sqlite' })).close();
    for (const [mode, file, message] of [
      [0o500, '', 'cannot be read and written: this user has no right to it. Check its owner and its mode'],
      [0o400, 'sandbox.sqlite', 'cannot be read and written: this user has no right to it.'],
      [0o000, 'master.key', 'cannot be read and written: this user has no right to it.'],
      [0o400, 'lock', 'cannot be read and written: this user has no right to it.'],
    ] as const) {
      const path = join(dataDir, file);
      const before = statSync(path).mode;
      chmodSync(path, mode);
      expect(await openedByNobody(dataDir)).toContain(`${path} ${message}`);
      chmodSync(path, before);
    }
    expect(await openedByNobody(dataDir)).toBe('opened');
    rmSync(dataDir, { recursive: true });
  });
});

/**
 * What a process says that opens the folder without the rights of an administrator, whom every file obeys. It gives up
 * these rights once it has loaded the code, which may lie where nobody else can read.
 */
async function openedByNobody(dataDir: string): Promise<string> {
  const code = `
    const { openDataFolder } = await import('#lib/local/data-folder.ts');
    if (process.getuid() === 0) process.setuid(${NOBODY});
    try {
      openDataFolder({ dataDir: process.argv[1], stage: 'sandbox', store: 'sqlite' }).release();
      console.log('opened');
    } catch (error) {
      console.log(error.message);
    }`;
  if (process.getuid?.() === 0)
    for (const file of ['', ...readdirSync(dataDir)]) chownSync(join(dataDir, file), NOBODY, NOBODY);
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code, dataDir]);
  return stdout.trim();
}

describe('a port', () => {
  it.each([
    ['EADDRINUSE', /^Port 80 \(the API\) is taken\. .*PORT=/],
    ['EACCES', /^Port 80 \(the API\) is not open to this user: ports below 1024 .*PORT=/],
    ['EADDRNOTAVAIL', /^Port 80 \(the API\) cannot be opened on 127\.0\.0\.1 \(EADDRNOTAVAIL\)\. .*PORT=/],
  ])('that cannot be opened because of %s is named with a remedy', (code, message) => {
    const error = Object.assign(new Error(`listen ${code}: 127.0.0.1:80`), { code, syscall: 'listen' });
    expect(portError(error, 80, 'the API')).toMatchObject({ message: expect.stringMatching(message) });
  });
});
