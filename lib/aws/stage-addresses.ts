import type { PayforkSettings } from '#lib/aws/payfork-settings.ts';

/** The addresses of a stage that are known before its functions are. */
export type StageAddresses = {
  readonly apiUrl: string;
  /** Where providers send callbacks, if that is not the function URL. */
  readonly callbackUrl: string | undefined;
};

/** A front comes before a domain of the API alone, and takes callbacks too unless another address does. */
export function stageAddresses(
  { front, domain, callbackUrl }: Pick<PayforkSettings, 'front' | 'domain' | 'callbackUrl'>,
  apiEndpoint: string,
): StageAddresses {
  const ownName = front?.domain ?? domain?.name;
  const apiUrl = ownName === undefined ? apiEndpoint : `https://${ownName}`;
  return { apiUrl, callbackUrl: callbackUrl ?? (front && apiUrl) };
}
