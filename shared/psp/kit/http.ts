import { ExchangeError, exchange } from '#shared/adapters/net/exchange.ts';
import type { Provider } from '#shared/domain/reference/provider.model.ts';
import {
  PspNotSent,
  PspOutcomeUnknown,
  type PspReply,
  type PspRequest,
  type PspTransport,
} from '#shared/ports/psp.port.ts';

type PspTransportOptions = {
  readonly baseUrls: (provider: Provider, host?: string) => string | undefined;
  readonly maxBytes?: number;
};

const HOST_PREFIX = /^[a-z0-9-]{1,63}$/;

/**
 * Whether a byte can have left decides between `PspNotSent` (failover is safe) and `PspOutcomeUnknown` (never fail
 * over).
 */
export function makePspTransport({ baseUrls, maxBytes }: PspTransportOptions): PspTransport {
  return {
    async send(provider, request, deadline): Promise<PspReply> {
      const timeoutMs = deadline.remaining();
      if (timeoutMs <= 0)
        throw new PspNotSent('unreachable', `No time was left to call ${provider} (${request.operation}).`);
      const { method, body } = request;
      const headers = { accept: 'application/json', 'user-agent': 'payfork', ...request.headers };
      try {
        const reply = await exchange({
          url: addressOf(provider, baseUrls(provider, request.host), request),
          method,
          headers,
          body,
          timeoutMs,
          maxBytes,
        });
        return { status: reply.status, headers: reply.headers, text: reply.body.toString('utf8') };
      } catch (error) {
        throw troubleOf(error, `${provider} (${request.operation})`);
      }
    },
  };
}

function addressOf(provider: Provider, base: string | undefined, { path, hostPrefix = '' }: PspRequest): string {
  if (base === undefined) throw new PspNotSent('unreachable', `There is no provider ${provider}.`);
  if (base.includes('{prefix}') && !HOST_PREFIX.test(hostPrefix))
    throw new PspNotSent('unreachable', `The ${provider} account has no usable host prefix.`);
  return base.replace('{prefix}', hostPrefix).replace(/\/$/, '') + path;
}

function troubleOf(error: unknown, who: string): unknown {
  if (!(error instanceof ExchangeError)) return error;
  if (!error.sent) return new PspNotSent('unreachable', `${who} was not reached.`, { cause: error });
  return new PspOutcomeUnknown(`${who} gave no answer: ${error.kind}.`, { cause: error });
}
