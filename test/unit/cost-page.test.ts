import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readFigures } from '#test/bench/cost/figures.ts';
import { costLines, totalOf } from '#test/bench/cost/model.ts';
import { costPage } from '#test/bench/cost/page.ts';
import { PRICES } from '#test/bench/cost/prices.ts';
import { countUsage } from '#test/bench/cost/usage.ts';

describe('docs/cost.md', () => {
  it('is what the benches make of their figures', async () =>
    expect(readFileSync('docs/cost.md', 'utf8')).toBe(costPage(await readFigures())));

  it('has figures that the code still has', async () => {
    const { usage: kept } = await readFigures();
    const counted = await countUsage(6);
    const { callbacks, messages, memoryGb } = counted;
    expect({ callbacks, messages, memoryGb }).toEqual({
      callbacks: kept.callbacks,
      messages: kept.messages,
      memoryGb: kept.memoryGb,
    });
    // Short caches make reads depend on time, and the log on its numbers.
    expect(Math.abs(counted.wru - kept.wru)).toBeLessThan(0.2);
    expect(Math.abs(counted.rru - kept.rru)).toBeLessThan(0.6);
    expect(Math.abs(counted.logBytes / kept.logBytes - 1)).toBeLessThan(0.1);
  }, 60_000);

  it('says that a million payments cost less than 25 USD', async () => {
    const { usage } = await readFigures();
    expect(totalOf(costLines({ ...usage, platformLogBytes: 0 })).usd).toBeLessThan(25);
  });

  it('has a source and a time for each price, or says that there is none', () => {
    for (const { source, seen } of Object.values(PRICES))
      expect(source === 'not looked up' ? seen === '–' : /\d{4}/.test(seen)).toBe(true);
  });
});
