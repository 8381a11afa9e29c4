import type { Definitions } from '#shared/domain/workflows/workflow.model.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { type IdKind, isId } from '#shared/kernel/ids.ts';
import { retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { DefinitionChange } from '#shared/ports/workflows.port.ts';

/** No `change` means that nothing needs to be written. */
type Decision<T> = { readonly result: T; readonly change?: DefinitionChange };

/**
 * Reads all of an organization's definitions, decides, and writes only if none has changed since; else decides again.
 */
export function changeDefinitions<T>(
  orgId: string,
  decide: (definitions: Definitions) => Decision<T> | Promise<Decision<T>>,
  { workflows }: Pick<Deps, 'workflows'>,
): Promise<T> {
  return retryOnConflict(async () => {
    const definitions = await workflows.definitions(orgId);
    const { result, change } = await decide(definitions);
    if (!change) return result;
    return (await workflows.change(orgId, definitions, change)) ? result : undefined;
  }, "Someone else is changing the organization's workflows right now. Try again.");
}

/** What deletion needs to know about a kind of definition. `assertUnused` throws if something still uses it. */
type DeletableKind = {
  readonly kind: 'integration' | 'template' | 'rule';
  readonly idKind: IdKind;
  readonly listIn: (definitions: Definitions) => readonly { readonly id: string }[];
  readonly missing: string;
  readonly assertUnused: (definitions: Definitions) => void | Promise<void>;
};

/** A retry after a crash may find that its first attempt deleted the record: that is success. */
export function deleteDefinition(
  id: string,
  { kind, idKind, listIn, missing, assertUnused }: DeletableKind,
  { orgId, operation }: Caller,
  deps: Pick<Deps, 'workflows'>,
) {
  const result = { id, deleted: true as const };
  return changeDefinitions(
    orgId,
    async (definitions) => {
      if (listIn(definitions).some((each) => each.id === id)) {
        await assertUnused(definitions);
        return { result, change: { kind, remove: id } };
      }
      if (operation.resumed && isId(idKind, id)) return { result };
      throw new AppError('not_found', missing);
    },
    deps,
  );
}
