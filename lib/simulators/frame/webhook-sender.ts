import { Agent } from 'node:http';
import type { DatabaseSync } from 'node:sqlite';
import type { WebhookMode } from '#lib/simulators/frame/behaviour.ts';
import type { Atomically } from '#lib/simulators/frame/database.ts';
import { type Letter, post } from '#lib/simulators/frame/letter.ts';
import type { Provider } from '#shared/domain/reference/provider.model.ts';

/** `tries` counts the failed ones. */
export type WebhookJob = {
  readonly seq: number;
  readonly provider: Provider;
  readonly account: string;
  readonly body: string;
  /** What the address ends with. */
  readonly query: string;
  readonly tries: number;
};

/** URL and headers are made at sending: a signature contains its time. `undefined` where no one is to be notified. */
type Addressing = (job: WebhookJob) => Letter | undefined;

/** Real milliseconds before each further try; the last one repeats. */
const BACK_OFF = [250, 1_000, 3_000, 10_000, 30_000, 60_000];
const MOST_TRIES = 20;
const AT_ONCE = 32;
/** Delivered ones are deleted in batches; a process killed in between sends them again, as PSPs do occasionally. */
const STRIKE_OFF_AFTER = 50;

/** Webhooks that are stored until they are accepted with a 2xx. */
export class WebhookSender {
  readonly #address: Addressing;
  readonly #atomically: Atomically;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #insert;
  readonly #failed;
  readonly #remove;
  readonly #pending;
  #delivered: number[] = [];
  #closed = false;
  constructor(database: DatabaseSync, atomically: Atomically, address: Addressing) {
    this.#address = address;
    this.#atomically = atomically;
    this.#insert = database.prepare(
      'INSERT INTO webhooks (provider, account, body, query, tries) VALUES (?, ?, ?, ?, 0)',
    );
    this.#failed = database.prepare('UPDATE webhooks SET tries = ? WHERE seq = ?');
    this.#remove = database.prepare('DELETE FROM webhooks WHERE seq = ?');
    this.#pending = database.prepare(
      'SELECT seq, account, body, query, tries FROM webhooks WHERE provider = ? ORDER BY seq',
    );
  }
  /** Within the transaction that makes the event; `dispatch` sends it afterwards. */
  queue(provider: Provider, account: string, body: string, query: string): WebhookJob {
    const { lastInsertRowid } = this.#insert.run(provider, account, body, query);
    return { seq: Number(lastInsertRowid), provider, account, body, query, tries: 0 };
  }
  /** What a killed process left unsent. */
  resume(provider: Provider): void {
    for (const row of this.#pending.all(provider)) {
      const { seq, account, body, query, tries } = row;
      void this.#track(
        this.#first(
          {
            seq: Number(seq),
            provider,
            account: String(account),
            body: String(body),
            query: String(query ?? ''),
            tries: Number(tries),
          },
          1,
        ),
      );
    }
  }
  /** Resolves when each was tried once. */
  async dispatch(jobs: readonly WebhookJob[], mode: WebhookMode): Promise<void> {
    if (mode.kind === 'late') this.#after(mode.ms, () => void this.#track(this.#all(jobs, 1)));
    else if (mode.kind === 'reordered') await this.#track(this.#oneByOne(jobs.toReversed()));
    else await this.#track(this.#all(jobs, mode.kind === 'duplicate' ? 2 : 1));
  }
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }
  close(): void {
    this.#closed = true;
    this.#strikeOff();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#agent.destroy();
  }
  async #all(jobs: readonly WebhookJob[], copies: number): Promise<void> {
    await Promise.all(jobs.map((job) => this.#first(job, copies)));
  }
  async #oneByOne(jobs: readonly WebhookJob[]): Promise<void> {
    for (const job of jobs) await this.#first(job, 1);
  }
  async #first(job: WebhookJob, copies: number): Promise<void> {
    for (let copy = 1; copy < copies; copy += 1) await this.#post(job);
    await this.#try(job);
  }
  async #try(job: WebhookJob): Promise<void> {
    const taken = await this.#post(job);
    if (this.#closed) return;
    const tries = job.tries + 1;
    if (taken || tries >= MOST_TRIES) {
      if (this.#delivered.push(job.seq) === 1) this.#after(STRIKE_OFF_AFTER, () => this.#strikeOff());
      return;
    }
    this.#failed.run(tries, job.seq);
    const wait = BACK_OFF[Math.min(job.tries, BACK_OFF.length - 1)] ?? 0;
    const again = new Promise<void>((resolve) =>
      this.#after(wait, () => void this.#try({ ...job, tries }).then(resolve)),
    );
    // The first repeat comes soon enough to be included in waiting for quiet.
    if (tries === 1) void this.#track(again);
  }
  #strikeOff(): void {
    const delivered = this.#delivered;
    this.#delivered = [];
    this.#atomically(() => delivered.forEach((seq) => void this.#remove.run(seq)));
  }
  async #post(job: WebhookJob): Promise<boolean> {
    if (this.#closed) return false;
    const letter = this.#address(job);
    return !letter || (await post(letter, this.#agent));
  }
  #track(work: Promise<void>): Promise<void> {
    const tracked = work.finally(() => this.#underWay.delete(tracked));
    this.#underWay.add(tracked);
    return tracked;
  }
  #after(ms: number, act: () => void): void {
    if (this.#closed) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      act();
    }, ms);
    this.#timers.add(timer.unref());
  }
}
