import type { OwedStart } from '#shared/domain/workflows/execution.model.ts';
import type { Item } from '#shared/ports/table.port.ts';
import { indexKeys, keys } from '#shared/store/keys.ts';

export const owedStartEntity = {
  toItem: ({ id, org_id, type, through, since }: OwedStart, dueAt: Date): Item => ({
    ...keys.owedStart(id),
    item_type: 'owed_start',
    id,
    org_id,
    type,
    ...(through && { through }),
    since,
    ...owedStartDue({ id, org_id }, dueAt.toISOString()),
  }),
  fromItem: (item: Item): OwedStart => {
    const { id, org_id, type, through, since } = item as unknown as OwedStart;
    return { id, org_id, type, ...(through && { through }), since };
  },
};

export const owedStartDue = ({ id, org_id }: Pick<OwedStart, 'id' | 'org_id'>, at: string) => ({
  due_pk: indexKeys.due(id),
  due_sk: `${at}#${id}#${org_id}`,
});
