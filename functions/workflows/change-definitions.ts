import type { Definitions } from '#shared/domain/workflows/workflow.model.ts';
import { inRounds } from '#shared/kernel/rounds.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { DefinitionChange } from '#shared/ports/workflows.port.ts';

/** `change` is missing where everything is as it is asked for. */
type Decision<T> = { readonly answer: T; readonly change?: DefinitionChange };

/**
 * Decides on all of an organization's definitions, and writes while they are still those; on what won a race it decides
 * again.
 */
export function changeDefinitions<T>(
  orgId: string,
  decide: (definitions: Definitions) => Decision<T> | Promise<Decision<T>>,
  { workflows }: Pick<Deps, 'workflows'>,
): Promise<T> {
  return inRounds(async () => {
    const definitions = await workflows.definitions(orgId);
    const { answer, change } = await decide(definitions);
    if (!change) return answer;
    return (await workflows.change(orgId, definitions, change)) ? answer : undefined;
  }, "Others are changing the organization's workflows right now. Please try again.");
}
