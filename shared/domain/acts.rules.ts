/** The operations that changed a record last: asked for again after a crash, they have been done. */
export type Acted = { readonly last_acts?: readonly string[] };

/** Others may come between a request and its repeat. */
const MOST_KEPT = 8;

export const hasDone = ({ last_acts }: Acted, act: string): boolean => last_acts?.includes(act) ?? false;

export const noteAct = <T extends Acted>(record: T, act: string): T => ({ ...record, last_acts: [...(record.last_acts ?? []), act].slice(-MOST_KEPT) });

/** Whether a change is an operation's that can be asked for again. */
export const hasNewAct = (before: Acted, after: Acted): boolean => before.last_acts?.at(-1) !== after.last_acts?.at(-1);
