import { describe, expect, it } from 'vitest';
import { inRounds } from '#shared/kernel/rounds.ts';

describe('a change that others race for', () => {
  it('is tried once where nobody does', async () => {
    let rounds = 0;
    expect(await inRounds(async () => ++rounds, 'Lost.')).toBe(1);
  });

  it('comes through for each of fifty that read the same', async () => {
    let version = 0;
    const tick = () => new Promise((resolve) => setImmediate(resolve));
    const change = () =>
      inRounds(async () => {
        const read = version;
        await tick();
        if (version !== read) return undefined;
        version += 1;
        return version;
      }, 'Lost.');
    const saved = await Promise.all(Array.from({ length: 50 }, change));
    expect(saved.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, n) => n + 1));
  });

  it('passes on what a round refuses', async () => {
    const refused = new Error('No.');
    await expect(inRounds(() => Promise.reject(refused), 'Lost.')).rejects.toBe(refused);
  });

  it('gives up in the end, and says so', async () => {
    const pauses: number[] = [];
    const never = inRounds(
      async () => undefined,
      'Others are changing it.',
      async (ms) => pauses.push(ms),
    );
    await expect(never).rejects.toMatchObject({ code: 'write_conflict', message: 'Others are changing it.' });
    expect([pauses.length, new Set(pauses).size > 5, Math.max(...pauses) < 500]).toEqual([24, true, true]);
  });
});
