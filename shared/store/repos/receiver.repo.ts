import type { ReceiverAudit } from '#shared/domain/webhooks/receiver-audit.rules.ts';
import type { ReceiverConfig } from '#shared/domain/webhooks/receiver-config.model.ts';
import type { FailingSince } from '#shared/domain/webhooks/receiver-health.rules.ts';
import { randomText } from '#shared/kernel/ids.ts';
import type { ReceiversPort } from '#shared/ports/receiver-configs.port.ts';
import type { Change, Cond, Item, Json, TablePort } from '#shared/ports/table.port.ts';
import { keys } from '#shared/store/keys.ts';
import { recordIn } from '#shared/store/record-in.ts';

const FAILING_SINCE = ['failing_since', 'replays_failing_since'] as const satisfies readonly FailingSince[];

export class ReceiverRepo implements ReceiversPort {
  readonly #table: TablePort;
  constructor(table: TablePort) {
    this.#table = table;
  }

  async get(orgId: string): Promise<ReceiverConfig | undefined> {
    const item = await this.#table.get(keys.receiver(orgId), { consistent: true });
    return (
      item && {
        ...recordIn<ReceiverConfig>(item),
        version: Number(item.version ?? 1),
        audits: Number(item.audits ?? 0),
      }
    );
  }

  save(config: ReceiverConfig, audit?: ReceiverAudit, startsAnew = false): Promise<boolean> {
    return this.#write(config, audit, atVersion(config.version - 1), startsAnew);
  }

  turnOff(config: ReceiverConfig, audit: ReceiverAudit): Promise<boolean> {
    const { version, disabled_reason, failing_since = null } = config;
    const unchanged = atVersion(version - 1);
    const stillFailing: Cond = { all: [unchanged, { eq: ['failing_since', failing_since] }] };
    return this.#write(config, audit, disabled_reason === 'failing' ? stillFailing : unchanged);
  }

  async noteFailing({ org_id, version }: ReceiverConfig, field: FailingSince, since: Date): Promise<void> {
    await this.#table.update(
      keys.receiver(org_id),
      { set: { [field]: since.toISOString() } },
      { all: [atVersion(version), { absent: field }] },
    );
  }

  async noteBack(config: ReceiverConfig): Promise<void> {
    const read = FAILING_SINCE.filter((field) => config[field] !== undefined);
    if (read.length === 0) return;
    const unchanged = read.map((field): Cond => ({ eq: [field, config[field] ?? null] }));
    await this.#table.update(keys.receiver(config.org_id), { remove: read }, { all: unchanged });
  }

  async audit(orgId: string, from: number, limit: number): Promise<readonly ReceiverAudit[]> {
    const { pk, sk } = keys.receiverAudit(orgId, from);
    const page = await this.#table.query({ pk, range: { le: sk }, limit, newestFirst: true, consistent: true });
    return page.items.map((item) => recordIn<ReceiverAudit>(item));
  }

  async #write(
    config: ReceiverConfig,
    audit: ReceiverAudit | undefined,
    cond: Cond,
    startsAnew = false,
  ): Promise<boolean> {
    const [key, change] = [keys.receiver(config.org_id), changeTo(config, startsAnew)];
    if (!audit) return (await this.#table.update(key, change, cond)).ok;
    const entry: Item = {
      ...(audit as unknown as Item),
      ...keys.receiverAudit(config.org_id, audit.id),
      item_type: 'receiver_audit',
    };
    return (await this.#table.transact([{ update: key, change, cond }, { put: entry }], randomText(32))).ok;
  }
}

/** Records older than the version field are at version 1. */
const atVersion = (version: number): Cond => {
  if (version === 0) return { absent: 'pk' };
  const same: Cond = { eq: ['version', version] };
  return version === 1 ? { all: [{ exists: 'pk' }, { any: [same, { absent: 'version' }] }] } : same;
};

/**
 * Everything except the failing times, which deliveries write concurrently: a save only removes them, and only where it
 * means to.
 */
function changeTo(
  { failing_since: _, replays_failing_since: __, ...config }: ReceiverConfig,
  startsAnew: boolean,
): Change {
  const missing = (['former', 'disabled_at', 'disabled_reason'] as const).filter(
    (field) => config[field] === undefined,
  );
  return {
    set: { ...(config as unknown as Readonly<Record<string, Json>>), item_type: 'receiver' },
    remove: startsAnew ? [...missing, ...FAILING_SINCE] : missing,
  };
}
