import type { Template } from '#shared/domain/workflows/workflow.model.ts';
import { need } from '#shared/kernel/errors.ts';

export const MISSING = 'There is no such workflow template.';

export const templateIn = (templates: readonly Template[], id: string): Template =>
  need(
    templates.find((each) => each.id === id),
    MISSING,
  );
