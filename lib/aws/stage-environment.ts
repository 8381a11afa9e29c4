import type { PayforkSettings } from '#lib/aws/payfork-settings.ts';
import type { ResourceNames } from '#lib/aws/stack-names.ts';
import type { StageAddresses } from '#lib/aws/stage-addresses.ts';
import { metricNamespace } from '#shared/domain/reference/metrics.catalog.ts';

/** What each function of a stage is told, whatever it does. */
export function stageEnvironment(
  payfork: PayforkSettings,
  names: ResourceNames,
  { apiUrl, callbackUrl }: StageAddresses,
): Readonly<Record<'STAGE' | 'API_URL' | 'OTHER_STAGE_URL', string>> & Readonly<Record<string, string>> {
  const { stage, traces = 'slow', otherStageUrl } = payfork;
  const other = stage === 'live' ? 'sandbox' : 'live';
  return {
    STAGE: stage,
    TRACES: traces,
    ...(names.metrics !== metricNamespace(stage) && { METRICS: names.metrics }),
    API_URL: apiUrl,
    // Stacks do not know each other. Error messages name the other stage to callers with its key.
    OTHER_STAGE_URL: otherStageUrl ?? `the API of the ${other} stage`,
    ...(callbackUrl !== undefined && { CALLBACK_URL: callbackUrl }),
    ...dashboardOf(payfork),
  };
}

/** Where the dashboard is served, for functions. Without these settings only our own pages can act with a session. */
export function dashboardOf({ dashboard = {} }: Pick<PayforkSettings, 'dashboard'>): Readonly<Record<string, string>> {
  const { origins, url, passkeyDomain } = dashboard;
  return {
    ...(origins && { ORIGINS: origins.join(',') }),
    ...(url && { DASHBOARD_URL: url }),
    ...(passkeyDomain && { PASSKEY_DOMAIN: passkeyDomain }),
  };
}
