import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { type ApiProblem, fieldError } from '#client/dashboard/api/api-problem.ts';
import { useQuery } from '#client/dashboard/api/use-query.ts';
import { editedRule, inOrder } from '#client/dashboard/screens/routing/rule-order.ts';
import { SimulationFields } from '#client/dashboard/screens/routing/simulation-fields.tsx';
import {
  type SimulationDraft,
  simulationIn,
  simulationOf,
} from '#client/dashboard/screens/routing/simulation-input.ts';
import { SimulationResult } from '#client/dashboard/screens/routing/simulation-result.tsx';
import { useRules } from '#client/dashboard/screens/routing/use-routing.ts';
import { Button } from '#client/dashboard/ui/button.tsx';
import { ActionProblem } from '#client/dashboard/ui/confirm-dialog.tsx';
import { Section } from '#client/dashboard/ui/page.tsx';
import { Empty, Loaded } from '#client/dashboard/ui/states.tsx';
import { Segments } from '#client/dashboard/ui/tabs.tsx';

const MISTAKE = 400;

/** A payment-like form that shows where the payment would go, and why. `order`: one that is not saved yet. */
export function Simulator({ order }: { readonly order: readonly string[] | undefined }) {
  const rules = useRules().data;
  const { query: address } = useLocation();
  const [draft, setDraft] = useState(() => simulationIn(address));
  const [withOrder, setWithOrder] = useState(order !== undefined);
  const [asked, setAsked] = useState(() => (address.amount ? simulationOf(draft, undefined) : undefined));
  const edited = order && withOrder && rules ? inOrder(rules, order).map(editedRule) : undefined;
  const input = simulationOf(draft, edited);
  const query = useQuery(
    ['simulation', asked],
    (api, options) => api.routingSimulator.simulateRouting(asked ?? { amount: 0, currency: '' }, options),
    { enabled: asked !== undefined },
  );
  const mistake = query.problem?.status === MISTAKE ? query.problem : undefined;
  return (
    <div class="simulator">
      <Section title="A payment" description="Nothing is stored, counted or sent to a provider." isCard>
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault();
            if (input) setAsked(input);
            query.refetch();
          }}
        >
          {order && <WhichRules withOrder={withOrder} setWithOrder={setWithOrder} />}
          <Fields {...{ draft, setDraft }} problem={mistake} />
          <ActionProblem problem={mistake} isUnknown={false} />
          <Button type="submit" tone="primary" icon="play" disabled={!input} isPending={query.isLoading}>
            Simulate
          </Button>
        </form>
      </Section>
      <div class="simulator-result" aria-live="polite">
        {!asked && (
          <Empty icon="routing" title="Where would it go?">
            <p>
              Fill in what you know of a payment. You see which connection it would go to, and why each rule did or did
              not match.
            </p>
          </Empty>
        )}
        {asked && !mistake && (
          <Loaded query={query} rows={6}>
            {(simulation) => <SimulationResult simulation={simulation} isEdited={asked.rules !== undefined} />}
          </Loaded>
        )}
      </div>
    </div>
  );
}

type WhichProps = { readonly withOrder: boolean; readonly setWithOrder: (withOrder: boolean) => void };

const WhichRules = ({ withOrder, setWithOrder }: WhichProps) => (
  <Segments
    label="Rules to simulate with"
    value={withOrder ? 'new' : 'stored'}
    options={[
      { value: 'stored', label: 'Saved order' },
      { value: 'new', label: 'New order, not saved' },
    ]}
    onValue={(value) => setWithOrder(value === 'new')}
  />
);

type FieldsProps = {
  readonly draft: SimulationDraft;
  readonly setDraft: (draft: SimulationDraft) => void;
  readonly problem: ApiProblem | undefined;
};

const Fields = ({ draft, setDraft, problem }: FieldsProps) => (
  <SimulationFields
    draft={draft}
    change={(part) => setDraft({ ...draft, ...part })}
    error={(field) => fieldError(problem, field)}
  />
);
