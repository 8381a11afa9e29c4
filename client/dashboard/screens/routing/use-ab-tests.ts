import { type Query, useQuery } from '#client/dashboard/api/use-query.ts';
import type { AbTest } from '#client/typescript/src/index.ts';

/** All A/B tests: they are made by hand, so there are few. */
export const useAbTests = (): Query<readonly AbTest[]> =>
  useQuery(['ab-tests'], async (api, options) => {
    const all: AbTest[] = [];
    for await (const test of api.abTests.list({ limit: 100 }, options)) all.push(test);
    return all;
  });
