import { ExchangeError, exchange } from '#shared/adapters/net/exchange.ts';
import type { Provider } from '#shared/domain/routing/connection.model.ts';
import {
  PspNotSent,
  PspOutcomeUnknown,
  type PspRequest,
  type PspResponse,
  type PspTransport,
} from '#shared/ports/psp.port.ts';

type PspTransportOptions = {
  readonly baseUrls: (provider: Provider, host?: string) => string | undefined;
  readonly maxBytes?: number;
};

const HOST_PREFIX = /^[a-z0-9-]{1,63}$/;

/**
 * Sends requests to providers. If no byte can have left, the error is `PspNotSent` and failover is safe. Otherwise it
 * is `PspOutcomeUnknown`, and failover could charge twice.
 */
export function makePspTransport({ baseUrls, maxBytes }: PspTransportOptions): PspTransport {
  return {
    async send(provider, request, deadline): Promise<PspResponse> {
      const url = urlOf(provider, baseUrls(provider, request.host), request);
      const timeoutMs = deadline.remaining();
      if (timeoutMs <= 0)
        throw new PspNotSent('unreachable', `No time was left to call ${provider} (${request.operation}).`);
      const { method, body } = request;
      const headers = { accept: 'application/json', 'user-agent': 'payfork', ...request.headers };
      try {
        const response = await exchange({
          url,
          method,
          headers,
          body,
          timeoutMs,
          maxBytes,
        });
        return { status: response.status, headers: response.headers, text: response.body.toString('utf8') };
      } catch (error) {
        throw toPspError(error, `${provider} (${request.operation})`);
      }
    },
  };
}

function urlOf(provider: Provider, base: string | undefined, { path, hostPrefix = '' }: PspRequest): string {
  if (base === undefined) throw new PspNotSent('unreachable', `There is no provider ${provider}.`);
  if (base.includes('{prefix}') && !HOST_PREFIX.test(hostPrefix))
    throw new PspNotSent('unreachable', `The ${provider} account has no usable host prefix.`);
  return base.replace('{prefix}', hostPrefix).replace(/\/$/, '') + path;
}

function toPspError(error: unknown, call: string): unknown {
  if (!(error instanceof ExchangeError)) return error;
  if (!error.sent) return new PspNotSent('unreachable', `${call} was not reached.`, { cause: error });
  return new PspOutcomeUnknown(`${call} gave no response: ${error.kind}.`, { cause: error });
}
