import { parentPort, workerData } from 'node:worker_threads';
import { sharedClock } from '#lib/local/shared-time.ts';
import { type ControlCall, type ThreadInput, type ThreadMessage, toSent } from '#lib/local/simulator-messages.ts';
import { simulatorsHere } from '#lib/local/simulators-start.ts';
import type { Simulators } from '#lib/simulators/simulators.port.ts';
import { Secret } from '#shared/kernel/secret.ts';

/** The thread of the simulators: they stand for other companies' servers, so they take no time from the service. */
const { masterKey, time, ...input } = workerData as ThreadInput;
const send = (message: ThreadMessage): void => parentPort?.postMessage(message);

// A fault in one simulated call must not end the others.
process.on('unhandledRejection', (error) => send({ kind: 'unhandled', error: toSent(error) }));

async function answer(simulators: Simulators, { id, control, args }: ControlCall): Promise<void> {
  try {
    const run = simulators[control] as (...args: readonly unknown[]) => unknown;
    send({ kind: 'answer', id, value: await run.call(simulators, ...args) });
  } catch (error) {
    send({ kind: 'answer', id, error: toSent(error) });
  }
  if (control === 'close') parentPort?.close();
}

try {
  const simulators = await simulatorsHere({
    ...input,
    clock: sharedClock(time),
    masterKey: new Secret(Buffer.from(masterKey)),
  });
  parentPort?.on('message', (call: ControlCall) => void answer(simulators, call));
  send({ kind: 'ready', base: simulators.base, rootCertificates: simulators.rootCertificates });
} catch (error) {
  send({ kind: 'failed', error: toSent(error) });
}
