import type { Construct } from 'constructs';
import type { Stage } from '#shared/domain/reference/stage.model.ts';

/**
 * What functions read, by the name that whoever deploys knows it by: `-c live_origins=https://dashboard.example.com`.
 */
const SETTINGS = { ORIGINS: 'origins', DASHBOARD_URL: 'dashboard_url', PASSKEY_DOMAIN: 'passkey_domain' } as const;

/**
 * Where people work with a stage. All of it may be left out: then nobody acts with a session but from our own pages.
 */
export function dashboardOf(scope: Construct, stage: Stage): Readonly<Record<string, string>> {
  const given = Object.entries(SETTINGS).map(
    ([variable, name]) => [variable, scope.node.tryGetContext(`${stage}_${name}`)] as const,
  );
  return Object.fromEntries(given.filter(([, value]) => typeof value === 'string' && value !== ''));
}
