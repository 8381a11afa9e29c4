import type { PaymentsPort, PaymentsQuery } from '#shared/ports/payments.port.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';
import { countedTable } from '#test/bench/counted-table.ts';

/** The read units of DynamoDB, and the number of calls. */
export type Reads = { readonly rru: number; readonly calls: number };

/** The table, and the reads of some work on it. */
export function readCounter(bare: TablePort) {
  let seen = { rru: 0, calls: 0 };
  const table = countedTable(bare, () => ({ rru }) => {
    seen = { rru: seen.rru + rru, calls: seen.calls + 1 };
  });
  async function readsOf<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly reads: Reads }> {
    seen = { rru: 0, calls: 0 };
    const result = await work();
    return { result, reads: seen };
  }
  return { table, readsOf };
}

type Lister = {
  readonly payments: Pick<PaymentsPort, 'list'>;
  readonly org_id: string;
  readonly connections: readonly string[];
};
type Counter = Pick<ReturnType<typeof readCounter>, 'readsOf'>;
/** `items`: the number of payments that a page has shown. */
export type PageReads = Reads & { readonly items: number };

/** The reads of each page, from the first by cursor to the end. */
export async function pagesRead(
  { readsOf }: Counter,
  { payments, org_id, connections }: Lister,
  where: Partial<PaymentsQuery>,
): Promise<readonly PageReads[]> {
  const pages: PageReads[] = [];
  let cursor: string | undefined;
  do {
    const from = cursor === undefined ? {} : { cursor };
    const { result, reads } = await readsOf(() =>
      payments.list(org_id, connections, { limit: 100, offset: 0, ...where, ...from }),
    );
    pages.push({ ...reads, items: result.items.length });
    cursor = result.next;
  } while (cursor !== undefined);
  return pages;
}
