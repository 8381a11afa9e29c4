import { SCHEDULES } from '#functions/schedule-table.ts';
import { DEFAULT_GROUP, FUNCTIONS, type FunctionName, namesOf, SCHEDULED } from '#lib/aws/function-table.ts';
import type { LogPort } from '#shared/ports/log.port.ts';

/** On AWS the policy of the function's role denies such a call. */
export class CallDenied extends Error {
  override readonly name = 'CallDenied';
}

export type GuardOptions = {
  /** The invocation that a call is made in. What the host does itself is in none, and may do everything. */
  readonly group: () => string | undefined;
  readonly log: Pick<LogPort, 'error'>;
};

/** What the function may not do of this call, and where its rights stand. */
export type Denial = { readonly denied: string; readonly rights: string } | undefined;

/**
 * A port as each function sees it on AWS: what its role does not allow fails. So a missing right shows on this host, in
 * whatever test needs it. It is logged too, as some callers go on without an answer.
 */
export function guarded<T extends object>(
  port: T,
  denialOf: (name: FunctionName, method: string, args: readonly unknown[]) => Denial,
  { group, log }: GuardOptions,
): T {
  const assertAllowed = (method: string, args: readonly unknown[]) => {
    const name = functionOf(group());
    const denial = name && denialOf(name, method, args);
    if (!denial) return;
    log.error('call_denied', denial);
    throw new CallDenied(`${denial.denied}: ${denial.rights} lists its rights.`);
  };
  return new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...args: readonly unknown[]) => {
        assertAllowed(String(name), args);
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
    throw new CallDenied(`No function of lib/aws/function-table.ts runs ${group}.`);
  return name;
}
