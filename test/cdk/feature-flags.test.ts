import { readFileSync } from 'node:fs';
import { CURRENTLY_RECOMMENDED_FLAGS } from 'aws-cdk-lib/cx-api';
import { describe, expect, it } from 'vitest';
import { CDK_CONTEXT } from '#test/cdk/deployed.support.ts';

const RECOMMENDED: Readonly<Record<string, unknown>> = CURRENTLY_RECOMMENDED_FLAGS;

/** The flags that the decision lists, with the value that it gives them. */
const decided = new Map(
  [...readFileSync('docs/adr/0044-feature-flags.md', 'utf8').matchAll(/^\| `([^`]+)` \| `([^`]+)` \|/gm)].map(
    ([, flag = '', value = '']) => [flag, JSON.parse(value)] as const,
  ),
);

describe('cdk.json', () => {
  it('decides every flag that this version of CDK recommends', () => {
    expect(Object.keys(RECOMMENDED).filter((flag) => CDK_CONTEXT[flag] === undefined)).toEqual([]);
  });

  it('has the recommended values, except for flags that ADR 44 decides otherwise', () => {
    const others = Object.entries(RECOMMENDED).filter(
      ([flag, value]) => JSON.stringify(CDK_CONTEXT[flag]) !== JSON.stringify(value),
    );
    expect(new Map(others.map(([flag]) => [flag, CDK_CONTEXT[flag]]))).toEqual(decided);
    expect(decided.size).toBeGreaterThan(0);
  });

  it('has no flag that CDK does not know', () => {
    const ours = Object.keys(CDK_CONTEXT).filter((flag) => flag.startsWith('@aws-cdk'));
    expect(ours.filter((flag) => !(flag in RECOMMENDED))).toEqual([]);
  });
});
