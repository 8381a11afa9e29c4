import * as z from 'zod';
import type { Call, CallFault, CallPoint } from '#lib/local/invocation.ts';
import { PspNotSent, PspOutcomeUnknown } from '#shared/ports/psp.port.ts';
import { TableError } from '#shared/store/table/table.port.ts';

/** What `POST /faults` takes. */
export const Fault = z.strictObject({
  point: z.enum(['table', 'queue', 'vault', 'psp', 'bus']),
  nth: z.int().min(1),
  kind: z.enum(['crash', 'error', 'throttle']),
  when: z.enum(['before', 'after']),
  /** The function group whose calls count; all groups if missing. */
  handler: z.string().optional(),
});
export type Fault = z.infer<typeof Fault>;

type ArmedFault = { readonly fault: Fault; left: number };

/** Pending faults. Each counts calls from when it was added, and fires once. */
export class FaultInjector {
  #armed: ArmedFault[] = [];

  add(fault: Fault): void {
    this.#armed.push({ fault, left: fault.nth });
  }

  clear(): void {
    this.#armed = [];
  }

  get waiting(): readonly Fault[] {
    return this.#armed.map(({ fault }) => fault);
  }

  /** Counts the call; if several faults meet in it, the first one fires and the others are spent. */
  faultFor({ point, group }: Call): CallFault | undefined {
    const fits = ({ fault }: ArmedFault) =>
      fault.point === point && (fault.handler === undefined || fault.handler === group);
    for (const armed of this.#armed.filter(fits)) armed.left -= 1;
    const struck = this.#armed.find(({ left }) => left === 0)?.fault;
    if (!struck) return undefined;
    this.#armed = this.#armed.filter(({ left }) => left > 0);
    // A throttled call was not made.
    const when = struck.kind === 'throttle' ? 'before' : struck.when;
    return { when, effect: struck.kind === 'crash' ? 'crash' : errorOf(point, struck.kind, when) };
  }
}

/** The real service's error. */
function errorOf(point: CallPoint, kind: 'error' | 'throttle', when: Fault['when']): Error {
  const message = `Injected: ${kind} ${when} a call of the ${point}.`;
  if (point === 'table') return tableErrorOf(kind, when, message);
  if (point !== 'psp') return new Error(message);
  if (kind === 'throttle') return new PspNotSent('rate_limited', message);
  return when === 'before' ? new PspNotSent('unreachable', message) : new PspOutcomeUnknown(message);
}

function tableErrorOf(kind: 'error' | 'throttle', when: Fault['when'], message: string): TableError {
  if (kind === 'throttle') return new TableError('throttled', 'not_done', message);
  return new TableError('unavailable', when === 'before' ? 'not_done' : 'unknown', message);
}
