import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

describe('the list of the slowest test files', () => {
  const text = readFileSync('test/support/slowest-first.ts', 'utf8');
  const named = [...text.matchAll(/^ {2}'([\w/-]+)',$/gm)].map(([, name]) => `test/${name}.test.ts`);

  it('names files that exist, each once', () => {
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((path) => !existsSync(path))).toEqual([]);
    expect(new Set(named).size).toBe(named.length);
  });
});
