import { afterAll, beforeAll, describe } from 'vitest';
import type { TablePort } from '#shared/store/table/table.port.ts';
import { conditionsContract } from '#test/contract/table/conditions.contract.ts';
import { contentionContract } from '#test/contract/table/contention.contract.ts';
import { indexesContract } from '#test/contract/table/indexes.contract.ts';
import { itemsContract } from '#test/contract/table/items.contract.ts';
import { pagesContract } from '#test/contract/table/pages.contract.ts';
import { refusalsContract } from '#test/contract/table/rejected-values.contract.ts';
import { transactionsContract } from '#test/contract/table/transactions.contract.ts';

type TableUnderTest = { readonly table: TablePort; readonly close: () => Promise<void> };

/** What the store can rely on with every engine. */
export function tableContract(name: string, makeTable: () => Promise<TableUnderTest>): void {
  describe(`${name} keeps the table's contract`, () => {
    let made: TableUnderTest;
    const table = () => made.table;

    beforeAll(async () => {
      made = await makeTable();
    });
    afterAll(() => made?.close());

    itemsContract(table);
    conditionsContract(table);
    pagesContract(table);
    indexesContract(table);
    transactionsContract(table);
    contentionContract(table);
    refusalsContract(table);
  });
}
