import { mayAccess } from '#lib/aws/table-rights.ts';
import { type GuardOptions, guarded } from '#lib/local/guarded-calls.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';
import { accessesOf } from '#shared/store/table/write.rules.ts';

/** The table as each function sees it on AWS. */
export const guardedTable = (table: TablePort, options: GuardOptions): TablePort =>
  guarded(
    table,
    (name, method, args) => {
      const access = accessesOf(method as keyof TablePort, args).find((each) => !mayAccess(name, each));
      if (!access) return undefined;
      const { act, family, index } = access;
      const denied = `${name} may not ${act} ${family}${index === undefined ? '' : ` in the index ${index}`}`;
      return { denied, rights: 'lib/aws/table-rights.ts' };
    },
    options,
  );
