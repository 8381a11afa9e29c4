import { type TotalKey, totalName } from '#shared/domain/reporting/totals.rules.ts';
import { branchPath } from '#shared/store/repos/reporting/total-lanes.ts';
import { markName, marksIn } from '#shared/store/repos/reporting/total-marks.ts';
import type { Item } from '#shared/store/table/table.port.ts';

/** About as many as a busy function meets. Forgetting one costs a refused write, nothing else. */
const MAX_REMEMBERED = 2_000;

/**
 * The closed lanes that this process has met, with the shards that stay in them. A closed lane takes no other shard,
 * ever, so this knowledge does not age.
 */
export class ClosedLanes {
  readonly #marks = new Map<string, ReadonlySet<string>>();

  remember(of: TotalKey, path: string, lane: Item): void {
    const oldest = this.#marks.keys().next().value;
    if (this.#marks.size >= MAX_REMEMBERED && oldest !== undefined) this.#marks.delete(oldest);
    this.#marks.set(nameOf(of, path), new Set(marksIn(lane)));
  }

  /** The path behind the lanes that are known not to take this shard. */
  skipped(of: TotalKey, shard: string): string {
    const mark = markName(shard);
    let path = '';
    while (this.#marks.get(nameOf(of, path))?.has(mark) === false) path = branchPath(path, shard);
    return path;
  }
}

const nameOf = (of: TotalKey, path: string): string => `${path} ${totalName(of)}`;
