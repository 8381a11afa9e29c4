import type { ListDisputesQuery } from '#functions/disputes/disputes.schema.ts';
import type { Dispute } from '#shared/domain/disputes/dispute.model.ts';
import { type AnswerOptions, answerOptions } from '#shared/domain/disputes/dispute.rules.ts';
import { orNotFound } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export type ShownDispute = Dispute & { readonly answer_options: AnswerOptions };

type ShowDeps = Pick<Deps, 'psp' | 'clock'>;

/** With what the provider takes as an answer now. */
export const showDispute = (dispute: Dispute, { psp, clock }: ShowDeps): ShownDispute => ({
  ...dispute,
  answer_options: answerOptions(dispute, psp.adapter(dispute.provider)?.disputes, clock.now()),
});

export async function getDispute(
  { id }: { readonly id: string },
  caller: Caller,
  deps: ShowDeps & Pick<Deps, 'disputes'>,
): Promise<ShownDispute> {
  return showDispute(orNotFound(await deps.disputes.get(caller.orgId, id), 'There is no such dispute.'), deps);
}

/** Newest first. A page's cost depends on the page, not on the list. */
export async function listDisputes(query: ListDisputesQuery, caller: Caller, deps: ShowDeps & Pick<Deps, 'disputes'>) {
  const { items, next } = await deps.disputes.list(caller.orgId, query);
  return { items: items.map((dispute) => showDispute(dispute, deps)), next };
}
