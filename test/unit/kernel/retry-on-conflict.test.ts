import { describe, expect, it } from 'vitest';
import { noPause, retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';

describe('retryOnConflict', () => {
  it('attempts a write once if there is no conflict', async () => {
    let attempts = 0;
    expect(await retryOnConflict(async () => ++attempts, 'Lost.')).toBe(1);
  });

  it('lets each of fifty writers that read the same version succeed', async () => {
    let version = 0;
    const tick = () => new Promise((resolve) => setImmediate(resolve));
    const change = () =>
      retryOnConflict(async () => {
        const read = version;
        await tick();
        if (version !== read) return undefined;
        version += 1;
        return version;
      }, 'Lost.');
    const saved = await Promise.all(Array.from({ length: 50 }, change));
    expect(saved.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, n) => n + 1));
  });

  it('passes on the error of an attempt without another attempt', async () => {
    const error = new Error('No.');
    await expect(retryOnConflict(() => Promise.reject(error), 'Lost.')).rejects.toBe(error);
  });

  it('gives up after 25 attempts with a write_conflict, and pauses randomly between them', async () => {
    const pauses: number[] = [];
    const never = retryOnConflict(async () => undefined, 'Others are changing it.', {
      wait: async (ms) => pauses.push(ms),
    });
    await expect(never).rejects.toMatchObject({ code: 'write_conflict', message: 'Others are changing it.' });
    expect([pauses.length, new Set(pauses).size > 5, Math.max(...pauses) < 500]).toEqual([24, true, true]);
  });

  it('throws the given error after the given number of attempts', async () => {
    let attempts = 0;
    const attempt = async () => {
      attempts += 1;
      return undefined;
    };
    const never = retryOnConflict(attempt, () => new Error('Busy.'), { attempts: 3, wait: noPause });
    await expect(never).rejects.toThrow('Busy.');
    expect(attempts).toBe(3);
  });
});
