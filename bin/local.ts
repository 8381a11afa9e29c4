import { startLocalHost } from '#lib/local/local-host.ts';
import { simulatorsOnThread } from '#lib/local/simulators-thread.ts';
import { startText, USAGE } from '#lib/local/start-text.ts';
import { jsonLog } from '#shared/adapters/local/json-log.adapter.ts';
import { localEnv } from '#shared/env.ts';
import { systemClock } from '#shared/kernel/clock.ts';

/** Prints warnings and errors only, so that the first payment's command stays in sight. */
const log = { ...jsonLog(process.stderr, systemClock), info: () => {} };

// A fault in one request must not end the others.
process.on('unhandledRejection', (error) => log.error('unhandled_rejection', { error }));

function exitWith(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

const [argument] = process.argv.slice(2);
if (argument === '--help' || argument === '-h') {
  process.stdout.write(USAGE);
  process.exit(0);
}
if (argument !== undefined) exitWith(`There is no argument ${argument}.\n\n${USAGE}`);

try {
  const host = await startLocalHost({ ...localEnv(), log }, simulatorsOnThread);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void host.close().finally(() => process.exit(0)));
  process.stdout.write(startText(host));
} catch (error) {
  exitWith(error instanceof Error ? error.message : String(error));
}
