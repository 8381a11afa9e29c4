import { controlAddress } from '#client/dashboard/shell/navigation.ts';

/** The control server refused, or did not respond. It has the fields of the API's errors. */
class ControlError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: unknown;
  constructor(message: string, status: number, { code, details }: { code?: string; details?: unknown } = {}) {
    super(message);
    this.status = status;
    this.code = code ?? 'connection_failed';
    this.details = details;
  }
}

type Sent = { readonly body?: object; readonly signal?: AbortSignal };

/** A call of the local host's control server. No cookie is sent: it knows nobody. */
export async function control<T>(method: string, path: string, { body, signal }: Sent = {}): Promise<T> {
  const response = await fetch(`${controlAddress()}${path}`, {
    method,
    credentials: 'omit',
    ...(signal && { signal }),
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ControlError('The control server of this machine does not respond.', 0);
  });
  const reply = await response.json();
  if (!response.ok) throw new ControlError(reply.message, response.status, reply);
  return reply;
}
