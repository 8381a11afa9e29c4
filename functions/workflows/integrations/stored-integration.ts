import type { Integration } from '#shared/domain/workflows/workflow.model.ts';
import { need } from '#shared/kernel/errors.ts';

export const MISSING = 'There is no such integration.';

export const integrationIn = (integrations: readonly Integration[], id: string): Integration =>
  need(
    integrations.find((each) => each.id === id),
    MISSING,
  );
