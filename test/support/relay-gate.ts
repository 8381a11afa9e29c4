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
  const invoke = invocations.invoke.bind(invocations);
  let mode: RelayMode = 'works';
  let begun = 0;
  let opened = Promise.withResolvers<void>();
  opened.resolve();

  async function throughGate<T>(work: () => Promise<T>): Promise<T> {
    await opened.promise;
    begun += 1;
    if (mode === 'fails') throw new Error('The relay is stopped.');
    // The loop treats this as a processed batch.
    return mode === 'loses' ? ({} as T) : work();
  }

  invocations.invoke = (group, timeoutMs, work) =>
    group === 'relay' ? throughGate(() => invoke(group, timeoutMs, work)) : invoke(group, timeoutMs, work);
  return {
    begun: () => begun,
    set: (next) => {
      if (mode !== 'holds' && next === 'holds') opened = Promise.withResolvers();
      mode = next;
      if (next !== 'holds') opened.resolve();
    },
  };
}
