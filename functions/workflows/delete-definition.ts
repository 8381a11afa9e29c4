import { changeDefinitions } from '#functions/workflows/change-definitions.ts';
import type { Definitions } from '#shared/domain/workflows/workflow.model.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { type IdKind, isId } from '#shared/kernel/ids.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/**
 * One kind of definition, as its deletion needs it. `refuse` throws, or rejects, for what something else still uses.
 */
export type Deletable = {
  readonly kind: 'integration' | 'template' | 'rule';
  readonly idKind: IdKind;
  readonly among: (definitions: Definitions) => readonly { readonly id: string }[];
  readonly missing: string;
  readonly refuse: (definitions: Definitions) => void | Promise<void>;
};

/** A retry after a crash may find it gone by its own first try: that is what was asked for. */
export function deleteDefinition(
  id: string,
  { kind, idKind, among, missing, refuse }: Deletable,
  { orgId, operation }: Caller,
  deps: Pick<Deps, 'workflows'>,
) {
  const answer = { id, deleted: true as const };
  return changeDefinitions(
    orgId,
    async (definitions) => {
      if (among(definitions).some((each) => each.id === id)) {
        await refuse(definitions);
        return { answer, change: { kind, remove: id } };
      }
      if (operation.resumed && isId(idKind, id)) return { answer };
      throw new AppError('not_found', missing);
    },
    deps,
  );
}
