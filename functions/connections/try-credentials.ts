import { monotonic } from '#shared/kernel/clock.ts';
import { PspNotSent, PspOutcomeUnknown, PspRefused } from '#shared/ports/psp.port.ts';
import type { PspSession } from '#shared/ports/psp-gateway.port.ts';

type Trial = {
  readonly credentials: 'valid' | 'invalid' | 'unreachable';
  readonly account_name: string | null;
  readonly latency_ms: number;
  /** The PSP's refusal, if it refused. */
  readonly error: string | null;
};

/** One cheap authenticated call. A PSP that can't be reached says nothing about the credentials. */
export async function tryCredentials(open: () => PspSession | Promise<PspSession>): Promise<Trial> {
  const began = monotonic();
  const spent = () => Math.round(monotonic() - began);
  try {
    const { accountName } = await (await open()).ping();
    return { credentials: 'valid', account_name: accountName, latency_ms: spent(), error: null };
  } catch (error) {
    const trouble = { account_name: null, latency_ms: spent() };
    if (error instanceof PspRefused) return { ...trouble, credentials: 'invalid', error: error.message };
    if (error instanceof PspNotSent || error instanceof PspOutcomeUnknown)
      return { ...trouble, credentials: 'unreachable', error: error.message };
    throw error;
  }
}
