import type { BulkReplay } from '#shared/domain/webhooks/bulk-replay.rules.ts';
import type { WebhookAudit } from '#shared/domain/webhooks/webhook-audit.rules.ts';
import type { WebhookConfig } from '#shared/domain/webhooks/webhook-config.model.ts';
import type { FailingSince } from '#shared/domain/webhooks/webhook-health.rules.ts';
import { SECOND } from '#shared/kernel/clock.ts';
import { randomText } from '#shared/kernel/ids.ts';
import type { WebhookConfigsPort } from '#shared/ports/webhook-configs.port.ts';
import { fromItem } from '#shared/store/from-item.ts';
import { keys } from '#shared/store/keys.ts';
import { RecentReads } from '#shared/store/recent-reads.ts';
import type { Condition, Item, ItemChange, Json, TablePort } from '#shared/store/table/table.port.ts';

const FAILING_SINCE = ['failing_since', 'replays_failing_since'] as const satisfies readonly FailingSince[];

/** A configuration that was changed or disabled is used for no longer than this. */
const MAX_AGE = 2 * SECOND;

export class WebhookConfigRepo implements WebhookConfigsPort {
  readonly #table: TablePort;
  readonly #recent = new RecentReads<WebhookConfig | undefined>(MAX_AGE);
  constructor(table: TablePort) {
    this.#table = table;
  }

  async get(orgId: string): Promise<WebhookConfig | undefined> {
    const item = await this.#table.get(keys.webhookConfig(orgId), { consistent: true });
    return (
      item && {
        ...fromItem<WebhookConfig>(item),
        version: Number(item.version ?? 1),
        audits: Number(item.audits ?? 0),
      }
    );
  }

  recent(orgId: string, at: Date, since?: Date): Promise<WebhookConfig | undefined> {
    return this.#recent.read(orgId, at, () => this.get(orgId), since);
  }

  save(config: WebhookConfig, audit?: WebhookAudit, resetsFailing = false): Promise<boolean> {
    return this.#write(config, audit, atVersion(config.version - 1), resetsFailing);
  }

  disable(config: WebhookConfig, audit: WebhookAudit): Promise<boolean> {
    const { version, disabled_reason, failing_since = null } = config;
    const unchanged = atVersion(version - 1);
    const stillFailing: Condition = { all: [unchanged, { eq: ['failing_since', failing_since] }] };
    return this.#write(config, audit, disabled_reason === 'failing' ? stillFailing : unchanged);
  }

  async recordFailing({ org_id, version }: WebhookConfig, field: FailingSince, since: Date): Promise<void> {
    await this.#table.update(
      keys.webhookConfig(org_id),
      { set: { [field]: since.toISOString() } },
      { all: [atVersion(version), { absent: field }] },
    );
    this.#recent.forget(org_id);
  }

  async recordRecovery(config: WebhookConfig): Promise<void> {
    const fields = FAILING_SINCE.filter((field) => config[field] !== undefined);
    if (fields.length === 0) return;
    const unchanged = fields.map((field): Condition => ({ eq: [field, config[field] ?? null] }));
    await this.#table.update(keys.webhookConfig(config.org_id), { remove: fields }, { all: unchanged });
    this.#recent.forget(config.org_id);
  }

  async audit(orgId: string, from: number, limit: number): Promise<readonly WebhookAudit[]> {
    const { pk, sk } = keys.webhookConfigAudit(orgId, from);
    const page = await this.#table.query({ pk, range: { le: sk }, limit, newestFirst: true, consistent: true });
    return page.items.map((item) => fromItem<WebhookAudit>(item));
  }

  async bulkReplay(orgId: string): Promise<BulkReplay | undefined> {
    const item = await this.#table.get(keys.bulkReplay(orgId), { consistent: true });
    return item && fromItem<BulkReplay>(item);
  }

  async saveBulkReplay(replay: BulkReplay): Promise<boolean> {
    const item: Item = { ...(replay as unknown as Item), ...keys.bulkReplay(replay.org_id), item_type: 'bulk_replay' };
    const { version } = replay;
    const condition: Condition = version === 1 ? { absent: 'pk' } : { eq: ['version', version - 1] };
    return (await this.#table.put(item, condition)).ok;
  }

  async #write(
    config: WebhookConfig,
    audit: WebhookAudit | undefined,
    condition: Condition,
    resetsFailing = false,
  ): Promise<boolean> {
    try {
      return await this.#writeConfig(config, audit, condition, resetsFailing);
    } finally {
      this.#recent.forget(config.org_id);
    }
  }

  async #writeConfig(
    config: WebhookConfig,
    audit: WebhookAudit | undefined,
    condition: Condition,
    resetsFailing: boolean,
  ): Promise<boolean> {
    const key = keys.webhookConfig(config.org_id);
    const change = changeTo(config, resetsFailing);
    if (!audit) return (await this.#table.update(key, change, condition)).ok;
    const entry: Item = {
      ...(audit as unknown as Item),
      ...keys.webhookConfigAudit(config.org_id, audit.id),
      item_type: 'receiver_audit',
    };
    return (await this.#table.transact([{ update: key, change, condition }, { put: entry }], randomText(32))).ok;
  }
}

/** Records older than the version field are at version 1. */
const atVersion = (version: number): Condition => {
  if (version === 0) return { absent: 'pk' };
  const same: Condition = { eq: ['version', version] };
  return version === 1 ? { all: [{ exists: 'pk' }, { any: [same, { absent: 'version' }] }] } : same;
};

/**
 * Sets everything except the times of `FAILING_SINCE`, which deliveries write concurrently. A save with `resetsFailing`
 * removes them.
 */
function changeTo(
  { failing_since: _, replays_failing_since: __, ...config }: WebhookConfig,
  resetsFailing: boolean,
): ItemChange {
  const missing = (['former', 'disabled_at', 'disabled_reason'] as const).filter(
    (field) => config[field] === undefined,
  );
  return {
    set: { ...(config as unknown as Readonly<Record<string, Json>>), item_type: 'receiver' },
    remove: resetsFailing ? [...missing, ...FAILING_SINCE] : missing,
  };
}
