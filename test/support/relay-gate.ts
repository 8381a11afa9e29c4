import type { TestHost } from '#test/support/host.ts';

/**
 * `holds`: what it would pass on waits. `fails`: it dies each time it begins. `loses`: it is told of a change and does
 * nothing about it, as one that was away for longer than the change feed keeps what it has to tell.
 */
export type RelayMode = 'works' | 'holds' | 'fails' | 'loses';

export type RelayGate = {
  readonly set: (mode: RelayMode) => void;
  /** How often it has begun so far, whatever became of that. */
  readonly begun: () => number;
};

/** Lets a test decide what becomes of the relay's invocations. Set it to `works` before the host is closed. */
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
    // What its loop takes for a batch that was done.
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
