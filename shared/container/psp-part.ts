import type { Clock } from '#shared/kernel/clock.ts';
import type { PspTransport } from '#shared/ports/psp.port.ts';
import type { PspGatewayPort } from '#shared/ports/psp-gateway.port.ts';
import type { VaultPort } from '#shared/ports/vault.port.ts';
import { makePspGateway } from '#shared/psp/psp-gateway.adapter.ts';

/** Time for all PSP calls of one request: the rest of API Gateway's 30 s is for storing and sending the response. */
export const PSP_BUDGET_MS = 20_000;

type PspParts = {
  readonly transport: PspTransport;
  readonly vault: VaultPort;
  readonly clock: Clock;
  /** Certificates (PEM) of additional authorities for providers, beside the public ones. */
  readonly pspRoots?: (() => readonly string[]) | undefined;
  /** Where providers are asked what they did in a time range. */
  readonly transactionLists?: Parameters<typeof makePspGateway>[0]['transactionLists'];
};

export const pspGateway = ({ pspRoots = () => [], ...parts }: PspParts): PspGatewayPort =>
  makePspGateway({ ...parts, rootCertificates: () => [...publicRoots(), ...pspRoots()] });

/**
 * Imported lazily: reading all 120 certificates takes 9 ms of a cold start, and only one provider's callbacks need
 * them.
 */
const publicRoots = (): readonly string[] => process.getBuiltinModule('node:tls').rootCertificates;
