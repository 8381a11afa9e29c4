import { randomInt } from 'node:crypto';
import type { RoutingSnapshot } from '#shared/domain/routing/routing-snapshot.rules.ts';
import { HOUR, systemClock } from '#shared/kernel/clock.ts';
import { keys } from '#shared/store/keys.ts';
import { decodeSnapshot } from '#shared/store/repos/routing/routing-snapshot.entity.ts';
import { buildSnapshot, checkedSnapshot } from '#shared/store/repos/routing/write-setup.ts';
import type { Item, TablePort } from '#shared/store/table/table.port.ts';

/** Characters of encoded snapshots whose decoded form is kept. */
const MAX_KEPT = 2_000_000;

/**
 * How long a snapshot counts as that of its items where a process meets it. Every change goes along with a new one,
 * except those that an earlier release makes: during a deployment, or while it is put back for a day.
 */
const CHECKED_FOR = HOUR;

type Kept = { readonly text: string; readonly copies: number; readonly snapshot: RoutingSnapshot };

/**
 * Reads the snapshot with each payment, consistently: a rule that was just stored is seen. Only its decoded form is
 * kept, for as long as the same text is read.
 */
export class RoutingSnapshots {
  readonly #table: TablePort;
  /** By organization, the one that was decoded last at the end. */
  readonly #kept = new Map<string, Kept>();
  #size = 0;
  constructor(table: TablePort) {
    this.#table = table;
  }

  async read(orgId: string): Promise<RoutingSnapshot> {
    const kept = this.#kept.get(orgId);
    const item = await this.#item(orgId, kept?.copies ?? 1);
    if (typeof item?.text !== 'string') return buildSnapshot(this.#table, orgId);
    const { text, copies } = item;
    if (kept?.text === text && kept.copies === copies) return kept.snapshot;
    const isChecked = Number(item.checked_at) > systemClock.now().getTime() - CHECKED_FOR;
    const made = isChecked ? undefined : await checkedSnapshot(this.#table, orgId);
    if (made) return made;
    const snapshot = decodeSnapshot(item);
    this.#keep(orgId, { text, copies: Number(copies), snapshot });
    return snapshot;
  }

  /** One of the copies, at random. The first one is always there, the others may have been removed since. */
  async #item(orgId: string, copies: number): Promise<Item | undefined> {
    const read = (copy: number) => this.#table.get(keys.routingSnapshot(orgId, copy), { consistent: true });
    const copy = copies > 1 ? randomInt(copies) : 0;
    return (await read(copy)) ?? (copy > 0 ? read(0) : undefined);
  }

  #keep(orgId: string, decoded: Kept): void {
    this.#forget(orgId);
    this.#kept.set(orgId, decoded);
    this.#size += decoded.text.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#size <= MAX_KEPT) return;
      this.#forget(oldest);
    }
  }

  #forget(orgId: string): void {
    this.#size -= this.#kept.get(orgId)?.text.length ?? 0;
    this.#kept.delete(orgId);
  }
}
