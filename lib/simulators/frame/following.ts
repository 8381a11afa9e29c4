import type { Behaviour, WebhookMode } from '#lib/simulators/frame/behaviour.ts';
import type { Script } from '#lib/simulators/frame/scenario-book.ts';

/** What a scenario left for later: `behaviour` for the payment's next try, `webhook` for all that follows. */
export type Following = { readonly behaviour: Behaviour | null; readonly webhook: WebhookMode };

export const following = (script: Script | null): Following => ({
  behaviour: script?.behaviour ?? null,
  webhook: script?.webhook ?? { kind: 'normal' },
});

/** A completion from outside includes the customer's authentication. */
export const withoutQuestions = (behaviour: Behaviour | null): Behaviour | null =>
  behaviour?.kind === 'requires_action' ? null : behaviour;
