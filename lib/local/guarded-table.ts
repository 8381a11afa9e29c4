import { SCHEDULES } from '#functions/schedule-table.ts';
import { DEFAULT_GROUP, FUNCTIONS, type FunctionName, namesOf, SCHEDULED } from '#lib/aws/function-table.ts';
import { mayAccess } from '#lib/aws/table-rights.ts';
import type { LogPort } from '#shared/ports/log.port.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';
import { accessesOf } from '#shared/store/table/write.rules.ts';

/** On AWS the policy of the function's role denies such a call. */
export class TableAccessDenied extends Error {
  override readonly name = 'TableAccessDenied';
}

type GuardOptions = {
  /** The invocation that this is called in. What the host does itself is in none, and may do everything. */
  readonly group: () => string | undefined;
  readonly log: Pick<LogPort, 'error'>;
};

/**
 * The table as each function sees it on AWS: what its role does not allow fails. So a missing right shows on this host,
 * in whatever test needs it. It is logged too, as some callers go on without an answer.
 */
export function guardedTable(table: TablePort, { group, log }: GuardOptions): TablePort {
  const assertAllowed = (method: keyof TablePort, args: readonly unknown[]) => {
    const name = functionOf(group());
    const denied = name && accessesOf(method, args).find((access) => !mayAccess(name, access));
    if (!denied) return;
    const { act, family, index } = denied;
    const says = `${name} may not ${act} ${family}${index === undefined ? '' : ` in the index ${index}`}`;
    log.error('table_access_denied', { denied: says });
    throw new TableAccessDenied(`${says}: lib/aws/table-rights.ts lists its rights.`);
  };
  return new Proxy(table, {
    get(target, name: keyof TablePort) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...args: readonly unknown[]) => {
        assertAllowed(name, args);
        return member.apply(target, args);
      };
    },
  });
}

/** Invocations of this host are named after functions, or after what schedules run. */
const FUNCTION_OF: ReadonlyMap<string, FunctionName> = new Map([
  ...namesOf(FUNCTIONS).map((name) => [name, name] as const),
  ...SCHEDULES.map(({ name }) => [name, SCHEDULED] as const),
  ['$default', DEFAULT_GROUP] as const,
]);

/** A name that belongs to no function has no rights: it would have all of them, and hide what is missing. */
function functionOf(group: string | undefined): FunctionName | undefined {
  const name = group === undefined ? undefined : FUNCTION_OF.get(group);
  if (group !== undefined && name === undefined)
    throw new TableAccessDenied(`No function of lib/aws/function-table.ts runs ${group}.`);
  return name;
}
