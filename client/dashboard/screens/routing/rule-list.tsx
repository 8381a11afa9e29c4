import { useFormats } from '#client/dashboard/i18n/i18n.tsx';
import { type RuleDialog, RuleMenu } from '#client/dashboard/screens/routing/rule-menu.tsx';
import { useReorder } from '#client/dashboard/screens/routing/use-reorder.ts';
import { useConnectionName } from '#client/dashboard/screens/routing/use-routing.ts';
import { Badge } from '#client/dashboard/ui/badge.tsx';
import { classNames } from '#client/dashboard/ui/class-names.ts';
import { Icon } from '#client/dashboard/ui/icon.tsx';
import type { RoutingRule } from '#client/typescript/src/index.ts';

type RuleListProps = {
  /** In the order in which they are tried. */
  readonly rules: readonly RoutingRule[];
  readonly canChange: boolean;
  readonly onOrder: (ids: readonly string[]) => void;
  readonly onOpen: (dialog: RuleDialog) => void;
};

/** The rules as routing tries them. Who may change them drags one by its handle, or moves it with the keys. */
export function RuleList({ rules, canChange, onOrder, onOpen }: RuleListProps) {
  const nameOf = (id: string): string => rules.find((rule) => rule.id === id)?.name ?? id;
  const ids = rules.map(({ id }) => id);
  const { list, grabbed, said, handle } = useReorder(ids, nameOf, onOrder);
  return (
    <>
      <ol class="rules" aria-label="Routing rules, in order" ref={list}>
        {rules.map((rule, n) => (
          <li key={rule.id} class={classNames('rule', grabbed === rule.id && 'is-grabbed', !rule.enabled && 'is-off')}>
            {canChange && (
              <button
                type="button"
                {...handle(rule.id)}
                class="rule-handle"
                aria-label={`Move ${rule.name}, position ${n + 1} of ${rules.length}`}
                title="Drag, or press Space and then the arrow keys"
              >
                <Icon name="drag" />
              </button>
            )}
            <span class="rule-place" aria-hidden="true">
              {n + 1}
            </span>
            <RuleText rule={rule} />
            {canChange && <RuleMenu rule={rule} onOpen={onOpen} />}
          </li>
        ))}
      </ol>
      <p class="visually-hidden" role="status" aria-live="assertive">
        {said}
      </p>
    </>
  );
}

function RuleText({ rule }: { readonly rule: RoutingRule }) {
  const connectionName = useConnectionName();
  const { name, connection_id, enabled, fallback_to_default } = rule;
  return (
    <div class="rule-text">
      <div class="row">
        <span class="strong">{name}</span>
        {!enabled && <Badge icon="pause">Off</Badge>}
      </div>
      <div class="rule-sentence">
        <Matches rule={rule} /> <Icon name="right" size={12} />{' '}
        <a href={`/dashboard/connections/${connection_id}`}>{connectionName(connection_id)}</a>
        <span class="muted">{fallback_to_default ? ', then default routing' : ' only'}</span>
      </div>
    </div>
  );
}

const MAX_NAMED = 4;

/** What a rule matches, in words: `Germany, Austria · card`. */
export function Matches({
  rule: { countries, methods },
}: {
  readonly rule: Pick<RoutingRule, 'countries' | 'methods'>;
}) {
  const { country } = useFormats();
  const named = countries.slice(0, MAX_NAMED).map(country).join(', ');
  const more = countries.length - MAX_NAMED;
  return (
    <span title={countries.join(', ')}>
      {named}
      {more > 0 && ` and ${more} more`} · {methods.length === 0 ? 'every method' : methods.join(', ')}
    </span>
  );
}
