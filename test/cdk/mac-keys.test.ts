import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FUNCTIONS, namesOf } from '#lib/aws/function-table.ts';
import { MAC_KEY_VARIABLES } from '#shared/aws-env.ts';

const ADR = readFileSync('docs/adr/0007-hash-secret-from-kms.md', 'utf8');

const quoted = (cell = ''): readonly string[] => [...cell.matchAll(/`([\w-]+)`/g)].map(([, name = '']) => name);

/** The functions that the decision's table lists for each secret. The row of `hashSecret` lists those without it. */
const decided = new Map(
  [...ADR.matchAll(/^\| `(\w+)` \|[^|]+\|(.+)\|$/gm)].map(([, secret = '', functions]) => [
    secret,
    quoted(functions?.split(';')[0]),
  ]),
);
const having = (secret: string, has = true): readonly string[] =>
  Object.entries(FUNCTIONS)
    .flatMap(([name, { macs }]) => (macs.some((each) => each === secret) === has ? [name] : []))
    .sort();

describe('ADR 7', () => {
  it('lists every secret of hashes', () => {
    expect([...decided.keys()].sort()).toEqual([...namesOf(MAC_KEY_VARIABLES)].sort());
  });

  it.each(['tokenSecret', 'recoverySecret'])('lists for %s the functions of the table that have it', (secret) => {
    expect(decided.get(secret)).toEqual(having(secret));
  });

  it('lists the functions of the table that find nothing by a hash', () => {
    expect(decided.get('hashSecret')).toEqual(having('hashSecret', false));
  });
});
