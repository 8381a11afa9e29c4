import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FUNCTIONS } from '#lib/aws/function-table.ts';
import { SEALED_KINDS } from '#shared/ports/vault.port.ts';

const ADR = readFileSync('docs/adr/0008-two-keys-that-seal.md', 'utf8');

const quoted = (cell = ''): readonly string[] => [...cell.matchAll(/`([\w-]+)`/g)].map(([, name = '']) => name);

/** For each kind of the decision's table: the functions that may open, and those that may also seal. */
const decided = [...ADR.matchAll(/^\| `(\w+)` \|(.+)\|$/gm)].map(([, key = '', rest = '']) => {
  const [, opens, seals] = rest.split('|');
  return [key, quoted(opens), quoted(seals)] as const;
});

const having = (kind: string, right: 'secrets' | 'seals'): readonly string[] =>
  Object.entries(FUNCTIONS)
    .flatMap(([name, { [right]: kinds = [] }]) => (kinds.some((each) => each === kind) ? [name] : []))
    .sort();

describe('ADR 8', () => {
  it('lists every kind of sealed secret', () => {
    expect(decided.map(([key]) => key)).toEqual(SEALED_KINDS);
  });

  it.each(decided)(
    'lists for %s the same functions that may open and seal as the table of functions',
    (key, opens, seals) => {
      expect(opens).toEqual(having(key, 'secrets'));
      expect(seals).toEqual(having(key, 'seals'));
    },
  );
});
