import {
  type BulkReplay,
  continued,
  ended,
  periodsLeft,
  planPage,
  type ReplayPeriod,
  sendableAt,
  startOrJoin,
} from '#shared/domain/webhooks/bulk-replay.rules.ts';
import { LOST_AFTER } from '#shared/domain/webhooks/delivery.rules.ts';
import { plus, SECOND } from '#shared/kernel/clock.ts';
import { derivedId } from '#shared/kernel/ids.ts';
import { retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { ReplayFailedMessage } from '#shared/services/webhooks/delivery-message.schema.ts';

type Needs = Pick<Deps, 'events' | 'webhookConfigs' | 'queue' | 'clock' | 'log'>;
type ReplayRequest = ReplayFailedMessage['replay_failed'];
type BulkRequest = ReplayRequest & { readonly bulk: NonNullable<ReplayRequest['bulk']> };

const CONFLICT = 'Too many replays are being requested at once. Try again.';

/**
 * Starts the organization's replay of failed events, or adds the period to the running one. The operation that started
 * it sends its first message again, if it is repeated.
 */
export async function startBulkReplay(
  period: ReplayPeriod,
  start: { readonly orgId: string; readonly id: string; readonly at: Date },
  { webhookConfigs, queue }: Pick<Deps, 'webhookConfigs' | 'queue'>,
): Promise<{ readonly joined: boolean }> {
  const replay = await retryOnConflict(async () => {
    const current = await webhookConfigs.bulkReplay(start.orgId);
    const next = startOrJoin(current, period, start);
    return next === current || (await webhookConfigs.saveBulkReplay(next)) ? next : undefined;
  }, CONFLICT);
  const isOwn = replay.id === start.id;
  const [first] = replay.periods;
  if (isOwn && replay.step === 0 && first) await sendNext(replay, { ...first, phase: 'failed' }, start.at, { queue });
  return { joined: !isOwn };
}

/** Events that one message replays. */
const PAGE_SIZE = 100;

/**
 * Replays one page of failed events, oldest first, then queues a message for the next page; the last page is followed by
 * the first page of events whose message was lost. After a crash the page is repeated: none is left out, and those that
 * were attempted meanwhile are not sent again. An event type without a subscription is sent only if the caller named it.
 * The replay ends if webhooks are disabled meanwhile.
 */
export async function replayFailedPage(message: ReplayFailedMessage, deps: Needs, page = PAGE_SIZE): Promise<void> {
  const { org_id, replay_failed } = message;
  if (!isBulk(replay_failed)) return startUncounted(message, deps);
  const [receiver, replay] = await Promise.all([
    deps.webhookConfigs.get(org_id),
    deps.webhookConfigs.bulkReplay(org_id),
  ]);
  if (!replay || isDone(replay, replay_failed)) return;
  if (!receiver?.enabled) {
    await change(replay, replay_failed, async (current) => ended(current), deps);
    return deps.log.info('replay_ended_early', { org_id });
  }
  await (replay_failed.phase === 'failed' ? replayFailed : sendUnattempted)(replay, replay_failed, deps, page);
}

const isBulk = (request: ReplayRequest): request is BulkRequest => request.bulk !== undefined;

/** Another replay has started since, or the message is a repeat. */
const isDone = ({ id, step }: BulkReplay, { bulk }: BulkRequest): boolean => id !== bulk.id || step > bulk.step;

/** A message of an earlier release knows of no other replays. */
async function startUncounted({ org_id, replay_failed }: ReplayFailedMessage, deps: Needs): Promise<void> {
  const { since, until, type } = replay_failed;
  const period = { since, until, ...(type !== undefined && { type }) };
  const id = derivedId('request', new Date(0), JSON.stringify(replay_failed));
  await startBulkReplay(period, { orgId: org_id, id, at: deps.clock.now() }, deps);
}

/** Sends a page of failed events again, as far as the budget allows that now. */
async function replayFailed(replay: BulkReplay, request: BulkRequest, deps: Needs, page: number): Promise<void> {
  const { events, queue, clock } = deps;
  const at = clock.now();
  const found = await events.listFailedIds(replay.org_id, queryOf(request), page);
  const { ids, againAt } = planPage(await events.getMany(replay.org_id, found.ids), replay, at);
  const from = sendableAt(replay, ids.length, at);
  if (from > at) return postpone(replay, request, from, deps);
  const bulk_step = `${replay.id} ${request.bulk.step}`;
  const delivery = { replay: true, only_failed: true, attempted_before: replay.started_at, bulk_step };
  await sendEvents(replay, request, ids, delivery, { queue });
  const again_at = [request.bulk.again_at ?? [], againAt ?? []].flat().sort().at(-1);
  const done = { ...request, bulk: { ...request.bulk, ...(again_at !== undefined && { again_at }) } };
  const following: ReplayRequest = found.next === undefined ? lostOnesOf(done) : { ...done, after: found.next };
  await proceed(replay, done, { sends: ids.length, following }, deps);
}

const queryOf = ({ phase: _, bulk: __, ...query }: BulkRequest) => query;

const lostOnesOf = ({ after: _, ...request }: BulkRequest): ReplayRequest => ({ ...request, phase: 'unattempted' });

/** Sends a page of events whose first message was lost: an event counts as lost once its first attempt is long overdue. */
async function sendUnattempted(replay: BulkReplay, request: BulkRequest, deps: Needs, page: number): Promise<void> {
  const lostBefore = plus(deps.clock.now(), -LOST_AFTER).toISOString();
  const query = queryOf(request);
  const [until = lostBefore] = [query.until, lostBefore].sort();
  const { ids, next } = await deps.events.listUnattemptedIds(replay.org_id, { ...query, until }, page);
  await sendEvents(replay, request, ids, { tries: 0 }, deps);
  await proceed(
    replay,
    request,
    { sends: 0, following: next === undefined ? undefined : { ...request, after: next } },
    deps,
  );
}

const sendEvents = (
  { org_id }: BulkReplay,
  { type }: BulkRequest,
  ids: readonly string[],
  delivery: object,
  { queue }: Pick<Deps, 'queue'>,
): Promise<void> =>
  queue.send(
    'webhook-delivery',
    ids.map((event_id) => ({
      body: { org_id, event_id, ...delivery, subscribed_only: type === undefined },
      group: org_id,
    })),
  );

type Progress = { readonly sends: number; readonly following: ReplayRequest | undefined };

/**
 * Queues the next page, or the next pass, before the step is recorded: a crash in between leaves a message too many,
 * which is recognized by its step.
 */
async function proceed(
  replay: BulkReplay,
  request: BulkRequest,
  { sends, following }: Progress,
  deps: Needs,
): Promise<void> {
  const at = deps.clock.now();
  let isSent = false;
  await change(
    replay,
    request,
    async (current) => {
      const next = following ? { periods: current.periods, request: following, at } : nextPass(current, request, at);
      const counted = continued(current, { step: request.bulk.step + 1, sends, at, next: next?.at ?? at });
      const changed = { ...counted, periods: next?.periods ?? [] };
      if (!next || isSent) return changed;
      await sendNext(changed, next.request, at, deps, next.at);
      isSent = true;
      return changed;
    },
    deps,
  );
}

type NextPage = { readonly periods: readonly ReplayPeriod[]; readonly request: ReplayRequest; readonly at: Date };

/** After the last page of a period: the same again for events that had to wait or were added, or the next period. */
function nextPass(replay: BulkReplay, request: BulkRequest, at: Date): NextPage | undefined {
  const { widened, periods } = periodsLeft(replay, request);
  const [first] = periods;
  const { again_at } = request.bulk;
  if (again_at === undefined || widened) return first && { periods, request: { ...first, phase: 'failed' }, at };
  const { since, until, type } = request;
  const same = { since, until, ...(type !== undefined && { type }) };
  const next = new Date(again_at);
  return { periods: [same, ...periods], request: { ...same, phase: 'failed' }, at: next > at ? next : at };
}

/** The budget is used up: the same page comes again when the next window begins. */
async function postpone(replay: BulkReplay, request: BulkRequest, until: Date, deps: Needs): Promise<void> {
  const at = deps.clock.now();
  deps.log.info('replay_paused', { org_id: replay.org_id });
  const step = request.bulk.step + 1;
  await sendNext({ ...replay, step }, request, at, deps, until);
  await change(replay, request, async (current) => continued(current, { step, sends: 0, at, next: until }), deps);
}

/** Queues the message of the replay's step. Of the message before only `again_at` stays. */
async function sendNext(
  { org_id, id, step }: BulkReplay,
  request: ReplayRequest,
  at: Date,
  { queue }: Pick<Deps, 'queue'>,
  due = at,
): Promise<void> {
  const { again_at } = request.bulk ?? {};
  const bulk = { id, step, ...(again_at !== undefined && { again_at }) };
  const delaySeconds = Math.ceil(Math.max(0, due.getTime() - at.getTime()) / SECOND);
  await queue.send('webhook-delivery', [
    { body: { org_id, replay_failed: { ...request, bulk } }, group: org_id, delaySeconds },
  ]);
}

/** Decides on the stored replay, which other calls may join meanwhile, until it is written or no longer this one. */
async function change(
  replay: BulkReplay,
  request: BulkRequest,
  decide: (current: BulkReplay) => Promise<BulkReplay>,
  { webhookConfigs }: Pick<Deps, 'webhookConfigs'>,
): Promise<void> {
  let current: BulkReplay | undefined = replay;
  await retryOnConflict(async () => {
    if (!current || isDone(current, request)) return true;
    if (await webhookConfigs.saveBulkReplay(await decide(current))) return true;
    current = await webhookConfigs.bulkReplay(replay.org_id);
    return undefined;
  }, CONFLICT);
}
