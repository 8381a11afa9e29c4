import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DAY } from '#shared/kernel/clock.ts';
import { PSPS } from '#shared/psp/providers.ts';

const text = readFileSync(new URL('../../../docs/providers.md', import.meta.url), 'utf8');
const table = text.slice(text.indexOf('**Charges captured later**'), text.indexOf('**Disputes**'));

/** The row of a provider, without its name. */
const rowOf = (provider: string): readonly string[] =>
  (table.split('\n').find((line) => line.startsWith(`| ${provider} |`)) ?? '')
    .split('|')
    .slice(2, -1)
    .map((cell) => cell.trim());

const yesOrNo = (can: boolean): string => (can ? 'yes' : 'no');

describe('the table of charges that are captured later', () => {
  it.each(Object.entries(PSPS))('says of %s what its adapter can do', (provider, psp) => {
    const can = psp.manualCapture;
    const [methods, part, several, long = ''] = rowOf(provider);
    if (!can) expect([methods, part, several, long]).toEqual(['–', '–', '–', '–']);
    else
      expect([methods, part, several, Number.parseInt(long, 10) * DAY]).toEqual([
        can.methods.join(', '),
        yesOrNo(can.partial),
        yesOrNo(can.multi),
        can.validityMs,
      ]);
  });
});
