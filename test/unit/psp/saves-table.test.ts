import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PSPS } from '#shared/psp/providers.ts';

const text = readFileSync(new URL('../../../docs/providers.md', import.meta.url), 'utf8');
const table = text.slice(text.indexOf('**Saved methods**'), text.indexOf('You can narrow or widen'));

/** The methods that the table names for a provider. */
const methodsOf = (provider: string): string | undefined =>
  table
    .split('\n')
    .find((line) => line.startsWith(`| ${provider} |`))
    ?.split('|')[2]
    ?.trim();

describe('the table of methods that are kept', () => {
  it.each(Object.entries(PSPS))('says of %s what its adapter keeps', (provider, { savesMethods = [] }) => {
    expect(methodsOf(provider)).toBe(savesMethods.join(', ') || '–');
  });

  it.each(Object.entries(PSPS))('names for %s only methods that it has', (_, { savesMethods = [], capabilities }) => {
    expect(savesMethods.filter((method) => !capabilities.methods.includes(method))).toEqual([]);
  });
});
