import { PROBE_EVENT, PROBE_PATH, probeKey } from '#shared/domain/reference/probe.rules.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { OwnApiRequest } from '#shared/ports/own-api.port.ts';

export type ProbeDeps = Pick<Deps, 'ownApi' | 'clock'> & {
  readonly config: Pick<Deps['config'], 'stage' | 'apiUrl' | 'hashSecret'>;
};

export type Fields = Readonly<Record<string, unknown>>;

/** The service does not do what its clients rely on. The message names the step; it holds no response's body. */
export class ProbeFailed extends Error {
  override readonly name = 'ProbeFailed';
  readonly status: number | undefined;
  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

/** Asks the API as any client does, with the probe's own key. Rejects unless it gets what it asked for. */
export async function askOwnApi(request: Omit<OwnApiRequest, 'key'>, deps: ProbeDeps): Promise<Fields> {
  const { status, body } = await deps.ownApi.call({ ...request, key: probeKey(deps.config) });
  const fields: Fields = Object(body);
  if (status < 300) return fields;
  const remedy = status === 401 ? ' Create the organization of the probe: npm run bootstrap -- --probe.' : '';
  const [path] = request.path.split('?');
  throw new ProbeFailed(`${request.method} ${path} answered ${status} ${String(fields.code ?? '')}.${remedy}`, status);
}

/**
 * The configuration of the probe's webhook, with its signing secret. It is saved anew if there is none, if the address
 * of the API has changed, or if it was disabled in a disturbance that lasted for days.
 */
export async function probeWebhook(deps: ProbeDeps): Promise<Fields> {
  const url = deps.config.apiUrl + PROBE_PATH;
  const found = await webhookConfig(deps);
  if (found?.url === url && found.enabled === true) return found;
  const idempotencyKey = `probe-webhook-${deps.clock.now().getTime()}`;
  const body = { url, events: [PROBE_EVENT] };
  return askOwnApi({ method: 'POST', path: '/v1/webhooks/config', body, idempotencyKey }, deps);
}

async function webhookConfig(deps: ProbeDeps): Promise<Fields | undefined> {
  try {
    return await askOwnApi({ method: 'GET', path: '/v1/webhooks/config' }, deps);
  } catch (error) {
    if (error instanceof ProbeFailed && error.status === 404) return undefined;
    throw error;
  }
}
