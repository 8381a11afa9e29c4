import { afterAll, describe, expect, it } from 'vitest';
import type { Decline } from '#shared/domain/payments/declines.catalog.ts';
import type { Provider } from '#shared/domain/routing/connection.model.ts';
import type { UNDECIDED } from '#shared/psp/kit/declines.ts';

/** One list that a provider publishes: of codes, statuses or advice. */
export type DocumentedList = {
  /** What the list is of: `decline codes`, `advice codes`, `payment statuses`. */
  readonly name: string;
  /** The document, and the day it was read. */
  readonly source: string;
  /** Each code of the list, once. */
  readonly codes: readonly string[];
};

/** What the adapter makes of a code. Undefined where no line of our tables has it. */
type ReadCode = (code: string) => Decline | typeof UNDECIDED | string | undefined;

/** Every code that the provider documents has a line of its own in our tables; the log says how many of each class. */
export function describeDocumentedCodes(
  provider: Provider,
  lists: readonly (DocumentedList & { readonly read: ReadCode })[],
): void {
  describe(`the documented codes of ${provider}`, () => {
    const counted = { documented: 0, mapped: 0 };
    const byClass = new Map<string, number>();
    afterAll(() => {
      const classes = [...byClass].sort(([, a], [, b]) => b - a).map(([name, count]) => `${count} ${name}`);
      console.log(
        `${provider}: ${counted.mapped} of ${counted.documented} documented codes mapped; ${classes.join(', ')}`,
      );
    });

    it.each(lists)('$name: each code is in our table', ({ codes, source, read }) => {
      expect(source).toMatch(/\d{4}-\d{2}/);
      expect(new Set(codes).size).toBe(codes.length);
      const unread = codes.filter((code) => read(code) === undefined);
      counted.documented += codes.length;
      counted.mapped += codes.length - unread.length;
      for (const code of codes) count(byClass, classOf(read(code)));
      expect(unread).toEqual([]);
    });
  });
}

const classOf = (meaning: ReturnType<ReadCode>): string =>
  typeof meaning === 'object' ? meaning.retry : (meaning ?? 'not mapped');

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
