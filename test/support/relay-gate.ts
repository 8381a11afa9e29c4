import { onTestFinished } from 'vitest';
import type { TestHost } from '#test/support/host.ts';

/**
 * `holds`: its invocations wait. `fails`: each invocation fails. `loses`: it drops its changes, like a relay that was
 * down for longer than the change feed keeps them.
 */
export type RelayMode = 'works' | 'holds' | 'fails' | 'loses';

export type RelayGate = {
  readonly set: (mode: RelayMode) => void;
  /** How often it has started so far, successfully or not. */
  readonly begun: () => number;
};

/** Lets a test control the relay's invocations. Set it to `works` before the host is closed. */
export function relayGate({ invocations }: Pick<TestHost, 'invocations'>): RelayGate {
  let mode: RelayMode = 'works';
  let begun = 0;
  let opened = Promise.withResolvers<void>();
  opened.resolve();

  before(invocations, 'relay', async (work) => {
    await opened.promise;
    begun += 1;
    if (mode === 'fails') throw new Error('The relay is stopped.');
    // The loop treats this as a processed batch.
    return mode === 'loses' ? {} : work();
  });
  return {
    begun: () => begun,
    set: (next) => {
      if (mode !== 'holds' && next === 'holds') opened = Promise.withResolvers();
      mode = next;
      if (next !== 'holds') opened.resolve();
    },
  };
}

export type FunctionGate = {
  /** Resolves when an invocation waits at the gate. */
  readonly shut: () => Promise<void>;
  readonly open: () => void;
};

/** Lets a test hold the invocations of one function before they begin. Open it before the host is closed. */
export function functionGate({ invocations }: Pick<TestHost, 'invocations'>, group: string): FunctionGate {
  let opened = Promise.withResolvers<void>();
  let reached = () => {};
  opened.resolve();
  before(invocations, group, async (work) => {
    reached();
    await opened.promise;
    return work();
  });
  return {
    shut: () => {
      const arrival = Promise.withResolvers<void>();
      [opened, reached] = [Promise.withResolvers(), arrival.resolve];
      onTestFinished(() => opened.resolve());
      return arrival.promise;
    },
    open: () => opened.resolve(),
  };
}

type Invoke = TestHost['invocations']['invoke'];

/** Each invocation of this function goes through `pass`. */
function before(
  invocations: TestHost['invocations'],
  of: string,
  pass: (work: () => Promise<unknown>) => Promise<unknown>,
): void {
  const invoke: Invoke = invocations.invoke.bind(invocations);
  const gated = (group: string, timeoutMs: number, work: () => Promise<unknown>) =>
    group === of ? pass(() => invoke(group, timeoutMs, work)) : invoke(group, timeoutMs, work);
  invocations.invoke = gated as Invoke;
}
