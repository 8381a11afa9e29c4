import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Fault, FaultInjector } from '#lib/local/faults.ts';
import { type Call, InvocationCrashed, Invocations, InvocationTimedOut, intercepted } from '#lib/local/invocation.ts';

/** A queue whose messages show what was really done. */
function aWorld() {
  const faults = new FaultInjector();
  const invocations = new Invocations((call) => faults.faultFor(call));
  const sent: string[] = [];
  const bare = {
    async send(text: string): Promise<string> {
      sent.push(text);
      return `took ${text}`;
    },
  };
  return { faults, invocations, sent, queue: intercepted(invocations, 'queue', bare) };
}

const crash = (more: Partial<Fault> = {}): Fault => ({
  point: 'queue',
  nth: 1,
  kind: 'crash',
  when: 'before',
  ...more,
});
/** Long enough for anything that is still running to show. */
const quiet = () => sleep(20);

describe('an invocation of the local host', () => {
  it('returns the result of its work', async () => {
    const { invocations, queue } = aWorld();
    expect(await invocations.invoke('payments', 1_000, () => queue.send('a'))).toBe('took a');
  });

  it('fails with the error of its work', async () => {
    const failing = aWorld().invocations.invoke('payments', 1_000, () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
  });

  it('makes no further call after a crash, and ignores the result of a running one', async () => {
    const { faults, invocations, queue, sent } = aWorld();
    const heard: string[] = [];
    faults.add(crash({ nth: 2, when: 'after' }));
    const crashing = invocations.invoke('payments', 1_000, async () => {
      setTimeout(() => void queue.send('timer').then(() => heard.push('timer')), 5);
      heard.push(await queue.send('a'));
      heard.push(await queue.send('b'));
      await queue.send('c');
    });
    await expect(crashing).rejects.toBeInstanceOf(InvocationCrashed);
    await quiet();
    expect({ sent, heard }).toEqual({ sent: ['a', 'b'], heard: ['took a'] });
  });

  it('ends at its timeout, with everything that is still running', async () => {
    const { invocations, queue, sent } = aWorld();
    const slow = invocations.invoke('payments', 5, async () => {
      await sleep(10);
      await queue.send('late');
    });
    await expect(slow).rejects.toBeInstanceOf(InvocationTimedOut);
    await quiet();
    expect(sent).toEqual([]);
  });

  it('makes no further calls after its response', async () => {
    const { invocations, queue, sent } = aWorld();
    await invocations.invoke('payments', 1_000, async () => void setTimeout(() => void queue.send('left behind'), 5));
    await quiet();
    expect(sent).toEqual([]);
  });

  it('does not affect others when it crashes', async () => {
    const { faults, invocations, queue, sent } = aWorld();
    faults.add(crash());
    const work = (text: string) => () => queue.send(text);
    await expect(invocations.invoke('payments', 1_000, work('a'))).rejects.toBeInstanceOf(InvocationCrashed);
    await invocations.invoke('payments', 1_000, work('b'));
    expect(sent).toEqual(['b']);
  });

  it('shows each of its calls, with point, method and group', async () => {
    const { invocations, queue } = aWorld();
    const calls: Call[] = [];
    invocations.onCall((call) => calls.push(call));
    await invocations.invoke('relay', 1_000, () => queue.send('a'));
    await queue.send('of the host itself');
    expect(calls).toEqual([{ point: 'queue', method: 'send', group: 'relay' }]);
  });
});
