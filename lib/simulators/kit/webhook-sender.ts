import { Agent } from 'node:http';
import type { DatabaseSync } from 'node:sqlite';
import type { WebhookMode } from '#lib/simulators/kit/behaviour.ts';
import type { RunInTransaction } from '#lib/simulators/kit/database.ts';
import { postWebhook, type WebhookRequest } from '#lib/simulators/kit/webhook-request.ts';
import type { Provider } from '#shared/domain/routing/connection.model.ts';

/** `tries` counts failed deliveries. */
export type WebhookJob = {
  readonly seq: number;
  readonly provider: Provider;
  readonly account: string;
  readonly body: string;
  /** Appended to the webhook URL. */
  readonly query: string;
  readonly tries: number;
};

/** Called for each delivery, because a signature contains its time. Undefined if the account has no endpoint. */
type BuildRequest = (job: WebhookJob) => WebhookRequest | undefined;

/** Real milliseconds before each further try; the last one repeats. */
const RETRY_DELAYS_MS = [250, 1_000, 3_000, 10_000, 30_000, 60_000];
const MAX_TRIES = 20;
const MAX_CONNECTIONS = 32;
/** Delivered webhooks are deleted in batches. A process killed in between sends them again, as real PSPs may. */
const DELETE_DELAY_MS = 50;

/** Stores webhooks until the receiver responds with a 2xx status. */
export class WebhookSender {
  readonly #buildRequest: BuildRequest;
  readonly #inTransaction: RunInTransaction;
  readonly #retryDelaysMs: readonly number[];
  readonly #agent = new Agent({ keepAlive: true, maxSockets: MAX_CONNECTIONS });
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #inProgress = new Set<Promise<void>>();
  readonly #insert;
  readonly #updateTries;
  readonly #remove;
  readonly #pending;
  #delivered: number[] = [];
  #closed = false;
  constructor(
    database: DatabaseSync,
    inTransaction: RunInTransaction,
    buildRequest: BuildRequest,
    firstDelayMs?: number,
  ) {
    this.#buildRequest = buildRequest;
    this.#inTransaction = inTransaction;
    this.#retryDelaysMs = firstDelayMs === undefined ? RETRY_DELAYS_MS : RETRY_DELAYS_MS.with(0, firstDelayMs);
    this.#insert = database.prepare(
      'INSERT INTO webhooks (provider, account, body, query, tries) VALUES (?, ?, ?, ?, 0)',
    );
    this.#updateTries = database.prepare('UPDATE webhooks SET tries = ? WHERE seq = ?');
    this.#remove = database.prepare('DELETE FROM webhooks WHERE seq = ?');
    this.#pending = database.prepare(
      'SELECT seq, account, body, query, tries FROM webhooks WHERE provider = ? ORDER BY seq',
    );
  }
  /** Stores the webhook in the transaction that creates the event. `dispatch` sends it afterwards. */
  queue(provider: Provider, account: string, body: string, query: string): WebhookJob {
    const { lastInsertRowid } = this.#insert.run(provider, account, body, query);
    return { seq: Number(lastInsertRowid), provider, account, body, query, tries: 0 };
  }
  /** Sends what an earlier process left undelivered. */
  resume(provider: Provider): void {
    for (const row of this.#pending.all(provider)) {
      const { seq, account, body, query, tries } = row;
      void this.#track(
        this.#send(
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
  /** Resolves when each webhook was attempted once. */
  async dispatch(jobs: readonly WebhookJob[], mode: WebhookMode): Promise<void> {
    if (mode.kind === 'late') this.#after(mode.ms, () => void this.#track(this.#sendAll(jobs, 1)));
    else if (mode.kind === 'reordered') await this.#track(this.#sendInOrder(jobs.toReversed()));
    else await this.#track(this.#sendAll(jobs, mode.kind === 'duplicate' ? 2 : 1));
  }
  async idle(): Promise<void> {
    while (this.#inProgress.size > 0) await Promise.all(this.#inProgress);
  }
  close(): void {
    this.#closed = true;
    this.#deleteDelivered();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#agent.destroy();
  }
  async #sendAll(jobs: readonly WebhookJob[], copies: number): Promise<void> {
    await Promise.all(jobs.map((job) => this.#send(job, copies)));
  }
  async #sendInOrder(jobs: readonly WebhookJob[]): Promise<void> {
    for (const job of jobs) await this.#send(job, 1);
  }
  async #send(job: WebhookJob, copies: number): Promise<void> {
    for (let copy = 1; copy < copies; copy += 1) await this.#post(job);
    await this.#attempt(job);
  }
  async #attempt(job: WebhookJob): Promise<void> {
    const accepted = await this.#post(job);
    if (this.#closed) return;
    const tries = job.tries + 1;
    if (accepted || tries >= MAX_TRIES) {
      if (this.#delivered.push(job.seq) === 1) this.#after(DELETE_DELAY_MS, () => this.#deleteDelivered());
      return;
    }
    this.#storeTries(tries, job);
    const wait = this.#retryDelaysMs[Math.min(job.tries, this.#retryDelaysMs.length - 1)] ?? 0;
    const retry = new Promise<void>((resolve) =>
      this.#after(wait, () => void this.#attempt({ ...job, tries }).then(resolve)),
    );
    // `idle` also waits for the first retry, which comes soon; later ones take too long.
    if (tries === 1) void this.#track(retry);
  }
  /** If it cannot be stored, another process would try a few times more. */
  #storeTries(tries: number, { seq }: WebhookJob): void {
    try {
      this.#updateTries.run(tries, seq);
    } catch {
      // The disk is full: the webhook is sent nevertheless.
    }
  }
  /** If the disk is full, they are deleted together with the next ones. */
  #deleteDelivered(): void {
    const delivered = this.#delivered;
    try {
      this.#inTransaction(() => delivered.forEach((seq) => void this.#remove.run(seq)));
      this.#delivered = [];
    } catch {
      this.#after(RETRY_DELAYS_MS[1] ?? 0, () => this.#deleteDelivered());
    }
  }
  async #post(job: WebhookJob): Promise<boolean> {
    if (this.#closed) return false;
    const webhook = this.#buildRequest(job);
    return !webhook || (await postWebhook(webhook, this.#agent));
  }
  #track(work: Promise<void>): Promise<void> {
    const tracked = work.finally(() => this.#inProgress.delete(tracked));
    this.#inProgress.add(tracked);
    return tracked;
  }
  #after(ms: number, action: () => void): void {
    if (this.#closed) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      action();
    }, ms);
    this.#timers.add(timer.unref());
  }
}
