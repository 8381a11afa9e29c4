import { CustomerActs } from '#client/dashboard/screens/lab/customer-acts.tsx';
import { ProviderCalls } from '#client/dashboard/screens/lab/provider-calls.tsx';
import { ScenarioForm } from '#client/dashboard/screens/lab/scenario-form.tsx';
import { useControl } from '#client/dashboard/screens/lab/use-control.ts';
import { type ScenarioChoices, WaitingScenarios } from '#client/dashboard/screens/lab/waiting-scenarios.tsx';
import { Columns, Section } from '#client/dashboard/ui/page.tsx';
import { Loaded } from '#client/dashboard/ui/states.tsx';

/** What the simulated providers do next, what customers do there, and what the providers saw. */
export function Providers() {
  const query = useControl<ScenarioChoices>('lab-scenarios', '/psp/scenario');
  return (
    <Loaded query={query}>
      {(choices) => (
        <>
          <Columns>
            <Section
              title="What a provider does next"
              description="A scenario decides the next call, whatever the payment method would do."
              isCard
            >
              <ScenarioForm choices={choices} />
            </Section>
            <Section title="Scenarios that wait" isCard>
              <WaitingScenarios waiting={choices.waiting} />
            </Section>
          </Columns>
          <CustomerActs providers={choices.providers} />
          <ProviderCalls providers={choices.providers} />
        </>
      )}
    </Loaded>
  );
}
