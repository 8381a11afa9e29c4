import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Verdict } from '#shared/domain/payments/verdict.model.ts';
import { startDeadline } from '#shared/kernel/clock.ts';
import type { LogPort } from '#shared/ports/log.port.ts';
import type { ChargeOrder, PspAdapter, PspContext } from '#shared/ports/psp.port.ts';
import { makePspTransport } from '#shared/psp/kit/http.ts';
import { classifyCharge, classifyLookup } from '#shared/services/payments/classify-outcome.service.ts';
import { type CannedResponse, type CannedServer, startCannedServer } from '#test/contract/canned-server.ts';
import { AN_ORDER } from '#test/contract/psp.contract.ts';

/**
 * Answers that are unclear: odd types, statuses of proxies, advice that nobody knows, reasons beside each other. What
 * counts is where the charge goes: `open` is asked about again, `stays` may be retried here, `never` nowhere.
 */
export type Line = {
  readonly given: string;
  /** A look-up of this charge. Without it the answer is that of a new charge. */
  readonly fetch?: string;
  readonly answers: readonly Exclude<CannedResponse, string>[];
  readonly reads: 'open' | 'stays' | 'never' | 'elsewhere' | `paid ${number} ${string}`;
};

const SILENT: LogPort = { info: () => {}, warn: () => {}, error: () => {} };

function readingOf(verdict: Verdict): string {
  if (verdict.kind === 'succeeded') return `paid ${verdict.amount} ${verdict.currency}`;
  if (verdict.kind !== 'failed')
    return verdict.kind === 'unknown' || verdict.kind === 'processing' ? 'open' : verdict.kind;
  if (verdict.allowsFailover) return 'elsewhere';
  return verdict.failure.retryable ? 'stays' : 'never';
}

export function describeUnclear(
  adapter: PspAdapter,
  credentials: unknown,
  order: Partial<ChargeOrder>,
  lines: readonly Line[],
): void {
  const { provider } = adapter;
  describe(`unclear answers of ${provider}`, () => {
    let psp: CannedServer;
    beforeAll(async () => {
      psp = await startCannedServer(
        provider === 'paypal' ? { '/v1/oauth2/token': { body: { access_token: 'A21', expires_in: 32_400 } } } : {},
      );
    });
    afterAll(() => psp.close());

    it.each(lines)('$given: $reads', async ({ fetch, answers, reads }) => {
      psp.respond(...answers);
      const parsed = adapter.parseCredentials(credentials);
      if (!parsed.ok) throw new Error(`The credentials for ${provider} are not valid.`);
      const transport = makePspTransport({ baseUrls: () => psp.base });
      const deadline = startDeadline(5_000);
      const context: PspContext<unknown> = {
        credentials: parsed.credentials,
        now: () => new Date(AN_ORDER.startedAt),
        send: (request) => transport.send(provider, request, deadline),
        rootCertificates: () => [],
      };
      const { paymentId, attemptId } = AN_ORDER;
      const verdict = await (fetch === undefined
        ? classifyCharge(() => adapter.create({ ...AN_ORDER, ...order }, context), SILENT)
        : classifyLookup(
            () => adapter.fetch({ reference: fetch, paymentId, attemptId, mayCapture: true }, context),
            SILENT,
          ));
      expect(readingOf(verdict)).toBe(reads);
    });
  });
}

export type Json = Readonly<Record<string, unknown>>;

/** What a proxy or a lock answers. The call may have got through before. */
export const STATUSES_OF_OTHERS = [408, 409, 423, 424, 425, 499];

export const unfinished = (body: Json, ...before: Line['answers']): readonly Line[] =>
  STATUSES_OF_OTHERS.map((status) => ({
    given: `HTTP ${status}`,
    answers: [...before, { status, body }],
    reads: 'open',
  }));
