import type { Construct } from 'constructs';
import type { Stage } from '#shared/domain/reference/stage.model.ts';

/**
 * The environment variables of functions, by the name of the deployment setting: `-c
 * live_origins=https://dashboard.example.com`.
 */
const SETTINGS = { ORIGINS: 'origins', DASHBOARD_URL: 'dashboard_url', PASSKEY_DOMAIN: 'passkey_domain' } as const;

/** Where the dashboard is served. Without these settings only our own pages can act with a session. */
export function dashboardOf(scope: Construct, stage: Stage): Readonly<Record<string, string>> {
  const settings = Object.entries(SETTINGS).map(
    ([variable, name]) => [variable, scope.node.tryGetContext(`${stage}_${name}`)] as const,
  );
  return Object.fromEntries(settings.filter(([, value]) => typeof value === 'string' && value !== ''));
}
