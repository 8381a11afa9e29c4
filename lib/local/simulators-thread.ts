import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { shareTime } from '#lib/local/shared-time.ts';
import { type ControlName, fromSent, type ThreadInput, type ThreadMessage } from '#lib/local/simulator-messages.ts';
import type { SimulatorsInput } from '#lib/local/simulators-start.ts';
import type { HostedSimulators, Scenario, Simulators } from '#lib/simulators/simulators.port.ts';

const WORKER = new URL('./simulators.worker.ts', import.meta.url);

/** Starts the simulators on a thread of their own. Calls of the service reach them over HTTP, controls as messages. */
export async function simulatorsOnThread({ masterKey, clock, ...input }: SimulatorsInput): Promise<HostedSimulators> {
  const workerData: ThreadInput = { ...input, masterKey: Uint8Array.from(masterKey.reveal()), time: shareTime(clock) };
  const worker = new Worker(WORKER, { workerData, name: 'simulators' });
  const [first]: ThreadMessage[] = await once(worker, 'message');
  if (first?.kind !== 'ready') {
    await worker.terminate();
    throw first?.kind === 'failed' ? fromSent(first.error) : new Error('The simulators did not start.');
  }
  const { base, rootCertificates } = first;
  return { base, rootCertificates, ...controlsOf(worker) };
}

function controlsOf(worker: Worker): Omit<HostedSimulators, 'base' | 'rootCertificates'> {
  const call = callerOf(worker);
  let mayRefuse = false;
  return {
    registerAccount: call('registerAccount'),
    setScenario: async (scenario: Scenario) => {
      await call('setScenario')(scenario);
      mayRefuse ||= scenario.behaviour === 'refuse_connection';
    },
    clearScenarios: async () => {
      mayRefuse = false;
      await call('clearScenarios')();
    },
    scenarios: call('scenarios'),
    // Asked before each call of a provider: the thread is asked only if a scenario may want it.
    refusesConnection: (...args) => mayRefuse && call('refusesConnection')(...args),
    calls: call('calls'),
    complete: call('complete'),
    refundInDashboard: call('refundInDashboard'),
    captureInDashboard: call('captureInDashboard'),
    voidInDashboard: call('voidInDashboard'),
    openDispute: call('openDispute'),
    moveDispute: call('moveDispute'),
    idle: call('idle'),
    close: async () => {
      const ended = once(worker, 'exit');
      await call('close')();
      await ended;
    },
  };
}

type Waiting = { readonly resolve: (value: never) => void; readonly reject: (error: Error) => void };

/** Controls as calls of the thread, each with its answer. */
function callerOf(worker: Worker) {
  const waiting = new Map<number, Waiting>();
  let calls = 0;
  worker.on('message', (message: ThreadMessage) => {
    // Reported as if it had happened in this thread.
    if (message.kind === 'unhandled') void Promise.reject(fromSent(message.error));
    if (message.kind !== 'answer') return;
    const { id, value, error } = message;
    const asked = waiting.get(id);
    waiting.delete(id);
    if (error) asked?.reject(fromSent(error));
    else asked?.resolve(value as never);
  });
  return <K extends ControlName>(control: K) =>
    (...args: Parameters<Simulators[K]>): Promise<Awaited<ReturnType<Simulators[K]>>> => {
      const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<Simulators[K]>>>();
      const id = ++calls;
      waiting.set(id, { resolve, reject });
      worker.postMessage({ id, control, args });
      return promise;
    };
}
